import {
  HpackEncoder,
  PREFACE,
  SETTING,
  writeData,
  writeHeaders,
  writeSettings,
  writeSettingsAck,
  writeWindowUpdate,
} from "http2-frame-parser";
import { GrpcLikeClient, GrpcLikeServer } from "./grpc-like.ts";
import { apiDocument } from "./json-inputs.ts";

/** One question and its answer on a connection. */
export interface Turn {
  readonly ask: Uint8Array;
  /** Written one after the other. */
  readonly answer: readonly Uint8Array[];
}

/** What passes over one connection, in turns; then the client closes it. */
export type Conversation = readonly Turn[];

export const CONVERSATIONS = ["bulk", "json", "calls"] as const;
export type ConversationName = (typeof CONVERSATIONS)[number];

/** The same octets in every process. @param octets how long a bulk answer is, about; 64 times what the `calls` ask. */
export function conversation(name: ConversationName, octets: number): Conversation {
  switch (name) {
    case "bulk":
      return bulkOverHttp2(octets);
    case "json":
      return jsonOverHttp1(octets);
    case "calls":
      return grpcLikeCalls(octets);
  }
}

/** Octets of all turns, by direction. */
export function octetsOf(turns: Conversation): { readonly c2s: number; readonly s2c: number } {
  let c2s = 0;
  let s2c = 0;
  for (const { ask, answer } of turns) {
    c2s += ask.length;
    s2c += answerOctets(answer);
  }
  return { c2s, s2c };
}

export function answerOctets(answer: readonly Uint8Array[]): number {
  return answer.reduce((sum, piece) => sum + piece.length, 0);
}

const DATA_OCTETS = 16 * 1024;
const BLOCK_OCTETS = 256 * 1024;
const LARGEST_WINDOW = 2 ** 31 - 1;
const INITIAL_WINDOW = 65_535;
const CALLS_AT_ONCE = 100;

/** One response of 16 KiB DATA frames. The windows are opened as wide as they go, as no answer waits for WINDOW_UPDATE here. */
function bulkOverHttp2(octets: number): Conversation {
  const ask = Buffer.concat([
    PREFACE,
    writeSettings([{ identifier: SETTING.INITIAL_WINDOW_SIZE, value: LARGEST_WINDOW }]),
    writeWindowUpdate(0, LARGEST_WINDOW - INITIAL_WINDOW),
    writeHeaders(1, new HpackEncoder().encode(GET), { endStream: true }),
  ]);
  const head = Buffer.concat([writeSettings([]), writeSettingsAck(), writeHeaders(1, new HpackEncoder().encode(OCTET_STREAM))]);
  const frame = writeData(1, new Uint8Array(DATA_OCTETS));
  const block = Buffer.concat(Array<Uint8Array>(BLOCK_OCTETS / DATA_OCTETS).fill(frame));
  const end = writeData(1, new Uint8Array(0), { endStream: true });
  return [{ ask, answer: [head, ...repeat(block, octets), end] }];
}

/** One response that is a JSON array of arrays. */
function jsonOverHttp1(octets: number): Conversation {
  const { bytes } = apiDocument();
  const element = Buffer.concat([bytes, Buffer.from(",")]);
  const body = [Buffer.from("["), ...repeat(element, octets), Buffer.from("0]")];
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${answerOctets(body)}\r\n\r\n`;
  return [{ ask: Buffer.from("GET /items HTTP/1.1\r\nhost: localhost\r\n\r\n"), answer: [Buffer.from(head), ...body] }];
}

/** Small gRPC-like calls, a hundred at a time. */
function grpcLikeCalls(octets: number): Conversation {
  const client = new GrpcLikeClient();
  const server = new GrpcLikeServer();
  const turns: Turn[] = [{ ask: client.opening(), answer: [server.opening()] }];
  for (let left = octets / 64; left > 0; left -= turns.at(-1)?.ask.length ?? left) {
    turns.push({ ask: client.calls(CALLS_AT_ONCE), answer: [server.answers(CALLS_AT_ONCE)] });
  }
  return turns;
}

/** Asks for a body. */
export const GET = [
  { name: ":method", value: "GET" },
  { name: ":scheme", value: "http" },
  { name: ":path", value: "/bulk" },
  { name: ":authority", value: "localhost" },
] as const;
/** Answers with octets. */
export const OCTET_STREAM = [
  { name: ":status", value: "200" },
  { name: "content-type", value: "application/octet-stream" },
] as const;

function repeat(piece: Uint8Array, octets: number): readonly Uint8Array[] {
  return Array<Uint8Array>(Math.ceil(octets / piece.length)).fill(piece);
}
