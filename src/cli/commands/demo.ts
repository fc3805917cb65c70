import { runDemo } from "../../bench/demo.ts";
import { UsageError } from "../../proxy/listen-spec.ts";
import { FIXTURE_NAMES, type FixtureName } from "../../servers/fixtures.ts";
import { demoTable } from "../../views/demo-table.ts";
import { Redactor } from "../../views/redact.ts";
import { tallyJson } from "../../views/tally-json.ts";
import { colourLevel, createTheme } from "../../views/theme.ts";
import { writeFailure } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { Layers, parseText, type RawValues } from "../layers.ts";
import { checkReplaceable, replaceFile } from "../output/replace-file.ts";
import { openProgress } from "../progress.ts";
import { colourChoice } from "../proxy-options.ts";
import { type Streams, writeResult } from "../streams.ts";
import { parseChoice, parseCount } from "../values.ts";

/** `wiretally demo`. Resolves to the exit code; rejects with a RunError when the tally cannot be written. */
export async function demoCommand(flags: RawValues, streams: Streams): Promise<number> {
  const layers = new Layers(flags, streams.env);
  const theme = createTheme(colourLevel(colourChoice(layers), streams.stdout, streams.env));
  const calls = layers.text("calls", parseCount);
  const sizes = layers.text("sizes", parseSizes);
  const json = layers.text("json", parseText);
  if (json !== undefined && json !== "-") await guarded(json, () => checkReplaceable(json));
  const progress = openProgress(streams.stderr);
  const result = await runDemo({
    ...(calls === undefined ? {} : { calls }),
    ...(sizes === undefined ? {} : { sizes }),
    onProgress: progress.show,
  }).finally(progress.clear);
  const tally = tallyJson(result.tally, new Redactor());
  if (json !== undefined && json !== "-") await guarded(json, () => replaceFile(json, tally));
  await writeResult(streams, json === "-" ? tally : demoTable(result, theme, streams.stdout.columns));
  return EXIT.done;
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
