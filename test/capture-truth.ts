import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { type CaptureReading, type ReadCapturesOptions, readCaptures } from "../src/capture/read-captures.ts";
import { DIRECTION_NAMES, type Direction, type DirectionName } from "../src/decode/direction.ts";
import type { Detail } from "../src/decode/sink.ts";
import type { WireUnit } from "../src/decode/wire-unit.ts";
import type { ConnectionFacts, LedgerListener } from "../src/ledger/listener.ts";
import type { MessageTally } from "../src/ledger/tally.ts";
import { CAPTURE_CORPORA } from "./read-packets.ts";
import { shared } from "./shared.ts";

/** `ab`: from the sender of a stream's first packet, as truth files name it. */
export type TruthDirection = "ab" | "ba";

interface At {
  readonly tcpStream: number;
  readonly dir: TruthDirection;
}

/** A TCP stream: `a` sent its first packet. */
export interface TruthStream {
  readonly stream: number;
  readonly a: string;
  readonly b: string;
}

/** The parts of a capture's truth file (tshark) that are about what TCP carries. */
export interface CaptureTruth {
  readonly keylog: string | null;
  readonly tcpStreams: readonly TruthStream[];
  readonly http1: {
    readonly requests: readonly (At & { readonly method: string; readonly uri: string })[];
    readonly responses: readonly (At & { readonly code: number })[];
  };
  readonly http2: {
    readonly byStream: Readonly<
      Record<string, Readonly<Record<string, { readonly frames: number; readonly payloadBytes: number }>>>
    >;
    readonly headerBlocks?: readonly {
      readonly tcpStream: number;
      readonly srcPort: number;
      readonly h2Stream: number;
      readonly headers: readonly (readonly [name: string, value: string])[];
    }[];
  };
  readonly grpc: { readonly messages: readonly (At & { readonly compressed: number; readonly length: number })[] };
  readonly websocket: {
    readonly frames: readonly (At & {
      readonly fin: boolean;
      readonly rsv: number;
      readonly opcode: number;
      readonly masked: boolean;
      readonly payloadLength: number;
    })[];
  };
  readonly tls: {
    readonly records: readonly (At & {
      readonly records: number;
      readonly recordPayloadBytes: number;
      readonly contentTypes: Readonly<Record<string, number>>;
    })[];
  };
}

/** What one direction of a TCP stream carried. Frames: `type stream` to count and payload octets; fields by HTTP/2 stream. */
export interface Carried {
  readonly requests: string[];
  readonly responses: number[];
  readonly frames: Record<string, readonly [frames: number, payload: number]>;
  readonly fields: Record<string, string[]>;
  readonly messages: string[];
  /** WebSocket frames. */
  readonly sockets: string[];
  readonly tls: { records: number; payload: number; readonly types: Record<string, number> };
}

/**
 * Which facts of one direction differ. With keys tshark tells of what is inside of TLS, too: of such a direction only the records are
 * compared, and inner content types are told beside the outer ones, so that of these only application_data (23) can be compared.
 */
export function differences(got: Carried, truth: Carried, keys: boolean): string[] {
  const encrypted = keys && truth.tls.records > 0;
  return FACTS.filter((fact) => {
    if (fact === "tls") return !isDeepStrictEqual(tlsOf(got), tlsOf(truth)) || outer(got, truth) !== outer(truth, truth);
    return !isDeepStrictEqual(got[fact], encrypted ? nothing()[fact] : truth[fact]);
  });
}

const APPLICATION_DATA = 23;

function tlsOf({ tls }: Carried): readonly number[] {
  return [tls.records, tls.payload];
}

/** What can be compared of content types. */
function outer({ tls }: Carried, truth: Carried): string {
  const types = Object.values(truth.tls.types).reduce((sum, count) => sum + count, 0);
  const inner = types - truth.tls.records;
  if (inner <= 0) return JSON.stringify(Object.entries(tls.types).sort());
  return tls === truth.tls ? `${inner}` : `${tls.types[APPLICATION_DATA] ?? 0}`;
}

/** Every fact of {@link Carried}, in the order in which differences are told. */
export const FACTS = [
  "requests",
  "responses",
  "frames",
  "fields",
  "messages",
  "sockets",
  "tls",
] as const satisfies readonly (keyof Carried)[];

const FRAME_TYPES = [
  "DATA",
  "HEADERS",
  "PRIORITY",
  "RST_STREAM",
  "SETTINGS",
  "PUSH_PROMISE",
  "PING",
  "GOAWAY",
  "WINDOW_UPDATE",
  "CONTINUATION",
];

/** `corpus/file` of all captures that have a truth file. */
export function truthCaptures(): string[] {
  return CAPTURE_CORPORA.flatMap((corpus) => {
    const files = readdirSync(shared("corpora", corpus, "captures"));
    return files
      .filter((file) => existsSync(shared("corpora", corpus, "truth", `${file}.json`)))
      .map((file) => `${corpus}/${file}`);
  });
}

/** The truth file of `corpus/file`. */
export function truthOf(capture: string): CaptureTruth {
  const [corpus, file] = capture.split("/") as [string, string];
  return JSON.parse(readFileSync(shared("corpora", corpus, "truth", `${file}.json`), "utf8"));
}

/** The path of `corpus/file`. */
export function capturePath(capture: string): string {
  const [corpus, file] = capture.split("/") as [string, string];
  return shared("corpora", corpus, "captures", file);
}

/** Nothing. */
export function nothing(): Carried {
  return {
    requests: [],
    responses: [],
    frames: {},
    fields: {},
    messages: [],
    sockets: [],
    tls: { records: 0, payload: 0, types: {} },
  };
}

function socketFrame(fin: boolean, rsv: number, opcode: number, masked: boolean, length: number): string {
  return `${opcode} fin=${fin} rsv=${rsv} masked=${masked} ${length}`;
}

/** What a truth file says that one direction of a stream carried. */
export function truthCarried(truth: CaptureTruth, { stream, a }: TruthStream, dir: TruthDirection): Carried {
  const carried = nothing();
  const here = (at: At): boolean => at.tcpStream === stream && at.dir === dir;
  carried.requests.push(...truth.http1.requests.filter(here).map(({ method, uri }) => `${method} ${uri}`));
  carried.responses.push(...truth.http1.responses.filter(here).map(({ code }) => code));
  carried.sockets.push(
    ...truth.websocket.frames
      .filter(here)
      .map(({ fin, rsv, opcode, masked, payloadLength }) => socketFrame(fin, rsv, opcode, masked, payloadLength)),
  );
  carried.messages.push(...truth.grpc.messages.filter(here).map(({ compressed, length }) => `${compressed} ${length}`));
  for (const [name, types] of Object.entries(truth.http2.byStream)) {
    const [tcp, way, h2] = name.split(" ");
    if (tcp !== `tcp${stream}` || way !== dir) continue;
    for (const [type, { frames, payloadBytes }] of Object.entries(types)) {
      carried.frames[`${type} ${h2?.replace("h2stream", "")}`] = [frames, payloadBytes];
    }
  }
  for (const block of truth.http2.headerBlocks ?? []) {
    if (block.tcpStream !== stream || a.endsWith(`:${block.srcPort}`) !== (dir === "ab")) continue;
    const fields = block.headers.map(([name, value]) => `${name}: ${value}`);
    addFields(carried, block.h2Stream, fields);
  }
  for (const { records, recordPayloadBytes, contentTypes } of truth.tls.records.filter(here)) {
    carried.tls.records += records;
    carried.tls.payload += recordPayloadBytes;
    Object.assign(carried.tls.types, contentTypes);
  }
  return carried;
}

/** One connection as the ledger told it. */
export interface ToldConnection {
  readonly facts: ConnectionFacts;
  readonly c2s: Carried;
  readonly s2c: Carried;
  closed: boolean;
}

/** A listener that keeps what connections carried. */
class CarriedRecorder implements LedgerListener {
  readonly detail: Detail = 2;
  readonly messages = true;
  /** Exchanges whose messages are in no gRPC envelopes. */
  readonly #webSockets = new Set<string>();
  readonly connections = new Map<string, ToldConnection>();

  connection(facts: ConnectionFacts): void {
    this.connections.set(facts.id, { facts, c2s: nothing(), s2c: nothing(), closed: false });
  }

  unit({ id }: ConnectionFacts, { direction, detail, exchange, fields, truncated }: WireUnit): void {
    if (exchange?.protocol === "ws") this.#webSockets.add(exchange.id);
    const carried = this.#of(id, DIRECTION_NAMES[direction]);
    if (detail.kind === "http1.request_head") carried.requests.push(`${detail.method} ${utf8(detail.target)}`);
    if (detail.kind === "http1.response_head") carried.responses.push(detail.status);
    if (detail.kind === "h2.preface") count(carried, "PREFACE 0", 0);
    if (detail.kind === "h2.frame") {
      count(carried, `${FRAME_TYPES[detail.type] ?? `TYPE_${detail.type}`} ${detail.streamId}`, detail.length);
      const lines = fields.map(({ name, value }) => `${utf8(name ?? "<unknown>")}: ${asTsharkShows(value)}`);
      addFields(carried, detail.streamId, lines);
    }
    if (detail.kind === "ws.frame" && !truncated) {
      const { fin, rsv, opcode, masked, length } = detail;
      carried.sockets.push(socketFrame(fin, rsv, opcode, masked, length));
    }
    // tshark lists a record when its last octet is there.
    if (detail.kind === "tls.record" && !truncated) {
      const { tls } = carried;
      tls.records += 1;
      tls.payload += detail.length;
      if (detail.contentType !== null) tls.types[detail.contentType] = (tls.types[detail.contentType] ?? 0) + 1;
    }
  }

  message({ id }: ConnectionFacts, exchange: string, direction: Direction, message: MessageTally): void {
    if (this.#webSockets.has(exchange)) return;
    this.#of(id, DIRECTION_NAMES[direction]).messages.push(`${message.compressed ? 1 : 0} ${message.payload_octets}`);
  }

  exchange(): void {}

  note(): void {}

  close({ id }: ConnectionFacts): void {
    const connection = this.connections.get(id);
    if (connection !== undefined) connection.closed = true;
  }

  #of(id: string, direction: DirectionName): Carried {
    const connection = this.connections.get(id);
    if (connection === undefined) throw new Error(`${id} was told of before it was opened`);
    return connection[direction];
  }
}

/** Read a capture and keep what its connections carried. */
export async function readCarried(
  path: string,
  options: Partial<ReadCapturesOptions> = {},
): Promise<{ readonly reading: CaptureReading; readonly connections: readonly ToldConnection[] }> {
  const recorder = new CarriedRecorder();
  const generator = { name: "test", version: "0" };
  const reading = await readCaptures([path], { generator, listenerFor: () => recorder, ...options });
  return { reading, connections: [...recorder.connections.values()] };
}

/** CONTINUATION: tshark lists a field under the frame in which it ends, so only the fields of a whole stream can be compared. */
function addFields(carried: Carried, stream: number, lines: readonly string[]): void {
  if (lines.length > 0) carried.fields[stream] = [...(carried.fields[stream] ?? []), ...lines];
}

function count(carried: Carried, frame: string, payload: number): void {
  const [frames, octets] = carried.frames[frame] ?? [0, 0];
  carried.frames[frame] = [frames + 1, octets + payload];
}

/**
 * README of the corpora: unknown indexes show "as missing or `<unknown>`", and "values that begin with a NUL byte show as empty". Values
 * that nobody can know are "" in the truth files, too.
 */
function asTsharkShows(value: string | null): string {
  return value === null || value.startsWith("\0") ? "" : utf8(value);
}

/** Octet strings as the truth files have them. */
function utf8(octets: string): string {
  return Buffer.from(octets, "latin1").toString("utf8");
}
