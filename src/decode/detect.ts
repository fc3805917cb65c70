import { PREFACE } from "http2-frame-parser";
import { C2S, type Direction } from "./direction.ts";
import { PROXY_V1_SIGNATURE, PROXY_V2_SIGNATURE } from "./proxy-header.ts";

/** What the first octets of a direction are; `more` when they do not tell yet. */
export type Verdict = "more" | "h2" | "h2-late" | "http1" | "tls" | "opaque";

/** Whether first octets are something; `more` when they do not tell yet. */
export type Answer = "yes" | "more" | "no";

const HTTP1 = octets("HTTP/1.");

/** A request line with a method that no registry has must be whole to be believed; servers refuse longer ones too (RFC 9112 §3). */
const REQUEST_LINE_CAP = 8192;
/** Longer tokens are no method: the longest registered one, UPDATEREDIRECTREF, has 17. */
const METHOD_CAP = 24;

/** IANA "HTTP Method" registry. */
const METHODS = new Set(
  (
    "ACL BASELINE-CONTROL BIND CHECKIN CHECKOUT CONNECT COPY DELETE GET HEAD LABEL LINK LOCK MERGE MKACTIVITY MKCALENDAR MKCOL " +
    "MKREDIRECTREF MKWORKSPACE MOVE OPTIONS ORDERPATCH PATCH POST PRI PROPFIND PROPPATCH PUT QUERY REBIND REPORT SEARCH TRACE UNBIND " +
    "UNCHECKOUT UNLINK UNLOCK UPDATE UPDATEREDIRECTREF VERSION-CONTROL"
  ).split(" "),
);

/**
 * Which protocol `bytes[from, to)`, the first octets of a direction, begin. Depends on nothing but the octets, so not on cuts: a longer
 * prefix never takes a verdict back.
 */
export function detect(direction: Direction, bytes: Uint8Array, from: number, to: number): Verdict {
  return direction === C2S ? detectClient(bytes, from, to) : detectServer(bytes, from, to);
}

/** Whether `bytes[from, to)` begin with a PROXY protocol header, version 1 or 2. */
export function detectProxyHeader(bytes: Uint8Array, from: number, to: number): Answer {
  const v1 = prefix(PROXY_V1_SIGNATURE, bytes, from, to);
  const v2 = prefix(PROXY_V2_SIGNATURE, bytes, from, to);
  if (v1 === "yes" || v2 === "yes") return "yes";
  return v1 === "more" || v2 === "more" ? "more" : "no";
}

function detectClient(bytes: Uint8Array, from: number, to: number): Verdict {
  const preface = prefix(PREFACE, bytes, from, to);
  if (preface === "yes") return "h2";
  if (preface === "more") return "more";
  const tls = tlsRecord(bytes, from, to);
  if (tls === "yes") return "tls";
  const http1 = requestLine(bytes, from, to);
  if (http1 === "yes") return "http1";
  const frame = frameHeader(bytes, from, to);
  if (frame === "yes" && http1 === "no" && tls === "no") return "h2-late";
  return tls === "more" || http1 === "more" || frame === "more" ? "more" : "opaque";
}

function detectServer(bytes: Uint8Array, from: number, to: number): Verdict {
  const http1 = prefix(HTTP1, bytes, from, to);
  if (http1 === "yes") return "http1";
  const tls = tlsRecord(bytes, from, to);
  if (tls === "yes") return "tls";
  const frame = frameHeader(bytes, from, to);
  if (http1 === "more" || tls === "more" || frame === "more") return "more";
  if (frame === "no") return "opaque";
  // RFC 9113 §3.4: the server's preface is a SETTINGS frame, which may come before the client's octets. Any other frame is a late join.
  return bytes[from + 3] === 0x04 && bytes[from + 4] === 0 ? "h2" : "h2-late";
}

function prefix(wanted: Uint8Array, bytes: Uint8Array, from: number, to: number): Answer {
  const length = Math.min(wanted.length, to - from);
  for (let at = 0; at < length; at++) if (bytes[from + at] !== wanted[at]) return "no";
  return length === wanted.length ? "yes" : "more";
}

/** RFC 8446 §5.1: content type 20 to 23, legacy_record_version 3.x, length 1 to 2^14 + 2048 (RFC 5246 §6.2.3). */
function tlsRecord(bytes: Uint8Array, from: number, to: number): Answer {
  const seen = to - from;
  const type = bytes[from] ?? 0;
  if (type < 20 || type > 23 || (seen > 1 && bytes[from + 1] !== 3) || (seen > 2 && (bytes[from + 2] ?? 0) > 4)) return "no";
  if (seen < 5) return "more";
  const length = ((bytes[from + 3] ?? 0) << 8) | (bytes[from + 4] ?? 0);
  return length > 0 && length <= 16384 + 2048 ? "yes" : "no";
}

/** RFC 9112 §2.2, §3: empty lines, a method, one space. A registered method is believed at once, any other with its whole line. */
function requestLine(bytes: Uint8Array, from: number, to: number): Answer {
  let start = from;
  while (start < to && (bytes[start] === 0x0d || bytes[start] === 0x0a)) start++;
  if (start - from > METHOD_CAP) return "no";
  let at = start;
  while (at < to && at - start <= METHOD_CAP && isTokenOctet(bytes[at] ?? 0)) at++;
  if (at - start > METHOD_CAP) return "no";
  if (at === to) return "more";
  if (at === start || bytes[at] !== 0x20) return "no";
  if (METHODS.has(String.fromCharCode(...bytes.subarray(start, at)))) return "yes";
  const end = bytes.subarray(at, Math.min(to, start + REQUEST_LINE_CAP)).indexOf(0x0a);
  if (end < 0) {
    for (let next = at; next < to; next++) if ((bytes[next] ?? 0) < 0x20 && bytes[next] !== 0x0d) return "no";
    return to - start < REQUEST_LINE_CAP ? "more" : "no";
  }
  return / HTTP\/1\.[0-9]\r?$/.test(String.fromCharCode(...bytes.subarray(at, at + end))) ? "yes" : "no";
}

/** RFC 9110 §5.6.2: tchar. */
function isTokenOctet(octet: number): boolean {
  if (octet >= 0x30 && octet <= 0x39) return true;
  if ((octet | 0x20) >= 0x61 && (octet | 0x20) <= 0x7a) return true;
  return "!#$%&'*+-.^_`|~".includes(String.fromCharCode(octet));
}

/** Flags that each type of RFC 9113 §6 defines, by type octet 0 to 9. */
const FLAGS = [0x09, 0x2d, 0x00, 0x00, 0x01, 0x0c, 0x01, 0x00, 0x00, 0x04];
const MAX_FRAME_SIZE = 16384;

/** Whether nine octets can only be the header of a legal HTTP/2 frame: known type, defined flags, a stream identifier and a length that fit. */
function frameHeader(bytes: Uint8Array, from: number, to: number): Answer {
  const seen = to - from;
  const type = bytes[from + 3] ?? 0;
  if (bytes[from] !== 0 || (seen > 3 && type > 9)) return "no";
  if (seen < 9) return "more";
  const length = ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
  const flags = bytes[from + 4] ?? 0;
  const word =
    ((bytes[from + 5] ?? 0) << 24) | ((bytes[from + 6] ?? 0) << 16) | ((bytes[from + 7] ?? 0) << 8) | (bytes[from + 8] ?? 0);
  if (length > MAX_FRAME_SIZE || word < 0 || (flags & ~(FLAGS[type] ?? 0)) !== 0) return "no";
  return frameFits(type, flags, length, word) ? "yes" : "no";
}

function frameFits(type: number, flags: number, length: number, streamId: number): boolean {
  const onStream = streamId !== 0;
  switch (type) {
    case 0x00:
      return onStream;
    case 0x01:
      return onStream && length > 0;
    case 0x02:
      return onStream && length === 5;
    case 0x03:
      return onStream && length === 4;
    case 0x04:
      return !onStream && length % 6 === 0 && (flags === 0 || length === 0);
    case 0x05:
      return onStream && length > 4;
    case 0x06:
      return !onStream && length === 8;
    case 0x07:
      return !onStream && length >= 8;
    case 0x08:
      return length === 4;
    default:
      return onStream;
  }
}

function octets(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
