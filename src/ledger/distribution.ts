/**
 * Minimum, median and maximum of integers. Exact while there are at most `limit` distinct values; past that a new value is counted at
 * the nearest one there is (a new extreme moves the outermost one), so that minimum and maximum stay exact and memory stays flat.
 */
export class Distribution {
  readonly #limit: number;
  /** Ascending; `#counts` beside it. */
  readonly #values: number[] = [];
  readonly #counts: number[] = [];
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Values counted. */
  get total(): number {
    return this.#total;
  }

  add(value: number): void {
    this.#total += 1;
    const at = this.#firstNotBelow(value);
    if (this.#values[at] === value) {
      this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    } else if (this.#values.length < this.#limit) {
      this.#values.splice(at, 0, value);
      this.#counts.splice(at, 0, 1);
    } else {
      const nearest = this.#nearest(value);
      if (at === 0 || at === this.#values.length) this.#values[nearest] = value;
      this.#counts[nearest] = (this.#counts[nearest] ?? 0) + 1;
    }
  }

  /** A value counted before has changed: late octets of a call. */
  move(from: number, to: number): void {
    const at = this.#nearest(from);
    const left = (this.#counts[at] ?? 0) - 1;
    this.#total -= 1;
    if (left > 0) {
      this.#counts[at] = left;
    } else {
      this.#values.splice(at, 1);
      this.#counts.splice(at, 1);
    }
    this.add(to);
  }

  /** Of no values: zeros. The median is the lower one of an even count. */
  summary(): { readonly min: number; readonly median: number; readonly max: number } {
    let left = Math.ceil(this.#total / 2);
    let median = 0;
    for (const [at, count] of this.#counts.entries()) {
      left -= count;
      if (left > 0) continue;
      median = this.#values[at] ?? 0;
      break;
    }
    return { min: this.#values[0] ?? 0, median, max: this.#values.at(-1) ?? 0 };
  }

  #nearest(value: number): number {
    const above = this.#firstNotBelow(value);
    const high = this.#values[above];
    const low = this.#values[above - 1];
    if (high === undefined) return above - 1;
    return low === undefined || high - value <= value - low ? above : above - 1;
  }

  /** Position of the first value that is not below `value`. */
  #firstNotBelow(value: number): number {
    let low = 0;
    let high = this.#values.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#values[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
