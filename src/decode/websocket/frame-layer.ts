import { CATEGORY, CONTENT_BASE } from "../category.ts";
import { Content } from "../content/content.ts";
import type { ContentNote } from "../content/content-note.ts";
import type { ContentSink } from "../content/content-sink.ts";
import { NoteTeller } from "../content/note-teller.ts";
import type { Direction } from "../direction.ts";
import type { Exchange } from "../exchange.ts";
import type { Layer } from "../layer.ts";
import { LEVEL } from "../level.ts";
import { Resync } from "../resync.ts";
import type { LostReason } from "../search.ts";
import type { ConnectionSink, NoteSeverity } from "../sink.ts";
import { UnitBuilder } from "../unit-builder.ts";
import { CloseBody } from "./close-body.ts";
import { type BrokenRule, brokenRules, type FrameHeader, RSV1 } from "./frame-rules.ts";
import { isControl, OPCODE } from "./opcodes.ts";
import { Utf8Check } from "./utf8-check.ts";

const FIXED_OCTETS = 2;
const MASK_OCTETS = 4;
const LONGEST_HEADER = FIXED_OCTETS + 8;
/** Payload is unmasked in pieces of so many octets. A multiple of the mask's. */
const PIECE_OCTETS = 16 * 1024;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const NO_FRAME: FrameHeader = { fin: true, rsv: 0, opcode: OPCODE.continuation, masked: false, length: 0, lengthCode: 0 };

/** Where masked payload is read in the clear: of one push at a time. */
const clear = new Uint8Array(PIECE_OCTETS);

/**
 * One direction of a WebSocket (RFC 6455) after its 101: every octet of every frame, and the content of messages. Holds at most a frame
 * header. What a mask hides is read, and shown, without it.
 */
export class WebSocketLayer implements Layer, ContentSink {
  readonly #sink: ConnectionSink;
  readonly #direction: Direction;
  readonly #exchange: Exchange;
  readonly #deflate: boolean;
  readonly #unit = new UnitBuilder();
  readonly #content: Content;
  readonly #notes: NoteTeller;
  readonly #resync: Resync;
  readonly #header = new Uint8Array(LONGEST_HEADER + MASK_OCTETS);
  #headerHeld = 0;
  /** The frame whose payload passes; null between frames. */
  #frame: FrameHeader | null = null;
  #left = 0;
  /** Of the frame's mask, for its next octet. */
  #maskAt = 0;
  readonly #mask = new Uint8Array(MASK_OCTETS);
  readonly #close = new CloseBody();
  #closed = false;

  // The message at hand.
  #inMessage = false;
  /** Its content is not begun: the first octet decides. */
  #undecided = false;
  #text = false;
  #compressed = false;
  #payload = 0;
  #overhead = 0;
  readonly #utf8 = new Utf8Check();
  /** It has to be UTF-8, and neither a break nor a hole was found in it so far. */
  #checked = false;

  /** @param deflate permessage-deflate was agreed on, RFC 7692. */
  constructor(sink: ConnectionSink, direction: Direction, exchange: Exchange, deflate: boolean) {
    this.#sink = sink;
    this.#direction = direction;
    this.#exchange = exchange;
    this.#deflate = deflate;
    this.#notes = new NoteTeller(sink, direction);
    this.#content = new Content(this, CONTENT_BASE.socket);
    this.#resync = new Resync(sink, direction, []);
  }

  get held(): number {
    return this.#headerHeld + this.#resync.held;
  }

  push(bytes: Uint8Array, from: number, to: number): number {
    if (this.#resync.active) this.#resync.push(bytes, from, to);
    else
      for (let at = from; at < to; )
        at = this.#frame === null ? this.#pushHeader(bytes, at, to) : this.#pushPayload(bytes, at, to);
    return to;
  }

  gap(octets: number | null, reason: LostReason): void {
    if (this.#resync.active) return;
    if (octets !== null && this.#frame !== null && octets <= this.#left) {
      this.#cut(this.#frame);
      this.#left -= octets;
      this.#maskAt = (this.#maskAt + octets) % MASK_OCTETS;
      if (this.#left === 0) this.#endFrame(this.#frame);
      return;
    }
    // Two octets of header are in no way sure: where the next frame begins nobody can find.
    this.#abandon("octets are missing", "warning");
    this.#resync.begin(reason);
  }

  end(): void {
    if (this.#resync.active) this.#resync.end();
    else this.#abandon("the direction ended", "violation");
  }

  // --- ContentSink

  get parts(): boolean {
    return this.#sink.detail === 3;
  }

  content(category: number, octets: number, bytes: Uint8Array, from: number, path: string | null): void {
    this.#announce(category, octets, bytes, from, path === null, path);
  }

  moved(from: number, to: number, octets: number, back: number): void {
    if (this.parts) this.#unit.moved(from, to, octets, back);
    this.#sink.moved(this.#direction, from, to, octets, this.#exchange);
  }

  contentNote(note: ContentNote): void {
    this.#notes.tell(note);
  }

  // --- Frames

  #pushHeader(bytes: Uint8Array, from: number, to: number): number {
    const header = this.#header;
    let at = from;
    while (at < to) {
      header[this.#headerHeld++] = bytes[at++] as number;
      if (this.#headerHeld < FIXED_OCTETS || this.#headerHeld < headerOctets(header)) continue;
      this.#openFrame();
      break;
    }
    return at;
  }

  #openFrame(): void {
    const header = this.#header;
    const frame = readHeader(header);
    const octets = this.#headerHeld - (frame.masked ? MASK_OCTETS : 0);
    this.#headerHeld = 0;
    const context = {
      direction: this.#direction,
      deflate: this.#deflate,
      inMessage: this.#inMessage,
      closed: this.#closed,
    };
    for (const rule of brokenRules(frame, context)) this.#violation(rule);
    this.#announce(CATEGORY["ws.frame_header"], octets, header, 0, false);
    if (frame.masked) {
      this.#mask.set(header.subarray(octets, octets + MASK_OCTETS));
      this.#announce(CATEGORY["ws.mask"], MASK_OCTETS, header, octets, false);
    }
    this.#frame = frame;
    this.#left = frame.length;
    this.#maskAt = 0;
    if (frame.opcode === OPCODE.close) this.#close.begin();
    if (!isControl(frame.opcode)) this.#openData(frame, octets + (frame.masked ? MASK_OCTETS : 0));
    if (this.#left === 0) this.#endFrame(frame);
  }

  /** A frame of a message: its first, or one that goes on with it. */
  #openData(frame: FrameHeader, overhead: number): void {
    if (frame.opcode !== OPCODE.continuation && this.#inMessage) {
      this.#content.end(true);
      this.#inMessage = false;
    }
    if (!this.#inMessage) {
      this.#inMessage = true;
      this.#undecided = true;
      this.#text = frame.opcode === OPCODE.text;
      this.#compressed = this.#deflate && (frame.rsv & RSV1) !== 0;
      this.#payload = 0;
      this.#overhead = 0;
      this.#utf8.begin();
      this.#checked = this.#text && !this.#compressed;
    }
    this.#payload += frame.length;
    this.#overhead += overhead;
  }

  #pushPayload(bytes: Uint8Array, from: number, to: number): number {
    const frame = this.#frame as FrameHeader;
    let end = Math.min(to, from + this.#left);
    if (!frame.masked) {
      this.#take(frame, bytes, from, end);
    } else {
      end = Math.min(end, from + PIECE_OCTETS);
      for (let at = from; at < end; at++) {
        clear[at - from] = (bytes[at] as number) ^ (this.#mask[(this.#maskAt + at - from) % MASK_OCTETS] as number);
      }
      this.#maskAt = (this.#maskAt + end - from) % MASK_OCTETS;
      this.#take(frame, clear, 0, end - from);
    }
    this.#left -= end - from;
    if (this.#left === 0) this.#endFrame(frame);
    return end;
  }

  #take({ opcode }: FrameHeader, bytes: Uint8Array, from: number, to: number): void {
    if (isControl(opcode)) {
      if (opcode === OPCODE.close) this.#close.push(bytes, from, to);
      this.#announce(CATEGORY["ws.payload.control"], to - from, bytes, from, true);
      return;
    }
    if (this.#undecided) {
      const first = bytes[from] as number;
      this.#beginContent(first === OPEN_BRACE || first === OPEN_BRACKET);
    }
    const broken = this.#checked ? this.#utf8.push(bytes, from, to) : to;
    this.#content.push(bytes, from, broken);
    if (broken < to) this.#noteUtf8();
    this.#content.push(bytes, broken, to);
  }

  /** RFC 6455 §5.6 has text and anything else; what text is, its first octet tells. */
  #beginContent(structured: boolean): void {
    this.#undecided = false;
    const kind = this.#text && !structured ? "text" : "unknown";
    this.#content.begin(this.#compressed ? "compressed" : kind, null, null);
  }

  /** Octets of a frame's payload are missing: of what is left nothing can be judged, and no first octet tells what it is. */
  #cut({ opcode }: FrameHeader): void {
    if (opcode === OPCODE.close) this.#close.cut();
    if (isControl(opcode)) return;
    this.#checked = false;
    if (this.#undecided) this.#beginContent(true);
    this.#content.cut();
  }

  #endFrame(frame: FrameHeader): void {
    const over = !isControl(frame.opcode) && frame.fin;
    if (frame.opcode === OPCODE.close) {
      this.#closed = true;
      for (const rule of this.#close.brokenRules()) this.#violation(rule);
    }
    if (over && this.#checked && !this.#utf8.end()) this.#noteUtf8();
    if (over && !this.#undecided) this.#content.end(false);
    this.#finishUnit(frame, false);
    this.#frame = null;
    if (!over) return;
    this.#inMessage = false;
    this.#sink.message(this.#exchange, this.#direction, this.#payload, this.#overhead, this.#compressed, null);
  }

  /** What is open ends before its time. @param unfinished how bad it is that a message has no last frame. */
  #abandon(why: string, unfinished: NoteSeverity): void {
    const offset = this.#sink.offset(this.#direction);
    if (this.#headerHeld > 0) {
      this.#sink.note("truncated", "warning", this.#direction, offset, null, `${why} inside a frame header`);
      this.#announce(CATEGORY["unattributed.truncated"], this.#headerHeld, this.#header, 0, true);
      this.#headerHeld = 0;
      if (this.#unit.octets > 0) this.#unit.finish(this.#sink, this.#direction, { kind: "unattributed" }, this.#exchange, true);
    } else if (this.#frame !== null) {
      this.#sink.note("truncated", "warning", this.#direction, offset, null, `${why} inside a frame`);
      if (!isControl(this.#frame.opcode)) this.#content.end(true);
      this.#finishUnit(this.#frame, true);
    } else if (this.#inMessage) {
      const text = `${why} between frames of a message`;
      this.#sink.note("ws-message-cut", unfinished, this.#direction, offset, "RFC 6455 §5.4", text);
    }
    if (this.#inMessage && !this.#undecided) this.#content.end(true);
    this.#frame = null;
    this.#inMessage = false;
  }

  #noteUtf8(): void {
    this.#checked = false;
    this.#violation({ code: "ws-utf8", ref: "RFC 6455 §8.1", text: "a text message is not UTF-8" });
  }

  #violation({ code, ref, text }: BrokenRule): void {
    this.#sink.note(code, "violation", this.#direction, this.#sink.offset(this.#direction), ref, text);
  }

  #announce(category: number, octets: number, bytes: Uint8Array, from: number, secret: boolean, path: string | null = ""): void {
    const { detail } = this.#sink;
    if (detail > 0)
      this.#unit.part(this.#sink.offset(this.#direction), category, octets, bytes, from, secret, detail === 3, path);
    this.#sink.octets(this.#direction, category, octets, LEVEL.exclusive, this.#exchange);
  }

  #finishUnit({ fin, rsv, opcode, masked, length }: FrameHeader, truncated: boolean): void {
    if (this.#unit.octets === 0) return;
    const detail = { kind: "ws.frame", fin, rsv, opcode, masked, length } as const;
    this.#unit.finish(this.#sink, this.#direction, detail, this.#exchange, truncated);
  }
}

/** Octets of the header that begins so, mask included: its first two have come. */
function headerOctets(header: Uint8Array): number {
  const second = header[1] as number;
  const code = second & 0x7f;
  const length = code === 126 ? 2 : code === 127 ? 8 : 0;
  return FIXED_OCTETS + length + (second >= 0x80 ? MASK_OCTETS : 0);
}

function readHeader(header: Uint8Array): FrameHeader {
  const [first, second] = header as unknown as [number, number];
  const lengthCode = second & 0x7f;
  let length = lengthCode;
  if (lengthCode >= 126) {
    length = 0;
    const end = FIXED_OCTETS + (lengthCode === 126 ? 2 : 8);
    for (let at = FIXED_OCTETS; at < end; at++) length = length * 256 + (header[at] as number);
  }
  return {
    ...NO_FRAME,
    fin: first >= 0x80,
    rsv: (first >> 4) & 7,
    opcode: first & 0x0f,
    masked: second >= 0x80,
    length,
    lengthCode,
  };
}
