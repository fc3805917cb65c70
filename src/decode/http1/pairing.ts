import type { ConnectionSink } from "../sink.ts";
import type { Transaction } from "./transaction.ts";

/** Requests without a response that are kept in order. No client pipelines this many; memory has to have an end. */
export const PIPELINE_CAP = 10_000;

/** Pairs responses with requests in their order, RFC 9112 §9.3.2, and says when both are over. */
export class Pairing {
  readonly #sink: ConnectionSink;
  /** Transactions that are not over, oldest request first. */
  #open: Transaction[] = [];
  /** Requests over the cap whose responses are still to come, after those of `#open`. */
  #unpaired = 0;
  #responsesClosed = false;

  constructor(sink: ConnectionSink) {
    this.#sink = sink;
  }

  /** A request begins. @returns its transaction, and whether it passes the cap, so that its response will not be found. */
  openRequest(): { readonly transaction: Transaction; readonly overCap: boolean } {
    this.#giveUpDoubtful();
    const transaction = this.#create();
    const overCap = !this.#responsesClosed && (this.#unpaired > 0 || this.#open.length >= PIPELINE_CAP);
    if (overCap) this.#unpaired += 1;
    else this.#open.push(transaction);
    transaction.responseOver = this.#responsesClosed || overCap;
    transaction.whole = !transaction.responseOver;
    return { transaction, overCap };
  }

  /** A response begins: the oldest request without one, or a transaction of its own when there is none. */
  openResponse(): { readonly transaction: Transaction; readonly unasked: boolean } {
    const waiting = this.#open.find(({ responseOver }) => !responseOver);
    if (waiting !== undefined) {
      waiting.doubtful = false;
      return { transaction: waiting, unasked: false };
    }
    if (this.#unpaired > 0) this.#unpaired -= 1;
    const transaction = this.#create();
    transaction.requestOver = true;
    transaction.whole = false;
    this.#open.push(transaction);
    return { transaction, unasked: true };
  }

  requestOver(transaction: Transaction, whole: boolean): void {
    transaction.requestOver = true;
    this.#over(transaction, whole);
  }

  responseOver(transaction: Transaction, whole: boolean): void {
    transaction.responseOver = true;
    this.#over(transaction, whole);
  }

  /**
   * Octets are missing among the responses. A request that waits for one may never get it: it is so if the client sends another one
   * before it does. A client that does not wait (pipelining) is misjudged; hardly any does.
   */
  responsesLost(): void {
    for (const transaction of this.#open) if (!transaction.responseOver) transaction.doubtful = true;
  }

  #giveUpDoubtful(): void {
    for (const transaction of this.#open.filter(({ doubtful }) => doubtful)) {
      transaction.doubtful = false;
      this.responseOver(transaction, false);
    }
  }

  /** No response will come any more. @returns whether a request was parked for one; it is so no longer. */
  closeResponses(): boolean {
    let parked = false;
    this.#responsesClosed = true;
    for (const transaction of [...this.#open]) {
      if (transaction.responseOver) continue;
      parked ||= transaction.parked;
      transaction.parked = false;
      this.responseOver(transaction, false);
    }
    return parked;
  }

  #over(transaction: Transaction, whole: boolean): void {
    if (!whole) transaction.whole = false;
    if (!transaction.requestOver || !transaction.responseOver) return;
    const at = this.#open.indexOf(transaction);
    if (at >= 0) this.#open.splice(at, 1);
    transaction.exchange.complete = transaction.whole;
    this.#sink.exchangeDone(transaction.exchange);
  }

  #create(): Transaction {
    return {
      exchange: this.#sink.openExchange(null, "http1"),
      wants: "none",
      http2Settings: null,
      switchTo: null,
      parked: false,
      finalHead: false,
      requestOver: false,
      responseOver: false,
      doubtful: false,
      whole: true,
    };
  }
}
