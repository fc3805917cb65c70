import type { Frame } from "./frame.ts";
import { PRIORITY_OCTETS } from "./frames/priority.ts";
import { FRAME_TYPE } from "./registry.ts";

/** Reserved (1 bit), Promised Stream ID (31): RFC 9113 §6.6. */
export const PROMISED_STREAM_OCTETS = 4;

/** Octets of a HEADERS or PUSH_PROMISE frame before its fragment, as its flags promise them. */
export function fixedOctets(frame: Frame): number {
  const padOctets = frame.padLength < 0 ? 0 : 1;
  if (frame.type === FRAME_TYPE.PUSH_PROMISE) return padOctets + PROMISED_STREAM_OCTETS;
  return padOctets + (frame.hasPriority ? PRIORITY_OCTETS : 0);
}

/** The frame is malformed because its padding is longer than what is left, not because it is too short (RFC 9113 §6.2, §4.2). */
export function isPaddingTooLong(frame: Frame): boolean {
  return frame.malformed && frame.length >= fixedOctets(frame);
}

/** Divide the payload: Pad Length must have been read and the flags too. */
export function divideBlockFrame(frame: Frame): void {
  const left = frame.length - fixedOctets(frame) - Math.max(frame.padLength, 0);
  frame.malformed = left < 0;
  frame.fragmentLength = Math.max(left, 0);
}
