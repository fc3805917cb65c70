import { CATEGORIES } from "../../decode/category.ts";
import type { UnitPart, WireUnit } from "../../decode/wire-unit.ts";
import { padTo } from "../columns.ts";
import { type Redactor, redactedLabel } from "../redact.ts";
import type { Theme } from "../theme.ts";
import { hiddenParts } from "./hidden-parts.ts";

const OFFSET_CELLS = 10;
const LENGTH_CELLS = 8;
const CATEGORY_CELLS = 28;

/** One line for each run of octets of one category: offset, length, category, and the first octets in hex; secrets are masked. */
export function partLines(unit: WireUnit, redactor: Redactor, theme: Theme): readonly string[] {
  const hidden = hiddenParts(unit, redactor);
  let offset = unit.offset;
  return unit.parts.map((part) => {
    const numbers = `${String(offset).padStart(OFFSET_CELLS)}${String(part.octets).padStart(LENGTH_CELLS)}`;
    offset += part.octets;
    const octets = hidden.has(part) ? redactedLabel(part.octets) : hexOf(part);
    return `${theme.dim(numbers)}  ${padTo(CATEGORIES[part.category] ?? "", CATEGORY_CELLS)}  ${octets}`;
  });
}

function hexOf(part: UnitPart): string {
  const hex = Array.from(part.shown, (octet) => octet.toString(16).padStart(2, "0")).join(" ");
  return part.octets > part.shown.length ? `${hex} …` : hex;
}
