import type { RfcRef, Rule } from "../core/violation.ts";

/** What HPACK demands of an encoder. Every one is a COMPRESSION_ERROR to an endpoint (RFC 9113 §4.3). */
export const HPACK_RULES = {
  truncated: rule("hpack-truncated", "RFC 9113 §4.3"),
  integerOverflow: rule("hpack-integer-overflow", "RFC 7541 §5.1"),
  indexZero: rule("hpack-index-zero", "RFC 7541 §6.1"),
  indexBeyondTable: rule("hpack-index-beyond-table", "RFC 7541 §2.3.3"),
  huffmanEos: rule("hpack-huffman-eos", "RFC 7541 §5.2"),
  huffmanLongPadding: rule("hpack-huffman-long-padding", "RFC 7541 §5.2"),
  huffmanBadPadding: rule("hpack-huffman-bad-padding", "RFC 7541 §5.2"),
  sizeUpdateAboveLimit: rule("hpack-size-update-above-limit", "RFC 7541 §6.3"),
  sizeUpdateLate: rule("hpack-size-update-late", "RFC 7541 §4.2"),
  sizeUpdateMissing: rule("hpack-size-update-missing", "RFC 9113 §4.3.1"),
} as const satisfies Record<string, Rule>;

function rule(name: string, ref: RfcRef): Rule {
  return { rule: name, errorCode: "COMPRESSION_ERROR", ref };
}
