/** Why a direction is read from the middle: octets of it are missing, or its beginning was not seen. */
export type LostReason = "after_gap" | "late_join";

/** Looks for the next place in a direction where units of a protocol begin. Each octet is looked at a bounded number of times. */
export interface Search {
  /** The last {@link look} found the place: the position that it returned. */
  readonly found: boolean;
  /** Where it was found, the position after the last octet that it took to be sure. */
  readonly sureAt: number;
  /** Begin anew: the octet that comes next may be in the middle of anything. */
  reset(): void;
  /**
   * Look at `bytes[at, to)`, where `bytes[at]` is the octet at which the last call stopped.
   * @param last no more octets follow these. @returns the first position that may still be the place; `to` when none can be.
   */
  look(bytes: Uint8Array, at: number, to: number, last: boolean): number;
}

/** {@link UnitAt}: the octets there cannot begin a unit. */
export const NO_UNIT = -1;
/** {@link UnitAt}: too few octets to tell. */
export const MORE = 0;

/** How long the unit is that `bytes[at, to)` can begin, header and all; else {@link NO_UNIT} or {@link MORE}. Looks at its header only. */
export type UnitAt = (bytes: Uint8Array, at: number, to: number) => number;

/**
 * Longest unit behind which another header is waited for, and so what a search holds, but for that header: four times the longest frame
 * that HTTP/2 peers may send unasked.
 */
const UNIT_CAP = 64 * 1024;

/** Finds units that declare their length in a header: where one is plausible, and behind it another one or the end. */
export class BorderSearch implements Search {
  found = false;
  sureAt = 0;
  readonly #unitAt: UnitAt;
  readonly #headerOctets: number;
  readonly #alone: boolean;

  /** @param headerOctets of a header that is whole. @param alone whether a single unit is enough, if it is the last. */
  constructor(unitAt: UnitAt, headerOctets: number, alone: boolean) {
    this.#unitAt = unitAt;
    this.#headerOctets = headerOctets;
    this.#alone = alone;
  }

  reset(): void {
    this.found = false;
  }

  look(bytes: Uint8Array, from: number, to: number, last: boolean): number {
    for (let at = from; at < to; at++) {
      const octets = this.#unitAt(bytes, at, to);
      if (octets === NO_UNIT || octets > UNIT_CAP) continue;
      const next = octets === MORE ? to : at + octets;
      const behind = next < to ? this.#unitAt(bytes, next, to) : MORE;
      if (behind === NO_UNIT) continue;
      // Behind the last octet nothing has to come; what does come has to fit.
      const fitsTheEnd = octets !== MORE && next <= to;
      if (behind === MORE && !last) return at;
      if (behind === MORE && !(fitsTheEnd && (this.#alone || next < to))) continue;
      this.found = true;
      this.sureAt = behind === MORE ? to : next + this.#headerOctets;
      return at;
    }
    return to;
  }
}
