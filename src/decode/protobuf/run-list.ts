/** Runs kept at most; a field with more of them is refined by sums, without places. */
const MAX_RUNS = 4096;

/** Adjacent octets of one leaf, in stream order: what a refinement needs to tell where its octets stand. */
export class RunList {
  readonly #leaves: number[] = [];
  readonly #octets: number[] = [];
  #overflowed = false;

  /** It has forgotten places since `clear`; it is then of no use. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  clear(): void {
    this.#leaves.length = 0;
    this.#octets.length = 0;
    this.#overflowed = false;
  }

  /** Give up: the next octets have no places. */
  overflow(): void {
    this.clear();
    this.#overflowed = true;
  }

  /** The next `octets` octets are `leaf`. */
  add(leaf: number, octets: number): void {
    if (this.#overflowed || octets === 0) return;
    const last = this.#leaves.length - 1;
    if (this.#leaves[last] === leaf) this.#octets[last] = (this.#octets[last] as number) + octets;
    else if (this.#leaves.length === MAX_RUNS) this.overflow();
    else {
      this.#leaves.push(leaf);
      this.#octets.push(octets);
    }
  }

  /** The next `octets` octets are those that `other` ends with. */
  append(other: RunList, octets: number): void {
    let first = other.#octets.length;
    let held = 0;
    while (held < octets) held += other.#octets[--first] as number;
    for (let index = first; index < other.#octets.length; index++) {
      const outside = index === first ? held - octets : 0;
      this.add(other.#leaves[index] as number, (other.#octets[index] as number) - outside);
    }
  }

  /** The last `octets` octets are all `leaf`. */
  relabel(octets: number, leaf: number): void {
    if (this.#overflowed) return;
    let left = octets;
    while (left > 0) {
      const run = this.#octets.pop() as number;
      if (run > left) {
        this.#octets.push(run - left);
        break;
      }
      this.#leaves.pop();
      left -= run;
    }
    this.add(leaf, octets);
  }

  /** The runs of the last `octets` octets, the last one first. @param use is given the octets that come after the run as `back`. */
  each(octets: number, use: (leaf: number, octets: number, back: number) => void): void {
    let back = 0;
    for (let index = this.#octets.length - 1; back < octets; index--) {
      // The oldest of them may have begun before.
      const part = Math.min(this.#octets[index] as number, octets - back);
      use(this.#leaves[index] as number, part, back);
      back += part;
    }
  }
}
