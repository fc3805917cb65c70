import { CATEGORY, type Category } from "../src/decode/category.ts";
import { DIRECTIONS, type Direction } from "../src/decode/direction.ts";
import type { Exchange } from "../src/decode/exchange.ts";
import { LEVEL, type Level } from "../src/decode/level.ts";
import type { ConnectionSink } from "../src/decode/sink.ts";
import type { ConnectionLedger } from "../src/ledger/connection-ledger.ts";
import { Ledger, type LedgerOptions } from "../src/ledger/ledger.ts";
import type { CloseTally, ConnectionTally, RouteTally, Tally } from "../src/ledger/tally.ts";

/** Test set-up: a run of octets as a decoder announces it. */
export type Said = readonly [category: Category, octets: number, level: Level, exchange: Exchange | null];

/** An orderly end. */
export const FIN: CloseTally = { by: "client", how: "fin", code: null, order: ["client", "server"] };

/** One millisecond in the ledger's unit. */
export const MS = 1e6;

/**
 * Test set-up: a ledger whose decoders are scripts, so that a test says which octets pass and what they are. A script that announces
 * less than passes leaves the rest pending.
 */
export class ScriptedWire {
  readonly ledger: Ledger;
  /** Nanoseconds since the ledger's start. */
  now = 0;
  #newest: ConnectionLedger | null = null;
  #script: (sink: ConnectionSink) => void = () => {};
  #atEnd: (sink: ConnectionSink, direction: Direction) => void = () => {};
  readonly #accounts = new Map<ConnectionSink, { relayed: number[]; lied: number }>();

  constructor(options: Partial<LedgerOptions> = {}) {
    this.ledger = new Ledger({
      kind: "proxy",
      generator: { name: "wiretally", version: "0.0.0" },
      startedNs: 0n,
      stackFor: (sink) => {
        const account = { relayed: [0, 0], lied: 0 };
        this.#accounts.set(sink, account);
        return {
          push: (direction, bytes) => {
            account.relayed[direction] = (account.relayed[direction] ?? 0) + bytes.length;
            this.#script(sink);
          },
          gap: () => {},
          end: (direction) => this.#atEnd(sink, direction),
          pending: (direction) => (account.relayed[direction] ?? 0) - sink.offset(direction) - account.lied,
          tlsRecords: null,
        };
      },
      ...options,
    });
  }

  open(): ConnectionLedger {
    this.#newest = this.ledger.open({ listener: "a", client: "127.0.0.1:5000", server: "127.0.0.1:80" }, this.now);
    return this.#newest;
  }

  /** The newest connection. */
  get connection(): ConnectionLedger {
    return this.#newest ?? this.open();
  }

  /** Time passes. */
  wait(ms: number): void {
    this.now += ms * MS;
  }

  /** `octets` pass in one read while the decoder runs `script`. */
  pass(direction: Direction, octets: number, script: (sink: ConnectionSink) => void): void {
    this.#script = script;
    this.connection.delta(direction, new Uint8Array(octets), this.now);
  }

  /** The runs pass in one read, and are announced. */
  say(direction: Direction, ...runs: readonly Said[]): void {
    const octets = runs.reduce((sum, [, count]) => sum + count, 0);
    this.pass(direction, octets, (sink) => {
      for (const [category, count, level, exchange] of runs) {
        sink.octets(direction, CATEGORY[category], count, LEVEL[level], exchange);
      }
    });
  }

  /** What the decoder does at the end of each direction. */
  atEnd(script: (sink: ConnectionSink, direction: Direction) => void): void {
    this.#atEnd = script;
  }

  /** From now on the newest connection's decoder holds `octets` less than it should. */
  lie(octets: number): void {
    const account = this.#accounts.get(this.connection);
    if (account !== undefined) account.lied = octets;
  }

  tally(): Tally {
    return this.ledger.tally(this.now);
  }

  connectionTally(): ConnectionTally {
    return only(this.tally().connections);
  }

  routeTally(): RouteTally {
    return only(this.tally().routes);
  }
}

/** The one element of a list. */
export function only<T>(list: readonly T[]): T {
  const [first, ...rest] = list;
  if (first === undefined || rest.length > 0) throw new Error(`one element wanted, ${list.length} there`);
  return first;
}

/** Every sum that does not close in a document, as text; empty when all do. */
export function openSums(tally: Tally): readonly string[] {
  const found: string[] = [];
  const same = (what: string, sum: number, octets: number) => {
    if (sum !== octets) found.push(`${what}: ${sum} of ${octets}`);
  };
  const sumOf = (map: { readonly [key: string]: number }) => Object.values(map).reduce((sum, count) => sum + count, 0);
  for (const name of ["c2s", "s2c"] as const) {
    const owners = [
      { what: "totals", of: tally.totals[name] },
      ...tally.connections.map((connection) => ({ what: connection.id, of: connection[name] })),
      ...tally.connections.flatMap(({ exchanges }) => exchanges.map((exchange) => ({ what: exchange.id, of: exchange[name] }))),
    ];
    for (const { what, of } of owners) {
      same(`${what} ${name} categories`, sumOf(of.by_category) + of.pending, of.octets);
      same(`${what} ${name} causes`, sumOf(of.by_cause) + of.pending, of.octets);
    }
    for (const connection of tally.connections) {
      same(`${connection.id} ${name} levels`, sumOf(connection.levels[name]) + connection[name].pending, connection[name].octets);
    }
    for (const route of tally.routes) {
      same(`${route.route} ${name} categories`, sumOf(route[name].by_category), route[name].octets);
      same(`${route.route} ${name} causes`, sumOf(route[name].by_cause), route[name].octets);
    }
  }
  return found;
}

/** Both directions of the newest connection end, then itself. */
export function hangUp({ connection, now }: ScriptedWire): void {
  for (const direction of DIRECTIONS) connection.end(direction, now);
  connection.close(FIN, now);
}
