import { CATEGORIES } from "../decode/category.ts";
import { C2S, type Direction } from "../decode/direction.ts";
import type { Exchange } from "../decode/exchange.ts";
import type { ConnectionExchanges } from "./connection-exchanges.ts";

/**
 * Octets of one exchange, direction and level that came one after the other and are not given to it yet: a frame has many parts, and an
 * exchange few categories.
 */
export class OctetRun {
  readonly #exchanges: ConnectionExchanges;
  #exchange: Exchange | null = null;
  #direction: Direction = C2S;
  #level = 0;
  #cameNs = 0;
  /** By category, zero where nothing waits. */
  readonly #counts = new Float64Array(CATEGORIES.length);
  /** The categories that wait, `#length` of them. */
  readonly #categories = new Uint16Array(CATEGORIES.length);
  #length = 0;

  constructor(exchanges: ConnectionExchanges) {
    this.#exchanges = exchanges;
  }

  /** Whether octets of these go on with it; else it has to end, and another one to begin. */
  goesOn(exchange: Exchange, direction: Direction, level: number): boolean {
    return exchange === this.#exchange && direction === this.#direction && level === this.#level;
  }

  /** Octets of another exchange, direction or level follow; the run before has ended. @param cameNs when the first of them came. */
  begin(exchange: Exchange, direction: Direction, level: number, cameNs: number): void {
    this.#exchange = exchange;
    this.#direction = direction;
    this.#level = level;
    this.#cameNs = cameNs;
  }

  add(category: number, count: number): void {
    const waiting = this.#counts[category] ?? 0;
    if (waiting === 0) this.#categories[this.#length++] = category;
    this.#counts[category] = waiting + count;
  }

  /** Give the exchange its octets: before anybody looks at it, or anything happens to it. */
  end(): void {
    const exchange = this.#exchange;
    if (exchange === null) return;
    this.#exchange = null;
    const length = this.#length;
    this.#length = 0;
    for (let at = 0; at < length; at++) {
      const category = this.#categories[at] ?? 0;
      const count = this.#counts[category] ?? 0;
      this.#counts[category] = 0;
      this.#exchanges.octets(exchange, this.#direction, category, count, this.#level, this.#cameNs);
    }
  }
}
