import type { Base64Found } from "../base64/base64-scan.ts";

/** Runs of text between escape sequences whose place is kept. */
const MOST_RUNS = 1000;

/**
 * The text of the open string, as places in the content: what turns out to be base64 when the string ends is to be moved where it
 * stands. Behind the first 1,000 runs only the number of octets is kept; they then count as if they stood directly before the
 * closing quote.
 */
export class JsonTextRuns {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #further = 0;

  /** A string begins. */
  begin(): void {
    this.#starts.length = 0;
    this.#ends.length = 0;
    this.#further = 0;
  }

  /** The next `octets` of its text stand at `offset`. */
  add(offset: number, octets: number): void {
    const last = this.#ends.length - 1;
    if (this.#further > 0) this.#further += octets;
    else if (this.#ends[last] === offset) this.#ends[last] = offset + octets;
    else if (last + 1 < MOST_RUNS) {
      this.#starts.push(offset);
      this.#ends.push(offset + octets);
    } else this.#further = octets;
  }

  /**
   * The string, closed at offset `quote`, is base64: its base64 text in order, cut in two kinds of octets. The first ones are
   * data, as many as it decodes to, the rest is inflation.
   */
  split(found: Base64Found, quote: number, move: (isData: boolean, offset: number, octets: number) => void): void {
    if (this.#further > 0) {
      this.#starts.push(quote - this.#further);
      this.#ends.push(quote);
    }
    let data = Math.min(found.decoded, found.text);
    let run = 0;
    let at = this.#starts[0] ?? quote;
    /** The next octets of text, up to a border of runs. */
    const next = (most: number): number => {
      while (run < this.#ends.length && at === this.#ends[run]) at = this.#starts[++run] ?? quote;
      return Math.min(most, (this.#ends[run] ?? at + most) - at);
    };
    for (const [skip, octets] of found.runs) {
      for (let left = skip; left > 0; ) {
        const taken = next(left);
        at += taken;
        left -= taken;
      }
      for (let left = octets; left > 0; ) {
        const taken = next(data > 0 ? Math.min(left, data) : left);
        move(data > 0, at, taken);
        data = Math.max(0, data - taken);
        at += taken;
        left -= taken;
      }
    }
  }
}
