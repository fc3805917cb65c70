import { CATEGORIES, type Category } from "../decode/category.ts";
import { DIRECTION_NAMES } from "../decode/direction.ts";
import { CAUSES, type Cause, causeOf } from "./causes.ts";
import type { ByCategory, PerDirection } from "./tally.ts";

/** One side of a comparison: the octets of its calls, integer sums by direction and category. */
export type BridgeSide = { readonly calls: number } & PerDirection<ByCategory>;

/**
 * One line: each side's octets over its own calls, and the difference `to` - `from` over {@link Bridge.calls}.difference calls.
 * All are exact integers, the difference below 0 where `from` is the dearer side.
 */
export interface BridgeLine {
  readonly from: number;
  readonly to: number;
  readonly difference: number;
}

/** What of the difference has one cause, with the cause's categories, which sum to it. */
export interface BridgeCause extends BridgeLine {
  readonly cause: Cause;
  /** In the registry's order; those that one side has at least. */
  readonly categories: readonly ({ readonly category: Category } & BridgeLine)[];
}

/** One direction's octets, all of them, and their causes, which sum to them. */
export interface BridgeDirection extends BridgeLine {
  /** In the order of CAUSES; those that one side has at least. */
  readonly causes: readonly BridgeCause[];
}

/** What a call of `to` costs more than one of `from`, by cause and category. Every level sums exactly to the one above it. */
export interface Bridge extends PerDirection<BridgeDirection> {
  /**
   * Calls that each figure is a sum over: octets per call are `line.from / calls.from`, `line.to / calls.to` and
   * `line.difference / calls.difference`. The last is the least common multiple of the others, so that no fraction is rounded.
   */
  readonly calls: BridgeLine;
}

/**
 * The bridge between two sides. The other way round it is the same with each difference negated.
 * Throws a TypeError where a count is no whole number, or calls are none; a RangeError where a sum does not fit into 2^53 - 1.
 *
 *     bridge({ calls: 2, c2s: { "body.text": 20 }, s2c: {} }, { calls: 1, c2s: { "body.text": 15 }, s2c: {} })
 *     // c2s: { from: 20, to: 15, difference: 10, causes: […] }, calls: { from: 2, to: 1, difference: 2 }: 5 octets a call
 */
export function bridge(from: BridgeSide, to: BridgeSide): Bridge {
  if (!(isCount(from.calls) && isCount(to.calls) && from.calls > 0 && to.calls > 0)) {
    throw new TypeError("each side needs a whole number of calls, at least one");
  }
  const common = exact((from.calls / greatestCommonDivisor(from.calls, to.calls)) * to.calls);
  const weights: Weights = { from: common / from.calls, to: common / to.calls };
  const [c2s, s2c] = DIRECTION_NAMES.map((direction) => directionOf(from[direction], to[direction], weights));
  if (c2s === undefined || s2c === undefined) throw new TypeError("there are two directions");
  return { calls: { from: from.calls, to: to.calls, difference: common }, c2s, s2c };
}

/** What brings each side's sums to the common number of calls. */
type Weights = Readonly<Record<"from" | "to", number>>;

function directionOf(from: ByCategory, to: ByCategory, weights: Weights): BridgeDirection {
  const categories = CATEGORIES.flatMap((category) => {
    const line = lineOf(from[category] ?? 0, to[category] ?? 0, weights);
    return line.from === 0 && line.to === 0 ? [] : [{ category, ...line }];
  });
  const causes = CAUSES.flatMap((cause) => {
    const parts = categories.filter(({ category }) => causeOf(category) === cause);
    return parts.length === 0 ? [] : [{ cause, ...sumOf(parts), categories: parts }];
  });
  return { ...sumOf(causes), causes };
}

function lineOf(from: number, to: number, weights: Weights): BridgeLine {
  if (!(isCount(from) && isCount(to))) throw new TypeError("octets are whole numbers, 0 at least");
  return { from, to, difference: exact(exact(to * weights.to) - exact(from * weights.from)) };
}

function sumOf(lines: readonly BridgeLine[]): BridgeLine {
  const sum = (key: keyof BridgeLine) => lines.reduce((total, line) => exact(total + line[key]), 0);
  return { from: sum("from"), to: sum("to"), difference: sum("difference") };
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function exact(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError("a sum over the calls of both sides is past 2^53 - 1");
  return value;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
