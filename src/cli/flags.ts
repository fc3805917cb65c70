import type { Options } from "yargs";
import { COLOUR_CHOICES } from "../views/theme.ts";
import { TIME_STYLES } from "../views/trace/clock.ts";
import { TRACE_LEVELS } from "../views/trace/levels.ts";
import { FORMATS } from "./output/plan.ts";

/** An option as yargs declares it, and what stands for its value in the help. */
export interface Flag extends Options {
  readonly placeholder?: string;
}

/** They have no defaults: a default is filled in after the environment and the file were asked. */
export type Flags = Readonly<Record<string, Flag>>;

// nargs: 1 takes exactly one word, also `-` and what begins with a dash.
const word = (placeholder: string) => ({ type: "string", nargs: 1, placeholder }) as const;

/** Of every command. */
export const COMMON_FLAGS = {
  color: { ...word("WHEN"), choices: COLOUR_CHOICES, describe: "colours; auto: on a terminal, unless NO_COLOR is set" },
} as const satisfies Flags;

/** Of commands that record what they count. */
const CAPTURE_FLAGS = {
  write: { ...word("FILE"), alias: "w", describe: "record everything, unredacted, to this pcapng file (- is stdout)" },
  "capture-size": { ...word("SIZE"), describe: "with -w x.pcapng: files of this size, x-00001.pcapng and so on" },
  ring: { ...word("N"), describe: "with --capture-size: keep the newest N files" },
} as const satisfies Flags;

/** Of commands that count traffic: what is told of it, and where results go. */
const RUN_FLAGS = {
  trace: { ...word("LEVEL"), choices: TRACE_LEVELS, describe: "what to tell while it passes (default exchanges)" },
  verbose: { alias: "v", type: "count", describe: "one trace level up; -vv two" },
  quiet: { alias: "q", type: "boolean", describe: "no trace; the tally stays on" },
  time: {
    ...word("STYLE"),
    choices: TIME_STYLES,
    describe: "times of the trace: since start, UTC, since the line before (default rel)",
  },
  notes: { type: "boolean", describe: "tell broken rules and reached limits in the trace" },
  filter: { ...word("EXPR"), alias: "Y", describe: "tell and list only what matches, such as 'status >= 500'; sums stay whole" },
  output: { ...word("FILE"), alias: "o", describe: "write the document of --format to this file (- is stdout)" },
  format: { ...word("FORMAT"), choices: FORMATS, describe: "summary, tally, or events; by -o's ending, else text" },
  json: { ...word("FILE"), describe: "write the tally to this file at the end (- is stdout)" },
  ...CAPTURE_FLAGS,
  proto: { ...word("FILE"), array: true, describe: "protobuf schema: names messages and their fields; repeatable" },
  "proto-path": { ...word("DIR"), alias: "I", array: true, describe: "where imports of --proto files are; repeatable" },
  strict: { type: "boolean", describe: "exit 4 when octets are unattributed or a sum does not close" },
  "show-secrets": { type: "boolean", describe: "do not redact credentials" },
  config: { ...word("FILE"), describe: "YAML or JSON file with these options; flags win" },
} as const satisfies Flags;

/** Of `proxy`. */
export const PROXY_FLAGS = {
  listen: {
    ...word("SPEC"),
    alias: "L",
    array: true,
    describe: "[name=][host:]port:TARGET; TARGET is host:port, [v6]:port or /path.sock; repeatable",
  },
  ...RUN_FLAGS,
  interval: { ...word("TIME"), describe: "rewrite the --json file this often; SIGUSR1 does it once" },
  count: { ...word("N"), alias: "c", describe: "end after this many connections" },
  duration: { ...word("TIME"), describe: "end after this time" },
  "max-connections": { ...word("N"), describe: "at most this many connections at a time; further ones wait" },
  "idle-timeout": { ...word("TIME"), describe: "close connections without an octet for this long (default never)" },
  "connect-timeout": { ...word("TIME"), describe: "how long a target may take to accept (default 10s)" },
} as const satisfies Flags;

/** Of `read`. */
export const READ_FLAGS = {
  ...RUN_FLAGS,
  "decode-as": {
    ...word("PORT=PROTOCOL"),
    array: true,
    describe: "what a server's port speaks: h2, http1, tls or opaque; repeatable",
  },
  count: { ...word("N"), alias: "c", describe: "look at the first N packets only" },
  first: { ...word("WHEN"), describe: "look at packets from then on: 90s after the first one, or 2026-11-30T22:00:00Z" },
  last: { ...word("WHEN"), describe: "look at packets up to then" },
  separate: { type: "boolean", describe: "each capture by itself, in the place of all as one" },
  follow: { ...word("ID"), describe: "extract a body to -o FILE or stdout: c1.s3, c1.r2:c2s; c1:c2s: all that was sent" },
} as const satisfies Flags;

/** Of `serve`. */
export const SERVE_FLAGS = {
  host: { ...word("ADDRESS"), describe: "address to listen on (default 127.0.0.1)" },
  "grpc-port": { ...word("PORT"), describe: "gRPC (default 50051; 0 picks one)" },
  "http1-port": { ...word("PORT"), describe: "JSON over HTTP/1.1 (default 8081)" },
  "http2-port": { ...word("PORT"), describe: "JSON over HTTP/2 without TLS (default 8082)" },
} as const satisfies Flags;

/** What `demo` can print, and which protocol's JSON its bridge from gRPC leads to. */
export const DEMO_FORMATS = ["text", "json"] as const;
export const DEMO_BRIDGES = ["http1", "http2"] as const;

/** Of `demo`. */
export const DEMO_FLAGS = {
  calls: { ...word("N"), describe: "calls of the warm window (default 100)" },
  categories: { type: "boolean", describe: "each cause of the bridge by its categories (default: where the terminal has room)" },
  sizes: { ...word("SIZES"), describe: "items to send, separated by commas (default small,medium,large)" },
  bridge: {
    ...word("PROTOCOL"),
    choices: DEMO_BRIDGES,
    describe: "JSON over which protocol to take apart against gRPC (default http1)",
  },
  output: { ...word("FILE"), alias: "o", describe: "write the document of --format to this file (- is stdout)" },
  format: { ...word("FORMAT"), choices: DEMO_FORMATS, describe: "tables, or figures and bridges; by -o's ending, else text" },
  json: { ...word("FILE"), describe: "write the tally to this file (- is stdout, in the place of the tables)" },
} as const satisfies Flags;
