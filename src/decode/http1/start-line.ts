import { ownOctetString } from "../octet-string.ts";
import type { Rule } from "./rules.ts";

/** Longer lines are not kept, neither to be recognized when they come again nor for the sake of a part of them. */
export const KEPT_LINE_OCTETS = 128;

/** A request-line, RFC 9112 §3. */
export interface RequestLine {
  readonly method: string;
  readonly target: string;
  readonly minor: number;
  /** What is wrong with it without hiding its three parts; null: nothing. */
  readonly rule: Rule | null;
}

/** A status-line, RFC 9112 §4. */
export interface StatusLine {
  readonly status: number;
  readonly minor: number;
  readonly rule: Rule | null;
}

// RFC 9112 §3 lets a recipient split at any whitespace; a target with spaces in it still has the version behind it.
const REQUEST_LINE =
  /^[ \t]*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)([ \t]+)([^ \t\r\n\0](?:[^\r\n\0]*[^ \t\r\n\0])?)([ \t]+)HTTP\/([0-9])\.([0-9])([ \t]*)$/;
const OTHER_VERSION = /[ \t](?!HTTP\/1\.)[A-Za-z]+\/[0-9]+\.[0-9]+[ \t]*$/;
const STATUS_LINE = /^HTTP\/([0-9])\.([0-9])([ \t]+)([0-9]{3})(?:([ \t])([^\r\n\0]*))?$/;
const OTHER_STATUS_VERSION = /^(?!HTTP\/1\.)[A-Za-z]+\/[0-9]+\.[0-9]+[ \t]/;

/** Read a request-line (an octet string without its line end). @returns the rule that it breaks when it is none. */
export function readRequestLine(line: string): RequestLine | Rule {
  const match = REQUEST_LINE.exec(line);
  if (match === null || match[5] !== "1") return OTHER_VERSION.test(line) ? "http-version" : "request-line";
  const [, method = "", before, target = "", after, , minor, trailing] = match;
  let rule: Rule | null = null;
  // RFC 9112 §3.2: whitespace is not allowed in it; RFC 3986 §2: nor are controls and octets above 0x7e.
  if (!/^[!-~]+$/.test(target)) rule = "request-target";
  else if (before !== " " || after !== " " || trailing !== "" || !line.startsWith(method)) rule = "request-line-space";
  return { method: ownPart(method, line), target: ownPart(target, line), minor: Number(minor), rule };
}

/** A part that outlives its line: exchanges are kept by the thousand, and a line can be 64 KiB long. */
function ownPart(part: string, line: string): string {
  return line.length > KEPT_LINE_OCTETS ? ownOctetString(part) : part;
}

/** Read a status-line (an octet string without its line end). @returns the rule that it breaks when it is none. */
export function readStatusLine(line: string): StatusLine | Rule {
  const match = STATUS_LINE.exec(line);
  if (match === null || match[1] !== "1") return OTHER_STATUS_VERSION.test(line) ? "http-version" : "status-line";
  const [, , minor, before, code, after] = match;
  const status = Number(code);
  let rule: Rule | null = null;
  if (status < 100 || status > 599) rule = "status-code";
  else if (before !== " " || after !== " ") rule = "status-line-space";
  return { status, minor: Number(minor), rule };
}
