import { UsageError } from "../proxy/listen-spec.ts";
import type { Layers } from "./layers.ts";
import { type RunOptions, runOptions } from "./run-options.ts";
import { parseCount, parseDuration } from "./values.ts";

/** `wiretally proxy` as asked for, flags, environment and configuration file taken together. */
export interface ProxyCommandOptions extends RunOptions {
  /** `-L` values; not parsed. */
  readonly listen: readonly string[];
  readonly maxConnections: number | undefined;
  readonly idleTimeoutMs: number | undefined;
  readonly connectTimeoutMs: number | undefined;
  readonly durationMs: number | undefined;
  /** End after this many connections. */
  readonly count: number | undefined;
  readonly intervalMs: number | undefined;
}

/** Read the options of `proxy`. Throws a UsageError with one line. */
export function proxyOptions(layers: Layers): ProxyCommandOptions {
  const run = runOptions(layers);
  const intervalMs = layers.text("interval", parseDuration);
  if (intervalMs !== undefined && (run.json === null || run.json === "-")) {
    throw new UsageError("--interval rewrites the tally's file: it needs --json FILE");
  }
  return {
    ...run,
    listen: layers.texts("listen"),
    maxConnections: layers.text("max-connections", parseCount),
    idleTimeoutMs: layers.text("idle-timeout", parseDuration),
    connectTimeoutMs: layers.text("connect-timeout", parseDuration),
    durationMs: layers.text("duration", parseDuration),
    count: layers.text("count", parseCount),
    intervalMs,
  };
}
