import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { builtCli } from "./built-cli.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const STARTS = 20;
const CEILING = 1.3;
/** Another program can take a processor away in the middle of a measurement, and never gives more than there is. */
const ATTEMPTS = 3;

test(`--help takes at most ${CEILING} times as long as loading yargs alone`, { timeout: 120_000 }, (t) => {
  const cli = builtCli();
  assert.equal(cli.trouble, null);
  const ratios: number[] = [];
  while (ratios.length < ATTEMPTS) {
    const [help, yargs] = medians([
      [cli.path, "--help"],
      ["-e", "import('yargs')"],
    ]);
    const ratio = (help ?? Number.NaN) / (yargs ?? Number.NaN);
    t.diagnostic(`${help?.toFixed(0)} ms against ${yargs?.toFixed(0)} ms: ${ratio.toFixed(2)}`);
    if (ratio <= CEILING) return;
    ratios.push(ratio);
  }
  assert.fail(`above ${CEILING} in each of ${ATTEMPTS} attempts: ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")}`);
});

/** The median time of 20 starts of Node with each list of arguments, in ms, taken in turns. */
function medians(commands: readonly (readonly string[])[]): number[] {
  const samples = commands.map((): number[] => []);
  for (let start = 0; start < STARTS; start++) {
    for (const [at, args] of commands.entries()) samples[at]?.push(startMs(args));
  }
  return samples.map((times) => times.sort((a, b) => a - b)[STARTS / 2] ?? Number.NaN);
}

function startMs(args: readonly string[]): number {
  const began = performance.now();
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: "ignore" });
  assert.equal(status, 0, `node ${args.join(" ")} ended with ${status}`);
  return performance.now() - began;
}
