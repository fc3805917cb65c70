import { add, COUNTS_LENGTH, type Counts } from "./counts.ts";

/** Counts at rest: index, octets, index, octets …, non-zero ones only. A finished exchange has some ten of them. */
export type CompactCounts = number[];

/** The small form of counts. */
export function compact(counts: Counts): CompactCounts {
  let used = 0;
  for (let at = 0; at < COUNTS_LENGTH; at++) if (counts[at] !== 0) used += 1;
  // Made at its size: these are kept by the ten thousand.
  const pairs: CompactCounts = new Array(2 * used).fill(0);
  let to = 0;
  for (let at = 0; at < COUNTS_LENGTH; at++) {
    const count = counts[at] ?? 0;
    if (count === 0) continue;
    pairs[to] = at;
    pairs[to + 1] = count;
    to += 2;
  }
  return pairs;
}

/** Count late octets into a small form. */
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
