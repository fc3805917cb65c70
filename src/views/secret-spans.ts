import { decodePercent } from "./percent.ts";
import { ENCODING_DEPTH, type SecretNames } from "./secret-names.ts";

/** Octets `[from, to)` of a text that are not to be shown. */
export interface SecretSpan {
  readonly from: number;
  readonly to: number;
}

/**
 * Where a secret ends. On the wire a value ends at `&` or `#` only, as whatever else is in it can belong to it; in prose that quotes the
 * wire it ends at white space too, except between quotes.
 */
export type TextKind = "wire" | "prose";

/** What RFC 3986 §3.2 lets stand for host and port, userinfo aside; a bare IPv6 address is let pass. */
const HOST_PORT = /^(?:(?:\[[^\][@\s]*\]|[^:/?#@\s"'<>%=;&]*)(?::[0-9]{0,5})?|[0-9a-f:.]{0,45})$/i;
/** RFC 1035 §2.3.4: 255 octets are a name's limit; a port comes on top. */
const HOST_PORT_OCTETS = 261;
const SCHEME_AND_SLASHES = /^(?:[a-z][a-z0-9+.-]*:)?[/\\]+/i;
const ENCODED = /%[0-9a-f]{2}/i;

/**
 * The secrets of any text: userinfo of URLs, values of sensitive names (`name=value`, `"name":"value"`), what follows the name of a
 * sensitive field line and its colon; all of these percent-encoded, too. Each octet is looked at a bounded number of times.
 */
export function secretSpans(text: string, names: SecretNames, kind: TextKind): SecretSpan[] {
  return spansAt(text, names, kind, 0);
}

/** The secrets of a text that is one URL, in whole or in part: what stands before an `@` of its authority, and {@link secretSpans}. */
export function urlSpans(url: string, names: SecretNames): SecretSpan[] {
  const spans = secretSpans(url, names, "wire");
  const lead = SCHEME_AND_SLASHES.exec(url)?.[0] ?? "";
  // One slash is where a path begins.
  if (lead === "/" || url.startsWith("?") || url.startsWith("#")) return spans;
  const end = firstOf(url, lead.length, isAfterAuthority);
  const authority = url.slice(lead.length, end);
  const at = authority.lastIndexOf("@");
  if (at >= 0) spans.push({ from: lead.length, to: lead.length + at });
  // Without its `@`, as after a cut, userinfo is known by not being a host and a port.
  else if (authority.length > HOST_PORT_OCTETS || (lead !== "" && !HOST_PORT.test(authority))) {
    spans.push({ from: lead.length, to: end });
  }
  return spans;
}

/** The secrets of an authority: all before its last `@`, and what is no host and port after it. */
export function authoritySpans(authority: string, names: SecretNames): SecretSpan[] {
  const spans: SecretSpan[] = [];
  const at = authority.lastIndexOf("@");
  if (at >= 0) spans.push({ from: 0, to: at });
  const from = at + 1;
  const host = authority.slice(from);
  if (host.length <= HOST_PORT_OCTETS && HOST_PORT.test(host.trim())) return spans;
  if (!/[/?#]/.test(host)) return [...spans, { from, to: authority.length }];
  return [...spans, ...urlSpans(host, names).map((span) => ({ from: from + span.from, to: from + span.to }))];
}

/** The text with a label in the place of each span; overlapping spans are one. */
export function maskSpans(text: string, spans: readonly SecretSpan[], label: (octets: number) => string): string {
  if (spans.length === 0) return text;
  const merged: { from: number; to: number }[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from || b.to - a.to)) {
    const last = merged.at(-1);
    if (last !== undefined && (span.from < last.to || span.from === last.from)) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  let shown = "";
  let at = 0;
  for (const { from, to } of merged) {
    shown += text.slice(at, from) + label(to - from);
    at = to;
  }
  return shown + text.slice(at);
}

function spansAt(text: string, names: SecretNames, kind: TextKind, depth: number): SecretSpan[] {
  const spans: SecretSpan[] = [];
  if (text.includes("=") || text.includes(":")) addNamed(spans, text, names, kind);
  if (/[/\\]{2}/.test(text)) addUserinfo(spans, text, kind);
  if (text.includes("%")) addEncoded(spans, text, names, kind, depth);
  return spans;
}

/** Values after `name=`, `"name":` and `Field-Name:`. */
function addNamed(spans: SecretSpan[], text: string, names: SecretNames, kind: TextKind): void {
  // Names are read backwards, never past the sign before: no octet is read twice.
  let bound = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign !== "=" && sign !== ":") continue;
    const { name, quoted } = nameBefore(text, at, bound);
    bound = at + 1;
    if (sign === ":" && (names.isField(name) || (quoted && names.isParameter(name)))) {
      spans.push({ from: firstOf(text, bound, (c) => !isSpace(c)), to: text.length });
      return;
    }
    if (sign === "=" && names.isParameter(name)) {
      const to = valueEnd(text, bound, kind);
      spans.push({ from: bound, to });
      bound = to;
      at = to - 1;
    }
  }
}

function nameBefore(text: string, sign: number, bound: number): { readonly name: string; readonly quoted: boolean } {
  let end = sign;
  let quoted = false;
  while (end > bound && (isSpace(text[end - 1]) || isQuote(text[end - 1]))) {
    quoted ||= isQuote(text[end - 1]);
    end--;
  }
  let start = end;
  while (start > bound && !isBeforeName(text[start - 1])) start--;
  return { name: text.slice(start, end), quoted };
}

function valueEnd(text: string, from: number, kind: TextKind): number {
  if (kind === "wire") return firstOf(text, from, isAfterValue);
  let at = firstOf(text, from, (c) => !isSpace(c));
  const first = text[at] === "\\" ? at + 1 : at;
  if (isQuote(text[first])) at = afterQuoted(text, first);
  while (at < text.length && !isAfterValue(text[at]) && !isSpace(text[at]))
    at = text[at] === '"' ? afterQuoted(text, at) : at + 1;
  return at;
}

/** The octet after the closing quote; the end of the text when there is none. */
function afterQuoted(text: string, quote: number): number {
  const closing = text.indexOf(text[quote] ?? "", quote + 1);
  return closing < 0 ? text.length : closing + 1;
}

/** What stands before the last `@` of each authority after `//`. */
function addUserinfo(spans: SecretSpan[], text: string, kind: TextKind): void {
  for (let at = 0; at < text.length; at++) {
    if (!isSlash(text[at]) || !isSlash(text[at + 1])) continue;
    const from = firstOf(text, at, (c) => !isSlash(c));
    const end = firstOf(text, from, (c) => isAfterAuthority(c) || (kind === "prose" && isSpace(c)));
    const authority = text.slice(from, end);
    const sign = authority.lastIndexOf("@");
    if (sign >= 0) spans.push({ from, to: from + sign });
    // Prose quotes the wire cut short: before the `@`, perhaps.
    else if (kind === "prose" && end === text.length && !HOST_PORT.test(authority)) spans.push({ from, to: end });
    at = end - 1;
  }
}

/** Pieces between `&` whose name or value has secrets once its percent-encoding is undone: what they stand in is secret whole. */
function addEncoded(spans: SecretSpan[], text: string, names: SecretNames, kind: TextKind, depth: number): void {
  for (let from = 0; from < text.length; ) {
    const end = firstOf(text, from, (c) => isAfterValue(c) || (kind === "prose" && isSpace(c)));
    const piece = text.slice(from, end);
    const sign = piece.indexOf("=");
    const nameOctets = sign < 0 ? piece.length : sign;
    if (hasEncoded(piece.slice(0, nameOctets), names, depth)) spans.push({ from, to: end });
    else if (hasEncoded(piece.slice(nameOctets), names, depth)) spans.push({ from: from + sign + 1, to: end });
    from = end + 1;
  }
}

function hasEncoded(written: string, names: SecretNames, depth: number): boolean {
  if (!ENCODED.test(written)) return false;
  return depth >= ENCODING_DEPTH || spansAt(decodePercent(written), names, "wire", depth + 1).length > 0;
}

/** The first octet from `from` on that is such a one; the text's length when none is. */
function firstOf(text: string, from: number, is: (octet: string | undefined) => boolean): number {
  let at = from;
  while (at < text.length && !is(text[at])) at++;
  return at;
}

function isAfterValue(octet: string | undefined): boolean {
  return octet === "&" || octet === "#";
}

function isAfterAuthority(octet: string | undefined): boolean {
  return octet === "/" || octet === "?" || octet === "#";
}

function isSlash(octet: string | undefined): boolean {
  return octet === "/" || octet === "\\";
}

function isSpace(octet: string | undefined): boolean {
  return octet !== undefined && octet <= " ";
}

/** A backslash goes with the quote that it escapes. */
function isQuote(octet: string | undefined): boolean {
  return octet === '"' || octet === "'" || octet === "`" || octet === "\\";
}

function isBeforeName(octet: string | undefined): boolean {
  return octet === undefined || isSpace(octet) || isQuote(octet) || "?;,&#/|(){}<>=:".includes(octet);
}
