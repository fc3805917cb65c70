/**
 * A TCP proxy that says what every octet was for. Begin with {@link createProxy}; what it counted is a {@link Tally}.
 * @module wiretally
 */
export { CaptureError } from "./capture/capture-error.ts";
export type { CaptureSummary } from "./capture/capture-file.ts";
export type { CaptureNote } from "./capture/merged-captures.ts";
export { type CaptureReading, type ReadCapturesOptions, readCaptures } from "./capture/read-captures.ts";
export type { TimeBound } from "./capture/time-window.ts";
export { type CaptureStop, CaptureWriteError } from "./capture/write/capture-failure.ts";
export { CaptureFile, type CaptureFileOptions, type WrittenCapture } from "./capture/write/capture-file.ts";
export type { CaptureSink, ConversationSink } from "./capture/write/capture-sink.ts";
export { CATEGORIES, type Category } from "./decode/category.ts";
export { C2S, DIRECTION_NAMES, type Direction, type DirectionName, S2C } from "./decode/direction.ts";
export { type Exchange, PROTOCOLS, type Protocol } from "./decode/exchange.ts";
export type { DecodeAs } from "./decode/first-octets.ts";
export { LEVELS, type Level } from "./decode/level.ts";
export { loadSchemas, SchemaError, type SchemaFiles } from "./decode/protobuf/load-schemas.ts";
export { FIELD_KIND, type FieldKind, type FieldType, type MessageType, type Schemas } from "./decode/protobuf/message-type.ts";
export type { Detail, NoteSeverity } from "./decode/sink.ts";
export type { H2FrameDetail, UnitDetail, UnitField, UnitPart, WireUnit } from "./decode/wire-unit.ts";
export {
  type Bridge,
  type BridgeCause,
  type BridgeDirection,
  type BridgeLine,
  type BridgeSide,
  bridge,
} from "./ledger/bridge.ts";
export { CAUSES, type Cause } from "./ledger/causes.ts";
export { Ledger, type LedgerOptions, type OpenOptions } from "./ledger/ledger.ts";
export type { Limits } from "./ledger/limits.ts";
export type { ConnectionFacts, LedgerListener } from "./ledger/listener.ts";
export type {
  ByCategory,
  ByCause,
  CloseTally,
  ConnectionTally,
  ExchangeTally,
  FieldTally,
  H2Tally,
  Levels,
  MessageTally,
  NoteTally,
  Octets,
  PacketTally,
  PerDirection,
  RouteOctets,
  RouteTally,
  Tally,
  Window,
} from "./ledger/tally.ts";
export { formatTarget, type ListenSpec, parseListenSpec, type Target, UsageError } from "./proxy/listen-spec.ts";
export type { Narration } from "./proxy/narration.ts";
export { NetworkError } from "./proxy/network-error.ts";
export { createProxy, type Proxy, type ProxyListener, type ProxyOptions } from "./proxy/proxy.ts";
