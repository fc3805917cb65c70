import { OctetBuffer } from "../../decode/octet-buffer.ts";

/** What `measure` answers when nothing after this place can be read. */
export const STOP = Number.NEGATIVE_INFINITY;

/** A file format that is a row of units, each of which tells its length in its first octets. */
export interface UnitFormat {
  /** Units longer than this many octets are passed over, never held. */
  readonly longest: number;
  /**
   * Length of the unit at `at`, header included; `-n`: its first `n` octets are needed to tell; STOP: it cannot be a unit.
   * @param end octets of `view` from here on are not there yet. @param last nothing will follow them: `-n` is then no answer that helps.
   * @param offset of the unit in the capture, for notes.
   */
  measure(view: DataView, at: number, end: number, offset: number, last: boolean): number;
  /** Read the whole unit at `at`; borrowed until it returns. False: nothing after it can be read. */
  unit(bytes: Uint8Array, view: DataView, at: number, length: number, offset: number): boolean;
  /** A unit longer than `longest` begins at `at`: only the octets that measured it are certain to be there. */
  passOver(view: DataView, at: number, length: number, offset: number): void;
  /** The capture ends inside a unit: `there` of its `length` octets, 0 when not even that was told. */
  cut(offset: number, there: number, length: number): void;
}

/**
 * Cuts a stream into units, whatever pieces it comes in. Units that lie whole in one piece are read in place. What is held grows with
 * the octets that came, never with a length that was only claimed.
 */
export class UnitStream {
  readonly #format: UnitFormat;
  readonly #held = new OctetBuffer();
  /** Octets from the start of the current unit without which nothing happens. */
  #needed = 0;
  /** Octets of a unit that is being passed over; its start and length are kept for the note at the end. */
  #skip = 0;
  #skipped = { offset: 0, length: 0 };
  #offset = 0;
  #stopped = false;

  constructor(format: UnitFormat) {
    this.#format = format;
  }

  /** Offset of the first octet that no unit has taken yet. */
  get offset(): number {
    return this.#offset;
  }

  push(octets: Uint8Array): void {
    // A Buffer's subarray is several times slower than that of a plain view.
    const bytes = new Uint8Array(octets.buffer, octets.byteOffset, octets.length);
    let at = 0;
    while (at < bytes.length && !this.#stopped) {
      if (this.#skip > 0) {
        const passed = Math.min(this.#skip, bytes.length - at);
        this.#skip -= passed;
        this.#offset += passed;
        at += passed;
      } else if (this.#held.length > 0) {
        const taken = Math.min(this.#needed - this.#held.length, bytes.length - at);
        this.#held.append(bytes, at, at + taken);
        at += taken;
        if (this.#held.length >= this.#needed) this.#runHeld(false);
      } else {
        at += this.#run(bytes, at, false);
        if (this.#skip === 0 && !this.#stopped && at < bytes.length) {
          this.#held.append(bytes, at, bytes.length);
          at = bytes.length;
        }
      }
    }
  }

  end(): void {
    if (this.#stopped) return;
    if (this.#held.length > 0) this.#runHeld(true);
    if (this.#stopped) return;
    const { offset, length } = this.#skipped;
    if (this.#skip > 0) this.#format.cut(offset, length - this.#skip, length);
    else if (this.#held.length > 0) this.#format.cut(this.#offset, this.#held.length, this.#claimed());
  }

  #runHeld(last: boolean): void {
    const bytes = this.#held.bytes;
    this.#held.take(this.#run(bytes, 0, last));
  }

  /** Read the units of `bytes` from `at` on; returns how many octets they took. Afterwards `#needed` says what the next one wants. */
  #run(bytes: Uint8Array, from: number, last: boolean): number {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const end = bytes.length;
    let at = from;
    while (at < end) {
      const length = this.#format.measure(view, at, end, this.#offset, last);
      if (length === STOP) {
        this.#stopped = true;
        break;
      }
      if (length <= 0) {
        this.#needed = -length;
        break;
      }
      if (length > this.#format.longest) {
        this.#format.passOver(view, at, length, this.#offset);
        this.#skipped = { offset: this.#offset, length };
        const passed = Math.min(length, end - at);
        this.#skip = length - passed;
        at += passed;
        this.#offset += passed;
        continue;
      }
      if (length > end - at) {
        this.#needed = length;
        break;
      }
      this.#stopped = !this.#format.unit(bytes, view, at, length, this.#offset);
      at += length;
      this.#offset += length;
      if (this.#stopped) break;
    }
    return at - from;
  }

  /** The length that the unit cut by the end claims, 0 when its header is not whole. */
  #claimed(): number {
    const { buffer, byteOffset, length } = this.#held.bytes;
    return Math.max(0, this.#format.measure(new DataView(buffer, byteOffset, length), 0, length, this.#offset, true));
  }
}
