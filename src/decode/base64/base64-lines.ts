/** RFC 2045 §6.8: encoded lines are of no more than 76 characters. */
const LINE_MOST = 76;
const CR = 0x0d;
const LF = 0x0a;

/**
 * Base64 in lines, RFC 2045 §6.8: all lines but the last are equally long, of whole groups of four symbols, and end with CR LF or LF; the last
 * may end so. Positions are in octets of base64 text, line ends not counted.
 */
export class Base64Lines {
  /** Of all lines but the last; 0 as long as there was no break. */
  #length = 0;
  #start = 0;
  #lineMayFollow = true;
  #carriageReturn = false;

  begin(): void {
    this.#length = 0;
    this.#start = 0;
    this.#lineMayFollow = true;
    this.#carriageReturn = false;
  }

  /** There has been a line end, or the first half of one. */
  get any(): boolean {
    return this.#length > 0 || this.#carriageReturn;
  }

  /** Whether text may stand at `position`. */
  allows(position: number): boolean {
    return !this.#carriageReturn && (this.#lineMayFollow || position !== this.#start);
  }

  /** A CR or LF at `position`. @returns whether it may stand there. */
  break(octet: number, position: number): boolean {
    const length = position - this.#start;
    if (length === 0) return false;
    if (octet === CR) {
      const first = !this.#carriageReturn;
      this.#carriageReturn = true;
      return first;
    }
    if (octet !== LF) return false;
    this.#carriageReturn = false;
    if (this.#length === 0) this.#length = length;
    // A line of another length is no fault yet: it may be the last one.
    this.#lineMayFollow = length === this.#length && length <= LINE_MOST && length % 4 === 0;
    this.#start = position;
    return length <= this.#length;
  }

  /** Whether the text may be over at `position`. */
  mayEnd(position: number): boolean {
    return !this.#carriageReturn && (this.#length === 0 || position - this.#start <= this.#length);
  }
}
