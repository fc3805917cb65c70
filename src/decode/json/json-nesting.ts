/** One 32-bit word keeps the kinds of 32 levels. */
const LEVELS_PER_WORD = 32;
const FIRST_WORDS = 8;

/**
 * The kinds of the outer levels of nesting, a bit each. The innermost up to 32 are a number that the scanner holds itself, as a
 * shift register; here are the full words below it, so that up to 32 levels allocate nothing.
 */
export class OuterLevels {
  #words = new Int32Array(0);

  /** Level `depth` + 1 opens and the register is full (or empty, at depth 0): keep it. @param depth a multiple of 32. */
  save(depth: number, register: number): void {
    if (depth === 0) return;
    const word = depth / LEVELS_PER_WORD - 1;
    if (word >= this.#words.length) {
      const grown = new Int32Array(Math.max(FIRST_WORDS, this.#words.length * 2));
      grown.set(this.#words);
      this.#words = grown;
    }
    this.#words[word] = register;
  }

  /** Level `depth` + 1 has closed and the register is empty: the word that was kept for it. @param depth a multiple of 32. */
  restore(depth: number): number {
    return depth === 0 ? 0 : (this.#words[depth / LEVELS_PER_WORD - 1] ?? 0);
  }
}
