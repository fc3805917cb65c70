import { C2S, S2C } from "../decode/direction.ts";
import type { Schemas } from "../decode/protobuf/message-type.ts";
import { Stack } from "../decode/stack.ts";
import { Account } from "./account.ts";
import type { Books, StackFor } from "./books.ts";
import { ClosedConnection, ClosedConnections } from "./closed-connections.ts";
import { ConnectionLedger, type ConnectionOptions } from "./connection-ledger.ts";
import { type ConnectionPieces, connectionTally } from "./connection-tally.ts";
import { ExchangeHistory } from "./exchange-history.ts";
import { LIMITS, type Limits } from "./limits.ts";
import type { ConnectionFacts, LedgerListener } from "./listener.ts";
import { Routes } from "./routes.ts";
import type { ConnectionTally, Tally } from "./tally.ts";
import { rfc3339 } from "./time.ts";

/** Calls of a connection before its warm window begins, unless told otherwise. */
const DEFAULT_WARM_UP = 10;
/** A window's edge is a pause of at least this many nanoseconds, unless told otherwise. */
const DEFAULT_PAUSE_NS = 100e6;

/** How a ledger is kept. */
export interface LedgerOptions {
  /** Where the octets come from. */
  readonly kind: "proxy" | "capture";
  /** The program that keeps it. */
  readonly generator: Tally["generator"];
  /** UTC epoch nanoseconds; all other times are nanoseconds since then. */
  readonly startedNs: bigint;
  /** Told of things as they happen. */
  readonly listener?: LedgerListener | null;
  /** Calls of a connection before its warm window begins; default 10. */
  readonly warmUp?: number;
  /** A window's edge is a pause of at least this many nanoseconds; default 100 ms. */
  readonly pauseNs?: number;
  /** Bounds of lists. */
  readonly limits?: Partial<Limits>;
  /** What is known of protobuf messages. */
  readonly schemas?: Schemas | null;
  /**
   * Decodes a connection in the place of {@link Stack}.
   * @internal
   */
  readonly stackFor?: StackFor;
  /** Names of the files that are read, for `source.files`. */
  readonly files?: readonly string[];
}

/** What is known of a connection when it begins. */
export interface OpenOptions extends ConnectionOptions {
  /** Its number: for its id, and its place in the document. Each one once; default: the one after the highest so far. */
  readonly ordinal?: number;
}

/**
 * Who owns each octet of all connections. Pure: it reads no clock and does no I/O; octets and times come in, a document comes out.
 *
 *     const connection = ledger.open({ listener: "a", client: "…", server: "…" }, 0);
 *     connection.delta(C2S, octets, 1_000);
 *     ledger.tally(2_000).totals.c2s.octets;
 */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #books: Books;
  readonly #listeners: Tally["source"]["listeners"][number][] = [];
  readonly #open = new Set<ConnectionLedger>();
  readonly #closed: ClosedConnections;
  #opened = 0;
  /** Of all closed connections, listed or not. */
  readonly #settled = new Account();

  constructor(options: LedgerOptions) {
    const limits = { ...LIMITS, ...options.limits };
    const warmUp = options.warmUp ?? DEFAULT_WARM_UP;
    this.#options = options;
    this.#closed = new ClosedConnections(limits.connections, limits.closedDetailOctets);
    this.#books = {
      limits,
      startedNs: options.startedNs,
      warmUp,
      pauseNs: options.pauseNs ?? DEFAULT_PAUSE_NS,
      listener: options.listener ?? null,
      stackFor: options.stackFor ?? ((sink, known) => new Stack(sink, { ...known, schemas: options.schemas ?? null })),
      routes: new Routes(limits.routes, limits.distinctSizes, warmUp),
      history: new ExchangeHistory(limits.exchanges),
      omitted: { connections: 0, exchanges: 0, messages: 0, fieldNames: 0, notes: 0 },
      broken: 0,
    };
  }

  /** Octets under `unattributed.*` over all time. */
  get unattributed(): number {
    let sum = this.#settled.unattributed;
    for (const connection of this.#open) sum += connection.account.unattributed;
    return sum;
  }

  /** Directions of connections whose sums did not close: our own bug, when it is not 0. */
  get broken(): number {
    return this.#books.broken;
  }

  /** Connections that are not closed. */
  get openConnections(): number {
    return this.#open.size;
  }

  /** For `source.listeners`. */
  addListener(name: string, listen: string, target: string): void {
    this.#listeners.push({ name, listen, target });
  }

  /** A connection begins: `c1`, `c2`, … in the order of calls, unless it has another number. */
  open(
    { listener, client, server }: Omit<ConnectionFacts, "id">,
    time: number,
    { ordinal = this.#opened + 1, ...options }: OpenOptions = {},
  ): ConnectionLedger {
    this.#opened = Math.max(this.#opened, ordinal);
    const facts = { id: `c${ordinal}`, listener, client, server };
    const settle = (closed: ConnectionLedger, pieces: ConnectionPieces) => this.#settle(closed, pieces, ordinal);
    const connection = new ConnectionLedger(facts, this.#books, time, settle, options);
    this.#open.add(connection);
    connection.announce();
    return connection;
  }

  /** The document as of `time`; a live connection has pending octets and no `closed`. */
  tally(time: number): Tally {
    const { startedNs, routes, omitted } = this.#books;
    const totals = new Account();
    totals.addAll(this.#settled);
    const live = [...this.#open];
    for (const connection of live) totals.addAll(connection.account);
    return {
      schema: "wiretally.tally/1",
      generator: this.#options.generator,
      source: { kind: this.#options.kind, listeners: [...this.#listeners], files: [...(this.#options.files ?? [])] },
      started: rfc3339(startedNs, 0),
      ended: rfc3339(startedNs, time),
      totals: { c2s: totals.tally(C2S), s2c: totals.tally(S2C) },
      omitted: {
        connections: omitted.connections,
        exchanges: omitted.exchanges,
        messages: omitted.messages,
        routes: routes.omitted,
        field_names: omitted.fieldNames,
        notes: omitted.notes,
      },
      connections: this.#connections(time),
      routes: routes.tally(
        live.flatMap((connection) => connection.exchanges.live.toArray()),
        live.flatMap((connection) => connection.shares(time)),
      ),
    };
  }

  /** In the order they were opened. */
  #connections(time: number): readonly ConnectionTally[] {
    const { startedNs } = this.#books;
    const closed = this.#closed.toArray().map(({ ordinal, pieces, listed }) => ({
      ordinal,
      tally: connectionTally(pieces, listed.toArray(), startedNs),
    }));
    const open = [...this.#open].map((connection) => ({
      ordinal: Number(connection.facts.id.slice(1)),
      tally: connectionTally(
        connection.pieces(time, null),
        [...connection.exchanges.listed.toArray(), ...connection.exchanges.live.toArray()],
        startedNs,
      ),
    }));
    return [...closed, ...open].sort((a, b) => a.ordinal - b.ordinal).map(({ tally }) => tally);
  }

  #settle(connection: ConnectionLedger, pieces: ConnectionPieces, ordinal: number): void {
    const { history, omitted } = this.#books;
    this.#open.delete(connection);
    this.#settled.addAll(connection.account);
    const oldest = this.#closed.add(new ClosedConnection(ordinal, pieces, connection.exchanges.listed));
    if (oldest === null) return;
    omitted.connections += 1;
    omitted.exchanges += oldest.listed.size;
    for (const record of oldest.listed.toArray()) history.remove(record);
  }
}
