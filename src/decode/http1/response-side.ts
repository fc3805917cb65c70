import { S2C } from "../direction.ts";
import type { Exchange } from "../exchange.ts";
import type { Layer } from "../layer.ts";
import type { Schemas } from "../protobuf/message-type.ts";
import type { LostReason } from "../search.ts";
import type { ConnectionSink } from "../sink.ts";
import type { UnitDetail } from "../wire-unit.ts";
import { Announcer } from "./announcer.ts";
import { type Framing, LOST, NO_BODY, responseFraming } from "./framing.ts";
import { type HeadFacts, NO_LENGTH } from "./head-facts.ts";
import type { Http1Host, NextProtocol } from "./http1-host.ts";
import { MessageReader } from "./message-reader.ts";
import type { MessageRole } from "./message-role.ts";
import type { Pairing } from "./pairing.ts";
import { persists } from "./persistence.ts";
import type { Rule } from "./rules.ts";
import { KEPT_LINE_OCTETS, readStatusLine, type StatusLine } from "./start-line.ts";
import type { Transaction } from "./transaction.ts";

const NO_LINE: StatusLine = { status: 0, minor: 1, rule: null };

/** The server's direction of an HTTP/1 connection. */
export class ResponseSide implements Layer {
  readonly #announcer: Announcer;
  readonly #pairing: Pairing;
  readonly #host: Http1Host;
  readonly #reader: MessageReader;
  #transaction: Transaction | null = null;
  /** Its request is not known. */
  #unasked = false;
  #line = NO_LINE;
  /** The last line that was read, and its text: the next one is often the same. */
  #lastLine = NO_LINE;
  #lineText = "";
  /** 1xx, RFC 9110 §15.2: another response to the same request follows. */
  #interim = false;
  /** The last head read was one that switches the connection: nothing more is taken, unless its request never becomes whole. */
  #switching = false;
  /** No response may follow, RFC 9112 §9.6. */
  #last = false;

  constructor(sink: ConnectionSink, pairing: Pairing, host: Http1Host, schemas: Schemas | null) {
    this.#announcer = new Announcer(sink, S2C);
    this.#pairing = pairing;
    this.#host = host;
    this.#reader = new MessageReader(this.#announcer, this.#role(), schemas);
  }

  get held(): number {
    return this.#reader.held;
  }

  push(bytes: Uint8Array, from: number, to: number): number {
    this.#resume();
    return this.#switching ? from : this.#reader.push(bytes, from, to);
  }

  gap(octets: number | null, reason: LostReason): void {
    this.#resume();
    if (this.#switching) return;
    this.#reader.gap(octets, reason);
    if (!this.#reader.lost) return;
    this.#last = false;
    this.#pairing.responsesLost();
  }

  end(): void {
    this.#resume();
    if (!this.#switching) this.#reader.end();
  }

  /** A switch that will not be leaves the octets behind its 101 without a meaning. */
  #resume(): void {
    if (!this.#switching || this.#transaction === null || this.#transaction.switchTo !== null) return;
    this.#switching = false;
    this.#reader.fail("switch-unasked");
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
    this.#unasked = unasked;
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
    this.#forgetLongLine();
    this.#noteHead(facts, method);
    this.#interim = status >= 100 && status < 200 && status !== 101;
    if (this.#interim || transaction === null) return NO_BODY;
    const unseen = this.#unasked && this.#host.requestsUnseen;
    const switchTo = unseen ? unseenSwitchOf(status, facts) : switchOf(transaction, status, facts);
    if (status === 101 && switchTo === null) {
      this.#announcer.note("switch-unasked", this.#announcer.offset);
      return LOST;
    }
    transaction.switchTo = switchTo;
    this.#switching = switchTo !== null;
    transaction.finalHead = true;
    // The answer to an h2c request is the one on stream 1.
    if (switchTo !== "h2c" && status <= 599) transaction.exchange.status = status;
    this.#last = !persists(minor, facts);
    return framing;
  }

  #forgetLongLine(): void {
    if (this.#lineText.length <= KEPT_LINE_OCTETS) return;
    this.#lineText = "";
    this.#lastLine = NO_LINE;
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
    if (transaction === null) return;
    const { switchTo, parked, exchange, http2Settings } = transaction;
    if (switchTo !== null) {
      this.#reader.halt();
      // RFC 7540 §3.2: a request is sent in its entirety before anything else. A server may answer before it has come.
      if (parked || this.#unasked) this.#host.switched(switchTo, exchange, switchTo === "h2c" ? http2Settings : null);
    } else if (parked && transaction.finalHead) {
      transaction.parked = false;
      this.#reader.halt();
      this.#host.unparked();
    }
  }

  #over(whole: boolean): void {
    const transaction = this.#transaction;
    if (transaction === null || transaction.responseOver || this.#interim) return;
    // An h2c exchange goes on as stream 1, an upgraded session is its exchange to the end.
    if (transaction.switchTo !== null && transaction.switchTo !== "tunnel") return;
    this.#pairing.responseOver(transaction, whole);
  }

  #closed(): void {
    const parked = this.#pairing.closeResponses();
    if (!parked) return;
    this.#reader.halt();
    this.#host.unparked();
  }
}

/**
 * RFC 9110 §7.8 and §9.3.6: only a request that asked for it is switched, and only one that is or can still become whole. RFC 7540
 * §3.2: h2c needs HTTP2-Settings and the 101's word.
 */
function switchOf(transaction: Transaction, status: number, facts: HeadFacts): NextProtocol | null {
  const { wants, parked, requestOver, http2Settings } = transaction;
  if (wants === "none" || (requestOver && !parked)) return null;
  if (wants === "connect") return status >= 200 && status < 300 ? "tunnel" : null;
  if (status !== 101) return null;
  return http2Settings !== null && facts.upgradeH2c ? "h2c" : upgradedTo(facts);
}

/** RFC 7540 §3.2: what the 101 says of a request that was not seen. */
function unseenSwitchOf(status: number, facts: HeadFacts): NextProtocol | null {
  if (status !== 101) return null;
  return facts.upgradeH2c ? "h2c" : upgradedTo(facts);
}

/** RFC 6455 §4.2.2: the 101 names what was agreed on. */
function upgradedTo({ upgradeWebSocket, permessageDeflate }: HeadFacts): NextProtocol {
  if (!upgradeWebSocket) return "opaque";
  return permessageDeflate ? "websocket-deflate" : "websocket";
}
