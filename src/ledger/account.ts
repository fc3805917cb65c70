import { CATEGORIES } from "../decode/category.ts";
import { DIRECTIONS, type Direction } from "../decode/direction.ts";
import { LEVELS } from "../decode/level.ts";
import { addAll, countIndex, newCounts, sumOf } from "./counts.ts";
import { octetsOf } from "./octets.ts";
import type { Octets } from "./tally.ts";

const UNATTRIBUTED = CATEGORIES.flatMap((path, category) => (path.startsWith("unattributed.") ? [category] : []));

/** The sums of a connection, or of many. Pairs are by direction. */
export class Account {
  /** Octets that the relay read. */
  readonly relayed = new Float64Array(2);
  /** Octets that a decoder announced. */
  readonly attributed = new Float64Array(2);
  /** Octets that a decoder holds. */
  readonly pending = new Float64Array(2);
  readonly deltas = new Float64Array(2);
  readonly counts = newCounts();
  /** Index `direction * 6 + level`. */
  readonly levels = new Float64Array(2 * LEVELS.length);

  /** Attributed and pending octets are the relayed ones. */
  closes(direction: Direction): boolean {
    return (this.attributed[direction] ?? 0) + (this.pending[direction] ?? 0) === this.relayed[direction];
  }

  /** {@link Account.closes}, nothing is pending, and both sums over parts are the octets. Not for every delta. */
  closesForGood(direction: Direction): boolean {
    const octets = this.relayed[direction];
    let levels = 0;
    for (let level = 0; level < LEVELS.length; level++) levels += this.levels[direction * LEVELS.length + level] ?? 0;
    return (
      this.closes(direction) && this.pending[direction] === 0 && sumOf(this.counts, direction) === octets && levels === octets
    );
  }

  /** Octets under `unattributed.*`, both directions. */
  get unattributed(): number {
    let sum = 0;
    for (const direction of DIRECTIONS) {
      for (const category of UNATTRIBUTED) sum += this.counts[countIndex(direction, category)] ?? 0;
    }
    return sum;
  }

  /** Take in the sums of another one. */
  addAll(other: Account): void {
    addAll(this.relayed, other.relayed);
    addAll(this.attributed, other.attributed);
    addAll(this.pending, other.pending);
    addAll(this.deltas, other.deltas);
    addAll(this.counts, other.counts);
    addAll(this.levels, other.levels);
  }

  tally(direction: Direction): Octets {
    const at = (pair: Float64Array) => pair[direction] ?? 0;
    return octetsOf(this.counts, direction, at(this.relayed), at(this.pending), at(this.deltas));
  }
}
