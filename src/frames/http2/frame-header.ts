import type { Span } from "../core/span.ts";
import type { Frame } from "./frame.ts";

/** Octets of a frame header, RFC 9113 §4.1. */
export const FRAME_HEADER_OCTETS = 9;

/** The header of one frame, to keep. Flags and reserved bit as they stood on the wire. */
export interface FrameHeader {
  /** The nine octets in the direction's octet space. */
  readonly span: Span;
  /** Payload octets as declared. */
  readonly length: number;
  readonly type: number;
  readonly flags: number;
  readonly reserved: number;
  readonly streamId: number;
}

/** Read the header at `bytes[at, at + 9)` into `frame`; the rest of the frame is left as it was. */
export function readFrameHeader(frame: Frame, bytes: Uint8Array, at: number): void {
  frame.length = ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);
  frame.type = bytes[at + 3] as number;
  frame.flags = bytes[at + 4] as number;
  frame.reserved = (bytes[at + 5] as number) >>> 7;
  frame.streamId = readUint31(bytes, at + 5);
  frame.malformed = false;
}

/** Copy the header of the frame that a reader is at. */
export function frameHeader(frame: Frame): FrameHeader {
  const { length, type, flags, reserved, streamId } = frame;
  return { span: headerSpan(frame), length, type, flags, reserved, streamId };
}

/** Where the header stands. */
export function headerSpan(frame: Frame): Span {
  return { start: frame.offset, end: frame.offset + FRAME_HEADER_OCTETS };
}

/** Where the payload stands, as far as it was declared. */
export function payloadSpan(frame: Frame): Span {
  const start = frame.offset + FRAME_HEADER_OCTETS;
  return { start, end: start + frame.length };
}

/** 31 bits, big-endian; the bit above them (reserved or a flag) is left out. */
export function readUint31(bytes: Uint8Array, at: number): number {
  return readUint32(bytes, at) & 0x7fffffff;
}

/** 32 bits, big-endian, 0 to 2^32-1. */
export function readUint32(bytes: Uint8Array, at: number): number {
  const high = ((bytes[at] as number) << 24) | ((bytes[at + 1] as number) << 16);
  return (high | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number)) >>> 0;
}
