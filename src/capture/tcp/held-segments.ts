import { HELD_SEGMENT_OCTETS } from "./limits.ts";

/** Octets `[at, end)` of a side that wait for earlier ones. */
export interface HeldSegment {
  readonly at: number;
  readonly end: number;
  /** A copy; shorter than `end - at` when the packet was cut. */
  readonly octets: Uint8Array;
  readonly packetNumber: number;
  readonly timeNs: bigint | null;
}

/** Octets `[at, end)` came again while `first` holds them. */
export type HeldOverlap = (first: HeldSegment, at: number, end: number) => void;

/** Segments of one side behind a hole, by offset and without overlap: of octets that came twice the first copy is kept. */
export class HeldSegments {
  readonly #segments: HeldSegment[] = [];
  #cost = 0;

  /** Offset of the first octet that is held; Infinity: nothing is. */
  get start(): number {
    return this.#segments[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  /** Offset after the last octet that is held; -Infinity: nothing is. */
  get end(): number {
    return this.#segments.at(-1)?.end ?? Number.NEGATIVE_INFINITY;
  }

  get count(): number {
    return this.#segments.length;
  }

  /** What they count against the caps, in octets. */
  get cost(): number {
    return this.#cost;
  }

  /** The first one; leave it where it is. */
  first(): HeldSegment | undefined {
    return this.#segments[0];
  }

  /** Take out the first one. */
  shift(): HeldSegment | undefined {
    const segment = this.#segments.shift();
    if (segment !== undefined) this.#cost -= costOf(segment);
    return segment;
  }

  /** Keep a copy of what of `segment` is new; the rest is told. Its octets may be borrowed. */
  insert(segment: HeldSegment, overlap: HeldOverlap): void {
    let index = this.#indexAfter(segment.at);
    for (let at = segment.at; at < segment.end; ) {
      const held = this.#segments[index];
      const free = Math.min(segment.end, held?.at ?? segment.end);
      if (at < free) {
        const part = copyOf(segment, at, free);
        this.#segments.splice(index, 0, part);
        this.#cost += costOf(part);
        at = free;
      } else {
        const end = Math.min(segment.end, held!.end);
        overlap(held!, at, end);
        at = end;
      }
      index++;
    }
  }

  /** Index of the first one that ends after `offset`. Most segments come in order, so it looks at the last one first. */
  #indexAfter(offset: number): number {
    if (this.end <= offset) return this.#segments.length;
    let low = 0;
    let high = this.#segments.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#segments[middle]!.end > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function copyOf(segment: HeldSegment, at: number, end: number): HeldSegment {
  const octets = new Uint8Array(segment.octets.subarray(at - segment.at, end - segment.at));
  return { at, end, octets, packetNumber: segment.packetNumber, timeNs: segment.timeNs };
}

function costOf(segment: HeldSegment): number {
  return segment.octets.length + HELD_SEGMENT_OCTETS;
}
