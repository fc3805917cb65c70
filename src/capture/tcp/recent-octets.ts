import { RECENT_OCTETS } from "./limits.ts";
import { type OctetDifference, tellDifference } from "./octet-difference.ts";

/** Octets that may still be used for copies, over all sides. */
export interface Allowance {
  left: number;
}

/** The smallest copy; most conversations need no more. Doubled as they go on. */
const FIRST_OCTETS = 1_024;

/** A mark says which packet some octets came from: one for so many octets of room. */
const OCTETS_PER_MARK = 128;

/** Numbers of a mark: first offset, offset after the last one, packet number. */
const MARK_NUMBERS = 3;

const NO_OCTETS = new Uint8Array(0);
const NO_MARKS = new Float64Array(0);

/**
 * The newest octets of one side that were passed on, with the numbers of their packets: what later copies are compared with.
 * Holds up to {@link RECENT_OCTETS} in up to 512 segments, and less when the allowance is used up: then older octets are not compared.
 */
export class RecentOctets {
  readonly #allowance: Allowance;
  /** A ring: offset o is at `o % length`, which is a power of two; `&` takes the lowest bits of offsets beyond 2^32, too. */
  #octets: Uint8Array = NO_OCTETS;
  /** A ring of marks in ascending order. */
  #marks: Float64Array = NO_MARKS;
  /** How many there is room for: a power of two. */
  #markRoom = 0;
  #firstMark = 0;
  #markCount = 0;

  constructor(allowance: Allowance) {
    this.#allowance = allowance;
  }

  /** Octets of a packet, from `at`; they are behind all that were added before. */
  add(at: number, octets: Uint8Array, packetNumber: number): void {
    const end = at + octets.length;
    this.#makeRoom(at, end);
    if (this.#octets.length === 0) return;
    const kept = Math.max(at, end - this.#octets.length);
    this.#write(kept, kept === at ? octets : octets.subarray(kept - at));
    const mark = this.#markAt(this.#markCount++);
    this.#marks[mark] = kept;
    this.#marks[mark + 1] = end;
    this.#marks[mark + 2] = packetNumber;
  }

  /** Tell where `octets`, a later copy from `at`, differ from what is held, once for each packet of the first copy. */
  compare(at: number, octets: Uint8Array, differ: OctetDifference): void {
    const end = at + octets.length;
    for (let index = 0; index < this.#markCount; index++) {
      const mark = this.#markAt(index);
      const from = Math.max(at, this.#marks[mark]!);
      const to = Math.min(end, this.#marks[mark + 1]!);
      if (from < to)
        tellDifference(this.#read(from, to), octets.subarray(from - at, to - at), from, this.#marks[mark + 2]!, differ);
    }
  }

  /** Forget all, and give the room back. */
  release(): void {
    this.#allowance.left += costOf(this.#octets.length);
    this.#octets = NO_OCTETS;
    this.#marks = NO_MARKS;
    this.#markRoom = 0;
    this.#markCount = 0;
  }

  /** Place of the nth oldest mark. */
  #markAt(index: number): number {
    return ((this.#firstMark + index) & (this.#markRoom - 1)) * MARK_NUMBERS;
  }

  /** Room for octets `[at, end)` and for their mark: by growing, else by forgetting the oldest. */
  #makeRoom(at: number, end: number): void {
    // Behind a wide hole nothing older can stay, however much room there is.
    if (this.#markCount > 0 && end - this.#marks[this.#markAt(this.#markCount - 1) + 1]! >= RECENT_OCTETS) this.#markCount = 0;
    const oldest = this.#markCount === 0 ? at : this.#marks[this.#markAt(0)]!;
    const full = this.#markCount === this.#markRoom || end - oldest > this.#octets.length;
    if (full && this.#octets.length < RECENT_OCTETS) this.#grow(end - oldest);
    if (this.#markCount > 0 && this.#markCount === this.#markRoom) this.#dropMark();
    const floor = end - this.#octets.length;
    while (this.#markCount > 0) {
      const mark = this.#markAt(0);
      if (this.#marks[mark]! >= floor) return;
      if (this.#marks[mark + 1]! > floor) {
        this.#marks[mark] = floor;
        return;
      }
      this.#dropMark();
    }
  }

  #dropMark(): void {
    this.#firstMark = (this.#firstMark + 1) & (this.#markRoom - 1);
    this.#markCount--;
  }

  #grow(wanted: number): void {
    let size = Math.max(FIRST_OCTETS, 2 * this.#octets.length);
    while (size < wanted && size < RECENT_OCTETS) size *= 2;
    const cost = costOf(size) - costOf(this.#octets.length);
    if (cost > this.#allowance.left) return;
    this.#allowance.left -= cost;
    const [octets, marks] = [this.#octets, this.#marks];
    const count = this.#markCount;
    const from = count === 0 ? 0 : marks[this.#markAt(0)]!;
    const to = count === 0 ? 0 : marks[this.#markAt(count - 1) + 1]!;
    const [older, newer] = [this.#firstMark * MARK_NUMBERS, ((this.#firstMark + count) * MARK_NUMBERS) % (marks.length || 1)];
    this.#octets = new Uint8Array(size);
    this.#markRoom = size / OCTETS_PER_MARK;
    this.#marks = new Float64Array(this.#markRoom * MARK_NUMBERS);
    this.#firstMark = 0;
    // All that is held fits the old ring, and the holes in it with it: it moves in one or two pieces, whatever the marks say.
    for (let at = from; at < to; ) {
      const place = at & (octets.length - 1);
      const end = Math.min(to, at + octets.length - place);
      this.#write(at, octets.subarray(place, place + end - at));
      at = end;
    }
    if (count === 0) return;
    if (newer > older) this.#marks.set(marks.subarray(older, newer));
    else {
      this.#marks.set(marks.subarray(older));
      this.#marks.set(marks.subarray(0, newer), marks.length - older);
    }
  }

  #write(at: number, octets: Uint8Array): void {
    const place = at & (this.#octets.length - 1);
    const before = this.#octets.length - place;
    if (octets.length <= before) {
      this.#octets.set(octets, place);
    } else {
      this.#octets.set(octets.subarray(0, before), place);
      this.#octets.set(octets.subarray(before), 0);
    }
  }

  #read(at: number, end: number): Uint8Array {
    const octets = new Uint8Array(end - at);
    const place = at & (this.#octets.length - 1);
    const before = Math.min(octets.length, this.#octets.length - place);
    octets.set(this.#octets.subarray(place, place + before));
    octets.set(this.#octets.subarray(0, octets.length - before), before);
    return octets;
  }
}

function costOf(octets: number): number {
  return octets + (octets / OCTETS_PER_MARK) * MARK_NUMBERS * Float64Array.BYTES_PER_ELEMENT;
}
