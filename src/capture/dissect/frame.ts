import { OUTCOME, type Step } from "./layer.ts";

/** No octets; shared, so that an empty payload costs nothing. */
export const NO_OCTETS = new Uint8Array(0);

/** An IPv4 or IPv6 fragment whose header has just been read: its payload is what remains of the frame. */
export interface FragmentPlace {
  identification: number;
  /** In octets. */
  offset: number;
  more: boolean;
  /** What the payload of the whole datagram is. */
  protocol: number;
}

/** A packet while its headers are read: one object for all packets. Readers move `at` past their header and narrow the end. */
export class Frame {
  octets: Uint8Array = NO_OCTETS;
  /** The next header begins here. */
  at = 0;
  /** Captured octets that belong to the present layer end here. */
  end = 0;
  /** They end here on the wire: beyond `end` where the capture cut the packet. */
  wireEnd = 0;
  /** Header octets in front of `octets[0]`: those of the fragments that `octets` was put together from; else 0. */
  passed = 0;
  /** Header octets below the innermost IP header; tunnels count here. */
  linkOctets = 0;
  /** IP version of the innermost IP header, 4 or 6. */
  version = 0;
  /** The number that led to the present layer: readers of IPv6 extension headers look at it. */
  protocol = 0;
  /** Innermost addresses by version. */
  readonly source4 = new Uint8Array(4);
  readonly destination4 = new Uint8Array(4);
  readonly source6 = new Uint8Array(16);
  readonly destination6 = new Uint8Array(16);
  readonly fragment: FragmentPlace = { identification: 0, offset: 0, more: false, protocol: 0 };
  scope = "";

  /** @param length octets on the wire, without frame check sequence. */
  begin(octets: Uint8Array, length: number): void {
    this.octets = octets;
    this.at = 0;
    this.wireEnd = length;
    this.end = Math.min(octets.length, length);
    this.passed = 0;
    this.scope = "";
  }

  /** The layer's octets end at `wireEnd` at the latest: what follows is padding, or belongs to a layer below. */
  narrow(wireEnd: number): void {
    if (wireEnd >= this.wireEnd) return;
    this.wireEnd = Math.max(wireEnd, this.at);
    if (this.end > this.wireEnd) this.end = this.wireEnd;
  }

  /** True when `count` octets from `at` were captured. */
  has(count: number): boolean {
    return this.at + count <= this.end;
  }

  /** The outcome of a header of `count` octets that is not there: cut by the capture, or never sent. */
  lacks(count: number): Step {
    return this.at + count <= this.wireEnd ? OUTCOME.cut : OUTCOME.malformed;
  }

  /** One octet, `offset` after `at`; 0 beyond the octets. */
  u8(offset: number): number {
    return this.octets[this.at + offset] ?? 0;
  }

  /** Two octets in network order. */
  u16(offset: number): number {
    return (this.u8(offset) << 8) | this.u8(offset + 1);
  }

  /** Four octets in network order, unsigned. */
  u32(offset: number): number {
    return ((this.u16(offset) << 16) | this.u16(offset + 2)) >>> 0;
  }

  /** Copies octets from `offset` after `at`; the whole of `target`. */
  copy(target: Uint8Array, offset: number): void {
    for (let i = 0; i < target.length; i++) target[i] = this.octets[this.at + offset + i] ?? 0;
  }
}
