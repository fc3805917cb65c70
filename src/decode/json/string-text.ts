const DOT = 0x2e;
const COLON = 0x3a;
const EQUALS = 0x3d;
const LOWER_D = 0x64;
const LOWER_E = 0x65;
const SCHEME_OCTETS = "data".length;

/** Shorter strings are never taken for base64 (SPEC's rule of evidence). */
export const FEWEST_BASE64 = 16;

/**
 * 1 for octets that go on a run of text in a string, RFC 8259 §7: all but control octets, quote and backslash. UTF-8 is not
 * checked.
 */
export const IS_TEXT = new Uint8Array(256).fill(1).fill(0, 0, 0x20);
IS_TEXT[0x22] = 0;
IS_TEXT[0x5c] = 0;

const IS_ALPHABET = new Uint8Array(256);
for (const octet of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=") IS_ALPHABET[octet.charCodeAt(0)] = 1;

/**
 * Position of the first octet of `bytes[from, to)` that ends a run of text in a string: a quote, a backslash or a control octet;
 * `to` when there is none. Looks at four octets at once.
 * @param view of the same octets as `bytes`.
 */
export function textEnd(bytes: Uint8Array, view: DataView, from: number, to: number): number {
  let at = from;
  // In each octet: XOR 0x02 brings the quote to 0x20, next to the control octets, and them only among themselves; so "quote or
  // control" is "below 0x21", which borrows into bit 7 when subtracted. XOR 0x5c makes the backslash 0, the only octet below 1. A
  // borrow may run on into higher octets, so only the lowest bit that is set is sure to be meant.
  for (const last = to - 8; at <= last; at += 8) {
    let four = view.getInt32(at, true);
    let low = four ^ 0x02020202;
    let slash = four ^ 0x5c5c5c5c;
    let ends = (((low - 0x21212121) & ~low) | ((slash - 0x01010101) & ~slash)) & 0x80808080;
    if (ends !== 0) return at + ((31 - Math.clz32(ends & -ends)) >>> 3);
    four = view.getInt32(at + 4, true);
    low = four ^ 0x02020202;
    slash = four ^ 0x5c5c5c5c;
    ends = (((low - 0x21212121) & ~low) | ((slash - 0x01010101) & ~slash)) & 0x80808080;
    if (ends !== 0) return at + 4 + ((31 - Math.clz32(ends & -ends)) >>> 3);
  }
  while (at < to && IS_TEXT[bytes[at] as number] === 1) at++;
  return at;
}

/**
 * Whether a string whose text begins with `bytes[from, to)` may still be base64: its first octets are of the alphabets, or go on
 * as a data: URI or a JWT does. Quick and generous; Base64Scan decides.
 */
export function mayBeBase64(bytes: Uint8Array, from: number, to: number): boolean {
  const near = to - from < FEWEST_BASE64 ? to : from + FEWEST_BASE64;
  for (let at = from; at < near; at++) {
    const octet = bytes[at] as number;
    if (IS_ALPHABET[octet] === 1) continue;
    const first = bytes[from] as number;
    // `data:`, RFC 2397; the dot behind a JOSE header: in base64url every text that begins with `{` begins with `e`.
    return octet === COLON ? at - from === SCHEME_OCTETS && (first | 0x20) === LOWER_D : octet === DOT && first === LOWER_E;
  }
  return true;
}

/**
 * Whether a string whose text is `bytes[from, to)`, or begins with it, may be base64 though not all of its first 16 octets are symbols: padding
 * stands there, or it goes on as a data: URI or a JWT does. At least 16 octets long.
 */
export function isOtherBase64(bytes: Uint8Array, from: number, to: number): boolean {
  const first = bytes[from] as number;
  const isOther =
    first === LOWER_E ||
    ((first | 0x20) === LOWER_D && bytes[from + SCHEME_OCTETS] === COLON) ||
    (to - from === FEWEST_BASE64 && bytes[to - 1] === EQUALS);
  return isOther && mayBeBase64(bytes, from, to);
}
