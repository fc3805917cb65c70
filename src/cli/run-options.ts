import { UsageError } from "../proxy/listen-spec.ts";
import { type Filter, parseFilter } from "../views/filter/filter.ts";
import { FilterError } from "../views/filter/filter-error.ts";
import type { ColourChoice } from "../views/theme.ts";
import { COLOUR_CHOICES } from "../views/theme.ts";
import { TIME_STYLES, type TimeStyle } from "../views/trace/clock.ts";
import { TRACE_LEVELS, type TraceLevel } from "../views/trace/levels.ts";
import { type CaptureOptions, captureOptions } from "./capture-options.ts";
import { type Layers, parseText } from "./layers.ts";
import { FORMATS, type Format } from "./output/plan.ts";
import { parseChoice, parseCount } from "./values.ts";

/** What every command that counts traffic is asked: what to tell of it, and where its results go. */
export interface RunOptions {
  readonly trace: TraceLevel;
  /** Somebody asked for the trace, rather than got it by default. */
  readonly traceAsked: boolean;
  readonly time: TimeStyle;
  readonly notes: boolean;
  /** Of trace, events and listed exchanges. */
  readonly filter: Filter | null;
  readonly output: string | null;
  readonly format: Format | null;
  readonly json: string | null;
  /** `-w`; null: nothing is recorded. */
  readonly capture: CaptureOptions | null;
  /** Schema files, and the folders that their imports are in. */
  readonly proto: readonly string[];
  readonly protoPath: readonly string[];
  readonly strict: boolean;
  readonly showSecrets: boolean;
  readonly redact: readonly string[];
  readonly color: ColourChoice;
}

/** Read the options of every such command. Throws a UsageError with one line. */
export function runOptions(layers: Layers): RunOptions {
  return {
    ...traceOptions(layers),
    time: layers.text("time", (origin, text) => parseChoice(origin, text, TIME_STYLES)) ?? "rel",
    notes: layers.switch("notes"),
    filter: layers.text("filter", readFilter) ?? null,
    output: layers.text("output", parseText) ?? null,
    format: layers.text("format", (origin, text) => parseChoice(origin, text, FORMATS)) ?? null,
    json: layers.text("json", parseText) ?? null,
    capture: captureOptions(layers),
    proto: layers.texts("proto"),
    protoPath: layers.texts("proto-path"),
    strict: layers.switch("strict"),
    showSecrets: layers.switch("show-secrets"),
    redact: layers.texts("redact"),
    color: colourChoice(layers),
  };
}

/** `--color`, of every command. */
export function colourChoice(layers: Layers): ColourChoice {
  return layers.text("color", (origin, text) => parseChoice(origin, text, COLOUR_CHOICES)) ?? "auto";
}

function readFilter(origin: string, text: string): Filter {
  try {
    return parseFilter(text);
  } catch (error) {
    throw error instanceof FilterError ? new UsageError(`${origin}: ${error.message}`) : error;
  }
}

/** `-q`, `-v` and `--trace`: in one place they contradict each other, of two places the nearer one wins. */
function traceOptions(layers: Layers): Pick<RunOptions, "trace" | "traceAsked"> {
  const level = layers.text("trace", (origin, text) => parseChoice(origin, text, TRACE_LEVELS));
  const steps = layers.text("verbose", parseCount) ?? 0;
  const quiet = layers.switch("quiet") ? layers.place("quiet") : Number.POSITIVE_INFINITY;
  const [trace, verbose] = [layers.place("trace"), layers.place("verbose")];
  const clash = (one: string, other: string): UsageError =>
    new UsageError(`${layers.origin(one)} and ${layers.origin(other)} contradict each other`);
  if (steps > 0 && verbose === trace) throw clash("verbose", "trace");
  if (steps > 0 && verbose === quiet) throw clash("quiet", "verbose");
  if (level !== undefined && level !== "off" && trace === quiet) throw clash("quiet", "trace");
  if (quiet < Math.min(trace, verbose)) return { trace: "off", traceAsked: false };
  return {
    trace: stepUp(level ?? "exchanges", verbose < trace ? steps : 0),
    traceAsked: level !== undefined || steps > 0,
  };
}

/** `-v` once: the next level. */
function stepUp(level: TraceLevel, steps: number): TraceLevel {
  const at = Math.min(TRACE_LEVELS.indexOf(level) + steps, TRACE_LEVELS.length - 1);
  return TRACE_LEVELS[at] ?? level;
}
