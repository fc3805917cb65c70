/** Octets of a direction that no layer has taken yet, in order. Grows by doubling; its owner bounds it. */
export class OctetBuffer {
  #bytes = new Uint8Array(0);
  #from = 0;
  #to = 0;

  get length(): number {
    return this.#to - this.#from;
  }

  /** The octets held; borrowed until the next call. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(this.#from, this.#to);
  }

  /** Add a copy of `bytes[from, to)`. */
  append(bytes: Uint8Array, from: number, to: number): void {
    const added = to - from;
    if (this.#to + added > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(64, this.length + added, this.length * 2));
      grown.set(this.bytes);
      this.#to -= this.#from;
      this.#from = 0;
      this.#bytes = grown;
    }
    this.#bytes.set(bytes.subarray(from, to), this.#to);
    this.#to += added;
  }

  /** Drop the first `count` octets. */
  take(count: number): void {
    this.#from += count;
    if (this.#from < this.#to) return;
    this.#bytes = new Uint8Array(0);
    this.#from = 0;
    this.#to = 0;
  }
}
