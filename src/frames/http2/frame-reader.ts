import { OctetBuffer } from "../core/octet-buffer.ts";
import { type Violation, violation } from "../core/violation.ts";
import type { HpackDecoder } from "../hpack/hpack-decoder.ts";
import { FieldBlock } from "./field-block.ts";
import { createFrame, type Frame } from "./frame.ts";
import { type FrameHandler, PART } from "./frame-handler.ts";
import { FRAME_HEADER_OCTETS, headerSpan, readFrameHeader, readUint31 } from "./frame-header.ts";
import { checkFrame, payloadPart, readControlPayload, readOtherHeader } from "./frame-units.ts";
import { checkStrayContinuation, readContinuation } from "./frames/continuation.ts";
import { readDataHeader, readDataPadLength } from "./frames/data.ts";
import { PREFACE } from "./preface.ts";
import { type Direction, FRAME_TYPE } from "./registry.ts";

/**
 * Payload octets of a SETTINGS, PING, WINDOW_UPDATE, RST_STREAM, GOAWAY or PRIORITY frame that are held until it is complete: the
 * smallest MAX_FRAME_SIZE, so that no peer with default settings may send more.
 */
export const CONTROL_FRAME_CAP = 16 * 1024;
/** Octets of an open field block that are held, frame headers and padding included: far above any header list in use. */
export const FIELD_BLOCK_CAP = 1024 * 1024;
/** Room for the largest fixed fields and padding of a HEADERS frame. */
const SMALLEST_FIELD_BLOCK_CAP = 1024;
/** MAX_FRAME_SIZE before any SETTINGS (RFC 9113 §6.5.2). */
const INITIAL_MAX_FRAME_SIZE = 16384;
const END_HEADERS = 0x04;
const KEPT_OCTETS = 256;
const NO_OCTETS = new Uint8Array(0);

/** Options of {@link FrameReader}. */
export interface FrameReaderOptions {
  /** The direction begins with the client's connection preface (RFC 9113 §3.4). */
  readonly preface: boolean;
  /** The HPACK context of this direction. */
  readonly hpack: HpackDecoder;
  /** Who sends, when it is known: some rules bind one side only. */
  readonly direction?: Direction;
  /** Cap on the octets of an open field block. Default {@link FIELD_BLOCK_CAP}, at least 1024. */
  readonly maxFieldBlock?: number;
  /** Offset of the first octet in its octet space. Default 0. */
  readonly offset?: number;
}

const IN_PREFACE = 0;
const IN_HEADER = 1;
const IN_PAD_LENGTH = 2;
const IN_DATA = 3;
/** The rest of the payload is one part. */
const IN_PART = 4;
const IN_CONTROL = 5;
const IN_FIELD_BLOCK = 6;
/** A frame of a field block that is over the cap. */
const OVER_FIELD_BLOCK = 7;
const ENDED = 8;

/**
 * Reads the HTTP/2 frames of one direction, however its octets are cut, and drives a {@link FrameHandler}. Never throws on wire input,
 * never waits for a payload that is not a field block or a small control frame, and copies no DATA.
 *
 *     const reader = new FrameReader(handler, { preface: true, hpack: new HpackDecoder() });
 *     socket.on("data", (octets) => reader.push(octets)).on("end", () => reader.end());
 */
export class FrameReader {
  /** MAX_FRAME_SIZE that the receiver of this direction announced: longer frames are violations. They are read all the same. */
  maxFrameSize = INITIAL_MAX_FRAME_SIZE;

  readonly #handler: FrameHandler;
  readonly #hpack: HpackDecoder;
  readonly #direction: Direction | undefined;
  readonly #maxFieldBlock: number;
  readonly #origin: number;
  readonly #frame: Frame = createFrame();
  readonly #block: FieldBlock;
  readonly #control = new OctetBuffer();
  readonly #header = new Uint8Array(FRAME_HEADER_OCTETS);
  #headerHeld = 0;
  #prefaceHeld = 0;
  #state: number;
  #offset: number;
  /** Offset of the octet space at index 0 of the octets being read. */
  #base = 0;
  #settingsDue = false;
  /** Payload octets to come: of content, fragment or the one part; then of padding. */
  #left = 0;
  #paddingLeft = 0;
  #part = 0;
  /** Stream whose field block is open, -1 for none. */
  #blockStream = -1;
  /** The open field block went over the cap. */
  #over = false;
  /** The field block frame being read has END_HEADERS. */
  #endsBlock = false;
  /** The frames before this one were not seen: it may be a CONTINUATION of one of them. */
  #joined = false;

  constructor(handler: FrameHandler, options: FrameReaderOptions) {
    const { preface, hpack, direction, maxFieldBlock = FIELD_BLOCK_CAP, offset = 0 } = options;
    if (maxFieldBlock < SMALLEST_FIELD_BLOCK_CAP)
      throw new TypeError(`maxFieldBlock must be at least ${SMALLEST_FIELD_BLOCK_CAP}`);
    this.#handler = handler;
    this.#hpack = hpack;
    this.#direction = direction;
    this.#maxFieldBlock = maxFieldBlock;
    this.#origin = offset;
    this.#offset = offset;
    this.#state = preface ? IN_PREFACE : IN_HEADER;
    this.#block = new FieldBlock(handler, this.#frame, hpack, () => this.#check(), this.#report);
  }

  /** Offset after the last octet pushed. */
  get offset(): number {
    return this.#offset;
  }

  /** Octets pushed and not yet announced. */
  get held(): number {
    const frame = this.#state === IN_CONTROL || this.#state === IN_PAD_LENGTH ? FRAME_HEADER_OCTETS : 0;
    return this.#prefaceHeld + this.#headerHeld + frame + this.#control.length + this.#block.length;
  }

  /**
   * Take the next octets, `bytes[from, to)`. They are borrowed until the call returns.
   * @throws TypeError after {@link end}.
   */
  push(bytes: Uint8Array, from = 0, to = bytes.length): void {
    if (this.#state === ENDED) throw new TypeError("push after end");
    this.#base = this.#offset - from;
    this.#offset += to - from;
    this.#readFrames(bytes, this.#state === IN_PREFACE ? this.#readPreface(bytes, from, to) : from, to);
  }

  /** The peer closed this direction: announce what was held. Call once, last. */
  end(): void {
    this.#abandon(ENDED);
  }

  /**
   * Octets of this direction are missing here: as many as `octets`; null: nobody knows. Where they are all payload of the DATA frame
   * that is being read, it goes on behind them. Else what is held is announced as at the {@link end}, and nobody knows where the next
   * frame begins: the caller finds it, and says so by {@link restart}.
   * @returns whether the frame goes on.
   */
  gap(octets: number | null): boolean {
    this.#offset += octets ?? 0;
    if (octets !== null && this.#state === IN_DATA && octets <= this.#left + this.#paddingLeft) {
      const content = Math.min(octets, this.#left);
      this.#left -= content;
      this.#paddingLeft -= octets - content;
      if (content > 0) this.#handler.dataGap?.(content);
      if (this.#left + this.#paddingLeft === 0) this.#endFrame();
      return true;
    }
    this.#abandon(IN_HEADER);
    this.#hpack.lose();
    return false;
  }

  /** Not all octets were pushed; the next one that is begins a frame and stands at `offset`. Nothing may be held. */
  restart(offset: number): void {
    this.#offset = offset;
    this.#joined = true;
  }

  /** Announce what is held, as far as it goes. */
  #abandon(next: number): void {
    const state = this.#state;
    const held = this.#prefaceHeld + this.#headerHeld + this.#control.length + (state === IN_CONTROL ? FRAME_HEADER_OCTETS : 0);
    this.#state = next;
    this.#settingsDue = false;
    if (state === IN_PAD_LENGTH) this.#startFrame();
    if (this.#blockStream >= 0) this.#closeBlock();
    if (state === IN_PAD_LENGTH || state === IN_DATA || state === IN_PART || state === OVER_FIELD_BLOCK) {
      this.#handler.frameEnd(this.#frame, true);
    }
    this.#prefaceHeld = 0;
    this.#headerHeld = 0;
    this.#control.clear(0);
    if (held > 0) this.#handler.truncated(held);
  }

  #readPreface(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    for (; at < to && this.#prefaceHeld < PREFACE.length; at++) {
      if (bytes[at] !== PREFACE[this.#prefaceHeld]) {
        this.#refusePreface();
        return at;
      }
      this.#prefaceHeld++;
    }
    if (this.#prefaceHeld < PREFACE.length) return at;
    this.#prefaceHeld = 0;
    this.#state = IN_HEADER;
    this.#settingsDue = true;
    this.#handler.preface();
    return at;
  }

  /** RFC 9113 §3.4. What looked like a preface so far is read as frames, from the first octet. */
  #refusePreface(): void {
    const held = this.#prefaceHeld;
    const start = this.#origin + held;
    this.#prefaceHeld = 0;
    this.#state = IN_HEADER;
    this.#report(violation("connection-preface", "PROTOCOL_ERROR", "RFC 9113 §3.4", { start, end: start + 1 }));
    const base = this.#base;
    this.#base = this.#origin;
    this.#readFrames(PREFACE, 0, held);
    this.#base = base;
  }

  #readFrames(bytes: Uint8Array, from: number, to: number): void {
    let at = from;
    while (at < to) at = this.#state === IN_HEADER ? this.#readHeader(bytes, at, to) : this.#readPayload(bytes, at, to);
  }

  #readHeader(bytes: Uint8Array, at: number, to: number): number {
    if (this.#headerHeld === 0 && to - at >= FRAME_HEADER_OCTETS) {
      return this.#openFrame(bytes, at, bytes, at + FRAME_HEADER_OCTETS, to);
    }
    let next = at;
    while (next < to && this.#headerHeld < FRAME_HEADER_OCTETS) this.#header[this.#headerHeld++] = bytes[next++] as number;
    if (this.#headerHeld < FRAME_HEADER_OCTETS) return next;
    this.#headerHeld = 0;
    return this.#openFrame(this.#header, 0, bytes, next, to);
  }

  /**
   * A header is complete at `header[headerAt, headerAt + 9)`; its payload begins at `bytes[at]`.
   * @returns the index of the first octet not read.
   */
  #openFrame(header: Uint8Array, headerAt: number, bytes: Uint8Array, at: number, to: number): number {
    const frame = this.#frame;
    const type = header[headerAt + 3] as number;
    if (this.#blockStream >= 0)
      this.#expectContinuation(type, readUint31(header, headerAt + 5), this.#base + at - FRAME_HEADER_OCTETS);
    readFrameHeader(frame, header, headerAt);
    frame.offset = this.#base + at - FRAME_HEADER_OCTETS;
    if (this.#settingsDue) this.#expectSettings();
    if (type !== FRAME_TYPE.CONTINUATION) this.#joined = false;
    switch (type) {
      case FRAME_TYPE.DATA:
        this.#openData();
        return at;
      case FRAME_TYPE.HEADERS:
      case FRAME_TYPE.PUSH_PROMISE:
        if (
          (frame.flags & END_HEADERS) !== 0 &&
          to - at >= frame.length &&
          FRAME_HEADER_OCTETS + frame.length <= this.#maxFieldBlock
        ) {
          this.#block.announceWhole(bytes, at);
          return at + frame.length;
        }
        this.#blockStream = frame.streamId;
        this.#holdBlockFrame(header, headerAt);
        return at;
      case FRAME_TYPE.CONTINUATION:
        if (this.#blockStream < 0) this.#openStrayContinuation();
        else if (this.#over) this.#openOverFrame();
        else this.#holdBlockFrame(header, headerAt);
        return at;
      default:
        return this.#openOther(bytes, at, to);
    }
  }

  #readPayload(bytes: Uint8Array, at: number, to: number): number {
    switch (this.#state) {
      case IN_DATA:
        return this.#readData(bytes, at, to);
      case IN_PART:
        return this.#readPart(bytes, at, to);
      case IN_FIELD_BLOCK:
        return this.#readFieldBlock(bytes, at, to);
      case OVER_FIELD_BLOCK:
        return this.#readOver(bytes, at, to);
      case IN_CONTROL:
        return this.#readControl(bytes, at, to);
      default:
        return this.#readPadLength(bytes, at);
    }
  }

  #openData(): void {
    const frame = this.#frame;
    readDataHeader(frame);
    if (frame.padLength >= 0 && !frame.malformed) {
      this.#state = IN_PAD_LENGTH;
      return;
    }
    this.#startFrame();
    this.#left = frame.length;
    this.#paddingLeft = 0;
    this.#state = IN_DATA;
    if (frame.length === 0) this.#endFrame();
  }

  #readPadLength(bytes: Uint8Array, at: number): number {
    const frame = this.#frame;
    readDataPadLength(frame, bytes[at] as number);
    this.#startFrame();
    this.#handler.part(PART.pad_length, 1, bytes, at);
    if (frame.malformed) {
      this.#streamPart(PART.malformed, frame.length - 1);
      return at + 1;
    }
    this.#left = frame.length - 1 - frame.padLength;
    this.#paddingLeft = frame.padLength;
    this.#state = IN_DATA;
    if (frame.length === 1) this.#endFrame();
    return at + 1;
  }

  #readData(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    if (this.#left > 0) {
      const end = Math.min(at + this.#left, to);
      this.#left -= end - at;
      this.#handler.data(bytes, at, end);
      at = end;
    }
    if (this.#left === 0) at = this.#readPadding(bytes, at, to);
    if (this.#left + this.#paddingLeft === 0) this.#endFrame();
    return at;
  }

  #readPadding(bytes: Uint8Array, at: number, to: number): number {
    const taken = Math.min(this.#paddingLeft, to - at);
    this.#paddingLeft -= taken;
    if (taken > 0) this.#handler.part(PART.padding, taken, bytes, at);
    return at + taken;
  }

  #openOther(bytes: Uint8Array, at: number, to: number): number {
    const frame = this.#frame;
    readOtherHeader(frame);
    const part = payloadPart(frame.type);
    if (frame.malformed || part === PART.unknown_payload) {
      this.#startFrame();
      this.#streamPart(frame.malformed ? PART.malformed : part, frame.length);
      return at;
    }
    const wanted = Math.min(frame.length, CONTROL_FRAME_CAP);
    if (to - at >= wanted) {
      this.#announceControl(bytes, at, wanted);
      return at + wanted;
    }
    this.#state = IN_CONTROL;
    this.#control.append(bytes, at, to);
    return to;
  }

  #readControl(bytes: Uint8Array, at: number, to: number): number {
    const wanted = Math.min(this.#frame.length, CONTROL_FRAME_CAP);
    const taken = Math.min(wanted - this.#control.length, to - at);
    this.#control.append(bytes, at, at + taken);
    if (this.#control.length === wanted) {
      this.#announceControl(this.#control.bytes, 0, wanted);
      this.#control.clear(KEPT_OCTETS);
    }
    return at + taken;
  }

  #announceControl(bytes: Uint8Array, at: number, octets: number): void {
    const frame = this.#frame;
    if (octets < frame.length) this.#handler.limit("control_frame", frame.offset + FRAME_HEADER_OCTETS + octets);
    readControlPayload(frame, bytes, at, octets);
    this.#startFrame();
    const part = payloadPart(frame.type);
    if (octets > 0) this.#handler.part(part, octets, bytes, at);
    this.#streamPart(part, frame.length - octets);
    frame.debugData = NO_OCTETS;
  }

  #streamPart(part: number, octets: number): void {
    this.#part = part;
    this.#left = octets;
    this.#state = IN_PART;
    if (octets === 0) this.#endFrame();
  }

  #readPart(bytes: Uint8Array, at: number, to: number): number {
    const taken = Math.min(this.#left, to - at);
    this.#left -= taken;
    this.#handler.part(this.#part, taken, bytes, at);
    if (this.#left === 0) this.#endFrame();
    return at + taken;
  }

  #holdBlockFrame(header: Uint8Array, headerAt: number): void {
    this.#block.holdHeader(header, headerAt);
    this.#endsBlock = (this.#frame.flags & END_HEADERS) !== 0;
    this.#left = this.#frame.length;
    this.#state = IN_FIELD_BLOCK;
    if (this.#left === 0) this.#endHeldFrame();
  }

  #readFieldBlock(bytes: Uint8Array, at: number, to: number): number {
    const room = this.#maxFieldBlock - this.#block.length;
    if (room === 0) {
      this.#goOver();
      this.#left = this.#block.fragmentLeft;
      this.#paddingLeft = this.#block.paddingLeft;
      this.#state = OVER_FIELD_BLOCK;
      return at;
    }
    const end = Math.min(at + Math.min(this.#left, room), to);
    this.#block.hold(bytes, at, end);
    this.#left -= end - at;
    if (this.#left === 0) this.#endHeldFrame();
    return end;
  }

  #endHeldFrame(): void {
    this.#state = IN_HEADER;
    if (!this.#endsBlock) return;
    this.#blockStream = -1;
    this.#block.announceHeld();
  }

  #goOver(): void {
    this.#over = true;
    this.#handler.limit("field_block", this.#block.endOffset);
    this.#block.giveUp("over");
  }

  #openOverFrame(): void {
    const frame = this.#frame;
    readContinuation(frame);
    this.#startFrame();
    this.#endsBlock = frame.endHeaders;
    this.#left = frame.length;
    this.#paddingLeft = 0;
    this.#state = OVER_FIELD_BLOCK;
    if (this.#left === 0) this.#endOverFrame();
  }

  #readOver(bytes: Uint8Array, from: number, to: number): number {
    const end = Math.min(from + this.#left, to);
    this.#left -= end - from;
    if (end > from) this.#handler.part(PART.undecoded, end - from, bytes, from);
    const at = this.#left === 0 ? this.#readPadding(bytes, end, to) : end;
    if (this.#left + this.#paddingLeft === 0) this.#endOverFrame();
    return at;
  }

  #endOverFrame(): void {
    if (this.#endsBlock) this.#closeBlock();
    this.#endFrame();
  }

  #openStrayContinuation(): void {
    const frame = this.#frame;
    readContinuation(frame);
    frame.blockType = -1;
    this.#startFrame();
    if (!this.#joined) checkStrayContinuation(frame, this.#report);
    // What the fragment did to the peer's table cannot be known.
    if (frame.length > 0) this.#hpack.lose();
    this.#streamPart(PART.undecoded, frame.length);
  }

  /** RFC 9113 §6.10: nothing but its CONTINUATIONs may stand in an open field block. */
  #expectContinuation(type: number, streamId: number, offset: number): void {
    if (type === FRAME_TYPE.CONTINUATION && streamId === this.#blockStream) {
      if (!this.#over && this.#block.length + FRAME_HEADER_OCTETS > this.#maxFieldBlock) this.#goOver();
      return;
    }
    this.#closeBlock();
    const span = { start: offset, end: offset + FRAME_HEADER_OCTETS };
    this.#report(violation("continuation-expected", "PROTOCOL_ERROR", "RFC 9113 §6.10", span));
  }

  /** The open field block will not be completed. */
  #closeBlock(): void {
    if (this.#over) this.#handler.fieldSection(this.#frame, false);
    else this.#block.giveUp("closed");
    this.#blockStream = -1;
    this.#over = false;
  }

  /** RFC 9113 §3.4: the preface ends with a SETTINGS frame. */
  #expectSettings(): void {
    this.#settingsDue = false;
    const frame = this.#frame;
    if (frame.type === FRAME_TYPE.SETTINGS && (frame.flags & 0x01) === 0) return;
    this.#report(violation("settings-first", "PROTOCOL_ERROR", "RFC 9113 §3.4", headerSpan(frame)));
  }

  #startFrame(): void {
    this.#handler.frameStart(this.#frame);
    this.#check();
  }

  #endFrame(): void {
    this.#state = IN_HEADER;
    this.#handler.frameEnd(this.#frame, false);
  }

  #check(): void {
    checkFrame(this.#frame, this.maxFrameSize, this.#direction, this.#report);
  }

  readonly #report = (found: Violation): void => this.#handler.violation(found);
}
