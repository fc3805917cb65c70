const SMALLEST = 64;
/** Room beyond which what does not fit goes into a map. */
const LARGEST = 4096;

/**
 * Values by stream identifier. Identifiers go up by two (RFC 9113 §5.1.1) and those of one time are near each other, so the lower bits of
 * one are nearly always a place of its own: found without hashing, kept and deleted without garbage. Those that are not are in a map.
 */
export class StreamTable<T> {
  #mask = SMALLEST - 1;
  #ids: number[] = Array<number>(SMALLEST).fill(-1);
  #values: (T | undefined)[] = Array<undefined>(SMALLEST).fill(undefined);
  #near = 0;
  readonly #far = new Map<number, T>();

  /** Values. */
  get size(): number {
    return this.#near + this.#far.size;
  }

  /** The value of a stream; undefined when it has none. */
  get(id: number): T | undefined {
    const at = (id >>> 1) & this.#mask;
    if (this.#ids[at] === id) return this.#values[at];
    return this.#far.size === 0 ? undefined : this.#far.get(id);
  }

  /** Give a stream its value. */
  set(id: number, value: T): void {
    const at = (id >>> 1) & this.#mask;
    const there = this.#ids[at];
    if (there === id) {
      this.#values[at] = value;
    } else if (this.#far.has(id)) {
      this.#far.set(id, value);
    } else if (there === -1) {
      this.#ids[at] = id;
      this.#values[at] = value;
      this.#near += 1;
    } else if (this.#mask + 1 < LARGEST && (this.#near * 2 > this.#mask || Math.abs(id - (there ?? 0)) >= this.#mask)) {
      this.#grow();
      this.set(id, value);
    } else {
      this.#far.set(id, value);
    }
  }

  /** Take a stream's value away, if it has one. */
  delete(id: number): void {
    const at = (id >>> 1) & this.#mask;
    if (this.#ids[at] !== id) {
      if (this.#far.size > 0) this.#far.delete(id);
      return;
    }
    this.#ids[at] = -1;
    this.#values[at] = undefined;
    this.#near -= 1;
  }

  #grow(): void {
    const [ids, values] = [this.#ids, this.#values];
    const room = 2 * (this.#mask + 1);
    this.#mask = room - 1;
    this.#ids = Array<number>(room).fill(-1);
    this.#values = Array<undefined>(room).fill(undefined);
    for (const [at, id] of ids.entries()) {
      if (id < 0) continue;
      // Two that had different places have them in twice the room.
      const place = (id >>> 1) & this.#mask;
      this.#ids[place] = id;
      this.#values[place] = values[at];
    }
  }
}
