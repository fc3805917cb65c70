export { FLOW_RULES, FLOW_STREAM_CAP, FlowControl, type FlowDirection } from "./flow-control.ts";
export type { Frame } from "./frame.ts";
export { type FrameCap, type FrameHandler, PART, PART_NAMES, type PartName } from "./frame-handler.ts";
export { FRAME_HEADER_OCTETS, type FrameHeader, frameHeader } from "./frame-header.ts";
export {
  FIELD_LIST_CAP,
  type FieldSectionEvent,
  type FrameEvent,
  FrameParser,
  type FrameParserOptions,
  type TypedFrame,
} from "./frame-parser.ts";
export { CONTROL_FRAME_CAP, FIELD_BLOCK_CAP, FrameReader, type FrameReaderOptions } from "./frame-reader.ts";
export { concatOctets, type FrameOptions, writeFrame } from "./frame-writer.ts";
export { type AltsvcFrame, writeAltsvc } from "./frames/altsvc.ts";
export { type ContinuationFrame, type WriteContinuationOptions, writeContinuation } from "./frames/continuation.ts";
export { type DataFrame, type WriteDataOptions, writeData } from "./frames/data.ts";
export { type GoawayFrame, type WriteGoawayOptions, writeGoaway } from "./frames/goaway.ts";
export { type HeadersFrame, type WriteHeadersOptions, writeHeaders } from "./frames/headers.ts";
export { type OriginFrame, writeOrigin } from "./frames/origin.ts";
export { type PingFrame, type WritePingOptions, writePing } from "./frames/ping.ts";
export { type Priority, type PriorityFrame, writePriority } from "./frames/priority.ts";
export { type PriorityUpdateFrame, writePriorityUpdate } from "./frames/priority-update.ts";
export { type PushPromiseFrame, type WritePushPromiseOptions, writePushPromise } from "./frames/push-promise.ts";
export { type RstStreamFrame, writeRstStream } from "./frames/rst-stream.ts";
export { type Setting, type SettingsFrame, writeSettings, writeSettingsAck } from "./frames/settings.ts";
export type { UnknownFrame } from "./frames/unknown.ts";
export { type WindowUpdateFrame, writeWindowUpdate } from "./frames/window-update.ts";
export { PREFACE } from "./preface.ts";
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
} from "./registry.ts";
export { PeerSettings } from "./settings.ts";
export { StreamTable } from "./stream-table.ts";
