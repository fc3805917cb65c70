import { CharacterSet, complement, DIGITS, LINE_ENDS, type Ranges, SPACES, WORD } from "./character-set.ts";
import { PatternError } from "./pattern-error.ts";

/** A regular expression as a tree. */
export type PatternNode =
  | { readonly kind: "set"; readonly set: CharacterSet }
  | { readonly kind: "assertion"; readonly assertion: Assertion }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly parts: readonly PatternNode[] }
  /** `most` is Infinity for `*` and `+`. */
  | { readonly kind: "repeat"; readonly part: PatternNode; readonly least: number; readonly most: number };

/** What holds between two characters and takes none. */
export type Assertion = "start" | "end" | "word" | "not_word";

/** Units of a pattern. */
export const PATTERN_CAP = 1000;
/** Groups within groups. */
const GROUPS_CAP = 100;

const QUANTIFIER = /[*+?]|\{([0-9]{1,9})(?:(,)([0-9]{1,9})?)?\}/y;
const CONTROLS: Readonly<Record<string, number>> = { n: 0x0a, r: 0x0d, t: 0x09, f: 0x0c, v: 0x0b, "0": 0 };
const CLASSES: Readonly<Record<string, Ranges>> = {
  d: DIGITS,
  D: complement(DIGITS),
  w: WORD,
  W: complement(WORD),
  s: SPACES,
  S: complement(SPACES),
};
const HEX = /x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}/y;

/**
 * Reads the regular part of JavaScript's regular expressions: what a machine without memory can match. Back references and look-around
 * are refused. `(?i)` in front: case does not matter. Throws PatternError.
 */
export function parsePattern(source: string, anyCase: boolean): PatternNode {
  if (source.length > PATTERN_CAP) throw new PatternError(PATTERN_CAP, `a pattern is longer than ${PATTERN_CAP} characters`);
  return new PatternParser(source, anyCase).parse();
}

class PatternParser {
  readonly #source: string;
  #anyCase: boolean;
  #at = 0;
  #groups = 0;

  constructor(source: string, anyCase: boolean) {
    this.#source = source;
    this.#anyCase = anyCase;
  }

  parse(): PatternNode {
    if (this.#take("(?i)")) this.#anyCase = true;
    const node = this.#choice();
    if (this.#at < this.#source.length) throw new PatternError(this.#at, "a parenthesis is closed that was not opened");
    return node;
  }

  #choice(): PatternNode {
    const parts = [this.#sequence()];
    while (this.#take("|")) parts.push(this.#sequence());
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "choice", parts };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#source.length && !this.#sees("|") && !this.#sees(")")) parts.push(this.#repeated());
    return { kind: "sequence", parts };
  }

  #repeated(): PatternNode {
    const from = this.#at;
    if (this.#match(QUANTIFIER) !== null) throw new PatternError(from, "nothing to repeat");
    const part = this.#atom();
    const quantifierAt = this.#at;
    const quantifier = this.#match(QUANTIFIER);
    if (quantifier === null) return part;
    if (part.kind === "assertion") throw new PatternError(quantifierAt, "nothing to repeat");
    // Lazy or greedy makes no difference to whether there is a match.
    this.#take("?");
    const [least, most] = bounds(quantifier);
    if (least > most) throw new PatternError(quantifierAt, "the bounds are the wrong way round");
    return { kind: "repeat", part, least, most };
  }

  #atom(): PatternNode {
    const from = this.#at;
    const character = this.#next();
    switch (character) {
      case "(":
        return this.#group(from);
      case "[":
        return this.#class(from);
      case ".":
        return this.#set(LINE_ENDS, true);
      case "^":
        return { kind: "assertion", assertion: "start" };
      case "$":
        return { kind: "assertion", assertion: "end" };
      case "\\":
        if (this.#take("b")) return { kind: "assertion", assertion: "word" };
        if (this.#take("B")) return { kind: "assertion", assertion: "not_word" };
        return this.#set(this.#escape(from, false), false);
      default:
        return this.#set(one(character), false);
    }
  }

  #group(from: number): PatternNode {
    if (!this.#take("?:") && this.#sees("?")) {
      const what = /^\?(?:[=!]|<[=!])/.test(this.#source.slice(this.#at)) ? "look-around" : "this kind of group";
      throw new PatternError(from, `${what} is not supported in a pattern`);
    }
    this.#groups += 1;
    if (this.#groups > GROUPS_CAP) throw new PatternError(from, `more than ${GROUPS_CAP} groups within groups`);
    const node = this.#choice();
    if (!this.#take(")")) throw new PatternError(from, "a parenthesis is not closed in the pattern");
    this.#groups -= 1;
    return node;
  }

  #class(from: number): PatternNode {
    const negated = this.#take("^");
    const ranges: (readonly [number, number])[] = [];
    while (!this.#take("]")) {
      const rangeAt = this.#at;
      const low = this.#classMember(from);
      const isRange = this.#sees("-") && this.#source[this.#at + 1] !== "]";
      if (!isRange) {
        ranges.push(...low);
        continue;
      }
      this.#take("-");
      const high = this.#classMember(from);
      const [first, last] = [single(low), single(high)];
      if (first === null || last === null || first > last)
        throw new PatternError(rangeAt, "a range in [ ] is the wrong way round");
      ranges.push([first, last]);
    }
    return this.#set(ranges, negated);
  }

  #classMember(from: number): Ranges {
    const at = this.#at;
    if (at >= this.#source.length) throw new PatternError(from, "a [ is not closed in the pattern");
    const character = this.#next();
    return character === "\\" ? this.#escape(at, true) : one(character);
  }

  /** After the backslash. @param from where it stands. */
  #escape(from: number, inClass: boolean): Ranges {
    if (this.#at >= this.#source.length) throw new PatternError(from, "a backslash escapes nothing");
    const hex = this.#match(HEX);
    if (hex !== null) {
      const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? "", 16);
      if (code > 0x10ffff) throw new PatternError(from, "there is no such code point");
      return [[code, code]];
    }
    const character = this.#next();
    const named = Object.hasOwn(CLASSES, character) ? CLASSES[character] : undefined;
    if (named !== undefined) return named;
    if (inClass && character === "b") return [[8, 8]];
    if (character === "0" && /[0-9]/.test(this.#source[this.#at] ?? ""))
      throw new PatternError(from, "octal escapes are not supported");
    const control = Object.hasOwn(CONTROLS, character) ? CONTROLS[character] : undefined;
    if (control !== undefined) return [[control, control]];
    if (/[1-9k]/.test(character)) throw new PatternError(from, "back references are not supported in a pattern");
    if (/[A-Za-z]/.test(character)) throw new PatternError(from, `\\${character} is not known in a pattern`);
    return one(character);
  }

  #set(ranges: Ranges, negated: boolean): PatternNode {
    return { kind: "set", set: new CharacterSet(ranges, negated, this.#anyCase) };
  }

  #next(): string {
    const character = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    return character;
  }

  #sees(text: string): boolean {
    return this.#source.startsWith(text, this.#at);
  }

  #take(text: string): boolean {
    if (!this.#sees(text)) return false;
    this.#at += text.length;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found !== null) this.#at += found[0].length;
    return found;
  }
}

function bounds([whole, least, comma, most]: RegExpExecArray): [least: number, most: number] {
  switch (whole) {
    case "*":
      return [0, Number.POSITIVE_INFINITY];
    case "+":
      return [1, Number.POSITIVE_INFINITY];
    case "?":
      return [0, 1];
    default:
      if (comma === undefined) return [Number(least), Number(least)];
      return [Number(least), most === undefined ? Number.POSITIVE_INFINITY : Number(most)];
  }
}

function one(character: string): Ranges {
  const code = character.codePointAt(0) ?? 0;
  return [[code, code]];
}

/** The only code point of a class member; null for `\d` and its like. */
function single(ranges: Ranges): number | null {
  const [range] = ranges;
  return ranges.length === 1 && range !== undefined && range[0] === range[1] ? range[0] : null;
}
