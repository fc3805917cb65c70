import type { LostReason } from "./search.ts";

/**
 * One protocol layer on one direction: takes octets and announces them to a ConnectionSink. A layer can end in the middle of a read
 * (an upgrade), so it says how far it went.
 */
export interface Layer {
  /**
   * Take `bytes[from, to)`; borrowed until the call returns.
   * @returns the position up to which octets were taken (announced or held). Less than `to` when the layer stopped there: it is over,
   * it is parked, or it wants its host to act before it goes on. Never throws on wire input.
   */
  push(bytes: Uint8Array, from: number, to: number): number;
  /**
   * Octets of the direction are missing here: as many as `octets`, more than 0; null: nobody knows. Where they are all within content
   * whose end is known, that goes on behind them. Else what is held is announced (truncated), and what follows is nobody's, for `reason`,
   * up to where a unit is sure to begin. A direction whose beginning was not seen begins with a gap, its reason `late_join`.
   */
  gap(octets: number | null, reason: LostReason): void;
  /** The direction is over: announce what is held (truncated). */
  end(): void;
  /** Octets taken and not announced. */
  readonly held: number;
}
