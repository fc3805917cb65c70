/** Octets per call of fromCharCode: argument lists have an engine limit. */
const PIECE = 4096;
/** Up to here plain arguments are faster than an array-like of them (measured: 60 ns to 118 ns for 12 octets, Node 20). */
const SHORT = 24;

/** `bytes[from, to)` as an octet string: one UTF-16 unit per octet, U+0000 to U+00FF. */
export function octetString(bytes: Uint8Array, from: number, to: number): string {
  if (to - from <= SHORT) return shortString(bytes, from, to);
  if (to - from <= PIECE) return flatString(bytes, from, to);
  const pieces: string[] = [];
  for (let at = from; at < to; at += PIECE) pieces.push(flatString(bytes, at, Math.min(at + PIECE, to)));
  return pieces.join("");
}

/** Flat in memory, where concatenation would keep a tree of pieces. Not spread: a typed array would go through its iterator. */
function flatString(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode.apply(null, bytes.subarray(from, to) as unknown as number[]);
}

/** By fours: a call for each octet makes as many strings. */
function shortString(bytes: Uint8Array, from: number, to: number): string {
  const code = String.fromCharCode;
  const octet = (at: number): number => bytes[at] as number;
  let text = "";
  let at = from;
  for (; at + 4 <= to; at += 4) text += code(octet(at), octet(at + 1), octet(at + 2), octet(at + 3));
  switch (to - at) {
    case 1:
      return text + code(octet(at));
    case 2:
      return text + code(octet(at), octet(at + 1));
    case 3:
      return text + code(octet(at), octet(at + 1), octet(at + 2));
    default:
      return text;
  }
}

const INTERNED_OCTETS = 96;
const TABLE_SIZE = 512;
const table: (string | undefined)[] = Array<undefined>(TABLE_SIZE).fill(undefined);

/**
 * The same as {@link octetString}, for texts that come again and again (names, start-lines): a small table of the latest ones is shared
 * by all connections, so that an equal text is mostly the same string and costs no allocation.
 */
export function internedOctetString(bytes: Uint8Array, from: number, to: number): string {
  const length = to - from;
  if (length > INTERNED_OCTETS) return octetString(bytes, from, to);
  let hash = length;
  for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
  const slot = (hash ^ (hash >>> 15)) & (TABLE_SIZE - 1);
  const known = table[slot];
  if (known !== undefined && known.length === length && isEqual(known, bytes, from)) return known;
  const text = octetString(bytes, from, to);
  table[slot] = text;
  return text;
}

function isEqual(text: string, bytes: Uint8Array, from: number): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) !== bytes[from + at]) return false;
  return true;
}

/** The octets of an octet string. @throws TypeError when a unit is above 0xff: that is text, not octets. */
export function octetsOf(text: string): Uint8Array {
  const out = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0xff) throw new TypeError(`not an octet string: unit 0x${unit.toString(16)} at ${at}`);
    out[at] = unit;
  }
  return out;
}
