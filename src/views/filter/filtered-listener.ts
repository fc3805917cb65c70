import type { Direction } from "../../decode/direction.ts";
import type { Detail } from "../../decode/sink.ts";
import type { WireUnit } from "../../decode/wire-unit.ts";
import type { ConnectionFacts, LedgerListener } from "../../ledger/listener.ts";
import type { CloseTally, ExchangeTally, MessageTally, NoteTally, Tally } from "../../ledger/tally.ts";
import type { Filter } from "./filter.ts";
import { OpenExchanges } from "./open-exchanges.ts";
import { SelectedExchanges } from "./selected-exchanges.ts";

/** A connection that is open. */
interface FilteredConnection {
  /** When it opened, in nanoseconds since the ledger's start, until its opening is passed on; then null. */
  untold: number | null;
  readonly exchanges: OpenExchanges;
}

/**
 * Passes on what a filter matches: units, messages, exchanges and notes each by itself, the opening and the close of a connection only
 * when something of it was passed on, and the opening just before that, with its own time. Asks for units of its own when it needs them
 * to know an exchange's field lines, or whose a message is; the listener behind it gets those only that it asks for.
 */
export class FilteredListener implements LedgerListener {
  readonly detail: Detail;
  readonly messages: boolean;
  readonly #filter: Filter;
  readonly #inner: LedgerListener;
  readonly #connections = new Map<string, FilteredConnection>();
  readonly #selected: SelectedExchanges;

  constructor(filter: Filter, inner: LedgerListener) {
    this.#filter = filter;
    this.#inner = inner;
    this.#selected = new SelectedExchanges(filter);
    this.messages = inner.messages;
    this.detail = detailFor(filter, inner);
  }

  connection(connection: ConnectionFacts, time: number): void {
    this.#connections.set(connection.id, { untold: time, exchanges: new OpenExchanges(this.#filter.headerTests) });
  }

  unit(connection: ConnectionFacts, unit: WireUnit, time: number): void {
    this.#connections.get(connection.id)?.exchanges.saw(unit);
    if (this.#inner.detail === 0 || !this.#filter.unit(connection, unit)) return;
    this.#announce(connection);
    this.#inner.unit(connection, unit, time);
  }

  message(connection: ConnectionFacts, exchange: string, direction: Direction, message: MessageTally, time: number): void {
    if (!this.messages) return;
    const open = this.#connections.get(connection.id)?.exchanges.find(exchange);
    if (!this.#filter.message(connection, open?.exchange ?? null, direction, message, open?.headers)) return;
    this.#announce(connection);
    this.#inner.message(connection, exchange, direction, message, time);
  }

  exchange(connection: ConnectionFacts, exchange: ExchangeTally, time: number): void {
    const open = this.#connections.get(connection.id)?.exchanges.finish(exchange.id);
    this.#selected.over(exchange.id, open?.headers ?? null);
    if (!this.#filter.exchange(connection, exchange, open?.headers)) return;
    this.#announce(connection);
    this.#inner.exchange(connection, exchange, time);
  }

  note(connection: ConnectionFacts, note: NoteTally, time: number): void {
    if (!this.#filter.note(connection, note)) return;
    this.#announce(connection);
    this.#inner.note(connection, note, time);
  }

  close(connection: ConnectionFacts, close: CloseTally | null, octets: readonly [c2s: number, s2c: number], time: number): void {
    const isUntold = this.#connections.get(connection.id)?.untold !== null;
    this.#connections.delete(connection.id);
    if (!isUntold) this.#inner.close(connection, close, octets, time);
  }

  /** The tally of what was told, with those exchanges only that match; sums stay as they are. */
  select(tally: Tally): Tally {
    return this.#selected.of(tally, (connection, exchange) => {
      return this.#connections.get(connection)?.exchanges.find(exchange)?.headers ?? null;
    });
  }

  #announce(connection: ConnectionFacts): void {
    const state = this.#connections.get(connection.id);
    if (state === undefined || state.untold === null) return;
    this.#inner.connection(connection, state.untold);
    state.untold = null;
  }
}

/** What the inner listener asks for; at least units to know whose messages are, and field lines to know headers. */
function detailFor(filter: Filter, { detail, messages }: LedgerListener): Detail {
  if (filter.needs.headers && detail < 2) return 2;
  return messages && detail < 1 ? 1 : detail;
}
