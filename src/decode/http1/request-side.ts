import { C2S } from "../direction.ts";
import type { Exchange } from "../exchange.ts";
import type { Layer } from "../layer.ts";
import { ownOctetString } from "../octet-string.ts";
import type { Schemas } from "../protobuf/message-type.ts";
import type { LostReason } from "../search.ts";
import type { ConnectionSink } from "../sink.ts";
import type { UnitDetail } from "../wire-unit.ts";
import { Announcer } from "./announcer.ts";
import { type Framing, requestFraming } from "./framing.ts";
import { type HeadFacts, NO_LENGTH } from "./head-facts.ts";
import type { Http1Host } from "./http1-host.ts";
import { MessageReader } from "./message-reader.ts";
import type { MessageRole } from "./message-role.ts";
import type { Pairing } from "./pairing.ts";
import { persists } from "./persistence.ts";
import { RequestLineProbe } from "./request-line-probe.ts";
import type { Rule } from "./rules.ts";
import { KEPT_LINE_OCTETS, type RequestLine, readRequestLine } from "./start-line.ts";
import type { Transaction } from "./transaction.ts";

const NO_LINE: RequestLine = { method: "", target: "", minor: 1, rule: null };

/** The client's direction of an HTTP/1 connection. */
export class RequestSide implements Layer {
  readonly #announcer: Announcer;
  readonly #pairing: Pairing;
  readonly #host: Http1Host;
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

  constructor(sink: ConnectionSink, pairing: Pairing, host: Http1Host, schemas: Schemas | null) {
    this.#announcer = new Announcer(sink, C2S);
    this.#pairing = pairing;
    this.#host = host;
    this.#reader = new MessageReader(this.#announcer, this.#role(), schemas);
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

  gap(octets: number | null, reason: LostReason): void {
    this.#decideBody();
    this.#reader.gap(octets, reason);
    if (this.#reader.lost) this.#last = false;
  }

  end(): void {
    this.#decideBody();
    this.#reader.end();
  }

  /** No more octets tell whether a body that nobody waits for any more has come. */
  #decideBody(): void {
    if (this.#probe.held > 0) this.#resume(false);
    else if (this.#isAmbiguous()) this.#reader.abandonBody();
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
    this.#forgetLongLine();
    this.#noteHead(facts, framing);
    this.#last = !persists(minor, facts);
    if (transaction !== null) {
      if (facts.type.envelope === "connect") transaction.exchange.protocol = "connect";
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

  #forgetLongLine(): void {
    if (this.#lineText.length <= KEPT_LINE_OCTETS) return;
    this.#lineText = "";
    this.#lastLine = NO_LINE;
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
    const { exchange, wants, http2Settings, switchTo, finalHead, responseOver } = transaction;
    this.#sayKnown();
    if (whole && (switchTo !== null || (wants !== "none" && !finalHead && !responseOver))) {
      transaction.parked = true;
      this.#reader.halt();
    }
    this.#pairing.requestOver(transaction, whole);
    if (switchTo === null) return;
    if (whole) this.#host.switched(switchTo, exchange, switchTo === "h2c" ? http2Settings : null);
    else this.#giveUpSwitch(transaction);
  }

  /** Its 101 has come, and it will never be whole. */
  #giveUpSwitch(transaction: Transaction): void {
    transaction.switchTo = null;
    this.#pairing.responseOver(transaction, false);
    this.#host.unparked();
  }

  #sayKnown(): void {
    if (this.#known || this.#transaction === null) return;
    this.#known = true;
    this.#announcer.sink.requestKnown(this.#transaction.exchange);
  }

  /** A final response came before the body that waits for 100 (Continue): the client may leave the body out, or send it all the same. */
  #isAmbiguous(): boolean {
    // RFC 9110 §7.8: after a 101 the body comes, or the connection could not be switched.
    const { finalHead = false, switchTo = null } = this.#transaction ?? {};
    return this.#expects && finalHead && switchTo === null && this.#reader.beforeBody;
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

/** RFC 9112 §3.3: who the request is for, by absolute-form, authority-form or Host. Userinfo in a target is left out. */
function authorityOf(method: string, target: string, host: string | null): string | null {
  const absolute = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^/?#]*)/.exec(target);
  const authority = absolute?.[1] ?? (method === "CONNECT" && !/[/?#]/.test(target) ? target : null);
  // A part of the target would keep all of it alive.
  return authority === null ? host : ownOctetString(authority.slice(authority.lastIndexOf("@") + 1));
}
