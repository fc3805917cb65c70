import {
  errorCodeName,
  type FieldLine,
  type FieldRun,
  FRAME_HEADER_OCTETS,
  FRAME_TYPE,
  type Frame,
  type FrameHandler,
  FrameReader,
  octetString,
  PART,
  PREFACE,
  REPRESENTATION,
  type Rule,
  type Violation,
} from "http2-frame-parser";
import { fieldInflation, mayInflate } from "../base64/field-inflation.ts";
import { CATEGORY, CONTENT_BASE } from "../category.ts";
import { type ContentKind, type Envelope, kindOfPart } from "../content/content-kind.ts";
import type { ContentNote } from "../content/content-note.ts";
import { ContentPool } from "../content/content-pool.ts";
import { NoteTeller } from "../content/note-teller.ts";
import { C2S, type Direction, opposite, S2C } from "../direction.ts";
import type { Exchange } from "../exchange.ts";
import { badFlagRule, type EnvelopeRule, messageCutRule } from "../grpc/envelope-rules.ts";
import { MessageQueue } from "../grpc/message-queue.ts";
import type { Layer } from "../layer.ts";
import { LEVEL } from "../level.ts";
import type { MessageType } from "../protobuf/message-type.ts";
import { Resync } from "../resync.ts";
import { BorderSearch, type LostReason, type UnitAt } from "../search.ts";
import { isSecretValue } from "../secret-value.ts";
import { CONTROL, type ConnectionSink, type NoteSeverity } from "../sink.ts";
import { UnitBuilder } from "../unit-builder.ts";
import { FieldSection } from "./field-section.ts";
import { frameHeaderCategory, PART_CATEGORY } from "./frame-categories.ts";
import { frameDetail, frameHeaderOctets } from "./frame-detail.ts";
import { FrameLevels } from "./frame-levels.ts";
import { frameAt, LAST_KNOWN_TYPE } from "./frame-shape.ts";
import type { H2Session } from "./h2-session.ts";
import type { H2Stream } from "./h2-stream.ts";
import type { StreamReader } from "./h2-streams.ts";
import { ruleText } from "./rule-texts.ts";

const NO_OCTETS = new Uint8Array(0);
const ON_IDLE_STREAM: Rule = { rule: "frame-on-idle-stream", errorCode: "PROTOCOL_ERROR", ref: "RFC 9113 §5.1" };
const PROMISED_IN_USE: Rule = { rule: "promised-stream-in-use", errorCode: "PROTOCOL_ERROR", ref: "RFC 9113 §5.1.1" };
/** Parts that no grammar has read, or whose text may be anything: a hex view must not show them. */
const SECRET_PARTS = new Set<number>([PART.undecoded, PART.malformed, PART.unknown_payload, PART.goaway]);

/** One direction of an HTTP/2 connection: what the frame reader announces, with its owner, its level and its meaning. */
export class H2Direction implements Layer, FrameHandler, StreamReader {
  readonly #session: H2Session;
  readonly #sink: ConnectionSink;
  readonly #direction: Direction;
  readonly #reader: FrameReader;
  readonly #unit = new UnitBuilder();
  readonly #section = new FieldSection();
  readonly #levels: FrameLevels;
  /** Of the runs of field lines that came lately, by their slot, the lines that a section heeds. */
  readonly #heeded: { readonly run: FieldRun; readonly lines: readonly Readonly<FieldLine>[] }[] = [];

  readonly #notes: NoteTeller;
  readonly contents = {
    message: new ContentPool(this, CONTENT_BASE.message),
    body: new ContentPool(this, CONTENT_BASE.body),
  };

  // The current frame.
  #stream: H2Stream | null = null;
  #exchange: Exchange | null = null;
  #level: number = LEVEL.connection;
  #frame: Frame | null = null;
  /** Content octets of a DATA frame so far. */
  #contentSeen = 0;
  #secretValue = false;
  /** Messages that ended in it. */
  readonly #messages: MessageQueue;
  /** The stream that ends with this frame: said after the frame itself. */
  #ending: H2Stream | null = null;

  /** Why what is announced now, which was held, is not whole; empty while octets come. */
  #cutBy = "";
  /** The DATA frame that a gap cuts off ends within the gap: it is longer than what is left of the frame. */
  #endsInGap = false;
  readonly #resync: Resync;

  constructor(session: H2Session, direction: Direction, preface: boolean) {
    this.#session = session;
    this.#sink = session.sink;
    this.#direction = direction;
    this.#levels = new FrameLevels(session, direction);
    this.#messages = new MessageQueue(session.sink, direction);
    this.#notes = new NoteTeller(session.sink, direction);
    this.#reader = new FrameReader(this, { preface, hpack: session.hpack[direction], offset: session.sink.offset(direction) });
    const unitAt: UnitAt = (bytes, at, to) => frameAt(bytes, at, to, this.#reader.maxFrameSize, LAST_KNOWN_TYPE);
    this.#resync = new Resync(session.sink, direction, [new BorderSearch(unitAt, FRAME_HEADER_OCTETS, true)]);
  }

  get held(): number {
    return this.#resync.held + this.#reader.held + (this.#stream?.bodies[this.#direction].held ?? 0);
  }

  /** Largest payload that the receiver takes (its SETTINGS_MAX_FRAME_SIZE). */
  set maxFrameSize(octets: number) {
    this.#reader.maxFrameSize = octets;
  }

  push(bytes: Uint8Array, from: number, to: number): number {
    if (!this.#resync.active) {
      this.#reader.push(bytes, from, to);
      return to;
    }
    const at = this.#resync.push(bytes, from, to);
    if (at < 0) return to;
    this.#restart();
    this.#reader.push(bytes, at, to);
    return to;
  }

  gap(octets: number | null, reason: LostReason): void {
    this.#endSearch();
    this.#cutBy = "octets are missing";
    this.#endsInGap = octets !== null;
    const goesOn = this.#reader.gap(octets);
    this.#cutBy = "";
    this.#endsInGap = false;
    if (goesOn) return;
    this.#session.lose(this.#direction);
    this.#resync.begin(reason);
  }

  /** No octets follow those that the search has seen. */
  #endSearch(): void {
    if (!this.#resync.active) return;
    this.#resync.end();
    if (this.#resync.found !== null) this.#restart();
  }

  /** The place where a frame begins is found. */
  #restart(): void {
    const rest = this.#resync.takeRest();
    this.#reader.restart(this.#sink.offset(this.#direction));
    this.#reader.push(rest);
  }

  end(): void {
    this.#endSearch();
    this.#cutBy = "the direction ended";
    this.#reader.end();
    for (const stream of this.#session.streams.open) this.#endContent(stream, true);
  }

  isReading(stream: H2Stream): boolean {
    return stream === this.#stream || stream === this.#section.stream || stream === this.#ending;
  }

  // --- FrameHandler

  preface(): void {
    this.#exchange = null;
    this.#level = LEVEL.setup;
    this.#announce(CATEGORY["h2.preface"], PREFACE.length, PREFACE, 0, false);
    if (this.#sink.detail > 0) this.#unit.finish(this.#sink, this.#direction, { kind: "h2.preface" }, null, false);
  }

  frameStart(frame: Frame): void {
    this.#frame = frame;
    this.#contentSeen = 0;
    this.#stream = this.#streamOf(frame);
    this.#exchange = this.#stream?.exchange ?? null;
    this.#level = this.#levels.of(frame);
    const category = frameHeaderCategory(frame.type);
    if (this.#sink.detail === 0) this.#count(category, FRAME_HEADER_OCTETS);
    else this.#announce(category, FRAME_HEADER_OCTETS, this.parts ? frameHeaderOctets(frame) : NO_OCTETS, 0, false);
    if (frame.malformed) this.#section.begin(null, false, false);
    else this.#begin(frame);
  }

  part(part: number, octets: number, bytes: Uint8Array, from: number): void {
    const category = PART_CATEGORY[part] ?? CATEGORY["h2.malformed"];
    if (this.#sink.detail === 0) {
      this.#count(category, octets);
      return;
    }
    const secret = SECRET_PARTS.has(part) || (part === PART.value && this.#secretValue);
    this.#announce(category, octets, bytes, from, secret);
  }

  data(bytes: Uint8Array, from: number, to: number): void {
    const left = this.#contentLeft();
    this.#contentSeen += to - from;
    if (this.#stream === null) this.content(CATEGORY["body.undecoded"], to - from, bytes, from, null);
    else this.#stream.bodies[this.#direction].push(bytes, from, to, left);
  }

  dataGap(octets: number): void {
    this.#contentSeen += octets;
    this.#stream?.bodies[this.#direction].gap(octets);
  }

  fieldLine(line: FieldLine): void {
    const octets = line.prefixOctets + line.nameOctets + line.valueOctets;
    const { name, nameLength, valueLength, representation, inserted, evicted } = line;
    this.#sink.field(this.#direction, name, octets, nameLength, valueLength, representation, inserted, evicted);
    const neverIndexed = representation === REPRESENTATION.never;
    this.#section.line(name, line.value, neverIndexed);
    if (name !== null && representation !== REPRESENTATION.indexed && mayInflate(name, valueLength))
      this.#inflation(name, line.value);
    if (this.#sink.detail < 2) return;
    this.#secretValue = neverIndexed || name === null || isSecretValue(name, line.value);
    this.#unit.field({ name, value: line.value, octets, neverIndexed, hpack: { ...line } });
  }

  fieldRun(run: FieldRun): boolean {
    if (this.#sink.detail > 0) return false;
    this.#sink.fieldRun(this.#direction, run);
    let heeded = this.#heeded[run.slot];
    if (heeded === undefined || heeded.run !== run) {
      heeded = { run, lines: run.lines.filter(({ name }) => name !== null && FieldSection.heeds(name)) };
      this.#heeded[run.slot] = heeded;
    }
    const { lines } = heeded;
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at];
      if (line !== undefined) this.#section.line(line.name, line.value, false);
    }
    return true;
  }

  #inflation(name: string, value: string | null): void {
    const octets = value === null ? 0 : fieldInflation(name, value);
    if (octets > 0) this.#sink.fieldInflation(this.#direction, name, octets);
  }

  fieldSection(_frame: Frame, complete: boolean): void {
    const section = this.#section;
    const stream = section.stream;
    if (!complete && this.#cutBy !== "") this.#truncated(`${this.#cutBy} inside a field block: END_HEADERS never came`);
    if (stream === null) return;
    if (!complete) section.unknown = true;
    if (section.request) this.#request(stream);
    else if (this.#direction === S2C) this.#response(stream);
    if (section.endStream && complete) this.#ending = stream;
  }

  frameEnd(frame: Frame, truncated: boolean): void {
    const stream = this.#stream;
    if (frame.type === FRAME_TYPE.DATA && stream !== null) {
      stream.bodies[this.#direction].frameEnd();
      if (truncated && this.#endsInGap) stream.bodies[this.#direction].gap(null);
      if (frame.endStream && (!truncated || this.#endsInGap) && !frame.malformed) this.#ending = stream;
    }
    if (this.#ending !== null) this.#endContent(this.#ending, truncated);
    if (truncated) this.#truncated(`${this.#cutBy} inside a frame that starts at octet ${frame.offset}`);
    if (this.#sink.detail > 0) this.#unit.finish(this.#sink, this.#direction, frameDetail(frame), this.#exchange, truncated);
    this.#messages.tell();
    if (this.#ending !== null) this.#endStream(this.#ending);
    this.#ending = null;
    if (frame.type !== FRAME_TYPE.RST_STREAM || stream === null || truncated) return;
    // What the other side has under way is read on.
    this.#endContent(stream, true);
    this.#session.finish(stream);
  }

  truncated(octets: number): void {
    this.#exchange = null;
    this.#level = LEVEL.unowned;
    this.#truncated(`${this.#cutBy} inside a frame header, the preface or a control frame`);
    this.#announce(CATEGORY["unattributed.truncated"], octets, NO_OCTETS, 0, true);
    if (this.#sink.detail > 0) this.#unit.finish(this.#sink, this.#direction, { kind: "unattributed" }, null, true);
  }

  violation({ rule, errorCode, ref, span }: Violation): void {
    this.#sink.note(rule, "violation", this.#direction, span.start, ref, `${ruleText(rule)} (${errorCode})`);
  }

  limit(cap: "field_block" | "control_frame", offset: number): void {
    const text = cap === "field_block" ? "a field block is over 1 MiB" : "a control frame is over 16 KiB";
    this.#sink.note(
      `limit-${cap.replace("_", "-")}`,
      "limit",
      this.#direction,
      offset,
      null,
      `${text}; its octets are counted, not decoded`,
    );
  }

  // --- StreamBodySink: content of the current frame's stream, or of one that ends

  get parts(): boolean {
    return this.#sink.detail === 3;
  }

  content(category: number, octets: number, bytes: Uint8Array, from: number, path: string | null): void {
    if (this.#sink.detail === 0) this.#count(category, octets);
    else this.#announce(category, octets, bytes, from, path === null, path);
  }

  moved(from: number, to: number, octets: number, back: number): void {
    if (this.parts) this.#unit.moved(from, to, octets, back);
    this.#sink.moved(this.#direction, from, to, octets, this.#exchange);
  }

  contentNote(note: ContentNote): void {
    this.#notes.tell(note);
  }

  message(payload: number, compressed: boolean, type: string | null): void {
    if (this.#exchange !== null) this.#messages.add(this.#exchange, payload, compressed, type);
  }

  inferredGrpc(): void {
    if (this.#exchange !== null) this.#exchange.protocol = "grpc";
    this.#noteHere(
      "inferred-grpc",
      "info",
      null,
      "content type unknown (late join): read as gRPC messages by their first prefix",
    );
  }

  badFlag(flag: number): void {
    this.#violation(badFlagRule(envelopeOf(this.#exchange), flag));
  }

  #contentLeft(): number {
    const { length, padLength } = this.#frame ?? { length: 0, padLength: -1 };
    return length - (padLength < 0 ? 0 : padLength + 1) - this.#contentSeen;
  }

  // --- What frames mean

  #begin(frame: Frame): void {
    const { streamId } = frame;
    const session = this.#session;
    switch (frame.type) {
      case FRAME_TYPE.DATA:
        session.uncredited[this.#direction] += frame.length;
        this.#flowRule(frame, session.lateJoin ? null : session.flow.data(this.#direction, streamId, frame.length));
        session.followWindow(this.#direction, streamId);
        session.followWindow(this.#direction, 0);
        return;
      case FRAME_TYPE.HEADERS:
        this.#section.begin(this.#stream, this.#direction === C2S && this.#stream?.requested === false, frame.endStream);
        return;
      case FRAME_TYPE.PUSH_PROMISE:
        this.#section.begin(this.#promised(frame), true, false);
        return;
      case FRAME_TYPE.SETTINGS:
        this.#settings(frame);
        return;
      case FRAME_TYPE.PING:
        this.#sink.control(this.#direction, frame.ack ? CONTROL.ping_ack : CONTROL.ping);
        this.#sink.ping(this.#direction, frame.ack, octetString(frame.opaqueData, 0, frame.opaqueData.length));
        return;
      case FRAME_TYPE.WINDOW_UPDATE:
        this.#windowUpdate(frame);
        return;
      case FRAME_TYPE.GOAWAY:
        this.#goaway(frame);
        return;
      default:
    }
  }

  /** RFC 9113 §8.4: the field section is the promised request; the frame's octets stay with the stream it came on. */
  #promised(frame: Frame): H2Stream | null {
    const { streams } = this.#session;
    if (!streams.isIdle(frame.promisedStreamId)) {
      this.#breaks(frame, PROMISED_IN_USE);
      return null;
    }
    const promised = streams.use(frame.promisedStreamId, this.#direction) ?? null;
    if (promised !== null) promised.ended[C2S] = true;
    return promised;
  }

  #settings(frame: Frame): void {
    this.#sink.control(this.#direction, CONTROL.settings);
    if (frame.ack) {
      this.#flowRule(frame, this.#session.acknowledge(this.#direction));
      return;
    }
    this.#session.announce(this.#direction, frame.settings);
  }

  #windowUpdate(frame: Frame): void {
    const towards = opposite(this.#direction);
    this.#sink.control(this.#direction, CONTROL.window_update);
    const { uncredited } = this.#session;
    if (frame.streamId === 0) uncredited[towards] = Math.max(0, uncredited[towards] - frame.increment);
    if (this.#session.lateJoin) return;
    this.#flowRule(frame, this.#session.flow.windowUpdate(this.#direction, frame.streamId, frame.increment));
    this.#session.followWindow(towards, frame.streamId);
  }

  #flowRule(frame: Frame, rule: Rule | null): void {
    if (rule !== null) this.#breaks(frame, rule);
  }

  #breaks(frame: Frame, rule: Rule): void {
    this.violation({
      kind: "violation",
      ...rule,
      span: { start: frame.offset, end: frame.offset + FRAME_HEADER_OCTETS + frame.length },
    });
  }

  #goaway(frame: Frame): void {
    if (frame.errorCode === 0) return;
    const debug = frame.debugData.length === 0 ? "" : `: ${String.fromCharCode(...frame.debugData.subarray(0, 200))}`;
    const text = `GOAWAY ${errorCodeName(frame.errorCode)}, last stream ${frame.lastStreamId}${debug}`;
    this.#sink.note("goaway", "warning", this.#direction, frame.offset, "RFC 9113 §6.8", text);
  }

  #request(stream: H2Stream): void {
    const { exchange } = stream;
    const section = this.#section;
    exchange.method = section.method;
    exchange.authority = section.authority;
    exchange.path = section.path;
    stream.requested = true;
    if (section.type.grpc !== null) exchange.protocol = section.type.envelope;
    this.#readContent(stream, "request");
    this.#sink.requestKnown(exchange);
  }

  #response(stream: H2Stream): void {
    const { exchange } = stream;
    const section = this.#section;
    // RFC 9113 §8.1: any number of interim (1xx) sections, one final section, then trailers.
    if (section.status !== null && section.status < 200) return;
    if (!stream.answered) {
      stream.answered = true;
      exchange.status = section.status;
      this.#readContent(stream, "response");
    }
    exchange.grpcStatus = section.grpcStatus ?? exchange.grpcStatus;
    exchange.grpcMessage = section.grpcMessage ?? exchange.grpcMessage;
  }

  /** How its content in this direction is read, as the field section says. */
  #readContent({ exchange, bodies }: H2Stream, side: "request" | "response"): void {
    const body = bodies[this.#direction];
    const { type, coded, kindUnknown, partial } = this.#section;
    const { schemas } = this.#session;
    if (type.grpc !== null) {
      const method = exchange.path === null ? null : (schemas?.method(exchange.path) ?? null);
      body.readAsGrpc(type.grpc, method === null ? null : method[side], type.envelope);
    } else if (kindUnknown) {
      body.inferKind();
    } else {
      const message: MessageType | null = type.messageType === null ? null : (schemas?.message(type.messageType) ?? null);
      body.readAs(coded ? "compressed" : this.#kindOf(exchange, type.kind, partial), message);
    }
  }

  /** RFC 9113 §8.5: what follows a CONNECT is a tunnel, whatever it looks like. */
  #kindOf({ method }: Exchange, kind: ContentKind, partial: boolean): ContentKind {
    if (method === "CONNECT") return "binary";
    return partial ? kindOfPart(kind) : kind;
  }

  /** The content of a stream is over in this direction; the frame that is read may be another's, or none. */
  #endContent(stream: H2Stream, cut: boolean): void {
    const exchange = this.#exchange;
    this.#exchange = stream.exchange;
    // Where the other side has reset it there is no use in going on.
    stream.bodies[this.#direction].end(cut || stream.done);
    this.#exchange = exchange;
  }

  #endStream(stream: H2Stream): void {
    if (stream.ended[this.#direction]) return;
    stream.ended[this.#direction] = true;
    this.#session.streams.setBlocked(this.#direction, stream, false);
    const { missing } = stream.bodies[this.#direction];
    if (missing > 0) this.#violation(messageCutRule(envelopeOf(stream.exchange), missing));
    if (stream.ended[opposite(this.#direction)]) this.#session.finish(stream);
  }

  // --- Owners

  #streamOf(frame: Frame): H2Stream | null {
    const { streams, lateJoin } = this.#session;
    const { type, streamId } = frame;
    const isData = type === FRAME_TYPE.DATA;
    if (streamId === 0 || type === FRAME_TYPE.SETTINGS || type === FRAME_TYPE.PING || type === FRAME_TYPE.GOAWAY) return null;
    if (type === FRAME_TYPE.HEADERS || (isData && lateJoin)) return streams.use(streamId, this.#direction) ?? null;
    const stream = streams.get(streamId) ?? null;
    const opens = isData || type === FRAME_TYPE.RST_STREAM || type === FRAME_TYPE.WINDOW_UPDATE;
    if (stream === null && opens && !lateJoin && streams.isIdle(streamId)) this.#breaks(frame, ON_IDLE_STREAM);
    return stream;
  }

  // --- Announcing

  #announce(category: number, octets: number, bytes: Uint8Array, from: number, secret: boolean, path: string | null = ""): void {
    const { detail } = this.#sink;
    if (detail > 0)
      this.#unit.part(this.#sink.offset(this.#direction), category, octets, bytes, from, secret, detail === 3, path);
    this.#count(category, octets);
  }

  /** {@link H2Direction.#announce} while nobody listens. */
  #count(category: number, octets: number): void {
    this.#sink.octets(this.#direction, category, octets, this.#level, this.#exchange);
  }

  #truncated(text: string): void {
    this.#noteHere("truncated", "warning", null, text);
  }

  #violation({ code, ref, text }: EnvelopeRule): void {
    this.#noteHere(code, "violation", ref, text);
  }

  #noteHere(code: string, severity: NoteSeverity, ref: string | null, text: string): void {
    this.#sink.note(code, severity, this.#direction, this.#sink.offset(this.#direction), ref, text);
  }
}

function envelopeOf(exchange: Exchange | null): Envelope {
  return exchange?.protocol === "connect" ? "connect" : "grpc";
}
