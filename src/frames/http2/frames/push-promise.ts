import { type Report, violation } from "../../core/violation.ts";
import { divideBlockFrame, fixedOctets, isPaddingTooLong, PROMISED_STREAM_OCTETS } from "../block-frame.ts";
import type { Frame } from "../frame.ts";
import { type FrameHeader, frameHeader, headerSpan, payloadSpan, readUint31 } from "../frame-header.ts";
import { concatOctets, cutFieldBlock, type FrameOptions, PADDED, padded, uint32, writeFrame } from "../frame-writer.ts";
import { type Direction, FRAME_TYPE } from "../registry.ts";
import { writeContinuation } from "./continuation.ts";

const END_HEADERS = 0x04;
const SECTION = "RFC 9113 §6.6";

/** PUSH_PROMISE, RFC 9113 §6.6: its fields before the field block fragment. */
export interface PushPromiseFrame {
  readonly kind: "PUSH_PROMISE";
  readonly header: FrameHeader;
  readonly endHeaders: boolean;
  /** Declared Pad Length; null without the PADDED flag. */
  readonly padLength: number | null;
  /** null when the frame is malformed or ended before it. */
  readonly promisedStreamId: number | null;
  /** Octets of the field block in this frame. */
  readonly fragmentLength: number;
  readonly malformed: boolean;
}

/**
 * Read a PUSH_PROMISE frame up to its fragment.
 * @param available payload octets at `bytes[at, …)`; fewer than declared when the direction ended inside the frame.
 */
export function readPushPromise(frame: Frame, bytes: Uint8Array, at: number, available: number): void {
  frame.blockType = frame.type;
  frame.endStream = false;
  frame.hasPriority = false;
  frame.endHeaders = (frame.flags & END_HEADERS) !== 0;
  frame.padLength = (frame.flags & PADDED) === 0 ? -1 : available > 0 ? (bytes[at] as number) : 0;
  divideBlockFrame(frame);
  const fixed = fixedOctets(frame);
  const there = !frame.malformed && available >= fixed;
  frame.promisedStreamId = there ? readUint31(bytes, at + fixed - PROMISED_STREAM_OCTETS) : -1;
}

/** Report what is wrong with a PUSH_PROMISE frame. @param direction of the frame, when it is known. */
export function checkPushPromise(frame: Frame, report: Report, direction: Direction | undefined): void {
  if (frame.streamId === 0) report(violation("push-promise-on-stream-0", "PROTOCOL_ERROR", SECTION, headerSpan(frame)));
  if (direction === "c2s") report(violation("push-promise-from-client", "PROTOCOL_ERROR", "RFC 9113 §8.4", headerSpan(frame)));
  // RFC 9113 §5.1.1: servers, who alone may push, have the even identifiers above 0.
  const { promisedStreamId } = frame;
  if (promisedStreamId === 0 || (promisedStreamId > 0 && promisedStreamId % 2 === 1)) {
    report(violation("promised-stream", "PROTOCOL_ERROR", SECTION, payloadSpan(frame)));
  }
  if (!frame.malformed) return;
  if (isPaddingTooLong(frame)) report(violation("push-promise-padding", "PROTOCOL_ERROR", SECTION, payloadSpan(frame)));
  else report(violation("push-promise-length", "FRAME_SIZE_ERROR", "RFC 9113 §4.2", payloadSpan(frame)));
}

/** Copy the PUSH_PROMISE frame that a reader is at. */
export function pushPromiseFrame(frame: Frame): PushPromiseFrame {
  const { endHeaders, fragmentLength, malformed } = frame;
  const promisedStreamId = frame.promisedStreamId < 0 ? null : frame.promisedStreamId;
  const padLength = frame.padLength < 0 ? null : frame.padLength;
  return { kind: "PUSH_PROMISE", header: frameHeader(frame), endHeaders, padLength, promisedStreamId, fragmentLength, malformed };
}

/** Options of {@link writePushPromise}. */
export interface WritePushPromiseOptions extends FrameOptions {
  /** 0 to 255: sets PADDED. */
  readonly padLength?: number | undefined;
  /** Octets of the field block in one frame; the rest follows in CONTINUATIONs. Default 16384, the smallest MAX_FRAME_SIZE. */
  readonly maxFragment?: number;
}

/** Write a PUSH_PROMISE frame and the CONTINUATIONs that the field block needs. */
export function writePushPromise(
  streamId: number,
  promisedStreamId: number,
  block: Uint8Array,
  options: WritePushPromiseOptions = {},
): Uint8Array {
  const { padLength, maxFragment = 0x4000, flags = 0, reserved } = options;
  const [first, ...rest] = cutFieldBlock(block, maxFragment);
  const content = concatOctets([uint32(promisedStreamId), first as Uint8Array]);
  const allFlags = flags | (padLength === undefined ? 0 : PADDED) | (rest.length === 0 ? END_HEADERS : 0);
  const opening = writeFrame(FRAME_TYPE.PUSH_PROMISE, allFlags, streamId, padded(content, padLength), reserved);
  const last = rest.length - 1;
  return concatOctets([
    opening,
    ...rest.map((piece, index) => writeContinuation(streamId, piece, { endHeaders: index === last })),
  ]);
}
