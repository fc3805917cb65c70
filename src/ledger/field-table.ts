import { type FieldRun, REPRESENTATION } from "http2-frame-parser";
import { OTHER } from "./routes.ts";
import type { FieldTally } from "./tally.ts";
import { ownText, textOrNull } from "./text.ts";

/** RFC 9112 §5: a field line is `name: value CRLF`. */
const PLAIN_EXTRA = 4;
/** Field names longer than this count under `(other)`: nobody's real names are, and 1,000 of them must stay small. */
const NAME_CAP = 1024;
/** Names that are found at once. A power of two. */
const RECENT = 32;
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
  /** Names that came lately, by a guess at where; a name that comes again is mostly the same string, and needs no look at its octets. */
  readonly #recent: (string | null)[] = [];
  readonly #recentCounts: (FieldCount | undefined)[] = [];
  /** Runs of field lines that came lately, by their slot. */
  readonly #runs: (KeptRun | undefined)[] = [];

  /** @param limit names, see Limits. @param omitted counts the lines that go under `(other)`. */
  constructor(limit: number, omitted: { fieldNames: number }) {
    this.#limit = limit;
    this.#omitted = omitted;
  }

  /** Octets that HPACK saved against unindexed literals; null when a length is unknown. */
  get hpackSaving(): number | null {
    this.#settleAll();
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
    const slot = (nameLength + (representation << 4)) & (RECENT - 1);
    const recent = this.#recentCounts[slot];
    let count: FieldCount;
    if (recent !== undefined && this.#recent[slot] === name) {
      count = recent;
    } else {
      count = this.#of(representation < 0 && name !== null ? name.toLowerCase() : name);
      // Those under `(other)` are omitted one by one.
      if (count !== this.#other) {
        this.#recent[slot] = name;
        this.#recentCounts[slot] = count;
      }
    }
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

  /** Field lines told together. */
  addRun(run: FieldRun): void {
    const kept = this.#runs[run.slot];
    if (kept !== undefined && kept.run === run) {
      kept.times += 1;
      return;
    }
    if (kept !== undefined) this.#settle(kept);
    this.#runs[run.slot] = { run, times: 0 };
    // The first time names get their places.
    this.#addLines(run, 1);
  }

  #settle(kept: KeptRun): void {
    const { run, times } = kept;
    kept.times = 0;
    if (times > 0) this.#addLines(run, times);
  }

  /** Count what runs have left to count. */
  #settleAll(): void {
    for (const kept of this.#runs) if (kept !== undefined) this.#settle(kept);
  }

  #addLines({ lines }: FieldRun, times: number): void {
    for (const { name, prefixOctets, nameLength, valueLength, representation } of lines) {
      const count = this.#of(name, times);
      const unindexed = 1 + stringOctets(nameLength) + stringOctets(valueLength);
      count.lines += times;
      count.octets += prefixOctets * times;
      count.byRepresentation[representation] = (count.byRepresentation[representation] ?? 0) + times;
      count.plainOctets += (nameLength + valueLength + PLAIN_EXTRA) * times;
      count.unindexedOctets += unindexed * times;
      if (this.#hpackSaving !== null) this.#hpackSaving += (unindexed - prefixOctets) * times;
    }
  }

  /** Base64 adds octets to the value of a line that has been added. */
  inflate(name: string, octets: number): void {
    const count = this.#byName.get(name) ?? this.#other;
    if (count !== null) count.base64Inflation += octets;
  }

  /** In the order they were first seen, `(other)` last. */
  tally(): readonly FieldTally[] {
    this.#settleAll();
    const named = [...this.#byName].map(([name, count]) => tallyOf(textOrNull(name), count));
    return this.#other === null ? named : [...named, tallyOf(OTHER, this.#other)];
  }

  /** No more lines come: keep what is needed for the document alone. */
  close(): void {
    this.#settleAll();
    this.#runs.length = 0;
    this.#recent.length = 0;
    this.#recentCounts.length = 0;
  }

  /** Count all names together under `(other)` from now on. */
  fold(): void {
    this.close();
    for (const count of this.#byName.values()) {
      this.#omitted.fieldNames += count.lines;
      this.#other ??= newCount();
      addCount(this.#other, count);
    }
    this.#byName.clear();
    this.#memory = 0;
  }

  /** @param lines of that name. */
  #of(name: string | null, lines = 1): FieldCount {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    if (this.#byName.size >= this.#limit || (name !== null && name.length > NAME_CAP)) {
      this.#omitted.fieldNames += lines;
      this.#other ??= newCount();
      return this.#other;
    }
    const count = newCount();
    this.#byName.set(name === null ? null : ownText(name), count);
    this.#memory += NAME_OVERHEAD + (name?.length ?? 0);
    return count;
  }
}

interface KeptRun {
  readonly run: FieldRun;
  /** How often it came, and is not counted yet. */
  times: number;
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
