import { C2S, type Direction } from "../direction.ts";
import type { Search } from "../search.ts";
import { METHOD_CAP, METHODS } from "./methods.ts";
import { CR, indexOfLf, isTokenOctet, SP } from "./octets.ts";

/** Longest start-line that is found: servers refuse longer ones (RFC 9112 §3 recommends to support 8000 octets). */
const LINE_CAP = 8192;
/** `HTTP/1.` */
const VERSION = [0x48, 0x54, 0x54, 0x50, 0x2f, 0x31, 0x2e];
/** `HTTP/1.1 200` */
const SHORTEST_STATUS_LINE = 12;

/**
 * Finds the next start-line of a direction. It need not begin a line: the body before it can end in any octet. There a method has to be
 * a registered one, as nobody can tell it from a body that ends in token octets.
 */
export class StartLineSearch implements Search {
  found = false;
  sureAt = 0;
  readonly #startLineAt: typeof requestLineIn;
  /** Octets of the line that were looked at without a line end among them. */
  #seen = 0;
  /** The line's first octet is known to be its first one. */
  #whole = false;

  constructor(direction: Direction) {
    this.#startLineAt = direction === C2S ? requestLineIn : statusLineIn;
  }

  reset(): void {
    this.found = false;
    this.#seen = 0;
    this.#whole = false;
  }

  look(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    for (;;) {
      const lf = indexOfLf(bytes, at + this.#seen, to);
      if (lf === to) {
        const kept = Math.max(at, to - LINE_CAP);
        if (kept > at) this.#whole = false;
        this.#seen = to - kept;
        return kept;
      }
      const start = Math.max(at, lf - LINE_CAP);
      const end = lf > start && bytes[lf - 1] === CR ? lf - 1 : lf;
      const place = this.#startLineAt(bytes, start, end, this.#whole && start === at);
      if (place >= 0) {
        this.found = true;
        this.sureAt = lf + 1;
        return place;
      }
      at = lf + 1;
      this.#seen = 0;
      this.#whole = true;
    }
  }
}

/** RFC 9112 §3. @param whole `start` begins a line. @returns where a request-line that ends at `end` begins in `bytes[start, end)`; -1: nowhere. */
function requestLineIn(bytes: Uint8Array, start: number, end: number, whole: boolean): number {
  const version = end - VERSION.length - 1;
  if (version <= start || !isVersion(bytes, version, end) || bytes[version - 1] !== SP) return -1;
  let target = version - 1;
  while (target > start && isVisible(bytes[target - 1])) target--;
  if (target === version - 1 || target === start || bytes[target - 1] !== SP) return -1;
  const methodEnd = target - 1;
  let method = methodEnd;
  while (method > start && methodEnd - method <= METHOD_CAP && isTokenOctet(bytes[method - 1])) method--;
  if (whole && method === start && method < methodEnd && methodEnd - method <= METHOD_CAP) return method;
  for (let at = method; at < methodEnd; at++) if (METHODS.has(String.fromCharCode(...bytes.subarray(at, methodEnd)))) return at;
  return -1;
}

/** RFC 9112 §4: the last one in the line; a reason phrase is any text. */
function statusLineIn(bytes: Uint8Array, start: number, end: number): number {
  for (let at = end - SHORTEST_STATUS_LINE; at >= start; at--) {
    if (bytes[at] !== VERSION[0] || !isVersion(bytes, at, end)) continue;
    const code = at + VERSION.length + 2;
    const first = bytes[code] ?? 0;
    const isCode = first >= 0x31 && first <= 0x35 && isDigit(bytes[code + 1]) && isDigit(bytes[code + 2]);
    return isCode && bytes[code - 1] === SP && (code + 3 === end || bytes[code + 3] === SP) ? at : -1;
  }
  return -1;
}

/** Whether `HTTP/1.` and a digit stand at `at`. */
function isVersion(bytes: Uint8Array, at: number, end: number): boolean {
  for (const [index, octet] of VERSION.entries()) if (bytes[at + index] !== octet) return false;
  return at + VERSION.length < end && isDigit(bytes[at + VERSION.length]);
}

function isDigit(octet: number | undefined): boolean {
  return octet !== undefined && octet >= 0x30 && octet <= 0x39;
}

/** RFC 9112 §3.2: a request-target has no other octets. */
function isVisible(octet: number | undefined): boolean {
  return octet !== undefined && octet > SP && octet <= 0x7e;
}
