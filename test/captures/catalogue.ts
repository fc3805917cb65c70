import { fileURLToPath } from "node:url";
import type { TraceLevel } from "../../src/views/trace/levels.ts";

/** A capture of the repository, and how its golden trace is told. */
export interface CaptureEntry {
  /** Of its files in captures/, without their endings. */
  readonly name: string;
  /** What is in it, for the table of captures/README.md. */
  readonly shows: string;
  /** The level of its trace: octets where that fits on a few screens. */
  readonly level: TraceLevel;
  /** The capture it was cut from: it has no sum that tshark could be asked for but its octets. */
  readonly cutFrom?: string;
}

/** All of them, in the order of the table. */
export const CAPTURES = [
  {
    name: "curl-http1",
    shows: "HTTP/1.1 on one connection: GET, POST with Content-Length, a chunked PUT behind 100-continue, chunked answers",
    level: "octets",
  },
  {
    name: "curl-h2c-upgrade",
    shows: "Upgrade: h2c from HTTP/1.1, answered on stream 1",
    level: "octets",
  },
  {
    name: "nghttp-padding",
    shows: "padded HEADERS and DATA, a field block of 16 KB in HEADERS and CONTINUATION, priorities, trailers",
    level: "fields",
  },
  { name: "node-http2-json", shows: "JSON over HTTP/2 with prior knowledge: GET, POST, an error", level: "fields" },
  { name: "grpc-js-unary", shows: "gRPC unary calls with credentials in the metadata, and one that fails", level: "octets" },
  { name: "grpc-js-streaming", shows: "gRPC server, client and bidirectional streaming", level: "fields" },
  {
    name: "grpcio",
    shows: "gRPC from C-core: unary, streams of every kind, a deadline that resets its stream, an error",
    level: "fields",
  },
  {
    name: "grpc-go",
    shows: "gRPC between two ends of grpc-go: unary and a bidirectional stream, PINGs that measure",
    level: "octets",
  },
  {
    name: "websocket",
    shows: "a WebSocket: the HTTP/1.1 upgrade, then frames that mask and frames that do not",
    level: "octets",
  },
  {
    name: "late-join",
    shows: "half of grpc-js-streaming: no handshake, no preface, a dynamic table that nobody saw",
    level: "fields",
    cutFrom: "grpc-js-streaming",
  },
  {
    name: "hole",
    shows: "node-http2-json without one packet of a response: what lies behind the hole is found again",
    level: "fields",
    cutFrom: "node-http2-json",
  },
] as const satisfies readonly CaptureEntry[];

/** The folder of captures, and what is in it for one of them. */
export const CAPTURE_FOLDER = fileURLToPath(new URL("../../captures/", import.meta.url));

export function capturePaths(name: string, folder = CAPTURE_FOLDER) {
  const path = (ending: string) => `${folder}${name}.${ending}`;
  return { capture: path("pcapng"), trace: path("trace.txt"), tally: path("tally.json") };
}
