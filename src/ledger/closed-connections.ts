import type { ConnectionPieces } from "./connection-tally.ts";
import type { ExchangeRecord } from "./exchange-record.ts";
import { type Linked, LinkedList } from "./linked-list.ts";

/** What is kept of a closed connection. */
export class ClosedConnection implements Linked<ClosedConnection> {
  readonly ordinal: number;
  readonly pieces: ConnectionPieces;
  /** Shrinks as newer exchanges push older ones out of the history. */
  readonly listed: LinkedList<ExchangeRecord>;
  /** Octets of memory for its field names and notes, about; as of its close, or 0 when they are gone. */
  detailOctets: number;
  previous: ClosedConnection | null = null;
  next: ClosedConnection | null = null;

  constructor(ordinal: number, pieces: ConnectionPieces, listed: LinkedList<ExchangeRecord>) {
    this.ordinal = ordinal;
    this.pieces = pieces;
    this.listed = listed;
    const [c2s, s2c] = pieces.fields;
    this.detailOctets = c2s.memory + s2c.memory + pieces.notes.memory;
  }

  /** Keep neither field names nor notes. */
  dropDetails(): void {
    for (const fields of this.pieces.fields) fields.fold();
    this.pieces.notes.drop();
    this.detailOctets = 0;
  }
}

/** The newest closed connections of a ledger; of the newest of those, the details as well. */
export class ClosedConnections {
  readonly #limit: number;
  readonly #detailLimit: number;
  /** In the order they were closed: those that still have their details come last. */
  readonly #bare = new LinkedList<ClosedConnection>();
  readonly #whole = new LinkedList<ClosedConnection>();
  #detailOctets = 0;

  /** @param limit, detailLimit see Limits: `connections`, `closedDetailOctets`. */
  constructor(limit: number, detailLimit: number) {
    this.#limit = limit;
    this.#detailLimit = detailLimit;
  }

  /** List a connection. @returns the one that is no longer listed for it, or null. */
  add(connection: ClosedConnection): ClosedConnection | null {
    this.#whole.add(connection);
    this.#detailOctets += connection.detailOctets;
    const oldest = this.#bare.size + this.#whole.size > this.#limit ? this.#takeOldest() : null;
    this.#trim();
    return oldest;
  }

  /** In the order they were closed, as of now. */
  toArray(): readonly ClosedConnection[] {
    return [...this.#bare.toArray(), ...this.#whole.toArray()];
  }

  #takeOldest(): ClosedConnection | null {
    const list = this.#bare.size > 0 ? this.#bare : this.#whole;
    const oldest = list.first;
    if (oldest === null) return null;
    list.delete(oldest);
    this.#detailOctets -= oldest.detailOctets;
    return oldest;
  }

  #trim(): void {
    while (this.#detailOctets > this.#detailLimit && this.#whole.first !== null) {
      const oldest = this.#whole.first;
      this.#whole.delete(oldest);
      this.#bare.add(oldest);
      this.#detailOctets -= oldest.detailOctets;
      oldest.dropDetails();
    }
  }
}
