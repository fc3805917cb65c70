/**
 * Counts turns of the event loop, as far as anybody asks: two equal answers were given in the same turn. One immediate per turn, for
 * all connections together.
 */
export class LoopTurn {
  #turn = 0;
  #scheduled = false;

  now(): number {
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(this.#next);
    }
    return this.#turn;
  }

  readonly #next = (): void => {
    this.#scheduled = false;
    this.#turn++;
  };
}
