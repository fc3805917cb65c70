export { DynamicTable, type TableEntry } from "./dynamic-table.ts";
export { copyFieldLine, type FieldLine, REPRESENTATION, REPRESENTATION_NAMES, type RepresentationName } from "./field-line.ts";
export { type FieldRun, RUN_SLOTS } from "./field-run.ts";
export {
  type DecodedBlock,
  HpackDecoder,
  type HpackDecoderOptions,
  type HpackResult,
  type HpackSink,
  TABLE_CAP,
} from "./hpack-decoder.ts";
export { type FieldToEncode, HpackEncoder, type HpackEncoderOptions } from "./hpack-encoder.ts";
export { HPACK_RULES } from "./hpack-rules.ts";
export { huffmanEncode, huffmanLength } from "./huffman.ts";
export { internedOctetString, octetString, octetsOf } from "./octet-string.ts";
export { STATIC_ENTRIES, STATIC_TABLE } from "./static-table.ts";
