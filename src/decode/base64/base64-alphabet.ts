/** What an octet is to base64, as bits, so that the bits of many octets can be put together. RFC 4648 §4 and §5. */
export const UPPER = 0x01;
export const LOWER = 0x02;
export const DIGIT = 0x04;
/** A letter that no hexadecimal number has: G to Z, g to z. */
export const BEYOND_HEX = 0x08;
/** `+` `/`: only in the alphabet of RFC 4648 §4. */
export const STANDARD = 0x10;
/** `-` `_`: only in the URL and filename safe alphabet, RFC 4648 §5. */
export const URL_SAFE = 0x20;
/** `=`. This and everything above it is no symbol: `CLASS[octet] < PAD` asks for the 64 + 2 symbols. */
export const PAD = 0x40;
/** Every other octet. */
const FOREIGN = 0x80;

// Tables and numbers that a loop looks at have a name of their own in each module: V8 loads an exported or imported one at each use.
const classOf = classes();
const six = sixBits();
const pairs = Uint8Array.from({ length: 0x10000 }, (_, pair) => (classOf[pair & 0xff] ?? 0) | (classOf[pair >>> 8] ?? 0));

/** Class by octet: one of the groups of bits above. */
export const CLASS: Uint8Array = classOf;
/** The classes of two octets put together, by both as one 16-bit number: half as many look-ups. Byte order does not matter. */
export const PAIR: Uint8Array = pairs;
/** The six bits that a symbol of either alphabet stands for (RFC 4648 §4 table 1, §5 table 2); 0 for other octets. */
export const SIX_BITS: Uint8Array = six;

/** Octets that `wideEnd` looks at at once. */
export const WIDE = 16;
/** A view costs as much as looking at some 50 octets: it is made only for a run that has come this far. */
const NARROW_OCTETS = 64;

/** Where `runEnd` leaves what it saw. */
export interface Seen {
  /** The class bits of all octets of the run, put together. */
  classes: number;
}

/**
 * Position of the first octet in `bytes[from, to)` whose class is `stop` (PAD or FOREIGN) or above; `to` when there is none.
 * `seen.classes` becomes the classes of the octets before it.
 */
export function runEnd(bytes: Uint8Array, from: number, to: number, stop: number, seen: Seen): number {
  seen.classes = 0;
  if (to - from <= NARROW_OCTETS) return narrowEnd(bytes, from, to, stop, seen);
  const near = from + NARROW_OCTETS;
  const at = narrowEnd(bytes, from, near, stop, seen);
  if (at < near) return at;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return narrowEnd(bytes, wideEnd(view, at, to, stop, seen), to, stop, seen);
}

/**
 * Position of the first octet in `bytes[from, to)` that is none of A-Z a-z 0-9 + / - _ = (both alphabets of RFC 4648 and padding); `to` when
 * there is none.
 */
export function alphabetEnd(bytes: Uint8Array, from: number, to: number): number {
  return runEnd(bytes, from, to, FOREIGN, ignored);
}

const ignored: Seen = { classes: 0 };

/**
 * Whether text of so many symbols and `=` is what an encoder writes: whole groups or none of the padding, RFC 4648 §3.2 and §4; the bits of
 * the last symbol that no octet needs are zero, §3.5.
 */
export function isLegalLength(symbols: number, pads: number, last: number): boolean {
  const rest = symbols % 4;
  if (rest === 0) return pads === 0;
  if (rest === 1 || (pads > 0 && rest + pads !== 4)) return false;
  return ((six[last] ?? 0) & (rest === 2 ? 0x0f : 0x03)) === 0;
}

/** Octets that so many symbols decode to. */
export function decodedOctets(symbols: number): number {
  return Math.floor((symbols * 3) / 4);
}

/** As `runEnd`, octet by octet; adds to `seen`. */
function narrowEnd(bytes: Uint8Array, from: number, to: number, stop: number, seen: Seen): number {
  let at = from;
  let found = seen.classes;
  for (; at + 4 <= to; at += 4) {
    const four = classOf[bytes[at]!]! | classOf[bytes[at + 1]!]! | classOf[bytes[at + 2]!]! | classOf[bytes[at + 3]!]!;
    if (four >= stop) break;
    found |= four;
  }
  for (; at < to; at++) {
    const one = classOf[bytes[at]!]!;
    if (one >= stop) break;
    found |= one;
  }
  seen.classes = found;
  return at;
}

/**
 * As `runEnd`, sixteen octets at once: to the end of the last sixteen that are all of the run. Adds to `seen`.
 * @param view of the octets.
 */
export function wideEnd(view: DataView, from: number, to: number, stop: number, seen: Seen): number {
  let at = from;
  let found = seen.classes;
  for (const last = to - 16; at <= last; at += 16) {
    const a = view.getInt32(at, true);
    const b = view.getInt32(at + 4, true);
    const c = view.getInt32(at + 8, true);
    const d = view.getInt32(at + 12, true);
    const next =
      found |
      pairs[a & 0xffff]! |
      pairs[a >>> 16]! |
      pairs[b & 0xffff]! |
      pairs[b >>> 16]! |
      pairs[c & 0xffff]! |
      pairs[c >>> 16]! |
      pairs[d & 0xffff]! |
      pairs[d >>> 16]!;
    if (next >= stop) break;
    found = next;
  }
  seen.classes = found;
  return at;
}

function classes(): Uint8Array {
  const table = new Uint8Array(256).fill(FOREIGN);
  const put = (symbols: string, octetClass: number) => {
    for (const symbol of symbols) table[symbol.charCodeAt(0)] = octetClass;
  };
  put("ABCDEF", UPPER);
  put("GHIJKLMNOPQRSTUVWXYZ", UPPER | BEYOND_HEX);
  put("abcdef", LOWER);
  put("ghijklmnopqrstuvwxyz", LOWER | BEYOND_HEX);
  put("0123456789", DIGIT);
  put("+/", STANDARD);
  put("-_", URL_SAFE);
  put("=", PAD);
  return table;
}

function sixBits(): Uint8Array {
  const table = new Uint8Array(256);
  const common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  for (const alphabet of [`${common}+/`, `${common}-_`]) {
    for (let value = 0; value < 64; value++) table[alphabet.charCodeAt(value)] = value;
  }
  return table;
}
