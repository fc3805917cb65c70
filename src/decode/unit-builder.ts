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
  #offset = 0;
  #octets = 0;
  #parts: MutablePart[] = [];
  #fields: UnitField[] = [];
  #fieldOctets = 0;
  #fieldsOmitted = 0;
  #octetsOmitted = 0;

  /** Octets gathered so far; 0 between units. */
  get octets(): number {
    return this.#octets;
  }

  /**
   * The next `octets` octets of the unit, which stand at `bytes[from …)`.
   * @param offset of the first of them in the direction's space; the unit begins at its first part.
   */
  part(offset: number, category: number, octets: number, bytes: Uint8Array, from: number, secret: boolean, keep: boolean): void {
    if (this.#octets === 0) this.#offset = offset;
    this.#octets += octets;
    if (!keep) return;
    let last = this.#parts.at(-1);
    const merges = last !== undefined && last.category === category && last.secret === secret;
    if (this.#octetsOmitted > 0 || (!merges && this.#parts.length >= SHOWN_PARTS_CAP)) {
      this.#octetsOmitted += octets;
      return;
    }
    if (last === undefined || !merges) {
      last = { category, octets: 0, secret, shown: [] };
      this.#parts.push(last);
    }
    last.octets += octets;
    for (let at = from; at < from + octets && last.shown.length < SHOWN_OCTETS; at++) last.shown.push(bytes[at] ?? 0);
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
    sink.unit(unit);
  }
}

interface MutablePart {
  readonly category: number;
  octets: number;
  readonly secret: boolean;
  readonly shown: number[];
}
