import type { Packet } from "./packet.ts";

/** A packet where it lies in its capture: `octets` is made when somebody asks for it, as who reads on needs no view of its own. */
export class PlacedPacket implements Packet {
  readonly number: number;
  readonly timeNs: bigint | null;
  readonly linkType: number;
  readonly length: number;
  readonly fcsOctets: number;
  readonly #bytes: Uint8Array;
  readonly #at: number;
  readonly #end: number;
  #octets: Uint8Array | null;

  /** @param bytes `[at, end)` of them are its octets; borrowed, as the packet is. */
  constructor(
    number: number,
    timeNs: bigint | null,
    linkType: number,
    bytes: Uint8Array,
    at: number,
    end: number,
    length: number,
    fcsOctets: number,
  ) {
    this.number = number;
    this.timeNs = timeNs;
    this.linkType = linkType;
    this.length = length;
    this.fcsOctets = fcsOctets;
    this.#bytes = bytes;
    this.#at = at;
    this.#end = end;
    this.#octets = null;
  }

  get octets(): Uint8Array {
    this.#octets ??= this.#bytes.subarray(this.#at, this.#end);
    return this.#octets;
  }

  /** Its octets are those from `at` to `end` of these. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  get at(): number {
    return this.#at;
  }

  get end(): number {
    return this.#end;
  }
}
