import { parseTimeBound, type TimeBound } from "../capture/time-window.ts";
import type { DecodeAs } from "../decode/first-octets.ts";
import { UsageError } from "../proxy/listen-spec.ts";
import { type Layers, parseText } from "./layers.ts";
import { type RunOptions, runOptions } from "./run-options.ts";
import { parseChoice, parseCount, parsePort } from "./values.ts";

/** What `--decode-as` can name. */
const DECODE_AS = ["h2", "http1", "tls", "opaque"] as const satisfies readonly DecodeAs[];

/** What `--follow` extracts: one direction of a connection as it was sent, or of an exchange's body. */
export interface FollowTarget {
  /** `c1`, `c1.s3`, `c1.r2`. */
  readonly id: string;
  readonly direction: "c2s" | "s2c";
}

/** `wiretally read` as asked for, flags, environment and configuration file taken together. */
export interface ReadCommandOptions extends RunOptions {
  /** Captures; `-` is standard input. */
  readonly files: readonly string[];
  readonly decodeAs: ReadonlyMap<number, DecodeAs>;
  /** Look at no more than so many packets. */
  readonly count: number | undefined;
  readonly first: TimeBound | null;
  readonly last: TimeBound | null;
  /** Each capture by itself. */
  readonly separate: boolean;
  readonly follow: FollowTarget | null;
}

/** Read the options of `read`. Throws a UsageError with one line. */
export function readOptions(layers: Layers): ReadCommandOptions {
  const options = {
    ...runOptions(layers),
    files: layers.texts("file"),
    decodeAs: decodeAsOf(layers),
    count: layers.text("count", parseCount),
    first: layers.text("first", parseBound) ?? null,
    last: layers.text("last", parseBound) ?? null,
    separate: layers.switch("separate"),
    follow: layers.text("follow", parseFollow) ?? null,
  };
  if (options.files.length === 0) {
    throw new UsageError("nothing to read (try wiretally read trace.pcapng, or - for standard input)");
  }
  if (options.files.filter((file) => file === "-").length > 1) {
    throw new UsageError("standard input can be read once: - is named twice");
  }
  if (options.separate) checkSeparate(options);
  if (options.follow !== null) checkFollow(options);
  const stdin = options.files.includes("-");
  if (options.capture !== null && options.filter !== null && stdin) {
    throw new UsageError("-w with -Y reads the capture twice, and standard input can be read once (save it first)");
  }
  return options;
}

/** Results have one place each, and each capture has its own. */
function checkSeparate({ files, output, format, json, capture }: ReadCommandOptions): void {
  const place = [
    ["--json", json],
    ["-o", output],
    ["--format", format],
    ["-w", capture],
  ].find(([, value]) => value !== null)?.[0];
  if (place === undefined || files.length < 2) return;
  throw new UsageError(
    `--separate and ${String(place)}: ${files.length} captures have one place for their results (read one at a time)`,
  );
}

function checkFollow({ format, json, capture, separate }: ReadCommandOptions): void {
  const other =
    format !== null ? "--format" : json !== null ? "--json" : capture !== null ? "-w" : separate ? "--separate" : null;
  if (other !== null) throw new UsageError(`--follow extracts octets and nothing else: it does not go with ${other}`);
}

function decodeAsOf(layers: Layers): ReadonlyMap<number, DecodeAs> {
  const ports = new Map<number, DecodeAs>();
  const origin = layers.origin("decode-as");
  for (const text of layers.texts("decode-as")) {
    const [, port, protocol] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    if (port === undefined || protocol === undefined) {
      throw new UsageError(`${origin}: ${JSON.stringify(text)} is not PORT=PROTOCOL (try 8080=h2)`);
    }
    const number = parsePort(origin, port);
    if (ports.has(number)) throw new UsageError(`${origin}: port ${number} is named twice`);
    ports.set(number, parseChoice(origin, protocol, DECODE_AS));
  }
  return ports;
}

function parseBound(origin: string, text: string): TimeBound {
  const bound = parseTimeBound(text);
  if (bound !== null) return bound;
  throw new UsageError(`${origin}: ${JSON.stringify(text)} is no time (try 90s after the first packet, or 2026-11-30T22:00:00Z)`);
}

function parseFollow(origin: string, text: string): FollowTarget {
  const [, id, direction] = /^(c[1-9]\d*(?:\.[sr]\d+)?)(?::(c2s|s2c))?$/.exec(parseText(origin, text)) ?? [];
  if (id === undefined) {
    throw new UsageError(`${origin}: ${JSON.stringify(text)} is no connection or exchange (try c1.s3, c1.r2:c2s or c1:c2s)`);
  }
  return { id, direction: direction === "c2s" ? "c2s" : "s2c" };
}
