import type { TcpSegment } from "../../tcp-segment.ts";
import { TCP_FLAG } from "../../tcp-segment.ts";

/** An octet of sequence space that a packet had and the capture did not keep. */
const CUT = -1;

/**
 * The independent model of one side: every octet is painted at its place when it is first seen, and the picture is looked at when
 * the capture is over. It holds everything, so it knows no caps, no patience and no order of calls.
 */
export class PaintedSide {
  readonly #octets = new Map<number, number>();
  #origin: number | null = null;
  #begin: number | null = null;
  #fin: number | null = null;
  packets = 0;
  payloadOctets = 0;

  add(segment: TcpSegment): void {
    const syn = (segment.flags & TCP_FLAG.syn) !== 0;
    const sequence = (segment.sequence + (syn ? 1 : 0)) >>> 0;
    this.packets++;
    this.payloadOctets += segment.payloadLength;
    const isFin = (segment.flags & (TCP_FLAG.fin | TCP_FLAG.rst)) === TCP_FLAG.fin;
    const isSyn = (segment.flags & (TCP_FLAG.syn | TCP_FLAG.rst)) === TCP_FLAG.syn;
    if (segment.payloadLength === 0 && !isFin && !isSyn) return;
    this.#origin ??= sequence;
    const at = (sequence - this.#origin) | 0;
    if (isSyn) this.#begin ??= at;
    for (let index = 0; index < segment.payloadLength; index++) {
      if (!this.#octets.has(at + index)) this.#octets.set(at + index, segment.payload[index] ?? CUT);
    }
    if (isFin) this.#fin = at + segment.payloadLength;
  }

  /** Distinct octets by the headers. */
  get unique(): number {
    return this.#octets.size;
  }

  /** Distinct octets that the capture did not keep. */
  get cut(): number {
    return [...this.#octets.values()].filter((octet) => octet === CUT).length;
  }

  /** Holes between the first and the last octet that was seen. */
  get between(): number {
    const [first, last] = this.#edges();
    return last - first - this.#octets.size;
  }

  /** Holes between SYN and the first octet, and between the last one and FIN. */
  get outside(): number {
    const [first, last] = this.#edges();
    return Math.max(0, first - (this.#begin ?? first)) + Math.max(0, (this.#fin ?? last) - last);
  }

  /** The first copy of every octet that was kept, in order. */
  octets(): Buffer {
    const kept = [...this.#octets].filter(([, octet]) => octet !== CUT);
    return Buffer.from(kept.sort(([one], [other]) => one - other).map(([, octet]) => octet));
  }

  /** The first place and the one after the last; where nothing was seen, the beginning. */
  #edges(): [number, number] {
    if (this.#octets.size === 0) return [this.#begin ?? this.#fin ?? 0, this.#begin ?? this.#fin ?? 0];
    let first = Number.POSITIVE_INFINITY;
    let last = Number.NEGATIVE_INFINITY;
    for (const at of this.#octets.keys()) {
      if (at < first) first = at;
      if (at >= last) last = at + 1;
    }
    return [first, last];
  }
}
