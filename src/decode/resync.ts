import { CATEGORY } from "./category.ts";
import type { Direction } from "./direction.ts";
import { LEVEL } from "./level.ts";
import { OctetBuffer } from "./octet-buffer.ts";
import type { LostReason, Search } from "./search.ts";
import type { ConnectionSink } from "./sink.ts";
import { UnitBuilder } from "./unit-builder.ts";

const NONE = new Uint8Array(0);

const NOTES = {
  after_gap: {
    code: "after-gap",
    text: "octets are missing before these: they are counted, not read, up to where a message or frame is sure to begin",
  },
  late_join: {
    code: "late-join",
    text: "start of stream not seen: counted, not read, up to where a message or frame is sure to begin",
  },
} as const satisfies Record<LostReason, { readonly code: string; readonly text: string }>;

/**
 * One direction that is read from the middle: holds octets while a search may still find where units begin among them, and counts those
 * before as nobody's. Inactive until {@link Resync.begin}, and again when the place is found.
 */
export class Resync {
  /** The search that found the place. */
  found: Search | null = null;
  readonly #sink: ConnectionSink;
  readonly #direction: Direction;
  readonly #searches: readonly Search[];
  readonly #buffer = new OctetBuffer();
  /** Where each search stands, from the first octet held. */
  readonly #at: number[];
  readonly #unit = new UnitBuilder();
  #reason: LostReason | null = null;
  #noted = false;
  #rest: Uint8Array = NONE;

  /** @param searches the first one wins where two are sure at the same octet. */
  constructor(sink: ConnectionSink, direction: Direction, searches: readonly Search[]) {
    this.#sink = sink;
    this.#direction = direction;
    this.#searches = searches;
    this.#at = searches.map(() => 0);
  }

  /** The place is still looked for. */
  get active(): boolean {
    return this.#reason !== null;
  }

  /** Octets held. */
  get held(): number {
    return this.#buffer.length;
  }

  /** What comes next may be in the middle of anything. */
  begin(reason: LostReason): void {
    this.#reason = reason;
    this.#noted = false;
    this.found = null;
    this.#at.fill(0);
    for (const search of this.#searches) search.reset();
  }

  /**
   * Take `bytes[from, to)` while active.
   * @returns -1 when all were taken. Else the place is found: reading goes on with what {@link Resync.takeRest} gives, and then with `bytes`
   * from that position on.
   */
  push(bytes: Uint8Array, from: number, to: number): number {
    const before = this.#buffer.length;
    if (before === 0) {
      const border = this.#look(bytes, from, to, false);
      if (this.found !== null) return border;
      this.#buffer.append(bytes, border, to);
      return -1;
    }
    this.#buffer.append(bytes, from, to);
    const view = this.#buffer.bytes;
    const border = this.#look(view, 0, view.length, false);
    if (this.found === null) {
      this.#buffer.take(border);
      return -1;
    }
    if (border < before) this.#rest = view.slice(border, before);
    this.#buffer.take(view.length);
    return from + Math.max(0, border - before);
  }

  /** No more octets come. What is behind the place, if it can be told now, is left for {@link Resync.takeRest}; nothing is held. */
  end(): void {
    if (this.#reason === null) return;
    const view = this.#buffer.bytes;
    const border = this.#look(view, 0, view.length, true);
    if (this.found !== null) this.#rest = view.slice(border);
    else this.#skip(view, border, view.length);
    this.#buffer.take(view.length);
    this.#finish();
  }

  /** Give up searching: all that is held, which nobody has announced. */
  release(): Uint8Array {
    const held = this.#buffer.bytes.slice();
    this.#buffer.take(held.length);
    this.#finish();
    return held;
  }

  /** Give up searching: all that is held is nobody's. */
  drop(): void {
    const view = this.#buffer.bytes;
    this.#skip(view, 0, view.length);
    this.#buffer.take(view.length);
    this.#finish();
  }

  /** The octets behind the place that came before the last ones pushed. */
  takeRest(): Uint8Array {
    const rest = this.#rest;
    this.#rest = NONE;
    return rest;
  }

  /** @returns the place, or up to where it cannot be; what is before has been announced. */
  #look(bytes: Uint8Array, from: number, to: number, last: boolean): number {
    let border = to;
    for (const [index, search] of this.#searches.entries()) {
      const at = search.look(bytes, from + (this.#at[index] ?? 0), to, last);
      this.#at[index] = at;
      border = Math.min(border, at);
      // The first to be sure wins: this does not depend on how many octets came after.
      if (search.found && (this.found === null || search.sureAt < this.found.sureAt)) this.found = search;
    }
    if (this.found !== null) border = this.#at[this.#searches.indexOf(this.found)] ?? to;
    this.#skip(bytes, from, border);
    if (this.found !== null) this.#finish();
    else for (const [index, at] of this.#at.entries()) this.#at[index] = at - border;
    return border;
  }

  #skip(bytes: Uint8Array, from: number, to: number): void {
    if (from === to || this.#reason === null) return;
    const { detail } = this.#sink;
    const offset = this.#sink.offset(this.#direction);
    const category = CATEGORY[`unattributed.${this.#reason}`];
    if (!this.#noted) {
      this.#noted = true;
      const { code, text } = NOTES[this.#reason];
      this.#sink.note(code, "warning", this.#direction, offset, null, text);
    }
    if (detail > 0) this.#unit.part(offset, category, to - from, bytes, from, true, detail === 3);
    this.#sink.octets(this.#direction, category, to - from, LEVEL.unowned, null);
  }

  #finish(): void {
    this.#reason = null;
    if (this.#unit.octets > 0) this.#unit.finish(this.#sink, this.#direction, { kind: "unattributed" }, null, false);
  }
}
