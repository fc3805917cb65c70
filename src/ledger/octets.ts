import { CATEGORIES, type Category } from "../decode/category.ts";
import type { Direction } from "../decode/direction.ts";
import { LEVELS, type Level } from "../decode/level.ts";
import { CAUSE_OF, CAUSES, type Cause } from "./causes.ts";
import { type Counts, countIndex } from "./counts.ts";
import type { ByCategory, ByCause, Levels, Octets } from "./tally.ts";

/** The document form of one direction's counts; `octets` and `pending` are stated by who counts reads. */
export function octetsOf(counts: Counts, direction: Direction, octets: number, pending: number, deltas: number | null): Octets {
  return { octets, pending, deltas, ...partsOf(counts, direction), decoded: null };
}

/** Non-zero categories in the registry's order, and their causes in theirs. */
export function partsOf(counts: Counts, direction: Direction): { readonly by_category: ByCategory; readonly by_cause: ByCause } {
  const byCategory: { [C in Category]?: number } = {};
  const causes = new Float64Array(CAUSES.length);
  for (const [category, path] of CATEGORIES.entries()) {
    const count = counts[countIndex(direction, category)] ?? 0;
    if (count === 0) continue;
    byCategory[path] = count;
    const cause = CAUSE_OF[category] ?? -1;
    causes[cause] = (causes[cause] ?? 0) + count;
  }
  const byCause: { [C in Cause]?: number } = {};
  for (const [cause, name] of CAUSES.entries()) {
    const count = causes[cause] ?? 0;
    if (count > 0) byCause[name] = count;
  }
  return { by_category: byCategory, by_cause: byCause };
}

/** The six levels of one direction; `levels` has index `direction * 6 + level`. */
export function levelsOf(levels: Float64Array, direction: Direction): Levels {
  const named: { [L in Level]?: number } = {};
  for (const [level, name] of LEVELS.entries()) named[name] = levels[direction * LEVELS.length + level] ?? 0;
  return named as Levels;
}
