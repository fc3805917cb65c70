import { type Report, violation } from "../../core/violation.ts";
import { divideBlockFrame, fixedOctets, isPaddingTooLong } from "../block-frame.ts";
import type { Frame } from "../frame.ts";
import { type FrameHeader, frameHeader, headerSpan, payloadSpan } from "../frame-header.ts";
import { concatOctets, cutFieldBlock, type FrameOptions, PADDED, padded, writeFrame } from "../frame-writer.ts";
import { FRAME_TYPE } from "../registry.ts";
import { writeContinuation } from "./continuation.ts";
import { PRIORITY_OCTETS, type Priority, priorityOctets, priorityOf, readPriority } from "./priority.ts";

const END_STREAM = 0x01;
const END_HEADERS = 0x04;
const PRIORITY = 0x20;
const SECTION = "RFC 9113 §6.2";

/** HEADERS, RFC 9113 §6.2: its fields before the field block fragment. */
export interface HeadersFrame {
  readonly kind: "HEADERS";
  readonly header: FrameHeader;
  readonly endStream: boolean;
  readonly endHeaders: boolean;
  /** Declared Pad Length; null without the PADDED flag. */
  readonly padLength: number | null;
  /** null without the PRIORITY flag. */
  readonly priority: Priority | null;
  /** Octets of the field block in this frame. */
  readonly fragmentLength: number;
  readonly malformed: boolean;
}

/**
 * Read a HEADERS frame up to its fragment.
 * @param available payload octets at `bytes[at, …)`; fewer than declared when the direction ended inside the frame.
 */
export function readHeaders(frame: Frame, bytes: Uint8Array, at: number, available: number): void {
  frame.blockType = frame.type;
  frame.endStream = (frame.flags & END_STREAM) !== 0;
  frame.endHeaders = (frame.flags & END_HEADERS) !== 0;
  frame.hasPriority = (frame.flags & PRIORITY) !== 0;
  frame.padLength = (frame.flags & PADDED) === 0 ? -1 : available > 0 ? (bytes[at] as number) : 0;
  divideBlockFrame(frame);
  const fixed = fixedOctets(frame);
  if (frame.hasPriority && available >= fixed) readPriority(frame, bytes, at + fixed - PRIORITY_OCTETS);
}

/** Report what is wrong with a HEADERS frame. */
export function checkHeaders(frame: Frame, report: Report): void {
  if (frame.streamId === 0) report(violation("headers-on-stream-0", "PROTOCOL_ERROR", SECTION, headerSpan(frame)));
  if (!frame.malformed) return;
  if (isPaddingTooLong(frame)) report(violation("headers-padding", "PROTOCOL_ERROR", SECTION, payloadSpan(frame)));
  else report(violation("headers-length", "FRAME_SIZE_ERROR", "RFC 9113 §4.2", payloadSpan(frame)));
}

/** Copy the HEADERS frame that a reader is at. */
export function headersFrame(frame: Frame): HeadersFrame {
  const { endStream, endHeaders, fragmentLength, malformed } = frame;
  const padLength = frame.padLength < 0 ? null : frame.padLength;
  const priority = frame.hasPriority && !malformed ? priorityOf(frame) : null;
  return { kind: "HEADERS", header: frameHeader(frame), endStream, endHeaders, padLength, priority, fragmentLength, malformed };
}

/** Options of {@link writeHeaders}. */
export interface WriteHeadersOptions extends FrameOptions {
  readonly endStream?: boolean;
  /** 0 to 255: sets PADDED. */
  readonly padLength?: number | undefined;
  /** Sets PRIORITY. */
  readonly priority?: Priority | undefined;
  /** Octets of the field block in one frame; the rest follows in CONTINUATIONs. Default 16384, the smallest MAX_FRAME_SIZE. */
  readonly maxFragment?: number;
  /** false leaves the block open: no frame has END_HEADERS. Default true. */
  readonly endHeaders?: boolean;
}

/** Write a HEADERS frame and the CONTINUATIONs that the field block needs. */
export function writeHeaders(streamId: number, block: Uint8Array, options: WriteHeadersOptions = {}): Uint8Array {
  const { endStream = false, padLength, priority, maxFragment = 0x4000, endHeaders = true, flags = 0, reserved } = options;
  const pieces = cutFieldBlock(block, maxFragment);
  const [first, ...rest] = pieces;
  const content = priority === undefined ? first : concatOctets([priorityOctets(priority), first as Uint8Array]);
  const optional = (padLength === undefined ? 0 : PADDED) | (priority === undefined ? 0 : PRIORITY);
  const ends = endHeaders && rest.length === 0;
  const allFlags = flags | optional | (endStream ? END_STREAM : 0) | (ends ? END_HEADERS : 0);
  const opening = writeFrame(FRAME_TYPE.HEADERS, allFlags, streamId, padded(content as Uint8Array, padLength), reserved);
  const last = rest.length - 1;
  return concatOctets([
    opening,
    ...rest.map((piece, index) => writeContinuation(streamId, piece, { endHeaders: endHeaders && index === last })),
  ]);
}
