import { DIRECTIONS, type Direction } from "../decode/direction.ts";

/** When octets came, although decoders may hold some and announce them later. Nanoseconds since the ledger's start. */
export class Arrivals {
  /** Of the delta or event that is being handled. */
  now: number;
  /** Of the newest octet of either direction. */
  lastNs: number;
  /** By direction: octets from this offset on came with the current delta; earlier ones were held since `#heldSinceNs`. */
  readonly #fresh = new Float64Array(2);
  readonly #heldSinceNs = new Float64Array(2);

  constructor(openedNs: number) {
    this.now = openedNs;
    this.lastNs = openedNs;
  }

  /** When the octet at `offset`, the next to be announced, came. */
  of(direction: Direction, offset: number): number {
    return offset < (this.#fresh[direction] ?? 0) ? (this.#heldSinceNs[direction] ?? 0) : this.now;
  }

  /** A delta of `count` octets was decoded. @param relayed, held the direction's octets so far, and those not announced yet. */
  decoded(direction: Direction, count: number, relayed: Float64Array, held: number): void {
    for (const side of DIRECTIONS) this.#fresh[side] = relayed[side] ?? 0;
    // When more is held than just came, the oldest held octet is from an earlier delta.
    if (held > 0 && held <= count) this.#heldSinceNs[direction] = this.now;
  }
}
