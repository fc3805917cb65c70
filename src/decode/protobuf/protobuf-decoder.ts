import type { ContentDecoder } from "../content/content-decoder.ts";
import type { ContentSink } from "../content/content-sink.ts";
import { walkFast } from "./fast-walk.ts";
import { FIELD_KIND, type FieldType, type MessageType } from "./message-type.ts";
import { MAX_DEPTH, REGION } from "./region.ts";
import { Walk } from "./walk.ts";
import { BYTES, FIXED, GROUP, STRING, TAG, UNDECODED, VARINT } from "./wire-leaf.ts";
import { agrees, OCTETS_NEEDED, TAG_OCTETS, VARINT_OCTETS, WIRE } from "./wire-type.ts";

/** What the next octet is part of. */
const STATE = {
  tag: 0,
  varint: 1,
  length: 2,
  /** A value whose length is known. */
  content: 3,
  /** Packed varints. */
  packed: 4,
  /** What the innermost region has left, undivided. */
  rest: 5,
} as const;

/**
 * Says what each octet of a protobuf message was for, with or without a schema, in one pass: no octet is kept, and memory grows with the
 * depth of the message only, up to {@link MAX_DEPTH} regions.
 *
 * A LEN value without a schema is announced as bytes and refined when it is over: text if it is printable UTF-8, else its parts if it
 * reads as a message to its last octet, else bytes. What breaks the encoding is `malformed` from its field's tag to the end of the
 * innermost region with a length; the walk goes on behind it. Source: protobuf.dev, "Encoding".
 */
export class ProtobufDecoder implements ContentDecoder {
  readonly #walk: Walk;
  #type: MessageType | null = null;
  #messageLength: number | null = null;
  #state: number = STATE.tag;
  /** Octets of the varint at hand, and its value where that matters. */
  #have = 0;
  #value = 0;
  /** The field at hand. */
  #number = 0;
  #field: FieldType | undefined;
  #path: string | null = null;
  #leaf = BYTES;
  /** Octets left of `content` and `packed`. */
  #left = 0;

  /** @param base the category of its root's first leaf, see CONTENT_BASE. */
  constructor(sink: ContentSink, base: number) {
    this.#walk = new Walk(sink, base);
  }

  /**
   * Say what the next message is, before its `begin`.
   * @param type null: no schema. @param length in octets; null: known when it ends. A claim: nothing is allocated from it.
   */
  expect(type: MessageType | null, length: number | null): void {
    this.#type = type;
    this.#messageLength = length;
  }

  begin(): void {
    this.#walk.begin(this.#type, this.#messageLength);
    this.expect(null, null);
    this.#await(STATE.tag);
  }

  push(bytes: Uint8Array, from: number, to: number): void {
    const walk = this.#walk;
    walk.text.resume(bytes, from, to, walk.offset - from);
    let at = from;
    while (at < to) {
      if (!walk.said.parts && this.#state === STATE.tag && this.#have === 0) at = this.#hurry(bytes, at, to);
      if (at < to) at = this.#step(bytes, at, to);
    }
    walk.said.flush();
  }

  end(cut: boolean): void {
    if (!cut) this.#walk.endField();
  }

  /** Whole fields, as far as they lie in this chunk. */
  #hurry(bytes: Uint8Array, from: number, to: number): number {
    const walk = this.#walk;
    let at = from;
    do {
      at = walkFast(walk, bytes, at, to);
      if (walk.question === 0 && walk.tooDeep >= 0) walk.noteDepth();
    } while (walk.settle(bytes, walk.offset - at) && at < to);
    return at;
  }

  /** One token, or what there is of it. @returns where it ends. */
  #step(bytes: Uint8Array, at: number, to: number): number {
    switch (this.#state) {
      case STATE.tag:
        return this.#tag(bytes, at, to);
      case STATE.varint:
        return this.#varint(bytes, at, to);
      case STATE.length:
        return this.#length(bytes, at, to);
      case STATE.packed:
        return this.#packed(bytes, at, to);
      case STATE.content:
        return this.#content(bytes, at, to);
      default:
        return this.#rest(bytes, at, to);
    }
  }

  #tag(bytes: Uint8Array, from: number, to: number): number {
    const last = this.#lastOfRegion(from);
    for (let at = from; at < to; at++) {
      const octet = bytes[at] as number;
      const fits = this.#have < TAG_OCTETS - 1 ? octet < 0x80 || at < last : octet <= 0x0f;
      if (fits) this.#value += (octet & 0x7f) * 2 ** (7 * this.#have);
      this.#have++;
      if (fits && octet >= 0x80) continue;
      const path = this.#tagPath();
      if (!fits || !this.#allowed(last - at)) {
        this.#walk.takeTag(this.#tagLeaf(), at - from, bytes, from, path);
        return this.#broken(at);
      }
      this.#walk.takeTag(this.#tagLeaf(), at + 1 - from, bytes, from, path);
      this.#tagRead(bytes, at + 1);
      return at + 1;
    }
    this.#walk.takeTag(this.#tagLeaf(), to - from, bytes, from, this.#tagPath());
    return to;
  }

  /** The wire type is in a tag's first octet. */
  #tagLeaf(): number {
    const wire = this.#value & 7;
    return wire === WIRE.startGroup || wire === WIRE.endGroup ? GROUP : TAG;
  }

  /** An end group tag stands outside of what it ends. */
  #tagPath(): string | null {
    const { region, regions, depth } = this.#walk;
    const ends = (this.#value & 7) === WIRE.endGroup && region.kind === REGION.group;
    return ends ? (regions[depth - 1]?.path ?? null) : region.path;
  }

  /** May this tag stand here, with `room` octets behind it? Below 0: more octets have come than were said to. */
  #allowed(room: number): boolean {
    const wire = this.#value % 8;
    const number = Math.floor(this.#value / 8);
    const { kind, number: open } = this.#walk.region;
    if (wire === WIRE.endGroup) return kind === REGION.group && open === number;
    return number > 0 && room >= (OCTETS_NEEDED[wire] as number);
  }

  #tagRead(bytes: Uint8Array, next: number): void {
    const wire = this.#value % 8;
    this.#number = Math.floor(this.#value / 8);
    if (wire === WIRE.endGroup) {
      this.#walk.endGroup();
      this.#fieldOver(bytes, next);
      return;
    }
    const field = this.#walk.region.type?.field(this.#number);
    this.#field = field !== undefined && agrees(field.kind, wire) ? field : undefined;
    this.#path = this.#walk.pathOf(this.#field);
    if (wire === WIRE.varint) this.#await(STATE.varint);
    else if (wire === WIRE.len) this.#await(STATE.length);
    else if (wire === WIRE.startGroup) this.#startGroup(bytes, next);
    else this.#expectContent(FIXED, wire === WIRE.i64 ? 8 : 4);
  }

  #startGroup(bytes: Uint8Array, next: number): void {
    const walk = this.#walk;
    if (walk.depth < MAX_DEPTH) {
      walk.open(REGION.group, walk.region.end - walk.offset, this.#field, this.#number);
      this.#fieldOver(bytes, next);
      return;
    }
    // Where it ends only its fields could tell: with them goes what is behind it.
    if (walk.question > 0) {
      this.#leaf = walk.breakField();
      walk.tooDeep = walk.offset;
    } else {
      walk.leaveGroups();
      walk.beginField();
      walk.noteDepth();
      this.#leaf = UNDECODED;
    }
    this.#await(STATE.rest);
    if (walk.offset === walk.region.end) this.#fieldOver(bytes, next);
  }

  #varint(bytes: Uint8Array, from: number, to: number): number {
    const last = this.#lastOfRegion(from);
    for (let at = from; at < to; at++) {
      this.#have++;
      if ((bytes[at] as number) < 0x80) {
        this.#walk.takeValue(VARINT, at + 1 - from, bytes, from, this.#path);
        return this.#fieldOver(bytes, at + 1);
      }
      if (this.#have === VARINT_OCTETS || at === last) {
        this.#walk.takeValue(VARINT, at - from, bytes, from, this.#path);
        return this.#broken(at);
      }
    }
    this.#walk.takeValue(VARINT, to - from, bytes, from, this.#path);
    return to;
  }

  #length(bytes: Uint8Array, from: number, to: number): number {
    const last = this.#lastOfRegion(from);
    for (let at = from; at < to; at++) {
      const octet = bytes[at] as number;
      this.#value += (octet & 0x7f) * 2 ** (7 * this.#have);
      this.#have++;
      const more = octet >= 0x80;
      if (more ? this.#have === VARINT_OCTETS || at === last : this.#value > last - at || !this.#divides(this.#value)) {
        this.#walk.takeLength(at - from, bytes, from);
        return this.#broken(at);
      }
      if (more) continue;
      this.#walk.takeLength(at + 1 - from, bytes, from);
      this.#lengthRead(this.#value, bytes, at + 1, to);
      return at + 1;
    }
    this.#walk.takeLength(to - from, bytes, from);
    return to;
  }

  /** Packed numbers of 4 or 8 octets have to fill their length. */
  #divides(length: number): boolean {
    const kind = this.#field?.kind;
    if (kind === FIELD_KIND.fixed32) return length % 4 === 0;
    return kind !== FIELD_KIND.fixed64 || length % 8 === 0;
  }

  #lengthRead(length: number, bytes: Uint8Array, next: number, to: number): void {
    if (length === 0) {
      this.#fieldOver(bytes, next);
      return;
    }
    switch (this.#field?.kind) {
      case FIELD_KIND.string:
        this.#expectContent(STRING, length);
        return;
      case FIELD_KIND.bytes:
        this.#expectContent(BYTES, length);
        return;
      case FIELD_KIND.fixed32:
      case FIELD_KIND.fixed64:
        this.#expectContent(FIXED, length);
        return;
      case FIELD_KIND.varint:
        this.#await(STATE.packed);
        this.#left = length;
        return;
      case FIELD_KIND.message:
        this.#openMessage(length);
        return;
      case FIELD_KIND.group:
      case undefined:
        this.#openQuestion(length, bytes, next, to);
    }
  }

  #openMessage(length: number): void {
    const walk = this.#walk;
    if (walk.depth < MAX_DEPTH) {
      walk.open(REGION.message, length, this.#field, this.#number);
      this.#await(STATE.tag);
      return;
    }
    walk.noteDepth();
    // Names of secret fields may be in there.
    this.#path = null;
    this.#expectContent(UNDECODED, length);
  }

  #openQuestion(length: number, bytes: Uint8Array, next: number, to: number): void {
    const walk = this.#walk;
    walk.text.ask(bytes, to, walk.offset - next, walk.offset, walk.offset + length);
    walk.open(REGION.question, length, undefined, this.#number);
    this.#await(STATE.tag);
    if (walk.depth <= MAX_DEPTH) return;
    if (walk.tooDeep < 0) walk.tooDeep = walk.offset;
    this.#leaf = BYTES;
    this.#await(STATE.rest);
  }

  #packed(bytes: Uint8Array, from: number, to: number): number {
    const end = Math.min(to, from + this.#left);
    const last = from + this.#left - 1;
    for (let at = from; at < end; at++) {
      if ((bytes[at] as number) < 0x80) this.#have = 0;
      else if (++this.#have === VARINT_OCTETS || at === last) {
        this.#walk.takeValue(VARINT, at - from, bytes, from, this.#path);
        return this.#broken(at);
      }
    }
    return this.#takeContent(VARINT, bytes, from, end);
  }

  #content(bytes: Uint8Array, from: number, to: number): number {
    return this.#takeContent(this.#leaf, bytes, from, Math.min(to, from + this.#left));
  }

  #takeContent(leaf: number, bytes: Uint8Array, from: number, to: number): number {
    this.#walk.takeValue(leaf, to - from, bytes, from, this.#path);
    this.#left -= to - from;
    return this.#left === 0 ? this.#fieldOver(bytes, to) : to;
  }

  #rest(bytes: Uint8Array, from: number, to: number): number {
    const end = Math.min(to, this.#lastOfRegion(from) + 1);
    this.#walk.take(this.#leaf, end - from, bytes, from, null);
    return this.#walk.offset === this.#walk.region.end ? this.#fieldOver(bytes, end) : end;
  }

  /** The next octets are a value. */
  #expectContent(leaf: number, octets: number): void {
    this.#await(STATE.content);
    this.#leaf = leaf;
    this.#left = octets;
  }

  #await(state: number): void {
    this.#state = state;
    this.#have = 0;
    this.#value = 0;
  }

  /** What the octet at `at` is part of cannot be. */
  #broken(at: number): number {
    this.#leaf = this.#walk.breakField();
    this.#await(STATE.rest);
    return at;
  }

  #fieldOver(bytes: Uint8Array, next: number): number {
    this.#await(STATE.tag);
    this.#walk.beginField();
    this.#walk.settle(bytes, this.#walk.offset - next);
    return next;
  }

  /** Where in the chunk the innermost region's last octet is; the walk is at `at`. */
  #lastOfRegion(at: number): number {
    return this.#walk.region.end - this.#walk.offset + at - 1;
  }
}
