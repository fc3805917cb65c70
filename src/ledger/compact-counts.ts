import { add, type Counts } from "./counts.ts";

/** Counts of one exchange, non-zero ones only: it has some ten of them, of more than a hundred. Keeps its room when cleared. */
export class CompactCounts {
  /** Index, octets, index, octets …; what stands behind `#length` is from before. */
  readonly #pairs: number[] = [];
  #length = 0;

  /** Count octets. @param index see countIndex. */
  add(index: number, count: number): void {
    const pairs = this.#pairs;
    const length = this.#length;
    for (let at = 0; at < length; at += 2) {
      if (pairs[at] !== index) continue;
      pairs[at + 1] = (pairs[at + 1] ?? 0) + count;
      return;
    }
    pairs[length] = index;
    pairs[length + 1] = count;
    this.#length = length + 2;
  }

  /** Add them all to `counts`. */
  addTo(counts: Counts): void {
    const pairs = this.#pairs;
    for (let at = 0; at < this.#length; at += 2) add(counts, pairs[at] ?? 0, pairs[at + 1] ?? 0);
  }

  clear(): void {
    this.#length = 0;
  }
}
