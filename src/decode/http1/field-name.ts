import { octetString } from "http2-frame-parser";
import { isSensitiveField } from "../sensitive.ts";
import { isFactField } from "./head-facts.ts";

/** A field name, with what is asked about it for each line. */
export interface FieldName {
  /** As it stood on the wire. */
  readonly text: string;
  /** In lower case: names are case-insensitive, RFC 9110 §5.1. */
  readonly lower: string;
  /** Its values are never shown unless secrets are asked for. */
  readonly sensitive: boolean;
  /** HeadFacts reads its values. */
  readonly fact: boolean;
}

const TABLE_SIZE = 512;
const table: (FieldName | undefined)[] = Array<undefined>(TABLE_SIZE).fill(undefined);

/** The field name `bytes[from, to)`. The latest names are remembered for all connections: nearly every line has one of few. */
export function fieldName(bytes: Uint8Array, from: number, to: number): FieldName {
  let hash = to - from;
  for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
  const slot = (hash ^ (hash >>> 15)) & (TABLE_SIZE - 1);
  const known = table[slot];
  if (known !== undefined && isEqual(known.text, bytes, from, to)) return known;
  const text = octetString(bytes, from, to);
  const lower = text.toLowerCase();
  const name: FieldName = { text, lower, sensitive: isSensitiveField(lower), fact: isFactField(lower) };
  // A name can be 64 KiB long: such a one is not kept.
  if (text.length <= 64) table[slot] = name;
  return name;
}

function isEqual(text: string, bytes: Uint8Array, from: number, to: number): boolean {
  if (text.length !== to - from) return false;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) !== bytes[from + at]) return false;
  return true;
}
