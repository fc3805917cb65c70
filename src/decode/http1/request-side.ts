import { C2S } from "../direction.ts";
import type { Exchange } from "../exchange.ts";
import type { Layer } from "../layer.ts";
import type { ConnectionSink } from "../sink.ts";
import type { UnitDetail } from "../wire-unit.ts";
import { Announcer } from "./announcer.ts";
import { type Framing, requestFraming } from "./framing.ts";
import { type HeadFacts, NO_LENGTH } from "./head-facts.ts";
import { MessageReader } from "./message-reader.ts";
import type { MessageRole } from "./message-role.ts";
import type { Pairing } from "./pairing.ts";
import { persists } from "./persistence.ts";
import { RequestLineProbe } from "./request-line-probe.ts";
import type { Rule } from "./rules.ts";
import { type RequestLine, readRequestLine } from "./start-line.ts";
import type { Transaction } from "./transaction.ts";

const NO_LINE: RequestLine = { method: "", target: "", minor: 1, rule: null };

/** The client's direction of an HTTP/1 connection. */
export class RequestSide implements Layer {
  readonly #announcer: Announcer;
  readonly #pairing: Pairing;
  readonly #reader: MessageReader;
  readonly #probe = new RequestLineProbe();
  /** The request that is being read, else the last one. */
  #transaction: Transaction | null = null;
  #line = NO_LINE;
  /** The last line that was read, and its text: the next one is often the same. */
  #lastLine = NO_LINE;
  #lineText = "";
  /** requestKnown has been said of it. */
  #known = false;
  /** It waits for 100 (Continue) before its body, RFC 9110 §10.1.1. */
  #expects = false;
  /** No request may follow it, RFC 9112 §9.6. */
  #last = false;

  constructor(sink: ConnectionSink, pairing: Pairing) {
    this.#announcer = new Announcer(sink, C2S);
    this.#pairing = pairing;
    this.#reader = new MessageReader(this.#announcer, this.#role());
  }

  /** Nothing is taken: what comes next depends on the final response to the last request. */
  get parked(): boolean {
    return this.#transaction?.parked ?? false;
  }

  get held(): number {
    return this.#reader.held + this.#probe.held;
  }

  push(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    while (at < to && !this.parked) {
      at = this.#isAmbiguous() ? this.#probeBody(bytes, at, to) : this.#reader.push(bytes, at, to);
    }
    return at;
  }

  end(): void {
    if (this.#probe.held > 0) this.#resume(false);
    else if (this.#isAmbiguous()) this.#reader.abandonBody();
    this.#reader.end();
  }

  #role(): MessageRole {
    return {
      begin: (offset) => this.#begin(offset),
      startLine: (line, offset) => this.#startLine(line, offset),
      headUnit: () => this.#headUnit(),
      headEnd: (facts) => this.#headEnd(facts),
      headDone: () => {
        if (this.#isAmbiguous()) this.#reader.halt();
      },
      over: (whole) => this.#over(whole),
      closed: () => {},
    };
  }

  #begin(offset: number): Exchange {
    if (this.#last) this.#announcer.note("request-after-close", offset);
    const { transaction, overCap } = this.#pairing.openRequest();
    if (overCap) this.#announcer.note("pipeline-limit", offset);
    this.#transaction = transaction;
    this.#known = false;
    this.#expects = false;
    this.#line = NO_LINE;
    return transaction.exchange;
  }

  #startLine(text: string, offset: number): Rule | null {
    const line = text === this.#lineText ? this.#lastLine : readRequestLine(text);
    if (typeof line === "string") return line;
    if (line.rule !== null) this.#announcer.note(line.rule, offset);
    this.#line = line;
    this.#lastLine = line;
    this.#lineText = text;
    const exchange = this.#transaction?.exchange;
    if (exchange !== undefined) {
      exchange.method = line.method;
      exchange.path = line.target;
    }
    return null;
  }

  #headUnit(): UnitDetail {
    const { method, target } = this.#line;
    return { kind: "http1.request_head", startLine: this.#lineText, method, target };
  }

  #headEnd(facts: HeadFacts): Framing {
    const transaction = this.#transaction;
    const { method, target, minor } = this.#line;
    const framing = requestFraming(method, facts);
    this.#noteHead(facts, framing);
    this.#last = !persists(minor, facts);
    if (transaction !== null) {
      transaction.exchange.authority = authorityOf(method, target, facts.host);
      // RFC 9110 §7.8: an Upgrade field in an HTTP/1.0 request, or not listed in Connection, is ignored.
      if (method === "CONNECT") transaction.wants = "connect";
      else if (facts.upgrade && facts.connectionUpgrade && minor > 0) transaction.wants = "upgrade";
      if (transaction.wants === "upgrade" && facts.upgradeH2c) transaction.http2Settings = facts.http2Settings;
    }
    this.#sayKnown();
    this.#expects = facts.expectContinue && framing.kind !== "none";
    return framing;
  }

  #noteHead(facts: HeadFacts, framing: Framing): void {
    const announcer = this.#announcer;
    const { offset } = announcer;
    const { method, minor } = this.#line;
    if (facts.hostCount > 1) announcer.note("host-repeated", offset);
    else if (facts.hostCount === 0 && minor > 0) announcer.note("host-missing", offset);
    const { lastCoding, contentLength, transferEncodingAt } = facts;
    if (method === "CONNECT") {
      if (lastCoding !== null || contentLength > 0) announcer.note("connect-content", offset);
      return;
    }
    if (lastCoding === null) return;
    if (contentLength !== NO_LENGTH) announcer.note("te-and-cl", Math.max(transferEncodingAt, facts.contentLengthAt));
    if (minor === 0) announcer.note("te-in-http10", transferEncodingAt);
    if (facts.chunkedTwice) announcer.note("te-chunked-twice", transferEncodingAt);
    if (framing.kind === "lost") announcer.note("te-not-chunked", transferEncodingAt);
  }

  #over(whole: boolean): void {
    const transaction = this.#transaction;
    if (transaction === null) return;
    this.#sayKnown();
    if (whole && transaction.wants !== "none" && !transaction.finalHead && !transaction.responseOver) {
      transaction.parked = true;
      this.#reader.halt();
    }
    this.#pairing.requestOver(transaction, whole);
  }

  #sayKnown(): void {
    if (this.#known || this.#transaction === null) return;
    this.#known = true;
    this.#announcer.sink.requestKnown(this.#transaction.exchange);
  }

  /** A final response came before the body that waits for 100 (Continue): the client may leave the body out, or send it all the same. */
  #isAmbiguous(): boolean {
    return this.#expects && this.#transaction?.finalHead === true && this.#reader.beforeBody;
  }

  #probeBody(bytes: Uint8Array, at: number, to: number): number {
    const next = this.#probe.push(bytes, at, to);
    if (this.#probe.verdict !== "more") this.#resume(this.#probe.verdict === "request");
    return next;
  }

  /** What the probe held is a new request, or it is the body. */
  #resume(isRequest: boolean): void {
    this.#announcer.note("ambiguous", this.#announcer.offset);
    this.#expects = false;
    if (isRequest) this.#reader.abandonBody();
    const held = this.#probe.takeAll();
    this.#reader.push(held, 0, held.length);
  }
}

/** RFC 9112 §3.3: who the request is for, by authority-form, absolute-form (userinfo left out) or Host. */
function authorityOf(method: string, target: string, host: string | null): string | null {
  if (method === "CONNECT") return target;
  const absolute = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^/?#]*)/.exec(target);
  return absolute === null ? host : (absolute[1] ?? "").replace(/^.*@/, "");
}
