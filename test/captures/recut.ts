import { TCP_FLAG, type TcpSegment } from "../../src/capture/tcp-segment.ts";
import { everyCut } from "../cuts.ts";

/** Octets that end a segment, and are no payload. */
const CLOSING = TCP_FLAG.fin | TCP_FLAG.psh;

/**
 * The same segments split further, in as many ways as the most varied of them can be: each way cuts every segment once, at places of its
 * own. Where a segment ends a reader has to be in one state whatever came before, so cuts of different segments can share a way.
 * @param borders offsets where units end, in the payloads of all segments one after the other.
 */
export function* everyRecut(segments: readonly TcpSegment[], borders: readonly number[]): Generator<TcpSegment[]> {
  let start = 0;
  const cuts = segments.map(({ payload: { length } }) => {
    const within = borders.filter((border) => border > start && border < start + length).map((border) => border - start);
    start += length;
    return [...everyCut(length, within)];
  });
  const ways = Math.max(...cuts.map((list) => list.length));
  for (let way = 0; way < ways; way++) {
    yield segments.flatMap((segment, at) => {
      const list = cuts[at] ?? [];
      return split(segment, list[way % list.length] ?? []);
    });
  }
}

/** One segment in parts: what a packet carried keeps its number and its time. @param ends of the parts, ascending. */
function split(segment: TcpSegment, ends: readonly number[]): TcpSegment[] {
  if (ends.length < 2) return [segment];
  return ends.map((end, at) => part(segment, ends[at - 1] ?? 0, end));
}

function part(segment: TcpSegment, from: number, to: number): TcpSegment {
  const last = to === segment.payload.length;
  return {
    ...segment,
    sequence: (segment.sequence + from) >>> 0,
    flags: last ? segment.flags : segment.flags & ~CLOSING,
    payload: segment.payload.subarray(from, to),
    // What a packet was cut by is missing at its end.
    payloadLength: last ? segment.payloadLength - from : to - from,
  };
}
