import type { FrameHeader } from "../frame-header.ts";

/** A type that the registry does not have, RFC 9113 §5.5: ignored by peers, kept here as it stood. Write one with `writeFrame`. */
export interface UnknownFrame {
  readonly kind: "UNKNOWN";
  readonly header: FrameHeader;
  /** As far as it came and was kept. */
  readonly payload: Uint8Array;
}

/** Pair a header of an unknown type with its payload. */
export function readUnknown(header: FrameHeader, payload: Uint8Array): UnknownFrame {
  return { kind: "UNKNOWN", header, payload };
}
