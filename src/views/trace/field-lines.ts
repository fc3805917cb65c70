import { REPRESENTATION } from "http2-frame-parser";
import type { UnitField } from "../../decode/wire-unit.ts";
import { atColumn } from "../columns.ts";
import { escapeOctets, escapeText } from "../escape.ts";
import { grpcMessageText } from "../percent.ts";
import type { Redactor } from "../redact.ts";
import type { Theme } from "../theme.ts";

/** Cell at which the octets of a field line stand, counted from the line's indent. */
const OCTETS_COLUMN = 51;

/** One line for a field line: `:method: POST    1  indexed 3`, and one more for what a grpc-message says. */
export function fieldLines(field: UnitField, redactor: Redactor, theme: Theme): readonly string[] {
  const name = field.name === null ? "(unknown name)" : escapeOctets(redactor.fieldName(field.name));
  const shown = field.value === null ? null : redactor.fieldValue(field.name, field.value, field.neverIndexed);
  const value = shown === null ? theme.dim("(unknown value)") : escapeOctets(shown);
  const how = field.hpack === null ? "" : `  ${theme.dim(representationText(field.hpack))}`;
  const line = atColumn(`${theme.name(`${name}:`)} ${value}`, OCTETS_COLUMN, `${theme.octets(String(field.octets))}${how}`);
  if (shown === null || field.name?.toLowerCase() !== "grpc-message") return [line];
  const message = escapeText(grpcMessageText(shown));
  return message === value ? [line] : [line, theme.dim(`; says: ${message}`)];
}

/** How a field line stood in its block, RFC 7541 §6: `literal, indexed, huffman 25→18`. */
function representationText(hpack: NonNullable<UnitField["hpack"]>): string {
  if (hpack.representation === REPRESENTATION.indexed) return `indexed ${hpack.index}`;
  const words = ["literal"];
  if (hpack.representation === REPRESENTATION.literal_indexed) words.push("indexed");
  if (hpack.representation === REPRESENTATION.never) words.push("never indexed");
  if (hpack.index === 0) words.push(hpack.nameHuffman ? `new name huffman ${hpack.nameLength}→${hpack.nameOctets}` : "new name");
  if (hpack.valueHuffman) words.push(`huffman ${hpack.valueLength}→${hpack.valueOctets}`);
  return words.join(", ");
}
