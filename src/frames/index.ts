/**
 * Reads and writes the frames of one direction of an HTTP/2 connection, and its field blocks, and says what every octet was for.
 * @module http2-frame-parser
 */
export { assertNever } from "./core/assert-never.ts";
export type { Decoder } from "./core/decoder.ts";
export type { Span } from "./core/span.ts";
export { type Report, type RfcRef, type Rule, type Violation, violation } from "./core/violation.ts";
export { DynamicTable, type TableEntry } from "./hpack/dynamic-table.ts";
export {
  copyFieldLine,
  type FieldLine,
  REPRESENTATION,
  REPRESENTATION_NAMES,
  type RepresentationName,
} from "./hpack/field-line.ts";
export { type FieldRun, RUN_SLOTS } from "./hpack/field-run.ts";
export {
  type DecodedBlock,
  HpackDecoder,
  type HpackDecoderOptions,
  type HpackResult,
  type HpackSink,
  TABLE_CAP,
} from "./hpack/hpack-decoder.ts";
export { type FieldToEncode, HpackEncoder, type HpackEncoderOptions } from "./hpack/hpack-encoder.ts";
export { HPACK_RULES } from "./hpack/hpack-rules.ts";
export { huffmanEncode, huffmanLength } from "./hpack/huffman.ts";
export { internedOctetString, octetString, octetsOf } from "./hpack/octet-string.ts";
export { STATIC_ENTRIES, STATIC_TABLE } from "./hpack/static-table.ts";
export { FLOW_RULES, FLOW_STREAM_CAP, FlowControl, type FlowDirection } from "./http2/flow-control.ts";
export type { Frame } from "./http2/frame.ts";
export { type FrameCap, type FrameHandler, PART, PART_NAMES, type PartName } from "./http2/frame-handler.ts";
export { FRAME_HEADER_OCTETS, type FrameHeader, frameHeader } from "./http2/frame-header.ts";
export {
  FIELD_LIST_CAP,
  type FieldSectionEvent,
  type FrameEvent,
  FrameParser,
  type FrameParserOptions,
  type TypedFrame,
} from "./http2/frame-parser.ts";
export { CONTROL_FRAME_CAP, FIELD_BLOCK_CAP, FrameReader, type FrameReaderOptions } from "./http2/frame-reader.ts";
export { concatOctets, type FrameOptions, writeFrame } from "./http2/frame-writer.ts";
export { type AltsvcFrame, writeAltsvc } from "./http2/frames/altsvc.ts";
export { type ContinuationFrame, type WriteContinuationOptions, writeContinuation } from "./http2/frames/continuation.ts";
export { type DataFrame, type WriteDataOptions, writeData } from "./http2/frames/data.ts";
export { type GoawayFrame, type WriteGoawayOptions, writeGoaway } from "./http2/frames/goaway.ts";
export { type HeadersFrame, type WriteHeadersOptions, writeHeaders } from "./http2/frames/headers.ts";
export { type OriginFrame, writeOrigin } from "./http2/frames/origin.ts";
export { type PingFrame, type WritePingOptions, writePing } from "./http2/frames/ping.ts";
export { type Priority, type PriorityFrame, writePriority } from "./http2/frames/priority.ts";
export { type PriorityUpdateFrame, writePriorityUpdate } from "./http2/frames/priority-update.ts";
export { type PushPromiseFrame, type WritePushPromiseOptions, writePushPromise } from "./http2/frames/push-promise.ts";
export { type RstStreamFrame, writeRstStream } from "./http2/frames/rst-stream.ts";
export { type Setting, type SettingsFrame, writeSettings, writeSettingsAck } from "./http2/frames/settings.ts";
export type { UnknownFrame } from "./http2/frames/unknown.ts";
export { type WindowUpdateFrame, writeWindowUpdate } from "./http2/frames/window-update.ts";
export { PREFACE } from "./http2/preface.ts";
export {
  type Direction,
  ERROR_CODES,
  type ErrorCodeName,
  errorCodeName,
  FRAME_TYPE,
  FRAME_TYPES,
  type FrameTypeName,
  flagNames,
  frameTypeName,
  SETTING,
  SETTINGS,
  type SettingName,
  settingName,
} from "./http2/registry.ts";
export { PeerSettings } from "./http2/settings.ts";
export { StreamTable } from "./http2/stream-table.ts";
