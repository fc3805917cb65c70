import { type Report, violation } from "../../core/violation.ts";
import type { Frame } from "../frame.ts";
import { type FrameHeader, frameHeader, headerSpan, payloadSpan, readUint31 } from "../frame-header.ts";
import { concatOctets, type FrameOptions, uint32, writeFrame } from "../frame-writer.ts";
import { FRAME_TYPE } from "../registry.ts";

/** Exclusive (1 bit), Stream Dependency (31), Weight (8): in PRIORITY and in HEADERS with the PRIORITY flag. */
export const PRIORITY_OCTETS = 5;
const SECTION = "RFC 9113 §6.3";

/** The deprecated priority signal of RFC 7540 that RFC 9113 §5.3.2 keeps on the wire. */
export interface Priority {
  readonly exclusive: boolean;
  /** Stream that this one depends on, 0 to 2^31-1. */
  readonly dependency: number;
  /** 1 to 256: one more than the octet on the wire. */
  readonly weight: number;
}

/** PRIORITY, RFC 9113 §6.3. */
export interface PriorityFrame {
  readonly kind: "PRIORITY";
  readonly header: FrameHeader;
  /** null when the frame is malformed. */
  readonly priority: Priority | null;
}

/** Whether a PRIORITY frame may have this length. */
export function isPriorityLength(length: number): boolean {
  return length === PRIORITY_OCTETS;
}

/** Read the five priority octets at `bytes[at, at + 5)`. */
export function readPriority(frame: Frame, bytes: Uint8Array, at: number): void {
  frame.exclusive = (bytes[at] as number) >= 0x80;
  frame.dependency = readUint31(bytes, at);
  frame.weight = (bytes[at + 4] as number) + 1;
}

/** Report what is wrong with a PRIORITY frame. */
export function checkPriority(frame: Frame, report: Report): void {
  if (frame.streamId === 0) report(violation("priority-on-stream-0", "PROTOCOL_ERROR", SECTION, headerSpan(frame)));
  if (frame.malformed) report(violation("priority-length", "FRAME_SIZE_ERROR", SECTION, payloadSpan(frame)));
}

/** Copy the priority fields of the frame that a reader is at. */
export function priorityOf({ exclusive, dependency, weight }: Frame): Priority {
  return { exclusive, dependency, weight };
}

/** Copy the PRIORITY frame that a reader is at. */
export function priorityFrame(frame: Frame): PriorityFrame {
  return { kind: "PRIORITY", header: frameHeader(frame), priority: frame.malformed ? null : priorityOf(frame) };
}

/** The five octets of a priority signal. */
export function priorityOctets({ exclusive, dependency, weight }: Priority): Uint8Array {
  return concatOctets([uint32(dependency | (exclusive ? 0x80000000 : 0)), Uint8Array.of(weight - 1)]);
}

/** Write a PRIORITY frame. */
export function writePriority(streamId: number, priority: Priority, options: FrameOptions = {}): Uint8Array {
  return writeFrame(FRAME_TYPE.PRIORITY, options.flags ?? 0, streamId, priorityOctets(priority), options.reserved);
}
