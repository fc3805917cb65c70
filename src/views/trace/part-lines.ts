import { octetString } from "http2-frame-parser";
import { CATEGORIES } from "../../decode/category.ts";
import type { UnitPart, WireUnit } from "../../decode/wire-unit.ts";
import { padTo } from "../columns.ts";
import { escapeOctets, escapeText } from "../escape.ts";
import { type Redactor, redactedLabel } from "../redact.ts";
import type { Theme } from "../theme.ts";
import { hiddenParts } from "./hidden-parts.ts";

const OFFSET_CELLS = 10;
const LENGTH_CELLS = 8;
const CATEGORY_CELLS = 28;
const READABLE = /^(?:body|grpc\.message|ws\.payload)\.(?:json\.(?:(?:key|string)\.text|number|literal)|protobuf\.string)$/;

/** One line for each run of octets of one category: offset, length, category, the first octets in hex, and of content the path of
 * its field; secrets are masked. */
export function partLines(unit: WireUnit, redactor: Redactor, theme: Theme): readonly string[] {
  const hidden = hiddenParts(unit, redactor);
  let offset = unit.offset;
  return unit.parts.map((part) => {
    const numbers = `${String(offset).padStart(OFFSET_CELLS)}${String(part.octets).padStart(LENGTH_CELLS)}`;
    offset += part.octets;
    const line = `${theme.dim(numbers)}  ${padTo(CATEGORIES[part.category] ?? "", CATEGORY_CELLS)}`;
    // A name below a secret one may be a secret, too: paths are shown where octets are.
    if (hidden.has(part)) return `${line}  ${redactedLabel(part.octets)}`;
    const path = part.path ? `  ${theme.dim(escapeText(redactor.text(part.path)))}` : "";
    return `${line}  ${hexOf(part)}${textOf(part)}${path}`;
  });
}

/** What a text or a number of content reads. */
function textOf({ category, shown }: UnitPart): string {
  if (!READABLE.test(CATEGORIES[category] ?? "")) return "";
  return `  "${escapeOctets(octetString(shown, 0, shown.length))}"`;
}

function hexOf(part: UnitPart): string {
  const hex = Array.from(part.shown, (octet) => octet.toString(16).padStart(2, "0")).join(" ");
  return part.octets > part.shown.length ? `${hex} …` : hex;
}
