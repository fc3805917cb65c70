import { CATEGORIES } from "../../decode/category.ts";
import type { UnitPart, WireUnit } from "../../decode/wire-unit.ts";
import type { Redactor } from "../redact.ts";

/** Content whose inside is not known: a password may stand in it. */
const CONTENT = new Set(["body", "grpc.message", "unattributed.opaque"]);
/** Octets in which a field line may stand that nobody could read; decoders look in them for the names that they know. */
const UNREAD = new Set(["http1.malformed", "h2.field_block.undecoded", "unattributed.truncated", "unattributed.after_error"]);
/** The octets of field lines, in their order. */
const LINES = /^(?:http1\.field_line\..*|http1\.trailer|h2\.field_block\.(?:indexed|prefix|name|value))$/;
const VALUES = new Set(["http1.field_line.value", "http1.trailer", "h2.field_block.value"]);

/**
 * The parts of a unit whose octets are not to be shown: what the decoder marked, and each value in which the text view redacts
 * something, for Huffman coding is no cipher.
 */
export function hiddenParts(unit: WireUnit, redactor: Redactor): ReadonlySet<UnitPart> {
  const hidden = new Set<UnitPart>();
  if (redactor.showSecrets) return hidden;
  const startLine = "startLine" in unit.detail ? unit.detail.startLine : "";
  const startLineHidden = redactor.startLine(startLine) !== startLine;
  const valueHidden = hiddenValues(unit, redactor);
  let at = 0;
  for (const part of unit.parts) {
    const category = CATEGORIES[part.category] ?? "";
    const isLine = LINES.test(category);
    const hide =
      part.secret ||
      CONTENT.has(category) ||
      (UNREAD.has(category) && redactor.hasOwnNames) ||
      (category === "http1.start_line" && startLineHidden) ||
      (VALUES.has(category) && valueHidden(at, at + part.octets));
    if (hide) hidden.add(part);
    if (isLine) at += part.octets;
  }
  return hidden;
}

/**
 * Tells whether octets `[from, to)` of the unit's field lines, end to end, are in a line whose value is redacted. Where lines and parts
 * do not add up (a field block over several frames, lines left out) nobody can tell whose value it is: then all are hidden.
 */
function hiddenValues(unit: WireUnit, redactor: Redactor): (from: number, to: number) => boolean {
  const lines: { readonly end: number; readonly hidden: boolean }[] = [];
  let end = 0;
  for (const { name, value, octets, neverIndexed } of unit.fields) {
    end += octets;
    lines.push({ end, hidden: value === null || redactor.fieldValue(name, value, neverIndexed) !== value });
  }
  const inParts = unit.parts.reduce(
    (sum, { category, octets }) => (LINES.test(CATEGORIES[category] ?? "") ? sum + octets : sum),
    0,
  );
  if (inParts !== end) return () => true;
  return (from, to) => lines.some((line, index) => line.hidden && from < line.end && to > (lines[index - 1]?.end ?? 0));
}
