import { fieldInflation, mayInflate } from "../base64/field-inflation.ts";
import { CATEGORY } from "../category.ts";
import type { ContentNote } from "../content/content-note.ts";
import { NoteTeller } from "../content/note-teller.ts";
import type { Direction } from "../direction.ts";
import type { Exchange } from "../exchange.ts";
import { badFlagRule, type EnvelopeRule } from "../grpc/envelope-rules.ts";
import type { GrpcSink } from "../grpc/grpc-messages.ts";
import { MessageQueue } from "../grpc/message-queue.ts";
import { LEVEL } from "../level.ts";
import type { ConnectionSink } from "../sink.ts";
import { SHOWN_FIELDS_CAP, UnitBuilder } from "../unit-builder.ts";
import type { UnitDetail } from "../wire-unit.ts";
import type { FieldName } from "./field-name.ts";
import { RULES, type Rule } from "./rules.ts";

/** Says what one direction's octets were, in order: to the sink as counts, and while somebody listens, as units. */
export class Announcer implements GrpcSink {
  readonly sink: ConnectionSink;
  readonly direction: Direction;
  /** Who the next octets belong to; null: nobody, they are `unowned`. */
  exchange: Exchange | null = null;
  readonly #notes: NoteTeller;
  /** A head may go on for ever: the parts that are shown end where its shown field lines end. */
  readonly #unit = new UnitBuilder(SHOWN_FIELDS_CAP);
  readonly #messages: MessageQueue;

  constructor(sink: ConnectionSink, direction: Direction) {
    this.sink = sink;
    this.direction = direction;
    this.#messages = new MessageQueue(sink, direction);
    this.#notes = new NoteTeller(sink, direction);
  }

  /** Offset of the next octet to announce. */
  get offset(): number {
    return this.sink.offset(this.direction);
  }

  /**
   * The next octets, `bytes[from, to)`, were `category`. Nothing happens when there are none.
   * @param secret false only for what a grammar has read, and found nothing in that has to be hidden.
   */
  octets(category: number, bytes: Uint8Array, from: number, to: number, secret = true, path: string | null = ""): void {
    const count = to - from;
    if (count === 0) return;
    if (this.sink.detail > 0) {
      this.#unit.part(this.offset, category, count, bytes, from, secret, this.parts, path);
    }
    const level = this.exchange === null ? LEVEL.unowned : LEVEL.exclusive;
    this.sink.octets(this.direction, category, count, level, this.exchange);
  }

  get parts(): boolean {
    return this.sink.detail === 3;
  }

  content(category: number, octets: number, bytes: Uint8Array, from: number, path: string | null): void {
    this.octets(category, bytes, from, from + octets, path === null, path);
  }

  moved(from: number, to: number, octets: number, back: number): void {
    if (this.parts) this.#unit.moved(from, to, octets, back);
    this.sink.moved(this.direction, from, to, octets, this.exchange);
  }

  contentNote(note: ContentNote): void {
    this.#notes.tell(note);
  }

  message(payload: number, compressed: boolean, type: string | null): void {
    if (this.exchange !== null) this.#messages.add(this.exchange, payload, compressed, type);
  }

  badFlag(flag: number): void {
    this.violation(badFlagRule("connect", flag));
  }

  /** The next octets, `bytes[from, to)`, follow a loss of framing: nobody's. */
  afterError(bytes: Uint8Array, from: number, to: number): void {
    const { detail } = this.sink;
    const count = to - from;
    if (detail > 0) this.#unit.part(this.offset, CATEGORY["unattributed.after_error"], count, bytes, from, true, detail === 3);
    this.sink.octets(this.direction, CATEGORY["unattributed.after_error"], count, LEVEL.unowned, null);
  }

  /**
   * A field line, of which all octets have been announced.
   * @param valueLength -1 when unknown. @param value asked for only when it is shown; null when it is unknown.
   */
  field({ text: name, lower }: FieldName, octets: number, valueLength: number, value: (() => string) | null): void {
    this.sink.field(this.direction, lower, octets, name.length, valueLength, -1, false, 0);
    if (value !== null && mayInflate(lower, valueLength)) {
      const inflation = fieldInflation(lower, value());
      if (inflation > 0) this.sink.fieldInflation(this.direction, lower, inflation);
    }
    if (this.sink.detail >= 2)
      this.#unit.field({ name, value: value === null ? null : value(), octets, neverIndexed: false, hpack: null });
  }

  /** The unit ends here, if octets of it came. `detail` is asked for only when somebody listens. */
  unit(detail: () => UnitDetail, truncated = false): void {
    if (this.#unit.octets > 0) this.#unit.finish(this.sink, this.direction, detail(), this.exchange, truncated);
    this.#messages.tell();
  }

  /** An envelope breaks a rule, which shows here. */
  violation({ code, ref, text }: EnvelopeRule): void {
    this.sink.note(code, "violation", this.direction, this.offset, ref, text);
  }

  /** Something to tell about the octet at `offset`. */
  note(rule: Rule, offset: number): void {
    const { severity, ref, text } = RULES[rule];
    this.sink.note(rule, severity, this.direction, offset, ref, text);
  }
}
