import { CATEGORIES } from "../decode/category.ts";
import type { Direction } from "../decode/direction.ts";

/** Octets by direction and category, see {@link countIndex}. Float64 is exact up to 2^53 octets. */
export type Counts = Float64Array<ArrayBuffer>;

/** Categories in the registry. */
const CATEGORY_COUNT = CATEGORIES.length;

/** Counts of both directions. */
const COUNTS_LENGTH = 2 * CATEGORY_COUNT;

/** Where counts hold a category of a direction. */
export function countIndex(direction: Direction, category: number): number {
  return direction * CATEGORY_COUNT + category;
}

/** All zero. */
export function newCounts(): Counts {
  return new Float64Array(COUNTS_LENGTH);
}

/**
 * `array[index] += count`; an index outside is ignored, as for every typed array. Only ever for this one kind of array: an engine that
 * has seen several at one place makes every octet counted ten times as dear.
 */
export function add(array: Float64Array, index: number, count: number): void {
  array[index] = (array[index] ?? 0) + count;
}

/** Octets of one direction, over all categories. */
export function sumOf(counts: Counts, direction: Direction): number {
  let sum = 0;
  const end = countIndex(direction, CATEGORY_COUNT);
  for (let at = countIndex(direction, 0); at < end; at++) sum += counts[at] ?? 0;
  return sum;
}

/** Add all of `from` to `to`. */
export function addAll(to: Float64Array, from: Float64Array): void {
  for (let at = 0; at < from.length; at++) add(to, at, from[at] ?? 0);
}
