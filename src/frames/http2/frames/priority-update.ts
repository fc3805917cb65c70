import { type Report, violation } from "../../core/violation.ts";
import { octetString, octetsOf } from "../../hpack/octet-string.ts";
import type { Frame } from "../frame.ts";
import { type FrameHeader, headerSpan, payloadSpan, readUint31 } from "../frame-header.ts";
import { concatOctets, type FrameOptions, uint32, writeFrame } from "../frame-writer.ts";
import { type Direction, FRAME_TYPE } from "../registry.ts";

/** Reserved (1 bit), Prioritized Stream ID (31); the Priority Field Value follows. */
const STREAM_ID_OCTETS = 4;
const SECTION = "RFC 9218 §7.1";

/** PRIORITY_UPDATE, RFC 9218 §7.1. */
export interface PriorityUpdateFrame {
  readonly kind: "PRIORITY_UPDATE";
  readonly header: FrameHeader;
  /** null when the frame is malformed or not all there. */
  readonly prioritizedStreamId: number | null;
  /** Priority Field Value, an octet string such as `u=1, i`; null like the stream. */
  readonly value: string | null;
  /** As far as it came and was kept. */
  readonly payload: Uint8Array;
}

/** Whether a PRIORITY_UPDATE frame may have this length. */
export function isPriorityUpdateLength(length: number): boolean {
  return length >= STREAM_ID_OCTETS;
}

/** Report what is wrong with the header of a PRIORITY_UPDATE. @param direction of the frame, when it is known. */
export function checkPriorityUpdate(frame: Frame, report: Report, direction: Direction | undefined): void {
  if (frame.streamId !== 0) report(violation("priority-update-on-stream", "PROTOCOL_ERROR", SECTION, headerSpan(frame)));
  if (direction === "s2c") report(violation("priority-update-from-server", "PROTOCOL_ERROR", SECTION, headerSpan(frame)));
  if (frame.malformed) report(violation("priority-update-length", "FRAME_SIZE_ERROR", SECTION, payloadSpan(frame)));
}

/** Read the payload, which is kept apart from its header: `header.length` octets, or fewer when not all of it is there. */
export function readPriorityUpdate(header: FrameHeader, payload: Uint8Array): PriorityUpdateFrame {
  const whole = payload.length === header.length && payload.length >= STREAM_ID_OCTETS;
  return {
    kind: "PRIORITY_UPDATE",
    header,
    prioritizedStreamId: whole ? readUint31(payload, 0) : null,
    value: whole ? octetString(payload, STREAM_ID_OCTETS, payload.length) : null,
    payload,
  };
}

/** Write a PRIORITY_UPDATE frame. @param value Priority Field Value, ASCII. */
export function writePriorityUpdate(prioritizedStreamId: number, value: string, options: FrameOptions = {}): Uint8Array {
  const payload = concatOctets([uint32(prioritizedStreamId), octetsOf(value)]);
  return writeFrame(FRAME_TYPE.PRIORITY_UPDATE, options.flags ?? 0, 0, payload, options.reserved);
}
