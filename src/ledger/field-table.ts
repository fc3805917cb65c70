import { REPRESENTATION } from "http2-frame-parser";
import { OTHER } from "./routes.ts";
import type { FieldTally } from "./tally.ts";
import { ownText, textOrNull } from "./text.ts";

/** RFC 9112 §5: a field line is `name: value CRLF`. */
const PLAIN_EXTRA = 4;
/** Field names longer than this count under `(other)`: nobody's real names are, and 1,000 of them must stay small. */
const NAME_CAP = 1024;
/** What a name takes in memory beside its characters (measured, Node 20). */
const NAME_OVERHEAD = 220;

/** Field lines of one connection and direction, by name; in HTTP/1 by the lower-case name (RFC 9110 §5.1: case-insensitive). */
export class FieldTable {
  readonly #limit: number;
  readonly #omitted: { fieldNames: number };
  readonly #byName = new Map<string | null, FieldCount>();
  #other: FieldCount | null = null;
  #hpackSaving: number | null = 0;
  #memory = 0;

  /** @param limit names, see Limits. @param omitted counts the lines that go under `(other)`. */
  constructor(limit: number, omitted: { fieldNames: number }) {
    this.#limit = limit;
    this.#omitted = omitted;
  }

  /** Octets that HPACK saved against unindexed literals; null when a length is unknown. */
  get hpackSaving(): number | null {
    return this.#hpackSaving;
  }

  /** Octets of memory that its names take, about. */
  get memory(): number {
    return this.#memory;
  }

  /** One field line; parameters as ConnectionSink.field has them. */
  add(
    name: string | null,
    octets: number,
    nameLength: number,
    valueLength: number,
    representation: number,
    inserted: boolean,
    evicted: number,
  ): void {
    const count = this.#of(representation < 0 && name !== null ? name.toLowerCase() : name);
    count.lines += 1;
    count.octets += octets;
    if (inserted) count.inserts += 1;
    count.evicts += evicted;
    if (representation >= 0) count.byRepresentation[representation] = (count.byRepresentation[representation] ?? 0) + 1;
    if (nameLength < 0 || valueLength < 0) {
      count.lengthsKnown = false;
      if (representation >= 0) this.#hpackSaving = null;
      return;
    }
    const unindexed = 1 + stringOctets(nameLength) + stringOctets(valueLength);
    count.plainOctets += nameLength + valueLength + PLAIN_EXTRA;
    count.unindexedOctets += unindexed;
    if (representation >= 0 && this.#hpackSaving !== null) this.#hpackSaving += unindexed - octets;
  }

  /** Base64 adds octets to the value of a line that has been added. */
  inflate(name: string, octets: number): void {
    const count = this.#byName.get(name) ?? this.#other;
    if (count !== null) count.base64Inflation += octets;
  }

  /** In the order they were first seen, `(other)` last. */
  tally(): readonly FieldTally[] {
    const named = [...this.#byName].map(([name, count]) => tallyOf(textOrNull(name), count));
    return this.#other === null ? named : [...named, tallyOf(OTHER, this.#other)];
  }

  /** Count all names together under `(other)` from now on. */
  fold(): void {
    for (const count of this.#byName.values()) {
      this.#omitted.fieldNames += count.lines;
      this.#other ??= newCount();
      addCount(this.#other, count);
    }
    this.#byName.clear();
    this.#memory = 0;
  }

  #of(name: string | null): FieldCount {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    if (this.#byName.size >= this.#limit || (name !== null && name.length > NAME_CAP)) {
      this.#omitted.fieldNames += 1;
      this.#other ??= newCount();
      return this.#other;
    }
    const count = newCount();
    this.#byName.set(name === null ? null : ownText(name), count);
    this.#memory += NAME_OVERHEAD + (name?.length ?? 0);
    return count;
  }
}

interface FieldCount {
  lines: number;
  octets: number;
  plainOctets: number;
  unindexedOctets: number;
  base64Inflation: number;
  lengthsKnown: boolean;
  /** Index: REPRESENTATION of http2-frame-parser. */
  readonly byRepresentation: [number, number, number, number];
  inserts: number;
  evicts: number;
}

function newCount(): FieldCount {
  return {
    lines: 0,
    octets: 0,
    plainOctets: 0,
    unindexedOctets: 0,
    base64Inflation: 0,
    lengthsKnown: true,
    byRepresentation: [0, 0, 0, 0],
    inserts: 0,
    evicts: 0,
  };
}

function addCount(to: FieldCount, from: FieldCount): void {
  to.lines += from.lines;
  to.octets += from.octets;
  to.plainOctets += from.plainOctets;
  to.unindexedOctets += from.unindexedOctets;
  to.base64Inflation += from.base64Inflation;
  if (!from.lengthsKnown) to.lengthsKnown = false;
  for (const [representation, lines] of from.byRepresentation.entries()) {
    to.byRepresentation[representation] = (to.byRepresentation[representation] ?? 0) + lines;
  }
  to.inserts += from.inserts;
  to.evicts += from.evicts;
}

function tallyOf(name: string | null, count: FieldCount): FieldTally {
  const lines = count.byRepresentation;
  const hpack = lines.some((value) => value > 0);
  return {
    name,
    count: count.lines,
    octets: count.octets,
    plain_octets: count.lengthsKnown ? count.plainOctets : null,
    unindexed_octets: count.lengthsKnown ? count.unindexedOctets : null,
    base64_inflation: count.base64Inflation,
    representation: hpack
      ? {
          indexed: lines[REPRESENTATION.indexed],
          literal_indexed: lines[REPRESENTATION.literal_indexed],
          literal: lines[REPRESENTATION.literal],
          never: lines[REPRESENTATION.never],
        }
      : null,
    inserts: count.inserts,
    evicts: count.evicts,
  };
}

/** A string literal without Huffman coding, RFC 7541 §5.2: its length as an integer with a 7-bit prefix (§5.1), then itself. */
function stringOctets(length: number): number {
  let octets = 1;
  if (length >= 0x7f) {
    octets += 1;
    for (let rest = length - 0x7f; rest >= 0x80; rest = Math.floor(rest / 0x80)) octets += 1;
  }
  return octets + length;
}
