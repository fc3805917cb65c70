import { C2S, type Direction } from "./direction.ts";
import { METHOD_CAP, METHODS } from "./http1/methods.ts";
import { frameAt, INITIAL_MAX_FRAME_SIZE, LAST_CORE_TYPE, prefaceAt } from "./http2/frame-shape.ts";
import { PROXY_V1_SIGNATURE, PROXY_V2_SIGNATURE } from "./proxy-header.ts";
import { MORE, NO_UNIT } from "./search.ts";
import { recordAt } from "./tls/record-shape.ts";

/** What the first octets of a direction are; `more` when they do not tell yet. */
export type Verdict = "more" | "h2" | "h2-late" | "http1" | "tls" | "opaque";

/** Whether first octets are something; `more` when they do not tell yet. */
export type Answer = "yes" | "more" | "no";

const HTTP1 = octets("HTTP/1.");

/** A request line with a method that no registry has must be whole to be believed; servers refuse longer ones too (RFC 9112 §3). */
const REQUEST_LINE_CAP = 8192;
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
  const preface = prefaceAt(bytes, from, to);
  if (preface === "yes") return "h2";
  if (preface === "more") return "more";
  const tls = answerOf(recordAt(bytes, from, to));
  if (tls === "yes") return "tls";
  const http1 = requestLine(bytes, from, to);
  if (http1 === "yes") return "http1";
  const frame = answerOf(frameAt(bytes, from, to, INITIAL_MAX_FRAME_SIZE, LAST_CORE_TYPE));
  if (frame === "yes" && http1 === "no" && tls === "no") return "h2-late";
  return tls === "more" || http1 === "more" || frame === "more" ? "more" : "opaque";
}

function detectServer(bytes: Uint8Array, from: number, to: number): Verdict {
  const http1 = prefix(HTTP1, bytes, from, to);
  if (http1 === "yes") return "http1";
  const tls = answerOf(recordAt(bytes, from, to));
  if (tls === "yes") return "tls";
  const frame = answerOf(frameAt(bytes, from, to, INITIAL_MAX_FRAME_SIZE, LAST_CORE_TYPE));
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

function answerOf(unit: number): Answer {
  if (unit === NO_UNIT) return "no";
  return unit === MORE ? "more" : "yes";
}

function octets(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
