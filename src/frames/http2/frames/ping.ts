import { type Report, violation } from "../../core/violation.ts";
import type { Frame } from "../frame.ts";
import { type FrameHeader, frameHeader, headerSpan, payloadSpan } from "../frame-header.ts";
import { type FrameOptions, writeFrame } from "../frame-writer.ts";
import { FRAME_TYPE } from "../registry.ts";

const ACK = 0x01;
const OPAQUE_OCTETS = 8;
const SECTION = "RFC 9113 §6.7";

/** PING, RFC 9113 §6.7: eight opaque octets that the receiver sends back. */
export interface PingFrame {
  readonly kind: "PING";
  readonly header: FrameHeader;
  readonly ack: boolean;
  /** Eight octets, a copy; null when the frame is malformed. */
  readonly opaqueData: Uint8Array | null;
}

/** Read what the header says of a PING frame. */
export function readPingHeader(frame: Frame): void {
  frame.ack = (frame.flags & ACK) !== 0;
  frame.malformed = frame.length !== OPAQUE_OCTETS;
}

/** Read the payload at `bytes[at, at + 8)`. */
export function readPing(frame: Frame, bytes: Uint8Array, at: number): void {
  for (let index = 0; index < OPAQUE_OCTETS; index++) frame.opaqueData[index] = bytes[at + index] as number;
}

/** Report what is wrong with a PING frame. */
export function checkPing(frame: Frame, report: Report): void {
  if (frame.streamId !== 0) report(violation("ping-on-stream", "PROTOCOL_ERROR", SECTION, headerSpan(frame)));
  if (frame.malformed) report(violation("ping-length", "FRAME_SIZE_ERROR", SECTION, payloadSpan(frame)));
}

/** Copy the PING frame that a reader is at. */
export function pingFrame(frame: Frame): PingFrame {
  return {
    kind: "PING",
    header: frameHeader(frame),
    ack: frame.ack,
    opaqueData: frame.malformed ? null : frame.opaqueData.slice(),
  };
}

/** Options of {@link writePing}. */
export interface WritePingOptions extends FrameOptions {
  readonly ack?: boolean;
}

/** Write a PING frame. @param opaqueData eight octets. */
export function writePing(opaqueData: Uint8Array, options: WritePingOptions = {}): Uint8Array {
  const { ack = false, flags = 0, reserved } = options;
  return writeFrame(FRAME_TYPE.PING, flags | (ack ? ACK : 0), 0, opaqueData, reserved);
}
