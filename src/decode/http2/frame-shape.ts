import { FRAME_HEADER_OCTETS, FRAME_TYPE, PREFACE } from "http2-frame-parser";
import { MORE, NO_UNIT } from "../search.ts";

/** Flags that each type defines (RFC 9113 §6), by type octet. Extension types up to PRIORITY_UPDATE define none. */
const FLAGS = [0x09, 0x2d, 0x00, 0x00, 0x01, 0x0c, 0x01, 0x00, 0x00, 0x04];
const END_STREAM = 0x01;
/** MAX_FRAME_SIZE before any SETTINGS (RFC 9113 §6.5.2). */
export const INITIAL_MAX_FRAME_SIZE = 16384;
/** The highest type of RFC 9113. */
export const LAST_CORE_TYPE = FRAME_TYPE.CONTINUATION;
/** The highest type that the registry has. */
export const LAST_KNOWN_TYPE = FRAME_TYPE.PRIORITY_UPDATE;

/**
 * The length, header and all, of the HTTP/2 frame that `bytes[at, to)` can begin: a type up to `lastType`, flags that it defines, a length
 * up to `maxFrameSize`, no reserved bit, and a stream identifier and a length that fit the type. {@link NO_UNIT} when it is none, and
 * {@link MORE} when too few octets are there to tell.
 */
export function frameAt(bytes: Uint8Array, at: number, to: number, maxFrameSize: number, lastType: number): number {
  const high = bytes[at] ?? 0;
  if (high > maxFrameSize >> 16) return NO_UNIT;
  const seen = to - at;
  const type = bytes[at + 3] ?? 0;
  if (seen > 3 && type > lastType) return NO_UNIT;
  if (seen < FRAME_HEADER_OCTETS) return MORE;
  const length = (high << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
  const flags = bytes[at + 4] ?? 0;
  const word = ((bytes[at + 5] ?? 0) << 24) | ((bytes[at + 6] ?? 0) << 16) | ((bytes[at + 7] ?? 0) << 8) | (bytes[at + 8] ?? 0);
  if (length > maxFrameSize || word < 0 || (flags & ~(FLAGS[type] ?? 0)) !== 0) return NO_UNIT;
  return fits(type, flags, length, word) ? FRAME_HEADER_OCTETS + length : NO_UNIT;
}

/** Whether `bytes[at, to)` begin with the connection preface, or may still do so. */
export function prefaceAt(bytes: Uint8Array, at: number, to: number): "yes" | "more" | "no" {
  const seen = Math.min(PREFACE.length, to - at);
  for (let next = 0; next < seen; next++) if (bytes[at + next] !== PREFACE[next]) return "no";
  return seen === PREFACE.length ? "yes" : "more";
}

function fits(type: number, flags: number, length: number, streamId: number): boolean {
  const onStream = streamId !== 0;
  switch (type) {
    case FRAME_TYPE.DATA:
      // An empty one that does not end its stream is legal, but nobody has a use for it, and zeros look like it.
      return onStream && (length > 0 || (flags & END_STREAM) !== 0);
    case FRAME_TYPE.CONTINUATION:
      return onStream;
    case FRAME_TYPE.HEADERS:
      return onStream && length > 0;
    case FRAME_TYPE.PRIORITY:
      return onStream && length === 5;
    case FRAME_TYPE.RST_STREAM:
      return onStream && length === 4;
    case FRAME_TYPE.SETTINGS:
      return !onStream && length % 6 === 0 && (flags === 0 || length === 0);
    case FRAME_TYPE.PUSH_PROMISE:
      return onStream && length > 4;
    case FRAME_TYPE.PING:
      return !onStream && length === 8;
    case FRAME_TYPE.GOAWAY:
      return !onStream && length >= 8;
    case FRAME_TYPE.WINDOW_UPDATE:
      return length === 4;
    case FRAME_TYPE.ORIGIN:
      return !onStream;
    case FRAME_TYPE.PRIORITY_UPDATE:
      return !onStream && length >= 4;
    default:
      return true;
  }
}
