import { CATEGORIES } from "../../decode/category.ts";
import type { UnitPart, WireUnit } from "../../decode/wire-unit.ts";
import type { Redactor } from "../redact.ts";
import { secretStrings } from "./secret-strings.ts";

/** Octets that nobody could read, and such as say nothing to a reader and may be a secret in disguise: base64 is no cipher. */
const UNREAD =
  /^(?:(?:body|grpc\.message|ws\.payload)\.(?:json\.(?:malformed|base64)|protobuf\.(?:malformed|bytes)|compressed|text|binary|undecoded)|http1\.malformed|h2\.(?:malformed|unknown_payload|field_block\.undecoded)|unattributed)(?:\.|$)/;
/** The octets of field lines, in their order. */
const LINES = /^(?:http1\.field_line\..*|http1\.trailer|h2\.field_block\.(?:indexed|prefix|name|value))$/;
const NAMES = new Set(["http1.field_line.name", "http1.trailer", "h2.field_block.name"]);
const VALUES = new Set(["http1.field_line.value", "http1.trailer", "h2.field_block.value"]);
/** A chunk-size line without an extension; the last one with its empty line. */
const CHUNK_SIZE_LINE = /^[0-9a-f]+\s*$/i;

/**
 * The parts of a unit whose octets are not to be shown: what the decoder marked, what was not read, and each text in which the text
 * view redacts something, for Huffman coding is no cipher.
 */
export function hiddenParts(unit: WireUnit, redactor: Redactor): ReadonlySet<UnitPart> {
  const hidden = new Set<UnitPart>();
  if (redactor.showSecrets) return hidden;
  const isHidden = hiddenLines(unit, redactor);
  const strings = secretStrings(unit.parts, redactor);
  const paths = new Map<string, boolean>();
  const isSecretPath = (path: string): boolean => {
    const known = paths.get(path) ?? redactor.isSecretPath(path);
    paths.set(path, known);
    return known;
  };
  let at = 0;
  for (const part of unit.parts) {
    const category = CATEGORIES[part.category] ?? "";
    const end = LINES.test(category) ? at + part.octets : at;
    const hide =
      part.secret ||
      part.path === null ||
      strings.has(part) ||
      isSecretPath(part.path) ||
      UNREAD.test(category) ||
      isHiddenText(unit, part, category, redactor) ||
      (NAMES.has(category) && isHidden("name", at, end)) ||
      (VALUES.has(category) && isHidden("value", at, end));
    if (hide) hidden.add(part);
    at = end;
  }
  return hidden;
}

/** Whether a part that is no field line shows more than was read of it, or a text in which something is redacted. */
function isHiddenText({ detail }: WireUnit, part: UnitPart, category: string, redactor: Redactor): boolean {
  switch (category) {
    case "http1.start_line":
      return "startLine" in detail && redactor.startLine(detail.startLine) !== detail.startLine;
    case "http1.chunk_size":
    case "http1.last_chunk":
      return part.octets > part.shown.length || !CHUNK_SIZE_LINE.test(Buffer.from(part.shown).toString("latin1"));
    case "h2.goaway":
      return detail.kind === "h2.frame" && detail.debugData !== null && detail.debugData.length > 0;
    case "proxy.header":
      // Behind UNKNOWN and LOCAL can stand anything.
      return detail.kind === "proxy.header" && (!detail.text.includes(" ") || redactor.text(detail.text) !== detail.text);
    default:
      return false;
  }
}

type Side = "name" | "value";

/**
 * Tells whether octets `[from, to)` of the unit's field lines, end to end, are in a line whose name or value is redacted. Where lines and
 * parts do not add up (a field block over several frames, lines left out) nobody can tell whose value it is: then all are hidden.
 */
function hiddenLines(unit: WireUnit, redactor: Redactor): (side: Side, from: number, to: number) => boolean {
  const lines: { readonly end: number; readonly name: boolean; readonly value: boolean }[] = [];
  let end = 0;
  for (const { name, value, octets, neverIndexed } of unit.fields) {
    end += octets;
    lines.push({
      end,
      name: name !== null && redactor.fieldName(name) !== name,
      value: value === null || redactor.fieldValue(name, value, neverIndexed) !== value,
    });
  }
  const inParts = unit.parts.reduce(
    (sum, { category, octets }) => (LINES.test(CATEGORIES[category] ?? "") ? sum + octets : sum),
    0,
  );
  if (inParts !== end) return (side) => side === "value" || lines.some((line) => line.name);
  // Parts come in order: lines that end before one are never looked at again.
  let first = 0;
  return (side, from, to) => {
    while (first < lines.length && (lines[first]?.end ?? 0) <= from) first++;
    for (let index = first; index < lines.length && (index === 0 || (lines[index - 1]?.end ?? 0) < to); index++) {
      if (lines[index]?.[side]) return true;
    }
    return false;
  };
}
