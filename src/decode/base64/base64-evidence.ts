import * as alphabet from "./base64-alphabet.ts";
import * as beginnings from "./base64-beginnings.ts";
import { isDerSequence, isZlib, magicOf } from "./base64-magic.ts";
import { isWords } from "./base64-words.ts";
import { isJsonShaped } from "./json-shape.ts";
import { isPrintableAscii, isUtf16, printableShare } from "./text-shape.ts";

// Names of this module's own, as in base64-alphabet.ts.
const { BEYOND_HEX, DIGIT, LOWER, SIX_BITS, UPPER, decodedOctets } = alphabet;
const { BEGINNINGS, KNOWN, NEIGHBOURS, TEXT } = beginnings;

/** Symbols that are looked at: the first 96 decoded octets. */
export const SAMPLE_SYMBOLS = 128;

/** From here on a mixture of symbols is evidence; below, names and identifiers have it, too. */
const FEWEST_MIXED_OCTETS = 64;
const FEWEST_TEXT_OCTETS = 12;
/** Of every string that gets here, in whole groups. */
const FEWEST_SYMBOLS = 12;
const MIXED = UPPER | LOWER | DIGIT | BEYOND_HEX;
const CASES = UPPER | LOWER;

const PRINTABLE_SHARE = 0.9;

/** The octets that the sample stands for, of the string looked at last. */
const decoded = new Uint8Array((SAMPLE_SYMBOLS / 4) * 3);

/**
 * Whether legal base64 text is meant as such: every four letters decode, so what they decode to has to be something.
 * @param text holds its first symbols at `[from, to)`: SAMPLE_SYMBOLS, or all when it is shorter; at least twelve.
 * @param view of the same octets as `text`.
 * @param octets its length with padding, `symbols` without; `classes` the class bits of all of it.
 */
export function isEvident(
  text: Uint8Array,
  view: DataView,
  from: number,
  to: number,
  octets: number,
  symbols: number,
  classes: number,
): boolean {
  const mixed = (classes & MIXED) === MIXED;
  if (mixed && octets >= FEWEST_MIXED_OCTETS && !isWords(text, view, from, to)) return true;
  const begins = beginsAs(text, from);
  const isKnown = (begins & KNOWN) !== 0;
  // Text encodes to letters of both cases; `6666666666666666` would be four Hangul syllables.
  const mayBeText = (begins & TEXT) !== 0 && (classes & CASES) === CASES;
  if (!isKnown && !mayBeText) return false;
  const length = decode(text, from, to);
  const whole = to - from === symbols;
  if (isKnown) {
    if (magicOf(decoded, length) !== null || isDerSequence(decoded, length, decodedOctets(symbols))) return true;
    if (mixed && isZlib(decoded, length)) return true;
    const content = afterBom(length);
    if (isJsonShaped(decoded, content, length, whole)) return true;
    if (content === 2 && isUtf16(decoded, content, length, decoded[0] === 0xff)) return true;
  }
  if (!mayBeText || length < FEWEST_TEXT_OCTETS) return false;
  // A name as `ReadonlyTypeLike` is UTF-8 of rare characters by chance, but hardly ever ASCII.
  if (isWords(text, view, from, to)) return isPrintableAscii(decoded, length);
  return printableShare(decoded, length, whole) >= PRINTABLE_SHARE;
}

/**
 * Whether the first symbols of a string tell that it is neither base64 nor a JWT, as those of most names, numbers and digests do: what they
 * decode to begins nothing known and is no UTF-8.
 * @param octets its length; only of a short one that is enough.
 */
export function isHopeless(text: Uint8Array, from: number, octets: number): boolean {
  return octets < FEWEST_MIXED_OCTETS && beginsAs(text, from) === 0;
}

/** What the octets may be that `text[from …)` stands for, which is of at least twelve symbols: KNOWN and TEXT put together. */
function beginsAs(text: Uint8Array, from: number): number {
  const begins =
    BEGINNINGS[(SIX_BITS[text[from]!]! << 10) | (SIX_BITS[text[from + 1]!]! << 4) | (SIX_BITS[text[from + 2]!]! >> 2)]!;
  return (begins & TEXT) === 0 || mayBeUtf8(text, from, from + FEWEST_SYMBOLS) ? begins : begins & KNOWN;
}

/** Whether all neighbours among the octets that `text[from, to)`, whole groups of symbols, stands for may be neighbours in UTF-8. */
function mayBeUtf8(text: Uint8Array, from: number, to: number): boolean {
  let before = 0;
  for (let at = from; at < to; at += 4) {
    const group =
      (SIX_BITS[text[at]!]! << 18) |
      (SIX_BITS[text[at + 1]!]! << 12) |
      (SIX_BITS[text[at + 2]!]! << 6) |
      SIX_BITS[text[at + 3]!]!;
    const all = NEIGHBOURS[(before << 8) | (group >>> 16)]! & NEIGHBOURS[group >>> 8]! & NEIGHBOURS[group & 0xffff]!;
    if (all === 0) return false;
    before = group & 0xff;
  }
  return true;
}

/**
 * Whether a segment is the header of a JWS or JWT, RFC 7515 §4, RFC 7519 §5: a JSON object that names its algorithm or type. Of a header that
 * is longer than the sample, the rest is believed.
 */
export function isJoseHeader(sample: Uint8Array, held: number, symbols: number): boolean {
  if (sample[0] !== BRACE_SYMBOL) return false;
  const length = decode(sample, 0, held);
  const whole = held === symbols;
  if (decoded[0] !== 0x7b || !isJsonShaped(decoded, 0, length, whole)) return false;
  return !whole || has(length, ALG) || has(length, TYP);
}

/** `e`: its six bits are the first of `{`. */
const BRACE_SYMBOL = 0x65;
const ALG = [0x22, 0x61, 0x6c, 0x67, 0x22];
const TYP = [0x22, 0x74, 0x79, 0x70, 0x22];

function has(length: number, name: readonly number[]): boolean {
  for (let at = 0; at + name.length <= length; at++) if (name.every((octet, index) => decoded[at + index] === octet)) return true;
  return false;
}

/** Decodes `text[from, to)`, RFC 4648 §4; returns how many octets that gives. What it writes after them means nothing. */
function decode(text: Uint8Array, from: number, to: number): number {
  let octet = 0;
  for (let at = from; at < to; at += 4) {
    const group =
      (SIX_BITS[text[at]!]! << 18) |
      ((SIX_BITS[text[at + 1] ?? 0] ?? 0) << 12) |
      ((SIX_BITS[text[at + 2] ?? 0] ?? 0) << 6) |
      (SIX_BITS[text[at + 3] ?? 0] ?? 0);
    decoded[octet++] = group >>> 16;
    decoded[octet++] = group >>> 8;
    decoded[octet++] = group;
  }
  return ((to - from) * 3) >> 2;
}

/** Unicode §23.8: byte order marks. */
function afterBom(length: number): number {
  if (length < 3) return 0;
  if (decoded[0] === 0xef && decoded[1] === 0xbb && decoded[2] === 0xbf) return 3;
  const isUtf16Mark = (decoded[0] === 0xff && decoded[1] === 0xfe) || (decoded[0] === 0xfe && decoded[1] === 0xff);
  return isUtf16Mark ? 2 : 0;
}
