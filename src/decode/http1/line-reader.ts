import { CR, indexOfLf, isWhitespace, LF } from "./octets.ts";

/** Longest line that is read: servers refuse heads far below it (8 to 16 KiB), and one line is all that a head ever holds back. */
export const LINE_CAP = 64 * 1024;

const FIRST_CAPACITY = 256;
/** A larger buffer is given back with its line. */
const KEPT_CAPACITY = 4096;

/**
 * Finds whole lines in one direction, whatever the cuts. A line that lies in one read is looked at in place; only what a cut splits is
 * copied. With `folds`, a line goes on while the next one begins with whitespace (obs-fold, RFC 9112 §5.2): its end is known from the
 * octet after it.
 */
export class LineReader {
  /** After {@link take}: the line, line end included, is `bytes[start, end)`; valid until {@link release} or the next read. */
  bytes: Uint8Array;
  start = 0;
  end = 0;
  /** The line passes {@link LINE_CAP}: only that many octets are in view, the rest is to be skipped. */
  tooLong = false;
  #buffer = new Uint8Array(FIRST_CAPACITY);
  #length = 0;
  /** A line end has come, and the next octet says whether it was a fold. */
  #ended = false;

  constructor() {
    this.bytes = this.#buffer;
  }

  /** Octets held back. */
  get held(): number {
    return this.#length;
  }

  /** Whether what is held is a whole line that only waited for the octet after it. */
  get whole(): boolean {
    return this.#ended;
  }

  /** Whether what is held can still become an empty line: a lone CR. */
  get maybeEmpty(): boolean {
    return this.#length === 1 && this.#buffer[0] === CR;
  }

  /** Whether the line in view is empty: CRLF, or LF alone. */
  get empty(): boolean {
    const length = this.end - this.start;
    return length === 1
      ? this.bytes[this.start] === LF
      : length === 2 && this.bytes[this.start] === CR && this.bytes[this.end - 1] === LF;
  }

  /**
   * Look for the end of the line in `bytes[at, to)`, not empty.
   * @returns the position after the line, which is then in view; -1 when it is not over: all octets are held.
   */
  take(bytes: Uint8Array, at: number, to: number, folds: boolean): number {
    if (this.#ended) {
      if (!isWhitespace(bytes[at])) return this.#complete(bytes, at, at);
      this.#ended = false;
    }
    for (let from = at; ; ) {
      const end = indexOfLf(bytes, from, to) + 1;
      if (end > to) return this.#hold(bytes, at, to);
      if (!folds || this.#isEmpty(bytes, at, end)) return this.#complete(bytes, at, end);
      if (end === to) {
        const taken = this.#hold(bytes, at, to);
        this.#ended = taken === -1;
        return taken;
      }
      if (!isWhitespace(bytes[end])) return this.#complete(bytes, at, end);
      from = end;
    }
  }

  /**
   * Go on in a line that was too long.
   * @returns the position up to which octets belong to it; it is over when `tooLong` is false again.
   */
  skip(bytes: Uint8Array, at: number, to: number): number {
    let from = at;
    for (;;) {
      if (this.#ended) {
        if (from === to) return to;
        this.#ended = false;
        if (!isWhitespace(bytes[from])) {
          this.tooLong = false;
          return from;
        }
      }
      const end = indexOfLf(bytes, from, to) + 1;
      if (end > to) return to;
      this.#ended = true;
      from = end;
    }
  }

  /** Bring what is held in view, as the direction is over. */
  takeRest(): void {
    this.#view(this.#buffer, 0, this.#length);
  }

  /** The line in view has been dealt with. When it was too long, {@link skip} the rest of it. */
  release(): void {
    this.#length = 0;
    this.#ended = false;
    if (this.#buffer.length > KEPT_CAPACITY) this.#buffer = new Uint8Array(FIRST_CAPACITY);
    this.#view(this.#buffer, 0, 0);
  }

  #complete(bytes: Uint8Array, at: number, end: number): number {
    if (this.#length + end - at > LINE_CAP) return this.#cap(bytes, at);
    if (this.#length === 0) {
      this.#view(bytes, at, end);
    } else {
      this.#append(bytes, at, end);
      this.#view(this.#buffer, 0, this.#length);
    }
    return end;
  }

  #hold(bytes: Uint8Array, at: number, to: number): number {
    if (this.#length + to - at > LINE_CAP) return this.#cap(bytes, at);
    this.#append(bytes, at, to);
    return -1;
  }

  #cap(bytes: Uint8Array, at: number): number {
    const end = at + LINE_CAP - this.#length;
    this.#append(bytes, at, end);
    this.#view(this.#buffer, 0, this.#length);
    this.tooLong = true;
    return end;
  }

  #append(bytes: Uint8Array, at: number, to: number): void {
    const length = this.#length + to - at;
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.min(LINE_CAP, Math.max(length, 2 * this.#buffer.length)));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes.subarray(at, to), this.#length);
    this.#length = length;
  }

  #view(bytes: Uint8Array, start: number, end: number): void {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }

  #isEmpty(bytes: Uint8Array, at: number, end: number): boolean {
    const length = this.#length + end - at;
    if (length > 2) return false;
    return length === 1 || (this.#length === 1 ? this.#buffer[0] : bytes[at]) === CR;
  }
}
