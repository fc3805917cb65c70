import { UsageError } from "../proxy/listen-spec.ts";
import type { ColourChoice } from "../views/theme.ts";
import { COLOUR_CHOICES } from "../views/theme.ts";
import { TIME_STYLES, type TimeStyle } from "../views/trace/clock.ts";
import { TRACE_LEVELS, type TraceLevel } from "../views/trace/levels.ts";
import { type Layers, parseText } from "./layers.ts";
import { FORMATS, type Format } from "./output/plan.ts";
import { parseChoice, parseCount, parseDuration } from "./values.ts";

/** `wiretally proxy` as asked for, flags, environment and configuration file taken together. */
export interface ProxyCommandOptions {
  /** `-L` values; not parsed. */
  readonly listen: readonly string[];
  readonly trace: TraceLevel;
  /** Somebody asked for the trace, rather than got it by default. */
  readonly traceAsked: boolean;
  readonly time: TimeStyle;
  readonly notes: boolean;
  readonly output: string | null;
  readonly format: Format | null;
  readonly json: string | null;
  /** Schema files, and the folders that their imports are in. */
  readonly proto: readonly string[];
  readonly protoPath: readonly string[];
  readonly strict: boolean;
  readonly showSecrets: boolean;
  readonly redact: readonly string[];
  readonly maxConnections: number | undefined;
  readonly idleTimeoutMs: number | undefined;
  readonly connectTimeoutMs: number | undefined;
  readonly durationMs: number | undefined;
  /** End after this many connections. */
  readonly count: number | undefined;
  readonly intervalMs: number | undefined;
  readonly color: ColourChoice;
}

/** Read the options of `proxy`. Throws a UsageError with one line. */
export function proxyOptions(layers: Layers): ProxyCommandOptions {
  const json = layers.text("json", parseText) ?? null;
  const intervalMs = layers.text("interval", parseDuration);
  if (intervalMs !== undefined && (json === null || json === "-")) {
    throw new UsageError("--interval rewrites the tally's file: it needs --json FILE");
  }
  return {
    listen: layers.texts("listen"),
    ...traceOptions(layers),
    time: layers.text("time", (origin, text) => parseChoice(origin, text, TIME_STYLES)) ?? "rel",
    notes: layers.switch("notes"),
    output: layers.text("output", parseText) ?? null,
    format: layers.text("format", (origin, text) => parseChoice(origin, text, FORMATS)) ?? null,
    json,
    proto: layers.texts("proto"),
    protoPath: layers.texts("proto-path"),
    strict: layers.switch("strict"),
    showSecrets: layers.switch("show-secrets"),
    redact: layers.texts("redact"),
    maxConnections: layers.text("max-connections", parseCount),
    idleTimeoutMs: layers.text("idle-timeout", parseDuration),
    connectTimeoutMs: layers.text("connect-timeout", parseDuration),
    durationMs: layers.text("duration", parseDuration),
    count: layers.text("count", parseCount),
    intervalMs,
    color: colourChoice(layers),
  };
}

/** `--color`, of every command. */
export function colourChoice(layers: Layers): ColourChoice {
  return layers.text("color", (origin, text) => parseChoice(origin, text, COLOUR_CHOICES)) ?? "auto";
}

/** `-q`, `-v` and `--trace`: in one place they contradict each other, of two places the nearer one wins. */
function traceOptions(layers: Layers): Pick<ProxyCommandOptions, "trace" | "traceAsked"> {
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
