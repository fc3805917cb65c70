import type { FieldRun } from "http2-frame-parser";
import { CATEGORIES, type Category } from "../src/decode/category.ts";
import { DIRECTIONS, type Direction } from "../src/decode/direction.ts";
import type { Exchange, Protocol } from "../src/decode/exchange.ts";
import { LEVELS, type Level } from "../src/decode/level.ts";
import type { ConnectionSink, Detail, NoteSeverity } from "../src/decode/sink.ts";
import type { WireUnit } from "../src/decode/wire-unit.ts";
import { labelOf } from "./cases.ts";

/** Adjacent octets of one meaning; `offset` counts from the direction's first octet. */
export interface Run {
  readonly offset: number;
  readonly length: number;
  readonly category: Category;
  readonly level: Level;
  readonly exchange: string | null;
}

export interface RecordedNote {
  readonly code: string;
  readonly severity: NoteSeverity;
  readonly direction: Direction;
  readonly offset: number;
  readonly ref: string | null;
  readonly text: string;
}

export interface RecordedField {
  readonly direction: Direction;
  readonly name: string | null;
  readonly octets: number;
  readonly nameLength: number;
  readonly valueLength: number;
  readonly representation: number;
  readonly inserted: boolean;
  readonly evicted: number;
}

/** Whatever else a decoder said, in order: `["control", 0, 2]`, `["exchangeDone", "c1.r1"]` … */
export type RecordedCall = readonly [name: string, ...rest: readonly (string | number | boolean | null)[]];

/** Octets that were another category than was said first. */
export interface RecordedMove {
  readonly direction: Direction;
  readonly from: Category;
  readonly to: Category;
  readonly count: number;
  readonly exchange: string | null;
}

/** A ConnectionSink that writes down everything and checks nothing. */
export class RecordingSink implements ConnectionSink {
  readonly detail: Detail;
  /** Merged runs as first said, by direction; `moves` are not worked into them. */
  readonly runs: readonly [Run[], Run[]] = [[], []];
  readonly moves: RecordedMove[] = [];
  readonly units: WireUnit[] = [];
  readonly notes: RecordedNote[] = [];
  readonly fields: RecordedField[] = [];
  readonly exchanges: Exchange[] = [];
  /** Ids of the exchanges that `exchangeDone` was called for, in order. */
  readonly done: string[] = [];
  /** Every call but octets, unit, note and field, in order. */
  readonly calls: RecordedCall[] = [];
  readonly #offsets = [0, 0];
  /** Octets missing that offsets count. */
  readonly #missing = [0, 0];

  constructor(detail: Detail = 0) {
    this.detail = detail;
  }

  octets(direction: Direction, category: number, count: number, level: number, exchange: Exchange | null): void {
    if (count === 0) return;
    const path = CATEGORIES[category];
    const levelName = LEVELS[level];
    if (path === undefined || levelName === undefined || !(count > 0)) {
      throw new TypeError(`octets(${direction}, ${category}, ${count}, ${level})`);
    }
    const offset = this.offset(direction);
    this.#offsets[direction] = (this.#offsets[direction] ?? 0) + count;
    const runs = this.runs[direction];
    const last = runs.at(-1);
    const id = exchange?.id ?? null;
    if (
      last !== undefined &&
      last.offset + last.length === offset &&
      last.category === path &&
      last.level === levelName &&
      last.exchange === id
    ) {
      runs[runs.length - 1] = { ...last, length: last.length + count };
    } else {
      runs.push({ offset, length: count, category: path, level: levelName, exchange: id });
    }
  }

  moved(direction: Direction, from: number, to: number, count: number, exchange: Exchange | null): void {
    const [was, is] = [CATEGORIES[from], CATEGORIES[to]];
    if (was === undefined || is === undefined || !(count > 0))
      throw new TypeError(`moved(${direction}, ${from}, ${to}, ${count})`);
    this.moves.push({ direction, from: was, to: is, count, exchange: exchange?.id ?? null });
  }

  offset(direction: Direction): number {
    return (this.#offsets[direction] ?? 0) + (this.#missing[direction] ?? 0);
  }

  /** `octets` octets are known to be missing behind those announced so far. */
  missing(direction: Direction, octets: number): void {
    this.#missing[direction] = (this.#missing[direction] ?? 0) + octets;
  }

  unit(unit: WireUnit): void {
    this.units.push(unit);
  }

  protocol(protocol: Protocol, inferred: boolean): void {
    this.calls.push(["protocol", protocol, inferred]);
  }

  openExchange(stream: number | null, protocol: Protocol): Exchange {
    const id = stream === null ? `c1.r${this.exchanges.length + 1}` : `c1.s${stream}`;
    const exchange: Exchange = {
      id,
      stream,
      protocol,
      method: null,
      authority: null,
      path: null,
      status: null,
      grpcStatus: null,
      grpcMessage: null,
      complete: false,
    };
    this.exchanges.push(exchange);
    this.calls.push(["openExchange", id, protocol]);
    return exchange;
  }

  requestKnown(exchange: Exchange): void {
    this.calls.push(["requestKnown", exchange.id]);
  }

  becomeStream(exchange: Exchange, stream: number): void {
    this.calls.push(["becomeStream", exchange.id, stream]);
  }

  exchangeDone(exchange: Exchange): void {
    this.done.push(exchange.id);
    this.calls.push(["exchangeDone", exchange.id]);
  }

  exchangeForgotten(_exchange: Exchange): void {}

  message(
    exchange: Exchange,
    direction: Direction,
    payload: number,
    _overhead: number,
    compressed: boolean,
    type: string | null,
  ): void {
    this.calls.push(["message", exchange.id, direction, payload, compressed, type]);
  }

  field(
    direction: Direction,
    name: string | null,
    octets: number,
    nameLength: number,
    valueLength: number,
    representation: number,
    inserted: boolean,
    evicted: number,
  ): void {
    this.fields.push({ direction, name, octets, nameLength, valueLength, representation, inserted, evicted });
  }

  fieldRun(direction: Direction, { lines }: FieldRun): void {
    for (const { name, prefixOctets, nameLength, valueLength, representation, inserted, evicted } of lines)
      this.field(direction, name, prefixOctets, nameLength, valueLength, representation, inserted, evicted);
  }

  fieldInflation(direction: Direction, name: string, octets: number): void {
    this.calls.push(["fieldInflation", direction, name, octets]);
  }

  control(direction: Direction, kind: number): void {
    this.calls.push(["control", direction, kind]);
  }

  ping(direction: Direction, ack: boolean, opaque: string): void {
    this.calls.push(["ping", direction, ack, opaque]);
  }

  setting(direction: Direction, identifier: number, value: number): void {
    this.calls.push(["setting", direction, identifier, value]);
  }

  blocked(direction: Direction, blocked: boolean): void {
    this.calls.push(["blocked", direction, blocked]);
  }

  note(code: string, severity: NoteSeverity, direction: Direction, offset: number, ref: string | null, text: string): void {
    this.notes.push({ code, severity, direction, offset, ref, text });
  }

  /** Octets by category of one direction, absent when 0. */
  byCategory(direction: Direction): Partial<Record<Category, number>> {
    const sums: Partial<Record<Category, number>> = {};
    const add = (category: Category, count: number): void => {
      sums[category] = (sums[category] ?? 0) + count;
      if (sums[category] === 0) delete sums[category];
    };
    for (const run of this.runs[direction]) add(run.category, run.length);
    for (const move of this.moves) {
      if (move.direction !== direction) continue;
      add(move.from, -move.count);
      add(move.to, move.count);
    }
    return sums;
  }

  /** The same under the coarser labels of the cases: content is `body` or `grpc.message`. */
  byLabel(direction: Direction): Record<string, number> {
    const sums: Record<string, number> = {};
    for (const [category, octets] of Object.entries(this.byCategory(direction))) {
      sums[labelOf(category)] = (sums[labelOf(category)] ?? 0) + octets;
    }
    return sums;
  }

  /** Everything that must not depend on how the octets were cut, per direction where the order between the two may differ. */
  figures(): unknown {
    return {
      runs: this.runs,
      moves: DIRECTIONS.map((direction) => this.moves.filter((move) => move.direction === direction)),
      units: DIRECTIONS.map((direction) => this.units.filter((unit) => unit.direction === direction)),
      notes: DIRECTIONS.map((direction) => this.notes.filter((note) => note.direction === direction)),
      fields: DIRECTIONS.map((direction) => this.fields.filter((field) => field.direction === direction)),
      exchanges: this.exchanges,
      calls: this.calls,
    };
  }
}
