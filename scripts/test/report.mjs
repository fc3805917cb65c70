// What `npm test` prints: one line a step, the output of those that failed or have something to tell, a summary.

/**
 * One finished step.
 * @typedef {object} Result
 * @property {string} name
 * @property {number} ms wall time
 * @property {"passed" | "failed" | "skipped"} outcome
 * @property {string} [reason] why it was skipped or failed, one line
 * @property {string} [output] what the step printed and a reader wants to see
 * @property {{ passed: number, failed: number, skipped: number }} totals single tests; a check without tests counts as one
 */

/** @param {Result} result */
export function reportStep(result) {
  const seconds = `${(result.ms / 1000).toFixed(1)} s`;
  const tests = result.totals.passed + result.totals.failed + result.totals.skipped;
  const counted = tests > 1 ? `  ${counts(result.totals)}` : "";
  const reason = result.reason === undefined ? "" : `: ${result.reason}`;
  console.log(`${result.outcome.padEnd(7)} ${seconds.padStart(7)}  ${result.name}${reason}${counted}`);
  if (result.output) console.log(result.output.replace(/^(?=.)/gm, "    "));
}

/**
 * The closing lines: every step that failed or was skipped by name, then the totals alone on the last line.
 * @param {Result[]} results
 * @param {number} ms wall time of the whole run
 */
export function reportSummary(results, ms) {
  console.log(`\n${results.length} steps in ${(ms / 1000).toFixed(1)} s on Node ${process.versions.node}`);
  for (const outcome of ["skipped", "failed"]) {
    for (const { name, reason } of results.filter((result) => result.outcome === outcome)) {
      console.log(`${outcome}: ${name}${reason === undefined ? "" : ` (${reason})`}`);
    }
  }
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { totals } of results) {
    total.passed += totals.passed;
    total.failed += totals.failed;
    total.skipped += totals.skipped;
  }
  console.log(counts(total));
}

function counts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
