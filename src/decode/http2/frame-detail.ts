import { FRAME_TYPE, type Frame } from "http2-frame-parser";
import type { H2FrameDetail } from "../wire-unit.ts";

/** The nine header octets again, for a hex view (RFC 9113 §4.1). */
export function frameHeaderOctets({ length, type, flags, reserved, streamId }: Frame): Uint8Array {
  const octets = new Uint8Array(9);
  const view = new DataView(octets.buffer);
  view.setUint8(0, length >>> 16);
  view.setUint16(1, length & 0xffff);
  view.setUint8(3, type);
  view.setUint8(4, flags);
  view.setUint32(5, ((reserved << 31) | streamId) >>> 0);
  return octets;
}

/** A copy of what the reader's frame says, for views. */
export function frameDetail(frame: Frame): H2FrameDetail {
  const { type, flags, reserved, streamId, length, malformed } = frame;
  const is = (wanted: number): boolean => type === wanted && !malformed;
  const padded = (is(FRAME_TYPE.DATA) || is(FRAME_TYPE.HEADERS) || is(FRAME_TYPE.PUSH_PROMISE)) && frame.padLength >= 0;
  const prioritised = is(FRAME_TYPE.PRIORITY) || (is(FRAME_TYPE.HEADERS) && frame.hasPriority);
  const coded = is(FRAME_TYPE.RST_STREAM) || is(FRAME_TYPE.GOAWAY);
  return {
    kind: "h2.frame",
    type,
    flags,
    reserved,
    streamId,
    length,
    malformed,
    padLength: padded ? frame.padLength : null,
    priority: prioritised ? { exclusive: frame.exclusive, dependency: frame.dependency, weight: frame.weight } : null,
    promisedStreamId: is(FRAME_TYPE.PUSH_PROMISE) ? frame.promisedStreamId : null,
    settings: is(FRAME_TYPE.SETTINGS) && !frame.ack ? pairs(frame.settings) : null,
    opaqueData: is(FRAME_TYPE.PING) ? frame.opaqueData.slice() : null,
    increment: is(FRAME_TYPE.WINDOW_UPDATE) ? frame.increment : null,
    errorCode: coded ? frame.errorCode : null,
    lastStreamId: is(FRAME_TYPE.GOAWAY) ? frame.lastStreamId : null,
    debugData: is(FRAME_TYPE.GOAWAY) ? frame.debugData.slice() : null,
  };
}

function pairs(settings: readonly number[]): (readonly [number, number])[] {
  const result: (readonly [number, number])[] = [];
  for (let at = 0; at + 1 < settings.length; at += 2) result.push([settings[at] ?? 0, settings[at + 1] ?? 0]);
  return result;
}
