// `npm test`: runs every check as a named step and fails at the end when one of them failed.
// `npm test -- unit peers:curl` runs only the steps whose name starts with one of the words given.
import { availableParallelism } from "node:os";
import { reportStep, reportSummary } from "./test/report.mjs";
import { allSteps } from "./test/steps.mjs";

const wanted = process.argv.slice(2);
const steps = allSteps().filter((step) => wanted.length === 0 || wanted.some((word) => step.name.startsWith(word)));
if (steps.length === 0) {
  console.error(
    `no step is called ${wanted.join(" or ")}; steps: ${allSteps()
      .map((step) => step.name)
      .join(", ")}`,
  );
  process.exit(2);
}

const started = Date.now();
const results = [];
const running = new Map();
const waiting = [...steps];

// Steps run side by side up to the number of cores (2 at most: sockets and clocks are measured), unless a step wants the machine for
// itself; a step waits for those that it names in `after`.
while (waiting.length > 0 || running.size > 0) {
  const next = waiting.findIndex((step) => mayStart(step));
  if (next === -1) {
    await Promise.race(running.values());
    continue;
  }
  const [step] = waiting.splice(next, 1);
  running.set(step, runOne(step));
}
reportSummary(results, Date.now() - started);
process.exitCode = results.some((result) => result.outcome === "failed") ? 1 : 0;

function mayStart(step) {
  const busy = [...running.keys()];
  if (busy.some((other) => other.alone) || (step.alone && busy.length > 0)) return false;
  if (busy.length >= Math.min(2, availableParallelism())) return false;
  const earlier = [...waiting.slice(0, waiting.indexOf(step)), ...busy];
  // A step that runs alone comes after all that stand before it: else it would wait for ever behind the others.
  if (step.alone && earlier.length > 0) return false;
  return !earlier.some((other) => step.after?.includes(other.name));
}

async function runOne(step) {
  const at = Date.now();
  const result = await step.run();
  const done = { name: step.name, ms: Date.now() - at, ...result };
  results.push(done);
  reportStep(done);
  running.delete(step);
}
