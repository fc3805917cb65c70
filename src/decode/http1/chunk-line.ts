import type { Rule } from "./rules.ts";

/** A chunk-size line, RFC 9112 §7.1. */
export interface ChunkLine {
  /** Octets of chunk-data; 0: the last chunk. */
  readonly size: number;
  /** What is wrong with the line without hiding its size; null: nothing. */
  readonly rule: Rule | null;
}

const CHUNK_LINE = /^([0-9A-Fa-f]+)([ \t]*)((?:;[^\r\0]*)?)$/;
/** chunk-ext = *( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] ), §7.1.1; quoted-string of RFC 9110 §5.6.4. */
const CHUNK_EXT =
  /^(?:[ \t]*;[ \t]*[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?:[ \t]*=[ \t]*(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+|"(?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*"))?)*$/;

/** Read a chunk-size line (an octet string without its line end). @returns the rule that it breaks when it has no size. */
export function readChunkLine(line: string): ChunkLine | Rule {
  const match = CHUNK_LINE.exec(line);
  if (match === null) return "chunk-size";
  const [, digits = "", space, extensions = ""] = match;
  const size = Number.parseInt(digits, 16);
  // RFC 9112 §7.1: a recipient has to expect large numerals. Above 2^53 - 1 the counts would not be exact.
  if (!Number.isSafeInteger(size)) return "chunk-size-overflow";
  if (extensions === "") return { size, rule: space === "" ? null : "chunk-size-space" };
  return { size, rule: CHUNK_EXT.test(extensions) ? null : "chunk-ext" };
}
