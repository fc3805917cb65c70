/** A side that holds segments and can let go of some. */
export interface Holder {
  /** Give up the first hole: what is right behind it leaves. */
  letGo(): void;
}

/** What all sides hold together, and which of them has held something for longest. */
export class HeldTotal {
  readonly #limit: number;
  /** In the order in which they began to hold. */
  readonly #holders = new Set<Holder>();
  #octets = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** `holder` now holds `change` octets more or fewer, `held` in all. */
  change(holder: Holder, change: number, held: number): void {
    this.#octets += change;
    if (held === 0) this.#holders.delete(holder);
    else this.#holders.add(holder);
  }

  /** Let the longest holders go until the rest fits. */
  enforce(): void {
    for (const holder of this.#holders) {
      while (this.#octets > this.#limit && this.#holders.has(holder)) holder.letGo();
      if (this.#octets <= this.#limit) return;
    }
  }
}
