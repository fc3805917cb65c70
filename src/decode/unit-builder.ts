import { isContent } from "./category.ts";
import type { Direction } from "./direction.ts";
import type { Exchange } from "./exchange.ts";
import type { ConnectionSink } from "./sink.ts";
import { SHOWN_OCTETS, type UnitDetail, type UnitField, type UnitPart, type WireUnit } from "./wire-unit.ts";

/** Names and values of a unit past it are counted, not shown. A bomb of 48 KB can be 192 MB decoded. */
export const SHOWN_FIELDS_CAP = 256 * 1024;
/** Parts of a unit that are shown: a 16 MiB DATA frame can hold three million of them. */
export const SHOWN_PARTS_CAP = 4096;
/** RFC 7541 §4.1: what a field line costs beside its name and value. */
const FIELD_OVERHEAD = 32;

/** Gathers a WireUnit while its octets pass. One per direction, reused; used only while the sink's `detail` > 0. */
export class UnitBuilder {
  readonly #partsCap: number;
  #offset = 0;
  #octets = 0;
  #parts: MutablePart[] = [];
  #fields: UnitField[] = [];
  #fieldOctets = 0;
  #fieldsOmitted = 0;
  #octetsOmitted = 0;
  #contentOmitted = 0;

  /** @param partsCap parts behind this many octets of a unit are left out. */
  constructor(partsCap = Number.POSITIVE_INFINITY) {
    this.#partsCap = partsCap;
  }

  /** Octets gathered so far; 0 between units. */
  get octets(): number {
    return this.#octets;
  }

  /**
   * The next `octets` octets of the unit, which stand at `bytes[from …)`.
   * @param offset of the first of them in the direction's space; the unit begins at its first part.
   * @param path see {@link UnitPart}.
   */
  part(
    offset: number,
    category: number,
    octets: number,
    bytes: Uint8Array,
    from: number,
    secret: boolean,
    keep: boolean,
    path: string | null = "",
  ): void {
    const room = this.#partsCap - this.#octets;
    if (keep && room > 0 && octets > room) {
      this.part(offset, category, room, bytes, from, secret, keep, path);
      this.part(offset + room, category, octets - room, bytes, from + room, secret, keep, path);
      return;
    }
    if (this.#octets === 0) this.#offset = offset;
    this.#octets += octets;
    if (!keep) return;
    let last = this.#parts.at(-1);
    const merges = last !== undefined && last.category === category && last.secret === secret && last.path === path;
    if (room <= 0 || this.#octetsOmitted > 0 || (!merges && this.#parts.length >= SHOWN_PARTS_CAP)) {
      this.#octetsOmitted += octets;
      if (isContent(category)) this.#contentOmitted += octets;
      return;
    }
    if (last === undefined || !merges) {
      last = { category, octets: 0, secret, path, shown: [] };
      this.#parts.push(last);
    }
    // A piece that was cut off behind the first octets of a part shows none, and so do octets that join it.
    const end = last.shown.length === last.octets ? from + octets : from;
    last.octets += octets;
    for (let at = from; at < end && last.shown.length < SHOWN_OCTETS; at++) last.shown.push(bytes[at] ?? 0);
  }

  /**
   * `octets` octets of content were not `from` but `to`; `back` octets of content came after them. What of them lies in earlier units, or
   * is left out of this one, stays as it was told.
   */
  moved(from: number, to: number, octets: number, back: number): void {
    if (this.#octets === 0) return;
    const end = back + octets;
    let behind = this.#contentOmitted;
    let lowest = this.#parts.length;
    let highest = -1;
    for (let index = this.#parts.length - 1; index >= 0 && behind < end; index--) {
      const part = this.#parts[index];
      if (part === undefined || !isContent(part.category)) continue;
      const size = part.octets;
      if (part.category === from && behind + size > back) {
        const first = Math.max(0, size - (end - behind));
        const last = Math.min(size, size - (back - behind));
        const moved = { ...slice(part, first, last), category: to };
        const pieces = [slice(part, 0, first), moved, slice(part, last, size)].filter((piece) => piece.octets > 0);
        this.#parts.splice(index, 1, ...pieces);
        lowest = index;
        highest = highest < 0 ? index + pieces.length : highest + pieces.length - 1;
      }
      behind += size;
    }
    if (highest >= 0) this.#join(Math.max(0, lowest - 1), Math.min(highest, this.#parts.length - 1));
  }

  /** Neighbours of one kind are one, among the parts `[start, end]`. */
  #join(start: number, end: number): void {
    let kept = start;
    for (let at = start + 1; at <= end; at++) {
      const part = this.#parts[at];
      const previous = this.#parts[kept];
      if (part === undefined || previous === undefined) continue;
      if (!isSameKind(previous, part)) {
        this.#parts[++kept] = part;
        continue;
      }
      if (previous.shown.length === previous.octets) previous.shown.push(...part.shown.slice(0, SHOWN_OCTETS - previous.octets));
      previous.octets += part.octets;
    }
    this.#parts.splice(kept + 1, end - kept);
  }

  /** A field line of the unit. */
  field(field: UnitField): void {
    this.#fieldOctets += (field.name?.length ?? 0) + (field.value?.length ?? 0) + FIELD_OVERHEAD;
    if (this.#fieldOctets > SHOWN_FIELDS_CAP) this.#fieldsOmitted += 1;
    else this.#fields.push(field);
  }

  /** The unit is whole (or its direction ended): hand it over and begin anew. */
  finish(sink: ConnectionSink, direction: Direction, detail: UnitDetail, exchange: Exchange | null, truncated: boolean): void {
    const parts: UnitPart[] = this.#parts.map((part) => ({ ...part, shown: Uint8Array.from(part.shown) }));
    const unit: WireUnit = {
      direction,
      offset: this.#offset,
      octets: this.#octets,
      exchange,
      detail,
      fields: this.#fields,
      fieldsOmitted: this.#fieldsOmitted,
      parts,
      octetsOmitted: this.#octetsOmitted,
      truncated,
    };
    this.#octets = 0;
    this.#parts = [];
    this.#fields = [];
    this.#fieldOctets = 0;
    this.#fieldsOmitted = 0;
    this.#octetsOmitted = 0;
    this.#contentOmitted = 0;
    sink.unit(unit);
  }
}

interface MutablePart {
  readonly category: number;
  octets: number;
  readonly secret: boolean;
  readonly path: string | null;
  readonly shown: number[];
}

/** Of octets past the first {@link SHOWN_OCTETS} nothing is kept. */
function slice(part: MutablePart, first: number, last: number): MutablePart {
  return { ...part, octets: last - first, shown: part.shown.slice(first, last) };
}

function isSameKind(one: MutablePart, other: MutablePart): boolean {
  return one.category === other.category && one.secret === other.secret && one.path === other.path;
}
