/** Numbers without a pattern that are the same at each run: the high half of a 32-bit linear congruential generator. */
export class Seeded {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** An integer in [0, limit), limit up to 2^16. */
  below(limit: number): number {
    // Math.imul: the product needs 63 bits, a double keeps 53.
    this.#state = (Math.imul(this.#state, 1103515245) + 12345) >>> 0;
    return (this.#state >>> 16) % limit;
  }

  /** One of `choices`, which has at least one. */
  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  octets(count: number): Buffer {
    return Buffer.from(Uint8Array.from({ length: count }, () => this.below(256)));
  }

  /** `count` lower-case words of 2 to 10 letters. */
  words(count: number): string {
    return Array.from({ length: count }, () => this.letters(2 + this.below(9))).join(" ");
  }

  letters(count: number): string {
    return Array.from({ length: count }, () => String.fromCharCode(0x61 + this.below(26))).join("");
  }
}
