// `npm run bench`: how fast the relay and the decoders are, against something that does comparable work, in one table.
// Run from source (see package.json); needs Node and what `npm ci` installs. Captures are read by the build, against tshark: left out without them.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { runSpeed, speedRows } from "../src/bench/speed/speed.ts";
import { speedTable } from "../src/bench/speed/speed-table.ts";
import { openProgress } from "../src/cli/progress.ts";

const HELP = `npm run bench -- [options]

  --only PATTERN  only inputs with a row that matches this regular expression, as "WHAT: INPUT"; see --list
  --list          print the rows' names and measure nothing
  --rounds N      interleaved rounds (default 9)
  --quick         2 short rounds: to see that it works, not how fast
  --json FILE     write the figures as JSON too; "-" for stdout, in the place of the table

Exit codes: 0 measured, 1 a contender did not read what it was given or a file could not be written, 2 bad usage.
`;
const QUICK = { rounds: 2, sampleMs: 5, transferOctets: 8 * 1024 * 1024 };

process.exitCode = await main();

async function main() {
  const options = readOptions();
  if (typeof options === "number") return options;
  const { json, only, ...measure } = options;
  const progress = openProgress(process.stderr);
  try {
    const report = await runSpeed({ ...measure, only, onProgress: progress.show });
    progress.clear();
    const text = `${JSON.stringify(report, null, 2)}\n`;
    if (json !== undefined && json !== "-") writeFileSync(json, text);
    process.stdout.write(json === "-" ? text : speedTable(report));
    return 0;
  } catch (error) {
    progress.clear();
    return fail(error.message, 1);
  }
}

/** What to measure, or the exit code when there is nothing to. */
function readOptions() {
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        only: { type: "string" },
        list: { type: "boolean" },
        rounds: { type: "string" },
        quick: { type: "boolean" },
        json: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    }));
  } catch (error) {
    return fail(`${error.message} (try --help)`, 2);
  }
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (values.list) {
    process.stdout.write(`${speedRows().join("\n")}\n`);
    return 0;
  }
  let only = null;
  try {
    if (values.only !== undefined) only = new RegExp(values.only, "i");
  } catch (error) {
    return fail(`--only: ${error.message}`, 2);
  }
  if (only !== null && !speedRows().some((name) => only.test(name))) {
    return fail(`no row matches ${values.only} (try --list)`, 2);
  }
  const rounds = Number(values.rounds ?? 1);
  if (!(Number.isInteger(rounds) && rounds > 0)) return fail(`--rounds ${values.rounds} is not a number above 0`, 2);
  return { only, json: values.json, ...(values.quick && QUICK), ...(values.rounds !== undefined && { rounds }) };
}

function fail(text, code) {
  process.stderr.write(`bench: ${text}\n`);
  return code;
}
