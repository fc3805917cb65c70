// The steps of `npm test`, in the order in which they are reported when nothing runs side by side.
import { NODE_SOURCE, runCommand } from "./command.mjs";
import { peerSteps } from "./peer-steps.mjs";
import { socketTestFiles } from "./test-files.mjs";
import { runTests } from "./test-process.mjs";

const CHECK_MS = 180_000;
const UNIT_MS = 300_000;
const SOCKET_MS = 300_000;
/** Tests of speed want the machine for themselves. */
const MEASURING_TESTS = /^src\/bench\/speed\//;

/**
 * A named step. `alone`: nothing else runs meanwhile. `after`: names of steps whose result it uses.
 * @typedef {object} Step
 * @property {string} name
 * @property {boolean} [alone]
 * @property {string[]} [after]
 * @property {() => Promise<Omit<import("./report.mjs").Result, "name" | "ms">>} run
 */

/** @returns {Step[]} */
export function allSteps() {
  return [
    check("types", ["tsc", "-b"]),
    check("biome", ["biome", "ci", "--colors=off", "--error-on-warnings"]),
    check("eslint", ["eslint", "--max-warnings=0", "."]),
    check("build", ["tsdown"]),
    check("knip", ["knip", "--no-progress"]),
    check("docs", ["typedoc"]),
    ...["wiretally", "http2-frame-parser"].flatMap(packageChecks),
    { name: "unit", alone: true, run: unitTests },
    ...socketTestFiles().map(socketStep),
    ...peerSteps(),
  ];
}

/** A tool that is right when it exits 0. */
function check(name, argv, more = {}) {
  const run = async () => {
    const { ok, output, reason } = await runCommand(argv, { timeoutMs: CHECK_MS, env: more.env });
    if (ok) return { outcome: "passed", totals: { passed: 1, failed: 0, skipped: 0 } };
    return { outcome: "failed", reason, output, totals: { passed: 0, failed: 1, skipped: 0 } };
  };
  return { name, run, ...(more.after && { after: more.after }) };
}

/** Is the package right for those who install it? Both tools pack it; the build is there already, so npm runs no script. */
function packageChecks(name) {
  const folder = name === "wiretally" ? "." : "src/frames";
  const more = { after: ["build"], env: { npm_config_ignore_scripts: "true" } };
  return [
    check(`publint:${name}`, ["publint", "--strict", folder], more),
    check(`attw:${name}`, ["attw", "--pack", folder, "--profile", "esm-only"], more),
  ];
}

/** All pure tests in one process, with the coverage of src by these alone; one Node that tells it is enough. */
function unitTests() {
  const c8 = ["c8", "--clean", "--reporter=text-summary", "--src=src", "--include=src/**/*.ts", "--exclude=**/*.test.ts"];
  const coverage = process.env.WIRETALLY_COVERAGE === "0" ? [] : c8;
  return runTests([...coverage, process.execPath, ...NODE_SOURCE], ["scripts/test/unit-tests.mjs"], { timeoutMs: UNIT_MS });
}

function socketStep(file) {
  return {
    name: `socket:${file}`,
    after: ["build", "unit"],
    alone: MEASURING_TESTS.test(file),
    run: () => runTests(["node", ...NODE_SOURCE], [file], { timeoutMs: SOCKET_MS }),
  };
}
