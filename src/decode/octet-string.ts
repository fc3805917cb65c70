/** Octets per call of fromCharCode: argument lists have an engine limit. */
const PIECE = 4096;
/** Up to here plain arguments are faster than an array-like of them (measured: 60 ns to 118 ns for 12 octets, Node 20). */
const SHORT = 24;

/** `bytes[from, to)` as an octet string: one UTF-16 unit per octet, U+0000 to U+00FF. */
export function octetString(bytes: Uint8Array, from: number, to: number): string {
  if (to - from <= SHORT) return shortString(bytes, from, to);
  let text = "";
  for (let at = from; at < to; at += PIECE) {
    // Not spread: a typed array would go through its iterator, six times as slow.
    text += String.fromCharCode.apply(null, bytes.subarray(at, Math.min(at + PIECE, to)) as unknown as number[]);
  }
  return text;
}

/**
 * An octet string of its own with the text of `text`, which may be a part of a longer one: engines keep the whole string alive for as
 * long as any part of it. For what outlives the line that it stood in.
 */
export function ownOctetString(text: string): string {
  return octetString(octetsOf(text), 0, text.length);
}

/** The octets of an octet string. */
export function octetsOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

const INTERNED_OCTETS = 96;
const TABLE_SIZE = 512;
const table: (string | undefined)[] = Array<undefined>(TABLE_SIZE).fill(undefined);

/**
 * The same, for texts that come again and again (names, start-lines): a small table of the latest ones is shared by all
 * connections, so that an equal text is mostly the same string and costs no allocation.
 */
export function internedOctetString(bytes: Uint8Array, from: number, to: number): string {
  const length = to - from;
  if (length > INTERNED_OCTETS) return octetString(bytes, from, to);
  let hash = length;
  for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
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

function shortString(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  let at = from;
  for (; at + 4 <= to; at += 4) {
    text += String.fromCharCode(bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0, bytes[at + 3] ?? 0);
  }
  for (; at < to; at++) text += String.fromCharCode(bytes[at] ?? 0);
  return text;
}
