/** How content is read when it is a range of something (RFC 9110 §14.4): no grammar begins in the middle. */
export function kindOfPart(kind: ContentKind): ContentKind {
  if (kind === "json" || kind === "json-lines") return "text";
  return kind === "protobuf" || kind === "unknown" ? "binary" : kind;
}

/** How content is read. `json-lines`: JSON texts one after another are meant; `unknown`: its first octets decide. */
export type ContentKind = "json" | "json-lines" | "protobuf" | "compressed" | "text" | "binary" | "undecoded" | "unknown";

/** Envelopes around messages: they have one layout, and flags of their own. */
export type Envelope = "grpc" | "connect";

/** What a Content-Type says. */
export interface ContentType {
  readonly kind: ContentKind;
  /** The protobuf message's full name, where a parameter gives it. */
  readonly messageType: string | null;
  /** A gRPC message is read so; null: it is no gRPC with envelopes on the wire. */
  readonly grpc: ContentKind | null;
  /** Whose envelopes these messages have. */
  readonly envelope: Envelope;
}

/** What is looked at of a value: more is said by none that is meant well. */
const READ_OCTETS = 256;

/** There is no Content-Type. */
export const UNTYPED: ContentType = { kind: "unknown", messageType: null, grpc: null, envelope: "grpc" };

const JSON_TYPES = /^(?:application|text)\/(?:[^;\s]*\+)?(?:x-)?json$|^application\/(?:csp-report|x-amz-json-1\.[01])$/;
/** Newline-delimited JSON has no registered type; these are the ones in use. */
const JSON_LINES = /^(?:application|text)\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-?lines|stream\+json)$/;
const PROTOBUF =
  /^application\/(?:x-)?(?:google-)?protobuf$|^application\/vnd\.google\.protobuf$|^application\/[^;\s]*\+(?:proto|protobuf)$/;
const TEXT =
  /^text\/|^application\/(?:[^;\s]*\+)?(?:xml|javascript|ecmascript|x-javascript|yaml|x-yaml|graphql|sql|toml|x-www-form-urlencoded)$|^image\/svg\+xml$/;
const BINARY = /^(?:image|audio|video|font)\/|^application\/(?:octet-stream|zip|gzip|pdf|wasm|x-tar)$|^multipart\//;
/** gRPC over HTTP/2 with binary envelopes, and not gRPC-Web: `application/grpc`, `application/grpc+proto` … */
const GRPC = /^application\/grpc(?:\+(.+))?$/;

/** Connect protocol, "Streaming-Request": `application/connect+proto`, `application/connect+json`. */
const CONNECT = /^application\/connect\+(.+)$/;

/** gRPC-Web has envelopes of its own, whatever format its messages have. */
const GRPC_WEB = /^application\/grpc-web(?:\+|$)/;

/** Prometheus: messages one after the other with their lengths, or as text. */
const ENCODED_OTHERWISE = /^\s*encoding\s*=/i;

/** Types seen lately; a connection sees the same few again and again. */
const CACHE = new Map<string, ContentType>();
const CACHE_CAP = 128;

/** Read a Content-Type value (RFC 9110 §8.3). A type that nobody knows is told from its octets. */
export function contentTypeOf(value: string): ContentType {
  const text = value.length > READ_OCTETS ? value.slice(0, READ_OCTETS) : value;
  const known = CACHE.get(text);
  if (known !== undefined) return known;
  const type = read(text);
  if (CACHE.size >= CACHE_CAP) CACHE.clear();
  CACHE.set(text, type);
  return type;
}

/** Whether a Content-Encoding, Transfer-Encoding or grpc-encoding value says that octets are coded: anything but `identity`. */
export function isCoded(encoding: string | null): boolean {
  if (encoding === null) return false;
  return encoding
    .slice(0, READ_OCTETS)
    .split(",")
    .some((coding) => !["", "identity"].includes(coding.trim().toLowerCase()));
}

function read(value: string): ContentType {
  const [essence = "", ...parameters] = value.split(";");
  const type = essence.trim().toLowerCase();
  const grpc = GRPC.exec(type);
  if (grpc !== null) return { kind: "binary", messageType: null, grpc: codecOf(grpc[1]), envelope: "grpc" };
  const connect = CONNECT.exec(type);
  if (connect !== null) return { kind: "binary", messageType: null, grpc: codecOf(connect[1]), envelope: "connect" };
  const kind = kindOf(type);
  if (kind === "protobuf" && parameters.some((parameter) => ENCODED_OTHERWISE.test(parameter))) {
    return { ...UNTYPED, kind: "binary" };
  }
  return { kind, messageType: kind === "protobuf" ? messageTypeIn(parameters) : null, grpc: null, envelope: "grpc" };
}

function kindOf(type: string): ContentKind {
  if (GRPC_WEB.test(type)) return "binary";
  if (JSON_LINES.test(type)) return "json-lines";
  if (JSON_TYPES.test(type)) return "json";
  if (PROTOBUF.test(type)) return "protobuf";
  if (TEXT.test(type)) return "text";
  if (BINARY.test(type)) return "binary";
  return "unknown";
}

/** gRPC PROTOCOL-HTTP2: Content-Type may name the message format; without a name it is protobuf. */
function codecOf(format: string | undefined): ContentKind {
  if (format === undefined || format === "proto") return "protobuf";
  return format === "json" ? "json" : "binary";
}

/** `messageType="a.B"` (gRPC gateways, Prometheus: `proto=a.B`). */
function messageTypeIn(parameters: readonly string[]): string | null {
  for (const parameter of parameters) {
    const found = /^\s*(?:messagetype|proto)\s*=\s*"?([\w.]+)"?\s*$/i.exec(parameter);
    if (found?.[1] !== undefined) return found[1];
  }
  return null;
}
