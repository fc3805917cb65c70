import { MAGIC_PAIRS } from "./base64-magic.ts";
import { sizeOf } from "./text-shape.ts";

/** A magic number, a byte order mark or JSON may begin so. */
export const KNOWN = 1;
/** UTF-8 may begin so, RFC 3629 §3. */
export const TEXT = 2;

const MARKS: readonly (readonly [first: number, second: number])[] = [
  [0xef, 0xbb],
  [0xfe, 0xff],
  [0xff, 0xfe],
];
const JSON_SPACE = [0x09, 0x0a, 0x0d, 0x20];
const BRACKET = 0x5b;
const BRACE = 0x7b;
const AFTER_SPACE = [...JSON_SPACE, BRACKET, BRACE];
const AFTER_BRACE = [...JSON_SPACE, 0x22];
/** A value, `]`, or what `isJsonShaped` takes for the beginning of a number that the sample cuts. */
const AFTER_BRACKET = [...AFTER_SPACE, ...Array.from('"]-+.eEtfn0123456789', (letter) => letter.charCodeAt(0))];

/** What may begin with two octets, KNOWN and TEXT put together, by both as one big-endian number. */
export const BEGINNINGS: Uint8Array = beginnings();

/** 1 for two octets, as one big-endian number, that may follow each other in UTF-8. */
export const NEIGHBOURS: Uint8Array = Uint8Array.from({ length: 0x10000 }, (_, pair) =>
  mayFollow(pair >>> 8, pair & 0xff) ? 1 : 0,
);

function beginnings(): Uint8Array {
  const table = Uint8Array.from({ length: 0x10000 }, (_, pair) => (mayBeText(pair >>> 8, pair & 0xff) ? TEXT : 0));
  const put = (first: number, second: number) => {
    table[(first << 8) | second] = (table[(first << 8) | second] ?? 0) | KNOWN;
  };
  for (const [first, second] of [...MAGIC_PAIRS, ...MARKS]) put(first, second);
  for (const space of JSON_SPACE) for (const second of AFTER_SPACE) put(space, second);
  for (const second of AFTER_BRACE) put(BRACE, second);
  for (const second of AFTER_BRACKET) put(BRACKET, second);
  return table;
}

function mayBeText(first: number, second: number): boolean {
  return sizeOf(first) > 0 && mayFollow(first, second);
}

/** RFC 3629 §3: octets 80 to BF go on a character, which may then be over or not. */
function mayFollow(first: number, second: number): boolean {
  const goesOn = (second & 0xc0) === 0x80;
  if ((first & 0xc0) === 0x80) return goesOn || sizeOf(second) > 0;
  const size = sizeOf(first);
  return size === 1 ? sizeOf(second) > 0 : size > 1 && goesOn;
}
