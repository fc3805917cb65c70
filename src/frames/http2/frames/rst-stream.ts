import { type Report, violation } from "../../core/violation.ts";
import type { Frame } from "../frame.ts";
import { type FrameHeader, frameHeader, headerSpan, payloadSpan, readUint32 } from "../frame-header.ts";
import { type FrameOptions, uint32, writeFrame } from "../frame-writer.ts";
import { FRAME_TYPE } from "../registry.ts";

const ERROR_CODE_OCTETS = 4;
const SECTION = "RFC 9113 §6.4";

/** RST_STREAM, RFC 9113 §6.4: the end of one stream. */
export interface RstStreamFrame {
  readonly kind: "RST_STREAM";
  readonly header: FrameHeader;
  /** As it stood on the wire; null when the frame is malformed. */
  readonly errorCode: number | null;
}

/** Whether an RST_STREAM frame may have this length. */
export function isRstStreamLength(length: number): boolean {
  return length === ERROR_CODE_OCTETS;
}

/** Read the payload at `bytes[at, at + 4)`. */
export function readRstStream(frame: Frame, bytes: Uint8Array, at: number): void {
  frame.errorCode = readUint32(bytes, at);
}

/** Report what is wrong with an RST_STREAM frame. */
export function checkRstStream(frame: Frame, report: Report): void {
  if (frame.streamId === 0) report(violation("rst-stream-on-stream-0", "PROTOCOL_ERROR", SECTION, headerSpan(frame)));
  if (frame.malformed) report(violation("rst-stream-length", "FRAME_SIZE_ERROR", SECTION, payloadSpan(frame)));
}

/** Copy the RST_STREAM frame that a reader is at. */
export function rstStreamFrame(frame: Frame): RstStreamFrame {
  return { kind: "RST_STREAM", header: frameHeader(frame), errorCode: frame.malformed ? null : frame.errorCode };
}

/** Write an RST_STREAM frame. @param errorCode 0 to 2^32-1, known or not. */
export function writeRstStream(streamId: number, errorCode: number, options: FrameOptions = {}): Uint8Array {
  return writeFrame(FRAME_TYPE.RST_STREAM, options.flags ?? 0, streamId, uint32(errorCode), options.reserved);
}
