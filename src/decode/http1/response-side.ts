import { S2C } from "../direction.ts";
import type { Exchange } from "../exchange.ts";
import type { Layer } from "../layer.ts";
import type { ConnectionSink } from "../sink.ts";
import type { UnitDetail } from "../wire-unit.ts";
import { Announcer } from "./announcer.ts";
import { type Framing, LOST, NO_BODY, responseFraming } from "./framing.ts";
import { type HeadFacts, NO_LENGTH } from "./head-facts.ts";
import type { Http1Host } from "./http1-host.ts";
import { MessageReader } from "./message-reader.ts";
import type { MessageRole } from "./message-role.ts";
import type { Pairing } from "./pairing.ts";
import { persists } from "./persistence.ts";
import type { Rule } from "./rules.ts";
import { readStatusLine, type StatusLine } from "./start-line.ts";
import type { Transaction } from "./transaction.ts";

const NO_LINE: StatusLine = { status: 0, minor: 1, rule: null };

/** The server's direction of an HTTP/1 connection. */
export class ResponseSide implements Layer {
  readonly #announcer: Announcer;
  readonly #pairing: Pairing;
  readonly #host: Http1Host;
  readonly #reader: MessageReader;
  #transaction: Transaction | null = null;
  #line = NO_LINE;
  /** The last line that was read, and its text: the next one is often the same. */
  #lastLine = NO_LINE;
  #lineText = "";
  /** 1xx, RFC 9110 §15.2: another response to the same request follows. */
  #interim = false;
  /** What the connection becomes after this head; null: it stays. */
  #switch: "h2c" | "tunnel" | "opaque" | null = null;
  /** No response may follow, RFC 9112 §9.6. */
  #last = false;

  constructor(sink: ConnectionSink, pairing: Pairing, host: Http1Host) {
    this.#announcer = new Announcer(sink, S2C);
    this.#pairing = pairing;
    this.#host = host;
    this.#reader = new MessageReader(this.#announcer, this.#role());
  }

  get held(): number {
    return this.#reader.held;
  }

  push(bytes: Uint8Array, from: number, to: number): number {
    return this.#switch === null ? this.#reader.push(bytes, from, to) : from;
  }

  end(): void {
    if (this.#switch === null) this.#reader.end();
  }

  #role(): MessageRole {
    return {
      begin: (offset, afterEmptyLine) => this.#begin(offset, afterEmptyLine),
      startLine: (line, offset) => this.#startLine(line, offset),
      headUnit: () =>
        ({ kind: "http1.response_head", startLine: this.#lineText, status: this.#line.status }) satisfies UnitDetail,
      headEnd: (facts) => this.#headEnd(facts),
      headDone: () => this.#headDone(),
      over: (whole) => this.#over(whole),
      closed: () => this.#closed(),
    };
  }

  #begin(offset: number, afterEmptyLine: boolean): Exchange {
    if (afterEmptyLine) this.#announcer.note("empty-line-before-response", offset);
    if (this.#last) this.#announcer.note("response-after-close", offset);
    const { transaction, unasked } = this.#pairing.openResponse();
    if (unasked) {
      this.#announcer.note("response-unasked", offset);
      this.#announcer.sink.requestKnown(transaction.exchange);
    }
    this.#transaction = transaction;
    this.#line = NO_LINE;
    this.#interim = false;
    return transaction.exchange;
  }

  #startLine(text: string, offset: number): Rule | null {
    const line = text === this.#lineText ? this.#lastLine : readStatusLine(text);
    if (typeof line === "string") return line;
    if (line.rule !== null) this.#announcer.note(line.rule, offset);
    this.#line = line;
    this.#lastLine = line;
    this.#lineText = text;
    return null;
  }

  #headEnd(facts: HeadFacts): Framing {
    const transaction = this.#transaction;
    const { status, minor } = this.#line;
    const method = transaction?.exchange.method ?? null;
    const framing = responseFraming(method, status, facts);
    this.#noteHead(facts, method);
    this.#interim = status >= 100 && status < 200 && status !== 101;
    if (this.#interim || transaction === null) return NO_BODY;
    this.#switch = switchOf(transaction, status, facts);
    if (status === 101 && this.#switch === null) {
      this.#announcer.note("switch-unasked", this.#announcer.offset);
      return LOST;
    }
    transaction.finalHead = true;
    // The answer to an h2c request is the one on stream 1.
    if (this.#switch !== "h2c" && status <= 599) transaction.exchange.status = status;
    this.#last = !persists(minor, facts);
    return framing;
  }

  #noteHead(facts: HeadFacts, method: string | null): void {
    const announcer = this.#announcer;
    const { status, minor } = this.#line;
    const { lastCoding, contentLength, contentLengthAt, transferEncodingAt } = facts;
    const bodiless = status < 200 || status === 204 || (method === "CONNECT" && status < 300);
    if (bodiless && contentLength !== NO_LENGTH) announcer.note("cl-forbidden", contentLengthAt);
    if (bodiless && lastCoding !== null) announcer.note("te-forbidden", transferEncodingAt);
    if (bodiless || lastCoding === null) return;
    if (contentLength !== NO_LENGTH) announcer.note("te-and-cl", Math.max(transferEncodingAt, contentLengthAt));
    if (minor === 0) announcer.note("te-in-http10", transferEncodingAt);
    if (facts.chunkedTwice) announcer.note("te-chunked-twice", transferEncodingAt);
  }

  #headDone(): void {
    const transaction = this.#transaction;
    if (transaction === null || !transaction.parked) return;
    if (this.#switch !== null) {
      this.#reader.halt();
      this.#host.switched(this.#switch, transaction.exchange, this.#switch === "h2c" ? transaction.http2Settings : null);
    } else if (transaction.finalHead) {
      transaction.parked = false;
      this.#reader.halt();
      this.#host.unparked();
    }
  }

  #over(whole: boolean): void {
    // An h2c exchange goes on as stream 1.
    if (this.#transaction === null || this.#interim || this.#switch === "h2c") return;
    this.#pairing.responseOver(this.#transaction, whole);
  }

  #closed(): void {
    const parked = this.#pairing.closeResponses();
    if (!parked) return;
    this.#reader.halt();
    this.#host.unparked();
  }
}

/** RFC 9110 §7.8 and §9.3.6: only a whole request that asked for it is switched. RFC 7540 §3.2: h2c needs HTTP2-Settings and the 101's word. */
function switchOf(transaction: Transaction, status: number, facts: HeadFacts): "h2c" | "tunnel" | "opaque" | null {
  if (!transaction.parked) return null;
  if (transaction.wants === "connect") return status >= 200 && status < 300 ? "tunnel" : null;
  if (status !== 101) return null;
  return transaction.http2Settings !== null && facts.upgradeH2c ? "h2c" : "opaque";
}
