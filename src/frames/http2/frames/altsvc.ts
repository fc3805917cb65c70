import { octetString, octetsOf } from "../../hpack/octet-string.ts";
import type { FrameHeader } from "../frame-header.ts";
import { concatOctets, type FrameOptions, writeFrame } from "../frame-writer.ts";
import { FRAME_TYPE } from "../registry.ts";

/** Origin-Len (2 octets); Origin and Alt-Svc-Field-Value follow. */
const ORIGIN_LENGTH_OCTETS = 2;

/** ALTSVC, RFC 7838 §4. An invalid one is to be ignored, so none of it is a violation. */
export interface AltsvcFrame {
  readonly kind: "ALTSVC";
  readonly header: FrameHeader;
  /** Octet string; null when the frame is invalid or not all there. */
  readonly origin: string | null;
  /** Alt-Svc-Field-Value, an octet string; null like the origin. */
  readonly value: string | null;
  /** As far as it came and was kept. */
  readonly payload: Uint8Array;
}

/** Read the payload, which is kept apart from its header. */
export function readAltsvc(header: FrameHeader, payload: Uint8Array): AltsvcFrame {
  const originLength = ((payload[0] ?? 0) << 8) | (payload[1] ?? 0);
  const end = ORIGIN_LENGTH_OCTETS + originLength;
  const whole = payload.length === header.length && payload.length >= ORIGIN_LENGTH_OCTETS && payload.length >= end;
  return {
    kind: "ALTSVC",
    header,
    origin: whole ? octetString(payload, ORIGIN_LENGTH_OCTETS, end) : null,
    value: whole ? octetString(payload, end, payload.length) : null,
    payload,
  };
}

/** Write an ALTSVC frame. @param streamId 0 with an origin, else the stream that it is about. */
export function writeAltsvc(streamId: number, origin: string, value: string, options: FrameOptions = {}): Uint8Array {
  const payload = concatOctets([Uint8Array.of(origin.length >>> 8, origin.length), octetsOf(origin), octetsOf(value)]);
  return writeFrame(FRAME_TYPE.ALTSVC, options.flags ?? 0, streamId, payload, options.reserved);
}
