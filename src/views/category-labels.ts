import type { Category } from "../decode/category.ts";
import { CATEGORIES } from "../decode/category.ts";
import { type Cause, causeOf } from "../ledger/causes.ts";
import { cells } from "./columns.ts";

/** Labels of categories by their cause; those of one cause in the registry's order. */
export type CategoryLabels = ReadonlyMap<Cause, ReadonlyMap<Category, string>>;

/**
 * Short names for the categories of a table that lists them by cause. A label is an end of its path, so that a search for it finds the
 * path, of 20 cells at most; an ellipsis stands where a word is cut off; where two of one cause would be the same, both are their whole paths.
 */
export function categoryLabels(categories: Iterable<Category>): CategoryLabels {
  const wanted = new Set(categories);
  const byCause = new Map<Cause, Map<Category, string>>();
  for (const category of CATEGORIES) {
    if (!wanted.has(category)) continue;
    const cause = causeOf(category);
    const labels = byCause.get(cause) ?? new Map<Category, string>();
    byCause.set(cause, labels.set(category, shortened(category)));
  }
  for (const labels of byCause.values()) {
    const short = [...labels.values()];
    for (const [category, label] of labels) {
      if (short.filter((other) => other === label).length > 1) labels.set(category, category);
    }
  }
  return byCause;
}

const MAX_CELLS = 20;
/** What the table's other columns say already: which protocol it was. */
const ROOT = /^(h2|http1|body|grpc\.message)\./;

/** The longest end of the path that fits. */
function shortened(category: Category): string {
  let label = category.replace(ROOT, "");
  const whole = label;
  while (cells(label) > MAX_CELLS && /[._]/.test(label)) label = label.replace(/^[^._]*[._]/, "");
  return whole[whole.length - label.length - 1] === "_" ? `…${label}` : label;
}
