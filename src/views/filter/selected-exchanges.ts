import type { ConnectionTally, Tally } from "../../ledger/tally.ts";
import type { Filter } from "./filter.ts";
import type { HeaderMemory } from "./header-test.ts";

/** Exchanges of which is kept what header() came to: twice as many as a tally lists, as it lists them in another order. */
const REMEMBERED = 20_000;

/** Which exchanges of a tally a filter matches. A tally has no field lines: what header("x") came to is remembered beside it. */
export class SelectedExchanges {
  readonly #filter: Filter;
  readonly #headers = new Map<string, HeaderMemory>();

  constructor(filter: Filter) {
    this.#filter = filter;
  }

  /** An exchange is over. @param headers what its field lines came to; null: nobody asks for them. */
  over(id: string, headers: HeaderMemory | null): void {
    if (headers === null) return;
    this.#headers.set(id, headers);
    if (this.#headers.size <= REMEMBERED) return;
    for (const oldest of this.#headers.keys()) {
      this.#headers.delete(oldest);
      return;
    }
  }

  /**
   * The tally with those exchanges only that match; the others are counted under `omitted`, and every sum stays as it is.
   * @param openHeaders what is known of the field lines of an exchange that is not over.
   */
  of(tally: Tally, openHeaders: (connection: string, exchange: string) => HeaderMemory | null): Tally {
    let left = 0;
    const select = (connection: ConnectionTally): ConnectionTally => {
      const exchanges = connection.exchanges.filter((exchange) => {
        const headers = this.#headers.get(exchange.id) ?? openHeaders(connection.id, exchange.id);
        return this.#filter.exchange(connection, exchange, headers);
      });
      left += connection.exchanges.length - exchanges.length;
      return { ...connection, exchanges };
    };
    const connections = tally.connections.map(select);
    return { ...tally, omitted: { ...tally.omitted, exchanges: tally.omitted.exchanges + left }, connections };
  }
}
