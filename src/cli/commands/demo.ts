import { type DemoResult, runDemo } from "../../bench/demo.ts";
import { UsageError } from "../../proxy/listen-spec.ts";
import { FIXTURE_NAMES, type FixtureName } from "../../servers/fixtures.ts";
import { demoJson } from "../../views/demo-json.ts";
import { type DemoTableOptions, demoTable } from "../../views/demo-table.ts";
import { Redactor } from "../../views/redact.ts";
import { tallyJson } from "../../views/tally-json.ts";
import { colourLevel, createTheme } from "../../views/theme.ts";
import { writeFailure } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { DEMO_BRIDGES, DEMO_FORMATS } from "../flags.ts";
import { Layers, parseText, type RawValues } from "../layers.ts";
import { planOutput } from "../output/plan.ts";
import { checkReplaceable, replaceFile } from "../output/replace-file.ts";
import { openProgress } from "../progress.ts";
import { colourChoice } from "../run-options.ts";
import { type Streams, writeResult } from "../streams.ts";
import { parseChoice, parseCount, parseSwitch } from "../values.ts";

/** `wiretally demo`. Resolves to the exit code; rejects with a RunError when a document cannot be written. */
export async function demoCommand(flags: RawValues, streams: Streams): Promise<number> {
  const layers = new Layers(flags, streams.env);
  const looks = {
    theme: createTheme(colourLevel(colourChoice(layers), streams.stdout, streams.env)),
    columns: streams.stdout.columns,
    rows: streams.stdout.rows,
    categories: layers.text("categories", parseSwitch),
    bridge: layers.text("bridge", (origin, text) => parseChoice(origin, text, DEMO_BRIDGES)) ?? "http1",
  };
  const calls = layers.text("calls", parseCount);
  const sizes = layers.text("sizes", parseSizes);
  const documents = documentsOf(layers, looks);
  for (const { path } of documents) {
    if (path !== "-") await guarded(path, () => checkReplaceable(path));
  }
  const progress = openProgress(streams.stderr);
  const result = await runDemo({
    ...(calls === undefined ? {} : { calls }),
    ...(sizes === undefined ? {} : { sizes }),
    onProgress: progress.show,
  }).finally(progress.clear);
  for (const { path, text } of documents) {
    if (path !== "-") await guarded(path, () => replaceFile(path, text(result)));
  }
  const onStdout = documents.find(({ path }) => path === "-");
  if (onStdout !== undefined) await writeResult(streams, onStdout.text(result));
  return EXIT.done;
}

/** What is written, and where: a path, or `-` for stdout. */
interface Output {
  readonly path: string;
  readonly text: (result: DemoResult) => string;
}

/** The tables go to stdout, unless a document does, or they go to a file. */
function documentsOf(layers: Layers, looks: DemoTableOptions): Output[] {
  const output = layers.text("output", parseText) ?? null;
  const format = layers.text("format", (origin, text) => parseChoice(origin, text, DEMO_FORMATS)) ?? null;
  const json = layers.text("json", parseText) ?? null;
  const { documents, traceOnStdout } = planOutput({ output, format, json }, DEMO_FORMATS);
  const tables: Output = { path: "-", text: (result) => demoTable(result, looks) };
  const outputs = documents.map(({ format: as, path }): Output => {
    if (path === json) return { path, text: ({ tally }) => tallyJson(tally, new Redactor()) };
    if (as === "json") return { path, text: (result) => demoJson(result, result.tally) };
    return path === "-" ? tables : { path, text: (result) => demoTable(result, { bridge: looks.bridge }) };
  });
  const tablesInFile = documents.some(({ format: as }) => as === "text");
  return traceOnStdout && !tablesInFile ? [...outputs, tables] : outputs;
}

function parseSizes(origin: string, text: string): readonly FixtureName[] {
  const sizes = text.split(",").map((size) => parseChoice(origin, size.trim(), FIXTURE_NAMES));
  if (new Set(sizes).size < sizes.length) throw new UsageError(`${origin}: a size is named twice`);
  return sizes;
}

async function guarded(path: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw writeFailure(path, error);
  }
}
