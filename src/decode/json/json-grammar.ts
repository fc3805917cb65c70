/**
 * The grammar of RFC 8259 as tables: which octet may follow where. Between tokens an octet's class and the state give the action;
 * inside strings, numbers and literals the scanner itself knows the few octets that go on.
 */

/**
 * Where a scanner stands; below `keyText`: between two tokens. The scanner computes with these: after a comma comes the state one
 * below (`item` is `afterItem` - 1, `key` is `afterMember` - 1), after a number or literal at the top `topWord`, which is `top` +
 * 1, and after a backslash and after its `u` the state one above.
 */
export const STATE = {
  top: 0,
  /** Directly after a number or literal at the top: no octet border would tell another one apart. */
  topWord: 1,
  /** The next octet begins a value at the top. */
  topValue: 2,
  firstItem: 3,
  item: 4,
  afterItem: 5,
  firstKey: 6,
  afterKey: 7,
  member: 8,
  key: 9,
  afterMember: 10,
  keyText: 11,
  keyEscape: 12,
  keyHex: 13,
  stringText: 14,
  stringEscape: 15,
  stringHex: 16,
  literal: 17,
  // Numbers, RFC 8259 §6, from here on. Complete as they stand: zero, integer, fraction, exponent.
  minus: 18,
  zero: 19,
  integer: 20,
  point: 21,
  fraction: 22,
  exponentMark: 23,
  exponentSign: 24,
  exponent: 25,
} as const;

/** What to do with an octet between tokens. */
export const ACT = {
  break: 0,
  /** A JSON text begins. */
  beginText: 1,
  openObject: 2,
  openArray: 3,
  close: 4,
  colon: 5,
  comma: 6,
  openKey: 7,
  openString: 8,
  beginNumber: 9,
  beginLiteral: 10,
} as const;

/** Octets by class; class 0 is every other octet. */
const CLASS_OCTETS = ["", " \t\n\r", "{", "[", "}", "]", ":", ",", '"', "-0123456789", "tfn"] as const;
type ClassOctets = (typeof CLASS_OCTETS)[number];

/** The class of white space, RFC 8259 §2. */
export const WHITESPACE = 1;

/** Class of an octet that stands between tokens. */
export const CLASS = new Uint8Array(256);
for (const [id, octets] of CLASS_OCTETS.entries()) {
  for (const octet of octets) CLASS[octet.charCodeAt(0)] = id;
}

type Row = Readonly<Partial<Record<ClassOctets, number>>>;
const VALUE: Row = {
  "{": ACT.openObject,
  "[": ACT.openArray,
  '"': ACT.openString,
  "-0123456789": ACT.beginNumber,
  tfn: ACT.beginLiteral,
};
const ROWS: readonly (readonly [state: number, row: Row])[] = [
  [STATE.top, Object.fromEntries(Object.keys(VALUE).map((octets) => [octets, ACT.beginText]))],
  [STATE.topWord, { "{": ACT.beginText, "[": ACT.beginText, '"': ACT.beginText }],
  [STATE.topValue, VALUE],
  [STATE.firstItem, { ...VALUE, "]": ACT.close }],
  [STATE.item, VALUE],
  [STATE.afterItem, { ",": ACT.comma, "]": ACT.close }],
  [STATE.firstKey, { '"': ACT.openKey, "}": ACT.close }],
  [STATE.afterKey, { ":": ACT.colon }],
  [STATE.member, VALUE],
  [STATE.key, { '"': ACT.openKey }],
  [STATE.afterMember, { ",": ACT.comma, "}": ACT.close }],
];

/** The action for a state below `keyText` and a class: `ACTION[(state << 4) | class]`. */
export const ACTION = new Uint8Array(STATE.keyText << 4);
for (const [state, row] of ROWS) {
  for (const [id, octets] of CLASS_OCTETS.entries()) ACTION[(state << 4) | id] = row[octets] ?? ACT.break;
}

/**
 * The octet that the second octet of an escape sequence stands for, RFC 8259 §7; 0 where no escape sequence goes on like this.
 */
export const ESCAPED = new Uint8Array(256);
for (const [octet, meaning] of [...'"\\/bfnrt'].map((octet, index) => [octet, '"\\/\b\f\n\r\t'.charCodeAt(index)] as const)) {
  ESCAPED[octet.charCodeAt(0)] = meaning;
}

/** In HEX: no hexadecimal digit. */
export const NO_HEX = 16;
/** Value of a hexadecimal digit in either case, or NO_HEX. */
export const HEX = new Uint8Array(256).fill(NO_HEX);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  HEX[digit.charCodeAt(0)] = value;
  HEX[digit.toUpperCase().charCodeAt(0)] = value;
}

/** The three literal names, RFC 8259 §3, one behind the other. */
export const LITERALS = Uint8Array.from("truefalsenull", (character) => character.charCodeAt(0));
/** Where in LITERALS the name that begins with an octet begins and ends. */
export const LITERAL_FROM = new Uint8Array(256);
export const LITERAL_TO = new Uint8Array(256);
for (const [octet, from, to] of [
  ["t", 0, 4],
  ["f", 4, 9],
  ["n", 9, 13],
] as const) {
  LITERAL_FROM[octet.charCodeAt(0)] = from;
  LITERAL_TO[octet.charCodeAt(0)] = to;
}
