/**
 * Whether a text that comes in pieces is well-formed UTF-8 (RFC 3629 §4, Unicode Table 3-7): no overlong form, no surrogate, nothing above
 * U+10FFFF.
 */
export class Utf8Check {
  /** Octets of the character at hand that are to come. */
  #left = 0;
  /** What the next of them may be. */
  #lowest = 0x80;
  #highest = 0xbf;
  #broken = false;

  /** A text begins. */
  begin(): void {
    this.#left = 0;
    this.#broken = false;
  }

  /** Take `bytes[from, to)`. @returns the position of the first octet that breaks it; `to` when none does, or one did before. */
  push(bytes: Uint8Array, from: number, to: number): number {
    if (this.#broken) return to;
    for (let at = from; at < to; at++) {
      const octet = bytes[at] as number;
      if (octet < 0x80 && this.#left === 0) continue;
      this.#take(octet);
      if (this.#broken) return at;
    }
    return to;
  }

  /** No more comes. @returns whether the text is well-formed, its last character whole. */
  end(): boolean {
    return !this.#broken && this.#left === 0;
  }

  #take(octet: number): void {
    if (this.#left > 0) {
      this.#broken = octet < this.#lowest || octet > this.#highest;
      this.#left -= 1;
      this.#expect(0x80, 0xbf);
      return;
    }
    this.#left = octet < 0xe0 ? 1 : octet < 0xf0 ? 2 : 3;
    this.#broken = octet < 0xc2 || octet > 0xf4;
    if (octet === 0xe0) this.#expect(0xa0, 0xbf);
    else if (octet === 0xed) this.#expect(0x80, 0x9f);
    else if (octet === 0xf0) this.#expect(0x90, 0xbf);
    else if (octet === 0xf4) this.#expect(0x80, 0x8f);
    else this.#expect(0x80, 0xbf);
  }

  #expect(lowest: number, highest: number): void {
    this.#lowest = lowest;
    this.#highest = highest;
  }
}
