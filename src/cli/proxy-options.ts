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
  const quiet = layers.switch("quiet");
  const verbose = layers.text("verbose", parseCount) ?? 0;
  const asked = layers.text("trace", (origin, text) => parseChoice(origin, text, TRACE_LEVELS));
  const json = layers.text("json", parseText) ?? null;
  const intervalMs = layers.text("interval", parseDuration);
  if (intervalMs !== undefined && (json === null || json === "-")) {
    throw new UsageError("--interval rewrites the tally's file: it needs --json FILE");
  }
  return {
    listen: layers.texts("listen"),
    trace: quiet ? "off" : stepUp(asked ?? "exchanges", verbose),
    traceAsked: !quiet && (asked !== undefined || verbose > 0),
    time: layers.text("time", (origin, text) => parseChoice(origin, text, TIME_STYLES)) ?? "rel",
    notes: layers.switch("notes"),
    output: layers.text("output", parseText) ?? null,
    format: layers.text("format", (origin, text) => parseChoice(origin, text, FORMATS)) ?? null,
    json,
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

/** `-v` once: the next level. */
function stepUp(level: TraceLevel, steps: number): TraceLevel {
  const at = Math.min(TRACE_LEVELS.indexOf(level) + steps, TRACE_LEVELS.length - 1);
  return TRACE_LEVELS[at] ?? level;
}
