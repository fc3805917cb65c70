import { add, type Counts } from "./counts.ts";

/** Counts of one exchange: index, octets, index, octets …, non-zero ones only. It has some ten of them, of more than a hundred. */
export type CompactCounts = number[];

/** Count octets. */
export function addCompact(pairs: CompactCounts, index: number, count: number): void {
  for (let at = 0; at < pairs.length; at += 2) {
    if (pairs[at] !== index) continue;
    pairs[at + 1] = (pairs[at + 1] ?? 0) + count;
    return;
  }
  pairs.push(index, count);
}

/** Add a small form to counts. */
export function addExpanded(counts: Counts, pairs: CompactCounts): void {
  for (let at = 0; at < pairs.length; at += 2) add(counts, pairs[at] ?? 0, pairs[at + 1] ?? 0);
}
