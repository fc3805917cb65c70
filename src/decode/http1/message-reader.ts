import { internedOctetString, octetString } from "http2-frame-parser";
import { CATEGORY } from "../category.ts";
import type { Schemas } from "../protobuf/message-type.ts";
import { Resync } from "../resync.ts";
import type { LostReason } from "../search.ts";
import { isSecretUrl } from "../secret-value.ts";
import { SHOWN_OCTETS, type UnitDetail } from "../wire-unit.ts";
import type { Announcer } from "./announcer.ts";
import { BodyContent } from "./body-content.ts";
import { ChunkedBody } from "./chunked-body.ts";
import { announceTruncated, FieldSection } from "./field-section.ts";
import type { Framing } from "./framing.ts";
import { HeadFacts } from "./head-facts.ts";
import { LineReader } from "./line-reader.ts";
import type { MessageRole } from "./message-role.ts";
import { CR } from "./octets.ts";
import type { Rule } from "./rules.ts";
import { StartLineSearch } from "./start-line-search.ts";

const START = 0;
const FIELDS = 1;
const LENGTH = 2;
const CLOSE = 3;
const CHUNKED = 4;
/** Framing is lost: nobody knows what follows. */
const LOST = 5;
/** Octets are missing: the next start-line is looked for. */
const SEARCH = 6;

const LENGTH_UNIT = (): UnitDetail => ({ kind: "http1.body", framing: "content-length" });
const CLOSE_UNIT = (): UnitDetail => ({ kind: "http1.body", framing: "until-close" });
const MALFORMED_UNIT = (): UnitDetail => ({ kind: "http1.malformed" });
const UNATTRIBUTED_UNIT = (): UnitDetail => ({ kind: "unattributed" });

/** Reads the HTTP/1 messages of one direction, RFC 9112, and announces every octet. What messages mean is its role's business. */
export class MessageReader {
  readonly #announcer: Announcer;
  readonly #role: MessageRole;
  readonly #lines = new LineReader();
  readonly #fields: FieldSection;
  readonly #content: BodyContent;
  readonly #chunked: ChunkedBody;
  readonly #facts = new HeadFacts();
  readonly #headUnit = (): UnitDetail => this.#role.headUnit();
  #state = START;
  /** A message has begun and is not over. */
  #inMessage = false;
  /** Octets of empty lines before a message, and the first of them. */
  #leading = 0;
  readonly #leadingShown = new Uint8Array(SHOWN_OCTETS);
  #bodyLeft = 0;
  #bodyTouched = false;
  #halted = false;
  #lossNoted = false;
  readonly #resync: Resync;

  constructor(announcer: Announcer, role: MessageRole, schemas: Schemas | null) {
    this.#announcer = announcer;
    this.#role = role;
    this.#resync = new Resync(announcer.sink, announcer.direction, [new StartLineSearch(announcer.direction)]);
    this.#fields = new FieldSection(announcer, this.#lines);
    this.#content = new BodyContent(announcer, schemas);
    this.#chunked = new ChunkedBody(announcer, this.#lines, this.#fields, this.#content);
  }

  /** Octets taken and not announced. */
  get held(): number {
    return this.#leading + this.#lines.held + this.#chunked.held + this.#resync.held;
  }

  /** A head is over, and no octet of the body that follows has come. */
  get beforeBody(): boolean {
    return (this.#state === LENGTH || this.#state === CHUNKED) && !this.#bodyTouched;
  }

  /** The next start-line is looked for. */
  get lost(): boolean {
    return this.#state === SEARCH;
  }

  /** Stop `push` where it is now, until it is called again. */
  halt(): void {
    this.#halted = true;
  }

  /** Take `bytes[from, to)`. @returns the position up to which octets were taken; less than `to` only after `halt`. */
  push(bytes: Uint8Array, from: number, to: number): number {
    this.#halted = false;
    let at = from;
    while (at < to && !this.#halted) at = this.#step(bytes, at, to);
    return at;
  }

  /** The body that is due will not come: the next message does. Only while `beforeBody`. */
  abandonBody(): void {
    this.#messageOver(true);
  }

  /** The messages that were due will not come, as `rule` says: what follows is nobody's. Only between messages. */
  fail(rule: Rule): void {
    this.#lose(rule, this.#announcer.offset);
  }

  /** Octets are missing here: as many as `octets`; null: nobody knows. The body goes on behind them where it can. */
  gap(octets: number | null, reason: LostReason): void {
    if (this.#state === LOST || this.#bodyGoesOn(octets)) return;
    if (this.#state === SEARCH) this.#resync.end();
    else this.#truncate("message-cut");
    this.#state = SEARCH;
    this.#resync.begin(reason);
  }

  #bodyGoesOn(octets: number | null): boolean {
    if (this.#state === CLOSE) {
      this.#content.gap(octets);
      return true;
    }
    if (octets === null) return false;
    if (this.#state === CHUNKED) {
      this.#bodyTouched = true;
      return this.#chunked.gap(octets);
    }
    if (this.#state !== LENGTH || octets > this.#bodyLeft) return false;
    this.#bodyTouched = true;
    this.#content.gap(octets);
    this.#bodyLeft -= octets;
    if (this.#bodyLeft === 0) this.#endLengthBody();
    return true;
  }

  /** The direction is over. */
  end(): void {
    const announcer = this.#announcer;
    const lost = this.#state === LOST;
    if (this.#state === SEARCH) this.#resync.end();
    if (this.#state === CLOSE) {
      // Whether all of it came nobody can tell (RFC 9112 §6.3 rule 8).
      this.#content.end(true);
      announcer.unit(CLOSE_UNIT);
      this.#messageOver(true);
    } else if (lost) {
      announcer.unit(UNATTRIBUTED_UNIT);
    } else {
      this.#truncate("truncated");
    }
    if (!lost) this.#role.closed();
    this.#state = LOST;
  }

  #step(bytes: Uint8Array, at: number, to: number): number {
    switch (this.#state) {
      case START:
        return this.#pushStart(bytes, at, to);
      case FIELDS:
        return this.#pushFields(bytes, at, to);
      case LENGTH:
      case CLOSE:
        return this.#pushBody(bytes, at, to);
      case CHUNKED:
        return this.#pushChunked(bytes, at, to);
      case SEARCH:
        return this.#search(bytes, at, to);
      default:
        return this.#pushLost(bytes, at, to);
    }
  }

  #pushStart(bytes: Uint8Array, at: number, to: number): number {
    const lines = this.#lines;
    const next = lines.take(bytes, at, to, false);
    if (next < 0) {
      if (!lines.maybeEmpty) this.#beginMessage();
      return to;
    }
    if (lines.empty && !this.#inMessage) {
      this.#holdLeading(lines.bytes, lines.start, lines.end);
    } else {
      this.#beginMessage();
      this.#readStartLine();
    }
    lines.tooLong = false;
    lines.release();
    return next;
  }

  /** Empty lines before a message are its own (RFC 9112 §2.2), so they wait for it. */
  #beginMessage(): void {
    if (this.#inMessage) return;
    this.#inMessage = true;
    const announcer = this.#announcer;
    announcer.exchange = this.#role.begin(announcer.offset + this.#leading, this.#leading > 0);
    this.#announceLeading();
  }

  #holdLeading(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end; at++, this.#leading++) {
      if (this.#leading < SHOWN_OCTETS) this.#leadingShown[this.#leading] = bytes[at] ?? 0;
    }
  }

  #announceLeading(): void {
    const count = this.#leading;
    this.#leading = 0;
    for (let left = count; left > 0; left -= SHOWN_OCTETS) {
      this.#announcer.octets(CATEGORY["http1.leading_crlf"], this.#leadingShown, 0, Math.min(left, SHOWN_OCTETS), false);
    }
  }

  #readStartLine(): void {
    const { bytes, start, end, tooLong } = this.#lines;
    const announcer = this.#announcer;
    const crlf = end - 2 >= start && bytes[end - 2] === CR;
    const { offset } = announcer;
    const rule = tooLong
      ? "line-too-long"
      : this.#role.startLine(internedOctetString(bytes, start, end - (crlf ? 2 : 1)), offset);
    if (rule !== null) {
      announcer.octets(CATEGORY["http1.malformed"], bytes, start, end);
      announcer.unit(MALFORMED_UNIT);
      this.#lose(rule, offset);
      return;
    }
    this.#facts.clear();
    this.#fields.begin(this.#facts);
    this.#fields.noteLineEnd(bytes, start, end);
    // A hex view cannot hide a query alone; while nobody listens, nobody asks.
    const secret = announcer.sink.detail > 0 && isSecretUrl(octetString(bytes, start, end));
    announcer.octets(CATEGORY["http1.start_line"], bytes, start, end, secret);
    this.#state = FIELDS;
  }

  #pushFields(bytes: Uint8Array, at: number, to: number): number {
    const next = this.#fields.push(bytes, at, to);
    if (next >= 0) return next;
    this.#announcer.unit(this.#headUnit);
    this.#follow(this.#role.headEnd(this.#facts));
    this.#role.headDone();
    return ~next;
  }

  #follow(framing: Framing): void {
    this.#bodyTouched = false;
    if (framing.kind !== "none" && framing.kind !== "lost") this.#beginContent(framing);
    switch (framing.kind) {
      case "none":
        this.#messageOver(true);
        break;
      case "content-length":
        this.#bodyLeft = framing.length;
        this.#state = LENGTH;
        break;
      case "until-close":
        this.#bodyLeft = Number.POSITIVE_INFINITY;
        this.#state = CLOSE;
        break;
      case "chunked":
        this.#chunked.begin();
        this.#state = CHUNKED;
        break;
      case "lost":
        this.#lose(null, 0);
        break;
    }
  }

  /** RFC 9112 §6: the message body is the content, unless a transfer coding other than chunked lies over it. */
  #beginContent(framing: Framing): void {
    this.#content.begin(this.#facts, framing.kind === "content-length" ? framing.length : null);
  }

  #pushBody(bytes: Uint8Array, at: number, to: number): number {
    this.#bodyTouched = true;
    const next = Math.min(to, at + this.#bodyLeft);
    this.#content.push(bytes, at, next);
    this.#bodyLeft -= next - at;
    if (this.#bodyLeft === 0) this.#endLengthBody();
    return next;
  }

  #endLengthBody(): void {
    this.#content.end(false);
    this.#announcer.unit(LENGTH_UNIT);
    this.#messageOver(true);
  }

  #pushChunked(bytes: Uint8Array, at: number, to: number): number {
    this.#bodyTouched = true;
    const next = this.#chunked.push(bytes, at, to);
    if (this.#chunked.over) this.#messageOver(true);
    else if (this.#chunked.failure !== null) this.#lose(this.#chunked.failure, this.#chunked.failureAt);
    return next;
  }

  #search(bytes: Uint8Array, at: number, to: number): number {
    const next = this.#resync.push(bytes, at, to);
    if (next < 0) return to;
    this.#state = START;
    // Part of a start-line: its line end is still to come.
    const rest = this.#resync.takeRest();
    if (rest.length > 0) this.#pushStart(rest, 0, rest.length);
    return next;
  }

  #pushLost(bytes: Uint8Array, at: number, to: number): number {
    if (!this.#lossNoted) {
      this.#lossNoted = true;
      this.#announcer.note("after-error", this.#announcer.offset);
    }
    this.#announcer.afterError(bytes, at, to);
    return to;
  }

  #messageOver(whole: boolean): void {
    this.#content.end(!whole);
    this.#state = START;
    this.#inMessage = false;
    this.#announcer.exchange = null;
    this.#role.over(whole);
  }

  /** @param rule why, seen at `offset`; null when it has been said. */
  #lose(rule: Rule | null, offset: number): void {
    if (rule !== null) this.#announcer.note(rule, offset);
    this.#messageOver(false);
    this.#state = LOST;
    this.#role.closed();
  }

  /** What is open ends here. @param rule why, for its note. */
  #truncate(rule: Rule): void {
    const announcer = this.#announcer;
    if (this.#leading > 0) {
      this.#announceLeading();
      announcer.unit(MALFORMED_UNIT);
    }
    if (this.#inMessage || this.held > 0) announcer.note(rule, announcer.offset);
    switch (this.#state) {
      case FIELDS:
        this.#fields.end();
        announcer.unit(this.#headUnit, true);
        break;
      case LENGTH:
        this.#content.end(true);
        announcer.unit(LENGTH_UNIT, true);
        break;
      case CHUNKED:
        this.#content.end(true);
        this.#chunked.end();
        break;
      default:
        this.#lines.takeRest();
        announceTruncated(announcer, this.#lines);
        announcer.unit(UNATTRIBUTED_UNIT, true);
    }
    this.#lines.release();
    if (this.#inMessage) this.#messageOver(false);
  }
}
