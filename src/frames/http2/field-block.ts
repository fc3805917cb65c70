import { OctetBuffer } from "../core/octet-buffer.ts";
import { type Report, type Rule, violation } from "../core/violation.ts";
import { type FieldLine, REPRESENTATION } from "../hpack/field-line.ts";
import type { FieldRun } from "../hpack/field-run.ts";
import type { HpackDecoder, HpackSink } from "../hpack/hpack-decoder.ts";
import { isPaddingTooLong, PROMISED_STREAM_OCTETS } from "./block-frame.ts";
import type { Frame } from "./frame.ts";
import { type FrameHandler, PART } from "./frame-handler.ts";
import { FRAME_HEADER_OCTETS, readFrameHeader } from "./frame-header.ts";
import { readContinuation } from "./frames/continuation.ts";
import { readHeaders } from "./frames/headers.ts";
import { PRIORITY_OCTETS } from "./frames/priority.ts";
import { readPushPromise } from "./frames/push-promise.ts";
import { FRAME_TYPE } from "./registry.ts";

/** Memory kept between field blocks. */
const KEPT_OCTETS = 16 * 1024;
const NO_OCTETS = new Uint8Array(0);

/**
 * The open field block of a direction: the frames HEADERS or PUSH_PROMISE and CONTINUATION, held as they stood on the wire until
 * END_HEADERS, then decoded and announced in stream order. A block that is whole in the caller's chunk is announced from there.
 */
export class FieldBlock implements HpackSink {
  readonly #handler: FrameHandler;
  readonly #frame: Frame;
  readonly #hpack: HpackDecoder;
  readonly #check: (frame: Frame) => void;
  readonly #report: Report;
  /** HpackSink; not there when the handler wants each line by itself. */
  readonly fieldRun: ((run: FieldRun) => boolean) | undefined;
  /** Whole frames, headers and all; the last may still be arriving. */
  readonly #held = new OctetBuffer();
  /** The fragments alone, when there are several. */
  readonly #fragments = new OctetBuffer();
  /** Offset of the octet space at #held's first octet. */
  #offset = 0;

  // The walk over the frames while they are announced: the next octet is #bytes[#at].
  #bytes: Uint8Array = NO_OCTETS;
  #at = 0;
  #end = 0;
  /** Offset of the octet space at #bytes[0]. */
  #base = 0;
  #fragmentLeft = 0;
  #paddingLeft = 0;

  /** @param check reports what is wrong with the frame that was just announced. */
  constructor(handler: FrameHandler, frame: Frame, hpack: HpackDecoder, check: (frame: Frame) => void, report: Report) {
    this.#handler = handler;
    this.#frame = frame;
    this.#hpack = hpack;
    this.#check = check;
    this.#report = report;
    this.fieldRun = handler.fieldRun === undefined ? undefined : (run) => this.#takeRun(run);
  }

  /** Octets held. */
  get length(): number {
    return this.#held.length;
  }

  /** Offset of the first octet that would come after those held. */
  get endOffset(): number {
    return this.#offset + this.#held.length;
  }

  /** Fragment octets that the last announced frame still owes: the block was closed inside it. */
  get fragmentLeft(): number {
    return this.#fragmentLeft;
  }

  /** Padding octets that the last announced frame still owes. */
  get paddingLeft(): number {
    return this.#paddingLeft;
  }

  /** Hold the header of the frame that the reader is at; the first one opens the block. */
  holdHeader(header: Uint8Array, at: number): void {
    if (this.#held.length === 0) this.#offset = this.#frame.offset;
    this.#held.append(header, at, at + FRAME_HEADER_OCTETS);
  }

  /** Hold payload octets. */
  hold(bytes: Uint8Array, from: number, to: number): void {
    this.#held.append(bytes, from, to);
  }

  /** The block is one frame, the reader's, and its payload is `bytes[at, at + length)`: announce it without holding it. */
  announceWhole(bytes: Uint8Array, at: number): void {
    const frame = this.#frame;
    this.#walk(bytes, at, at + frame.length, frame.offset + FRAME_HEADER_OCTETS - at);
    const sound = this.#openPayload();
    this.#finish(sound && this.#decode(bytes, this.#at, this.#at + this.#fragmentLeft), frame);
  }

  /** All frames are held: announce and forget them. */
  announceHeld(): void {
    const sound = this.#gatherFragments();
    this.#walk(this.#held.bytes, 0, this.#held.length, this.#offset);
    this.#openFrame();
    const several = this.#fragments.length > 0;
    const from = several ? 0 : this.#at;
    const to = several ? this.#fragments.length : this.#at + this.#fragmentLeft;
    this.#finish(sound && this.#decode(several ? this.#fragments.bytes : this.#bytes, from, to), this.#frame);
    this.#forget();
  }

  /**
   * The block cannot be completed: announce what is held as undecoded and forget it, and the HPACK context with it.
   * @param how `closed`: it ends here, at the end of a frame or of the direction; `over`: more of the last frame is to come.
   */
  giveUp(how: "closed" | "over"): void {
    this.#hpack.lose();
    this.#walk(this.#held.bytes, 0, this.#held.length, this.#offset);
    this.#openFrame();
    for (;;) {
      this.#emit(PART.undecoded, Math.min(this.#fragmentLeft, this.#end - this.#at));
      const padding = Math.min(this.#paddingLeft, this.#end - this.#at);
      if (this.#fragmentLeft === 0) this.#emitPadding(padding);
      if (this.#at === this.#end) break;
      this.#handler.frameEnd(this.#frame, false);
      this.#openFrame();
    }
    if (how === "closed") {
      this.#handler.fieldSection(this.#frame, false);
      this.#handler.frameEnd(this.#frame, this.#base + this.#at < endOf(this.#frame));
    } else if (this.#fragmentLeft + this.#paddingLeft === 0) this.#handler.frameEnd(this.#frame, false);
    this.#forget();
  }

  /** HpackSink: a line begins in the frame that holds its first octet. */
  fieldLine(line: FieldLine): void {
    if (this.#fragmentLeft === 0) this.#nextFragment();
    this.#handler.fieldLine(line);
    if (line.representation === REPRESENTATION.indexed) {
      const octets = line.prefixOctets;
      if (octets > this.#fragmentLeft) {
        this.#emit(PART.indexed, octets);
        return;
      }
      // Most lines of all are these, and in one fragment.
      this.#handler.part(PART.indexed, octets, this.#bytes, this.#at);
      this.#at += octets;
      this.#fragmentLeft -= octets;
      return;
    }
    this.#emit(PART.prefix, line.prefixOctets - line.valueLengthOctets);
    this.#emit(PART.name, line.nameOctets);
    this.#emit(PART.prefix, line.valueLengthOctets);
    this.#emit(PART.value, line.valueOctets);
  }

  /** A run that goes on in the next frame is read line by line. */
  #takeRun(run: FieldRun): boolean {
    const { octets } = run;
    if (octets > this.#fragmentLeft || this.#handler.fieldRun?.(run) !== true) return false;
    this.#handler.part(PART.indexed, octets, this.#bytes, this.#at);
    this.#at += octets;
    this.#fragmentLeft -= octets;
    return true;
  }

  /** HpackSink. */
  sizeUpdate(_size: number, octets: number, _evicted: number): void {
    this.#emit(PART.size_update, octets);
  }

  /** HpackSink. */
  fault(rule: Rule): void {
    if (this.#fragmentLeft === 0) this.#nextFragment();
    const start = this.#base + this.#at;
    const span = { start, end: start + this.#fragmentLeft };
    this.#report(violation(rule.rule, rule.errorCode, rule.ref, span));
  }

  #decode(block: Uint8Array, from: number, to: number): boolean {
    const { fault } = this.#hpack.decode(block, from, to, this);
    if (fault !== null) this.fault(fault);
    return fault === null;
  }

  /** Announce what the decoder left, and the end of the block. */
  #finish(complete: boolean, frame: Frame): void {
    if (!complete) this.#hpack.lose();
    for (;;) {
      this.#emit(PART.undecoded, this.#fragmentLeft);
      this.#emitPadding(this.#paddingLeft);
      if (this.#at === this.#end) break;
      this.#handler.frameEnd(frame, false);
      this.#openFrame();
    }
    this.#handler.fieldSection(frame, complete);
    this.#handler.frameEnd(frame, false);
    this.#bytes = NO_OCTETS;
  }

  #walk(bytes: Uint8Array, at: number, end: number, base: number): void {
    this.#bytes = bytes;
    this.#at = at;
    this.#end = end;
    this.#base = base;
  }

  /** Announce the header at #at, and the payload up to the fragment. */
  #openFrame(): void {
    const frame = this.#frame;
    readFrameHeader(frame, this.#bytes, this.#at);
    frame.offset = this.#base + this.#at;
    this.#at += FRAME_HEADER_OCTETS;
    this.#openPayload();
  }

  /** Announce the frame, and its payload up to the fragment. @returns false when the frame is malformed: it has no fragment. */
  #openPayload(): boolean {
    const frame = this.#frame;
    const available = Math.min(frame.length, this.#end - this.#at);
    readBlockFrame(frame, this.#bytes, this.#at, available);
    this.#handler.frameStart(frame);
    this.#check(frame);
    this.#fragmentLeft = 0;
    this.#paddingLeft = 0;
    let left = available;
    if (frame.malformed) {
      if (isPaddingTooLong(frame)) left -= this.#announce(PART.pad_length, Math.min(1, left));
      this.#announce(PART.malformed, left);
      return false;
    }
    if (frame.padLength >= 0) left -= this.#announce(PART.pad_length, Math.min(1, left));
    if (frame.type === FRAME_TYPE.HEADERS && frame.hasPriority)
      left -= this.#announce(PART.priority, Math.min(PRIORITY_OCTETS, left));
    if (frame.type === FRAME_TYPE.PUSH_PROMISE) {
      left -= this.#announce(PART.promised_stream, Math.min(PROMISED_STREAM_OCTETS, left));
    }
    this.#fragmentLeft = frame.fragmentLength;
    this.#paddingLeft = Math.max(frame.padLength, 0);
    return true;
  }

  /** Announce octets of the block as a part, crossing into the next frames where the fragment ends. */
  #emit(part: number, octets: number): void {
    let left = octets;
    while (left > 0) {
      if (this.#fragmentLeft === 0) this.#nextFragment();
      const taken = Math.min(left, this.#fragmentLeft);
      this.#handler.part(part, taken, this.#bytes, this.#at);
      this.#at += taken;
      this.#fragmentLeft -= taken;
      left -= taken;
    }
  }

  /** The fragment is used up: on to the next frame that has one. */
  #nextFragment(): void {
    while (this.#fragmentLeft === 0 && this.#at + this.#paddingLeft < this.#end) {
      this.#emitPadding(this.#paddingLeft);
      this.#handler.frameEnd(this.#frame, false);
      this.#openFrame();
    }
  }

  #emitPadding(octets: number): void {
    this.#paddingLeft -= this.#announce(PART.padding, octets);
  }

  #announce(part: number, octets: number): number {
    if (octets > 0) this.#handler.part(part, octets, this.#bytes, this.#at);
    this.#at += octets;
    return octets;
  }

  /** Put the fragments of several frames together. @returns false when the block's first frame is malformed. */
  #gatherFragments(): boolean {
    const { bytes, length } = this.#held;
    const frame = this.#frame;
    let sound = true;
    for (let at = 0; at < length; at += frame.length) {
      readFrameHeader(frame, bytes, at);
      at += FRAME_HEADER_OCTETS;
      readBlockFrame(frame, bytes, at, frame.length);
      if (frame.malformed) sound = false;
      if (at === FRAME_HEADER_OCTETS && frame.length === length - at) return sound;
      const from = at + frame.length - frame.fragmentLength - Math.max(frame.padLength, 0);
      if (sound) this.#fragments.append(bytes, from, from + frame.fragmentLength);
    }
    return sound;
  }

  #forget(): void {
    this.#held.clear(KEPT_OCTETS);
    this.#fragments.clear(KEPT_OCTETS);
    this.#bytes = NO_OCTETS;
  }
}

function readBlockFrame(frame: Frame, bytes: Uint8Array, at: number, available: number): void {
  if (frame.type === FRAME_TYPE.HEADERS) readHeaders(frame, bytes, at, available);
  else if (frame.type === FRAME_TYPE.PUSH_PROMISE) readPushPromise(frame, bytes, at, available);
  else readContinuation(frame);
}

function endOf(frame: Frame): number {
  return frame.offset + FRAME_HEADER_OCTETS + frame.length;
}
