/** Octets that are kept across pushes: grows as they come, never from a length that a peer declared. */
export class OctetBuffer {
  #bytes: Uint8Array = new Uint8Array(0);
  #length = 0;

  /** The memory behind it: `bytes[0, length)` is what is held. Valid until the next append. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Octets held. */
  get length(): number {
    return this.#length;
  }

  /** Keep a copy of `bytes[from, to)`. */
  append(bytes: Uint8Array, from: number, to: number): void {
    const length = this.#length + to - from;
    if (length > this.#bytes.length) this.#grow(length);
    this.#bytes.set(bytes.subarray(from, to), this.#length);
    this.#length = length;
  }

  /** Forget the octets, and the memory when it is above `kept` octets. */
  clear(kept: number): void {
    this.#length = 0;
    if (this.#bytes.length > kept) this.#bytes = new Uint8Array(0);
  }

  #grow(length: number): void {
    const bytes = new Uint8Array(Math.max(length, this.#bytes.length * 2, 64));
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
  }
}
