import type { ExchangeRecord } from "./exchange-record.ts";

/** Records that wait to be used again. As many come as go, once the list is full. */
const SPARE = 1000;

/** The newest finished exchanges of a whole ledger: a ring, so that a long run neither grows nor slows down. */
export class ExchangeHistory {
  readonly #limit: number;
  readonly #ring: (ExchangeRecord | null)[] = [];
  #next = 0;
  readonly #spare: ExchangeRecord[] = [];

  /** @param limit at least 1. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** List a finished exchange. @returns whether the oldest one had to go for it. */
  add(record: ExchangeRecord): boolean {
    const oldest = this.#ring[this.#next] ?? null;
    if (oldest !== null) this.remove(oldest);
    this.#ring[this.#next] = record;
    record.slot = this.#next;
    record.listed.add(record);
    this.#next = (this.#next + 1) % this.#limit;
    return oldest !== null;
  }

  /** List it no longer. */
  remove(record: ExchangeRecord): void {
    if (record.slot < 0) return;
    this.#ring[record.slot] = null;
    record.slot = -1;
    record.listed.delete(record);
    record.forget();
    this.offer(record);
  }

  /** Keep a record to be used again, if nobody holds it. */
  offer(record: ExchangeRecord): void {
    if (this.#spare.length < SPARE && record.release()) this.#spare.push(record);
  }

  /** A record that nobody holds. */
  spare(): ExchangeRecord | undefined {
    return this.#spare.pop();
  }
}
