import { assertNever } from "http2-frame-parser";
import { WORD } from "./character-set.ts";
import { programOf, type Step } from "./pattern-program.ts";
import { type Assertion, parsePattern } from "./pattern-syntax.ts";

/**
 * A regular expression that is safe on octets from the wire: time is proportional to the text, whatever the pattern, since all
 * alternatives advance together (Thompson's algorithm) and none is tried again. The language's own engine goes back: `(a+)+$` on
 * forty octets would stall the relay for hours.
 */
export class Pattern {
  readonly #steps: readonly Step[];
  readonly #start: number;
  /** For each step, the last turn in which it was reached. Counts on from one text to the next. */
  readonly #reached: Float64Array;
  #turn = 0;

  /** Throws PatternError. @param anyCase case does not matter. */
  constructor(source: string, anyCase = false) {
    const { steps, start } = programOf(parsePattern(source, anyCase));
    this.#steps = steps;
    this.#start = start;
    this.#reached = new Float64Array(steps.length);
  }

  /** Whether it matches anywhere in `text`. */
  test(text: string): boolean {
    let waiting: number[] = [];
    let next: number[] = [];
    this.#turn += 1;
    for (let at = 0; ; ) {
      if (this.#reach(this.#start, text, at, waiting)) return true;
      if (at >= text.length) return false;
      const codePoint = text.codePointAt(at) ?? 0;
      at += codePoint > 0xffff ? 2 : 1;
      this.#turn += 1;
      next.length = 0;
      for (const index of waiting) {
        const step = this.#steps[index];
        if (step?.kind === "set" && step.set.has(codePoint) && this.#reach(step.next, text, at, next)) return true;
      }
      [waiting, next] = [next, waiting];
    }
  }

  /** Adds to `waiting` the steps that take a character and can be reached from `from` without one. @returns whether the end can. */
  #reach(from: number, text: string, at: number, waiting: number[]): boolean {
    const open = [from];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (this.#reached[index] === this.#turn) continue;
      this.#reached[index] = this.#turn;
      const step = this.#steps[index];
      if (step === undefined) continue;
      switch (step.kind) {
        case "match":
          return true;
        case "set":
          waiting.push(index);
          break;
        case "assertion":
          if (holds(step.assertion, text, at)) open.push(step.next);
          break;
        case "either":
          open.push(step.other, step.next);
          break;
      }
    }
    return false;
  }
}

function holds(assertion: Assertion, text: string, at: number): boolean {
  switch (assertion) {
    case "start":
      return at === 0;
    case "end":
      return at === text.length;
    case "word":
      return isWord(text, at - 1) !== isWord(text, at);
    case "not_word":
      return isWord(text, at - 1) === isWord(text, at);
    default:
      return assertNever(assertion);
  }
}

function isWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return WORD.some(([from, to]) => code >= from && code <= to);
}
