import { FRAME_HEADER_OCTETS } from "./frame-header.ts";

/** Options that every frame writer takes. */
export interface FrameOptions {
  /** Flags octet; set for the flags that the other options imply as well. Default 0. */
  readonly flags?: number;
  /** The reserved bit before the stream identifier, 0 or 1. Default 0. */
  readonly reserved?: number;
}

/** The PADDED flag, RFC 9113 §6.1. */
export const PADDED = 0x08;

/**
 * One frame of any type (RFC 9113 §4.1), legal or not: nothing is checked.
 * @param flags the whole flags octet.
 * @param streamId 0 to 2^31-1.
 * @throws TypeError when the payload does not fit the 24-bit length.
 */
export function writeFrame(type: number, flags: number, streamId: number, payload: Uint8Array, reserved = 0): Uint8Array {
  if (payload.length > 0xffffff) throw new TypeError(`payload of ${payload.length} octets does not fit a frame`);
  const out = new Uint8Array(FRAME_HEADER_OCTETS + payload.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, payload.length * 0x100 + type);
  out[4] = flags;
  view.setUint32(5, ((reserved << 31) | streamId) >>> 0);
  out.set(payload, FRAME_HEADER_OCTETS);
  return out;
}

/** Octet arrays, one after the other. */
export function concatOctets(pieces: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

/** Pad Length before and zero octets of padding after `content` (RFC 9113 §6.1); `content` itself when `padLength` is undefined. */
export function padded(content: Uint8Array, padLength: number | undefined): Uint8Array {
  if (padLength === undefined) return content;
  return concatOctets([Uint8Array.of(padLength), content, new Uint8Array(padLength)]);
}

/** A number as four octets, big-endian. */
export function uint32(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}

/**
 * Where to cut a field block: pieces of at most `maxFragment` octets, at least one piece.
 * The first goes into HEADERS or PUSH_PROMISE, the others into CONTINUATIONs (RFC 9113 §6.10).
 */
export function cutFieldBlock(block: Uint8Array, maxFragment: number): readonly Uint8Array[] {
  if (maxFragment < 1) throw new TypeError("maxFragment must be at least 1");
  const pieces = [block.subarray(0, maxFragment)];
  for (let at = maxFragment; at < block.length; at += maxFragment) pieces.push(block.subarray(at, at + maxFragment));
  return pieces;
}
