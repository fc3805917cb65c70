import { octetString, octetsOf } from "../../hpack/octet-string.ts";
import type { FrameHeader } from "../frame-header.ts";
import { concatOctets, type FrameOptions, writeFrame } from "../frame-writer.ts";
import { FRAME_TYPE } from "../registry.ts";

/** Origin-Len (2 octets) before each ASCII-Origin. */
const LENGTH_OCTETS = 2;

/** ORIGIN, RFC 8336 §2. An invalid one is to be ignored, so none of it is a violation. */
export interface OriginFrame {
  readonly kind: "ORIGIN";
  readonly header: FrameHeader;
  /** Octet strings; null when the frame is invalid or not all there. */
  readonly origins: readonly string[] | null;
  /** As far as it came and was kept. */
  readonly payload: Uint8Array;
}

/** Read the payload, which is kept apart from its header. */
export function readOrigin(header: FrameHeader, payload: Uint8Array): OriginFrame {
  return { kind: "ORIGIN", header, origins: payload.length === header.length ? readEntries(payload) : null, payload };
}

function readEntries(payload: Uint8Array): readonly string[] | null {
  const origins: string[] = [];
  for (let at = 0; at < payload.length; ) {
    const start = at + LENGTH_OCTETS;
    const end = start + (((payload[at] as number) << 8) | (payload[at + 1] ?? 0));
    if (start > payload.length || end > payload.length) return null;
    origins.push(octetString(payload, start, end));
    at = end;
  }
  return origins;
}

/** Write an ORIGIN frame. */
export function writeOrigin(origins: readonly string[], options: FrameOptions = {}): Uint8Array {
  const entries = origins.flatMap((origin) => [Uint8Array.of(origin.length >>> 8, origin.length), octetsOf(origin)]);
  return writeFrame(FRAME_TYPE.ORIGIN, options.flags ?? 0, 0, concatOctets(entries), options.reserved);
}
