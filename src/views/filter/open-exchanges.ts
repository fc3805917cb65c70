import { FRAME_TYPE } from "http2-frame-parser";
import type { Exchange } from "../../decode/exchange.ts";
import type { WireUnit } from "../../decode/wire-unit.ts";
import { HeaderMemory, type HeaderTest } from "./header-test.ts";

/** An exchange as units showed it. */
export interface OpenExchange {
  readonly exchange: Exchange;
  /** null when no filter asks for headers. */
  readonly headers: HeaderMemory | null;
}

/**
 * The exchanges of one connection between their first unit and their end: the ledger tells messages and ends of exchanges by id, and
 * those have no field lines.
 */
export class OpenExchanges {
  readonly #tests: readonly HeaderTest[];
  readonly #byId = new Map<string, OpenExchange>();
  /** Those that are open, and those over that late units may still belong to. */
  readonly #known = new WeakMap<Exchange, OpenExchange>();

  constructor(tests: readonly HeaderTest[]) {
    this.#tests = tests;
  }

  /** A unit passed. */
  saw({ exchange, detail, fields }: WireUnit): void {
    if (exchange === null) return;
    const open = this.#known.get(exchange) ?? this.#add(exchange);
    // RFC 9113 §8.4: the field section of a PUSH_PROMISE is another request's.
    if (detail.kind === "h2.frame" && detail.type === FRAME_TYPE.PUSH_PROMISE) return;
    if (fields.length > 0) open.headers?.add(fields, this.#tests);
  }

  find(id: string): OpenExchange | null {
    return this.#byId.get(id) ?? this.#renamed(id);
  }

  /** It is over. @returns what was known of it. */
  finish(id: string): OpenExchange | null {
    const open = this.find(id);
    this.#byId.delete(id);
    return open;
  }

  #add(exchange: Exchange): OpenExchange {
    const open = { exchange, headers: this.#tests.length === 0 ? null : new HeaderMemory(this.#tests.length) };
    this.#known.set(exchange, open);
    this.#byId.set(exchange.id, open);
    return open;
  }

  /** An upgrade to h2c makes a request stream 1, at most once in a connection: it is still listed under its old id. */
  #renamed(id: string): OpenExchange | null {
    if (!id.endsWith(".s1")) return null;
    for (const [oldId, open] of this.#byId) {
      if (open.exchange.id !== id) continue;
      this.#byId.delete(oldId);
      this.#byId.set(id, open);
      return open;
    }
    return null;
  }
}
