// Runs one process of node:test tests and reads its totals.
import { ROOT, runCommand } from "./command.mjs";

const REPORTER = [`--test-reporter=${ROOT}scripts/test/reporter.mjs`, "--test-reporter-destination=stdout"];
const TOTALS = /^(\d+) passed, (\d+) failed, (\d+) skipped\n/m;

/**
 * @param {string[]} node the command up to Node's own options
 * @param {string[]} script the file and its arguments
 * @param {{ timeoutMs: number }} options
 * @returns {Promise<Omit<import("./report.mjs").Result, "name" | "ms">>}
 */
export async function runTests(node, script, options) {
  const { ok, output, reason } = await runCommand([...node, ...REPORTER, ...script], options);
  const found = TOTALS.exec(output);
  const [passed, failed, skipped] = (found?.slice(1) ?? [0, 0, 0]).map(Number);
  const shown = output.replace(TOTALS, "").trim();
  if (ok && found !== null && failed === 0) return { outcome: "passed", output: shown, totals: { passed, failed, skipped } };
  // A process that ended badly is a failure even when each of its tests passed.
  const why = failed > 0 ? undefined : (reason ?? "no totals were reported");
  return { outcome: "failed", reason: why, output: shown, totals: { passed, failed: Math.max(1, failed), skipped } };
}
