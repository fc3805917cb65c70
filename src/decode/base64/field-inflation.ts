import { octetsOf } from "http2-frame-parser";
import { base64Of } from "./base64-scan.ts";

/** Fields of nearly every head, whose values are never base64. */
const PLAIN = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "expires",
  "grpc-accept-encoding",
  "grpc-encoding",
  "grpc-message",
  "grpc-status",
  "grpc-timeout",
  "host",
  "last-modified",
  "server",
  "te",
  "transfer-encoding",
  "user-agent",
  "vary",
]);
/** Below this many octets there is no evidence. */
const FEWEST_OCTETS = 16;
/** Longer values are not looked at: the connection waits meanwhile. */
const MOST_OCTETS = 64 * 1024;
/** RFC 9110 §11.4: an authentication scheme before its token68. */
const SCHEME = /^[A-Za-z][A-Za-z0-9-]* +(?=\S+$)/;
const SYMBOLS = /^[A-Za-z0-9+/_=.-]+$/;
/** gRPC PROTOCOL-HTTP2, Custom-Metadata: base64 with or without padding, several values joined by commas. */
const BINARY_SUFFIX = "-bin";
const BINARY_VALUE = /^[A-Za-z0-9+/]*={0,2}$/;

/** Whether a value of this length can have any; most names are ruled out by themselves, and then nobody needs to read the value. */
export function mayInflate(name: string, valueLength: number): boolean {
  if (valueLength > MOST_OCTETS) return false;
  if (name.endsWith(BINARY_SUFFIX)) return true;
  return valueLength >= FEWEST_OCTETS && !name.startsWith(":") && !PLAIN.has(name);
}

/**
 * Octets that base64 adds to a field's value, as it reads when it is decoded: by the name's own rule (`…-bin`), else by evidence.
 * @param name in lower case. @param value an octet string.
 */
export function fieldInflation(name: string, value: string): number {
  if (!mayInflate(name, value.length)) return 0;
  if (name.endsWith(BINARY_SUFFIX)) return value.split(",").reduce((sum, piece) => sum + binaryInflation(piece.trim()), 0);
  const token = value.slice(SCHEME.exec(value)?.[0].length ?? 0);
  if (!SYMBOLS.test(token) && !token.startsWith("data:")) return 0;
  const octets = octetsOf(token);
  const found = base64Of(octets, 0, octets.length);
  return found === null ? 0 : found.text - found.decoded;
}

function binaryInflation(piece: string): number {
  if (!BINARY_VALUE.test(piece)) return 0;
  const symbols = piece.replace(/=+$/, "").length;
  return symbols % 4 === 1 ? 0 : piece.length - Math.floor((symbols * 3) / 4);
}
