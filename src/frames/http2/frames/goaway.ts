import { type Report, violation } from "../../core/violation.ts";
import type { Frame } from "../frame.ts";
import { type FrameHeader, frameHeader, headerSpan, payloadSpan, readUint31, readUint32 } from "../frame-header.ts";
import { concatOctets, type FrameOptions, uint32, writeFrame } from "../frame-writer.ts";
import { FRAME_TYPE } from "../registry.ts";

/** Last-Stream-ID (4 octets, the first bit reserved), Error Code (4); Additional Debug Data follows. */
const FIXED_OCTETS = 8;
const SECTION = "RFC 9113 §6.8";

/** GOAWAY, RFC 9113 §6.8. */
export interface GoawayFrame {
  readonly kind: "GOAWAY";
  readonly header: FrameHeader;
  readonly lastStreamId: number;
  /** As it stood on the wire. */
  readonly errorCode: number;
  /** A copy, up to the control frame cap. */
  readonly debugData: Uint8Array;
  /** The values above mean nothing. */
  readonly malformed: boolean;
}

/** Whether a GOAWAY frame may have this length. */
export function isGoawayLength(length: number): boolean {
  return length >= FIXED_OCTETS;
}

/** Read the payload at `bytes[at, at + octets)`, which holds the fixed fields at least. The debug data is borrowed. */
export function readGoaway(frame: Frame, bytes: Uint8Array, at: number, octets: number): void {
  frame.lastStreamId = readUint31(bytes, at);
  frame.errorCode = readUint32(bytes, at + 4);
  frame.debugData = bytes.subarray(at + FIXED_OCTETS, at + octets);
}

/** Report what is wrong with a GOAWAY frame. */
export function checkGoaway(frame: Frame, report: Report): void {
  if (frame.streamId !== 0) report(violation("goaway-on-stream", "PROTOCOL_ERROR", SECTION, headerSpan(frame)));
  if (frame.malformed) report(violation("goaway-length", "FRAME_SIZE_ERROR", "RFC 9113 §4.2", payloadSpan(frame)));
}

/** Copy the GOAWAY frame that a reader is at. */
export function goawayFrame(frame: Frame): GoawayFrame {
  const { malformed } = frame;
  return {
    kind: "GOAWAY",
    header: frameHeader(frame),
    lastStreamId: malformed ? 0 : frame.lastStreamId,
    errorCode: malformed ? 0 : frame.errorCode,
    debugData: malformed ? new Uint8Array(0) : frame.debugData.slice(),
    malformed,
  };
}

/** Options of {@link writeGoaway}. */
export interface WriteGoawayOptions extends FrameOptions {
  readonly debugData?: Uint8Array;
}

/** Write a GOAWAY frame. */
export function writeGoaway(lastStreamId: number, errorCode: number, options: WriteGoawayOptions = {}): Uint8Array {
  const { debugData = new Uint8Array(0), flags = 0, reserved } = options;
  const payload = concatOctets([uint32(lastStreamId), uint32(errorCode), debugData]);
  return writeFrame(FRAME_TYPE.GOAWAY, flags, 0, payload, reserved);
}
