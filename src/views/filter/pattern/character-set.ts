/** Code points in pairs: first and last of a range, both included. */
export type Ranges = readonly (readonly [from: number, to: number])[];

const LAST_CODE_POINT = 0x10ffff;

export const DIGITS: Ranges = [[0x30, 0x39]];
export const WORD: Ranges = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
/** ECMA-262 WhiteSpace and LineTerminator, as `\s` has them. */
export const SPACES: Ranges = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
/** What `.` does not match. */
export const LINE_ENDS: Ranges = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

/** All other code points. @param ranges in order and apart. */
export function complement(ranges: Ranges): Ranges {
  const others: [number, number][] = [];
  let next = 0;
  for (const [from, to] of ranges) {
    if (from > next) others.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= LAST_CODE_POINT) others.push([next, LAST_CODE_POINT]);
  return others;
}

/** A set of code points, as one position of a pattern takes them. */
export class CharacterSet {
  readonly #ranges: Ranges;
  readonly #negated: boolean;
  readonly #anyCase: boolean;

  /** @param anyCase a code point is in it when any of its cases is, as far as a case is one code point. */
  constructor(ranges: Ranges, negated: boolean, anyCase: boolean) {
    this.#ranges = ranges;
    this.#negated = negated;
    this.#anyCase = anyCase;
  }

  has(codePoint: number): boolean {
    return this.#negated !== (isIn(this.#ranges, codePoint) || (this.#anyCase && this.#hasOtherCase(codePoint)));
  }

  #hasOtherCase(codePoint: number): boolean {
    const character = String.fromCodePoint(codePoint);
    return [character.toLowerCase(), character.toUpperCase()].some((other) => {
      const code = other.codePointAt(0) ?? 0;
      return other.length === (code > 0xffff ? 2 : 1) && isIn(this.#ranges, code);
    });
  }
}

function isIn(ranges: Ranges, codePoint: number): boolean {
  for (const [from, to] of ranges) if (codePoint >= from && codePoint <= to) return true;
  return false;
}
