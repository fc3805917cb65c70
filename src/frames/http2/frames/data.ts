import { type Report, violation } from "../../core/violation.ts";
import type { Frame } from "../frame.ts";
import { type FrameHeader, frameHeader, headerSpan, payloadSpan } from "../frame-header.ts";
import { type FrameOptions, PADDED, padded, writeFrame } from "../frame-writer.ts";
import { FRAME_TYPE } from "../registry.ts";

const END_STREAM = 0x01;
const SECTION = "RFC 9113 §6.1";

/** DATA, RFC 9113 §6.1: its header and Pad Length; the content follows as it arrives. */
export interface DataFrame {
  readonly kind: "DATA";
  readonly header: FrameHeader;
  readonly endStream: boolean;
  /** Declared Pad Length; null without the PADDED flag. */
  readonly padLength: number | null;
  readonly malformed: boolean;
}

/** Read what the header says of a DATA frame; its Pad Length octet, when it has one, comes later by {@link readDataPadLength}. */
export function readDataHeader(frame: Frame): void {
  frame.endStream = (frame.flags & END_STREAM) !== 0;
  frame.padLength = (frame.flags & PADDED) === 0 ? -1 : 0;
  // RFC 9113 §4.2: too small for the Pad Length that the flag promises.
  frame.malformed = frame.padLength >= 0 && frame.length === 0;
}

/** Read the Pad Length octet. Padding that leaves no room for itself makes the frame malformed. */
export function readDataPadLength(frame: Frame, padLength: number): void {
  frame.padLength = padLength;
  frame.malformed = padLength >= frame.length;
}

/** Report what is wrong with a DATA frame whose header and Pad Length were read. */
export function checkData(frame: Frame, report: Report): void {
  if (frame.streamId === 0) report(violation("data-on-stream-0", "PROTOCOL_ERROR", SECTION, headerSpan(frame)));
  if (!frame.malformed) return;
  if (frame.length === 0) report(violation("data-length", "FRAME_SIZE_ERROR", "RFC 9113 §4.2", headerSpan(frame)));
  else report(violation("data-padding", "PROTOCOL_ERROR", SECTION, payloadSpan(frame)));
}

/** Copy the DATA frame that a reader is at. */
export function dataFrame(frame: Frame): DataFrame {
  const { endStream, padLength, malformed } = frame;
  return { kind: "DATA", header: frameHeader(frame), endStream, padLength: padLength < 0 ? null : padLength, malformed };
}

/** Options of {@link writeData}. */
export interface WriteDataOptions extends FrameOptions {
  readonly endStream?: boolean;
  /** 0 to 255: sets PADDED. */
  readonly padLength?: number | undefined;
}

/** Write a DATA frame. */
export function writeData(streamId: number, content: Uint8Array, options: WriteDataOptions = {}): Uint8Array {
  const { endStream = false, padLength, flags = 0, reserved } = options;
  const allFlags = flags | (endStream ? END_STREAM : 0) | (padLength === undefined ? 0 : PADDED);
  return writeFrame(FRAME_TYPE.DATA, allFlags, streamId, padded(content, padLength), reserved);
}
