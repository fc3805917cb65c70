import type { Decoder } from "../core/decoder.ts";
import { OctetBuffer } from "../core/octet-buffer.ts";
import type { Span } from "../core/span.ts";
import type { Violation } from "../core/violation.ts";
import { copyFieldLine, type FieldLine } from "../hpack/field-line.ts";
import { HpackDecoder } from "../hpack/hpack-decoder.ts";
import type { Frame } from "./frame.ts";
import { type FrameCap, type FrameHandler, PART_NAMES, type PartName } from "./frame-handler.ts";
import { FRAME_HEADER_OCTETS, frameHeader } from "./frame-header.ts";
import { CONTROL_FRAME_CAP, FrameReader } from "./frame-reader.ts";
import { type AltsvcFrame, readAltsvc } from "./frames/altsvc.ts";
import { type ContinuationFrame, continuationFrame } from "./frames/continuation.ts";
import { type DataFrame, dataFrame } from "./frames/data.ts";
import { type GoawayFrame, goawayFrame } from "./frames/goaway.ts";
import { type HeadersFrame, headersFrame } from "./frames/headers.ts";
import { type OriginFrame, readOrigin } from "./frames/origin.ts";
import { type PingFrame, pingFrame } from "./frames/ping.ts";
import { type PriorityFrame, priorityFrame } from "./frames/priority.ts";
import { type PriorityUpdateFrame, readPriorityUpdate } from "./frames/priority-update.ts";
import { type PushPromiseFrame, pushPromiseFrame } from "./frames/push-promise.ts";
import { type RstStreamFrame, rstStreamFrame } from "./frames/rst-stream.ts";
import { type SettingsFrame, settingsFrame } from "./frames/settings.ts";
import { readUnknown, type UnknownFrame } from "./frames/unknown.ts";
import { type WindowUpdateFrame, windowUpdateFrame } from "./frames/window-update.ts";
import { PREFACE } from "./preface.ts";
import { type Direction, FRAME_TYPE } from "./registry.ts";

/** Header list size (RFC 9113 §10.5.1) of the field lines that one section lists; the others are counted only. */
export const FIELD_LIST_CAP = 256 * 1024;
/** RFC 9113 §6.5.2: what a field line counts besides its name and value. */
const LINE_OVERHEAD = 32;

/** A frame of any type. Its header is the nine octets at `header.span`. */
export type TypedFrame =
  | DataFrame
  | HeadersFrame
  | PriorityFrame
  | RstStreamFrame
  | SettingsFrame
  | PushPromiseFrame
  | PingFrame
  | GoawayFrame
  | WindowUpdateFrame
  | ContinuationFrame
  | AltsvcFrame
  | OriginFrame
  | PriorityUpdateFrame
  | UnknownFrame;

/**
 * What a {@link FrameParser} finds, in stream order. The spans of `preface`, of frame headers, of `part`, `data` and `truncated` tile
 * the direction. A frame is followed by its parts, field lines and violations, then by `frame_end`.
 */
export type FrameEvent =
  | { readonly kind: "preface"; readonly span: Span }
  | TypedFrame
  | { readonly kind: "part"; readonly part: PartName; readonly span: Span }
  | { readonly kind: "data"; readonly streamId: number; readonly span: Span }
  | { readonly kind: "field_line"; readonly streamId: number; readonly offset: number; readonly line: FieldLine }
  | FieldSectionEvent
  | { readonly kind: "frame_end"; readonly streamId: number; readonly truncated: boolean }
  | Violation
  | { readonly kind: "truncated"; readonly span: Span }
  | { readonly kind: "limit"; readonly cap: FrameCap; readonly offset: number };

/** The end of a field block. */
export interface FieldSectionEvent {
  readonly kind: "field_section";
  readonly streamId: number;
  /** false after an HPACK error, a cap, or when the block never ended. */
  readonly complete: boolean;
  /** Field lines in the block, those over {@link FIELD_LIST_CAP} too. */
  readonly lines: number;
  /** Lines over the cap, which came without an event. */
  readonly omitted: number;
}

/** Options of {@link FrameParser}. */
export interface FrameParserOptions {
  /** `c2s` begins with the connection preface. */
  readonly direction: Direction;
  /** The HPACK context; a new one by default. */
  readonly hpack?: HpackDecoder;
  /** Whether the connection preface is expected. Default: for `c2s`. */
  readonly preface?: boolean;
}

/** Turns the octets of one HTTP/2 direction into events that can be kept. For the relay path drive a {@link FrameReader} instead. */
export class FrameParser implements Decoder<FrameEvent> {
  readonly #collector = new Collector();
  readonly #reader: FrameReader;

  constructor({ direction, hpack = new HpackDecoder(), preface = direction === "c2s" }: FrameParserOptions) {
    this.#reader = new FrameReader(this.#collector, { preface, direction, hpack });
  }

  /** MAX_FRAME_SIZE that the receiver of this direction announced. */
  set maxFrameSize(octets: number) {
    this.#reader.maxFrameSize = octets;
  }

  /** Octets pushed and in no event yet. */
  get held(): number {
    return this.#reader.held + this.#collector.held;
  }

  push(bytes: Uint8Array): readonly FrameEvent[] {
    this.#reader.push(bytes);
    return this.#collector.take();
  }

  end(): readonly FrameEvent[] {
    this.#reader.end();
    return this.#collector.take();
  }
}

type SpanEvent = { readonly kind: "part" | "data"; readonly part: number; readonly streamId: number; start: number; end: number };

/** Builds events from the reader's calls. The payload of an extension frame is read when it ends: until then its events wait. */
class Collector implements FrameHandler {
  #events: FrameEvent[] = [];
  #waiting: FrameEvent[] | undefined;
  #waitingFrom = 0;
  readonly #payload = new OctetBuffer();
  /** Offset of the next octet to be announced. */
  #at = 0;
  /** The span that is growing: adjacent octets of one meaning are one event. */
  #span: SpanEvent | undefined;
  #streamId = 0;
  #lines = 0;
  #omitted = 0;
  #listSize = 0;

  /** Octets whose events wait for the end of an extension frame. */
  get held(): number {
    return this.#waiting === undefined ? 0 : this.#at - this.#waitingFrom;
  }

  take(): readonly FrameEvent[] {
    this.#closeSpan();
    const events = this.#events;
    this.#events = [];
    return events;
  }

  preface(): void {
    this.#add({ kind: "preface", span: this.#advance(PREFACE.length) });
  }

  frameStart(frame: Frame): void {
    this.#closeSpan();
    this.#streamId = frame.streamId;
    const started = startedFrame(frame);
    if (started === undefined) {
      this.#waiting = [];
      this.#waitingFrom = this.#at;
    } else this.#add(started);
    this.#at += FRAME_HEADER_OCTETS;
  }

  part(part: number, octets: number, bytes: Uint8Array, from: number): void {
    this.#grow("part", part, octets);
    if (this.#waiting === undefined) return;
    this.#payload.append(bytes, from, from + Math.min(octets, CONTROL_FRAME_CAP - this.#payload.length));
  }

  data(_bytes: Uint8Array, from: number, to: number): void {
    this.#grow("data", 0, to - from);
  }

  fieldLine(line: FieldLine): void {
    this.#lines++;
    this.#listSize += Math.max(line.nameLength, 0) + Math.max(line.valueLength, 0) + LINE_OVERHEAD;
    if (this.#listSize > FIELD_LIST_CAP) {
      this.#omitted++;
      return;
    }
    this.#add({ kind: "field_line", streamId: this.#streamId, offset: this.#at, line: copyFieldLine(line) });
  }

  fieldSection(frame: Frame, complete: boolean): void {
    this.#add({ kind: "field_section", streamId: frame.streamId, complete, lines: this.#lines, omitted: this.#omitted });
    this.#lines = 0;
    this.#omitted = 0;
    this.#listSize = 0;
  }

  frameEnd(frame: Frame, truncated: boolean): void {
    this.#add({ kind: "frame_end", streamId: frame.streamId, truncated });
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    this.#waiting = undefined;
    this.#events.push(readExtension(frame, this.#payload.bytes.slice(0, this.#payload.length)), ...waiting);
    this.#payload.clear(0);
  }

  violation(found: Violation): void {
    this.#add(found);
  }

  limit(cap: FrameCap, offset: number): void {
    this.#add({ kind: "limit", cap, offset });
  }

  truncated(octets: number): void {
    this.#add({ kind: "truncated", span: this.#advance(octets) });
  }

  #add(event: FrameEvent): void {
    this.#closeSpan();
    (this.#waiting ?? this.#events).push(event);
  }

  #grow(kind: SpanEvent["kind"], part: number, octets: number): void {
    const { start, end } = this.#advance(octets);
    if (this.#span?.kind === kind && this.#span.part === part) {
      this.#span.end = end;
      return;
    }
    this.#closeSpan();
    this.#span = { kind, part, streamId: this.#streamId, start, end };
  }

  #closeSpan(): void {
    if (this.#span === undefined) return;
    const { kind, part, streamId, start, end } = this.#span;
    const span = { start, end };
    this.#span = undefined;
    const event: FrameEvent = kind === "data" ? { kind, streamId, span } : { kind, part: PART_NAMES[part] as PartName, span };
    (this.#waiting ?? this.#events).push(event);
  }

  #advance(octets: number): Span {
    const start = this.#at;
    this.#at += octets;
    return { start, end: this.#at };
  }
}

/** The frame, or undefined for a type whose payload is not read yet. */
function startedFrame(frame: Frame): TypedFrame | undefined {
  switch (frame.type) {
    case FRAME_TYPE.DATA:
      return dataFrame(frame);
    case FRAME_TYPE.HEADERS:
      return headersFrame(frame);
    case FRAME_TYPE.PRIORITY:
      return priorityFrame(frame);
    case FRAME_TYPE.RST_STREAM:
      return rstStreamFrame(frame);
    case FRAME_TYPE.SETTINGS:
      return settingsFrame(frame);
    case FRAME_TYPE.PUSH_PROMISE:
      return pushPromiseFrame(frame);
    case FRAME_TYPE.PING:
      return pingFrame(frame);
    case FRAME_TYPE.GOAWAY:
      return goawayFrame(frame);
    case FRAME_TYPE.WINDOW_UPDATE:
      return windowUpdateFrame(frame);
    case FRAME_TYPE.CONTINUATION:
      return continuationFrame(frame);
    default:
      return undefined;
  }
}

function readExtension(frame: Frame, payload: Uint8Array): TypedFrame {
  const header = frameHeader(frame);
  switch (frame.type) {
    case FRAME_TYPE.ALTSVC:
      return readAltsvc(header, payload);
    case FRAME_TYPE.ORIGIN:
      return readOrigin(header, payload);
    case FRAME_TYPE.PRIORITY_UPDATE:
      return readPriorityUpdate(header, payload);
    default:
      return readUnknown(header, payload);
  }
}
