import { type Report, violation } from "../../core/violation.ts";
import type { Frame } from "../frame.ts";
import { type FrameHeader, frameHeader, headerSpan } from "../frame-header.ts";
import { type FrameOptions, writeFrame } from "../frame-writer.ts";
import { FRAME_TYPE } from "../registry.ts";

const END_HEADERS = 0x04;

/** CONTINUATION, RFC 9113 §6.10: nothing but a fragment of the field block. */
export interface ContinuationFrame {
  readonly kind: "CONTINUATION";
  readonly header: FrameHeader;
  readonly endHeaders: boolean;
  readonly fragmentLength: number;
}

/** Read what the header says of a CONTINUATION; the fields of the frame that opened the block stay. */
export function readContinuation(frame: Frame): void {
  frame.endHeaders = (frame.flags & END_HEADERS) !== 0;
  frame.padLength = -1;
  frame.fragmentLength = frame.length;
}

/** Report a CONTINUATION that continues nothing: no block is open, or another stream's (RFC 9113 §6.10). */
export function checkStrayContinuation(frame: Frame, report: Report): void {
  report(violation("continuation-without-block", "PROTOCOL_ERROR", "RFC 9113 §6.10", headerSpan(frame)));
}

/** Copy the CONTINUATION frame that a reader is at. */
export function continuationFrame(frame: Frame): ContinuationFrame {
  const { endHeaders, fragmentLength } = frame;
  return { kind: "CONTINUATION", header: frameHeader(frame), endHeaders, fragmentLength };
}

/** Options of {@link writeContinuation}. */
export interface WriteContinuationOptions extends FrameOptions {
  readonly endHeaders?: boolean;
}

/** Write a CONTINUATION frame. */
export function writeContinuation(streamId: number, fragment: Uint8Array, options: WriteContinuationOptions = {}): Uint8Array {
  const { endHeaders = false, flags = 0, reserved } = options;
  return writeFrame(FRAME_TYPE.CONTINUATION, flags | (endHeaders ? END_HEADERS : 0), streamId, fragment, reserved);
}
