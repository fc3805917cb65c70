import { type Report, violation } from "../../core/violation.ts";
import type { Frame } from "../frame.ts";
import { type FrameHeader, frameHeader, payloadSpan, readUint31 } from "../frame-header.ts";
import { type FrameOptions, uint32, writeFrame } from "../frame-writer.ts";
import { FRAME_TYPE } from "../registry.ts";

const INCREMENT_OCTETS = 4;
const SECTION = "RFC 9113 §6.9";

/** WINDOW_UPDATE, RFC 9113 §6.9: credit for the other side's DATA, on a stream or (stream 0) on the connection. */
export interface WindowUpdateFrame {
  readonly kind: "WINDOW_UPDATE";
  readonly header: FrameHeader;
  /** 0 to 2^31-1, where 0 is a violation; null when the frame is malformed. */
  readonly increment: number | null;
}

/** Whether a WINDOW_UPDATE frame may have this length. */
export function isWindowUpdateLength(length: number): boolean {
  return length === INCREMENT_OCTETS;
}

/** Read the payload at `bytes[at, at + 4)`. */
export function readWindowUpdate(frame: Frame, bytes: Uint8Array, at: number): void {
  frame.increment = readUint31(bytes, at);
}

/** Report what is wrong with a WINDOW_UPDATE frame. */
export function checkWindowUpdate(frame: Frame, report: Report): void {
  if (frame.malformed) report(violation("window-update-length", "FRAME_SIZE_ERROR", SECTION, payloadSpan(frame)));
  else if (frame.increment === 0) report(violation("window-update-increment", "PROTOCOL_ERROR", SECTION, payloadSpan(frame)));
}

/** Copy the WINDOW_UPDATE frame that a reader is at. */
export function windowUpdateFrame(frame: Frame): WindowUpdateFrame {
  return { kind: "WINDOW_UPDATE", header: frameHeader(frame), increment: frame.malformed ? null : frame.increment };
}

/** Write a WINDOW_UPDATE frame. @param streamId 0 for the connection. */
export function writeWindowUpdate(streamId: number, increment: number, options: FrameOptions = {}): Uint8Array {
  return writeFrame(FRAME_TYPE.WINDOW_UPDATE, options.flags ?? 0, streamId, uint32(increment), options.reserved);
}
