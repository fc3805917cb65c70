import { internedOctetString } from "http2-frame-parser";
import { CATEGORY } from "../category.ts";
import type { UnitDetail } from "../wire-unit.ts";
import type { Announcer } from "./announcer.ts";
import type { BodyContent } from "./body-content.ts";
import { readChunkLine } from "./chunk-line.ts";
import { announceTruncated, type FieldSection } from "./field-section.ts";
import type { LineReader } from "./line-reader.ts";
import { CR, isHexDigit, LF } from "./octets.ts";
import type { Rule } from "./rules.ts";

const SIZE = 0;
const DATA = 1;
const DATA_END = 2;
const LAST = 3;
const TRAILERS = 4;

const CR_OCTET = Uint8Array.of(CR);
const TRAILER_UNIT = (): UnitDetail => ({ kind: "http1.trailers" });
const LAST_CHUNK_UNIT = (): UnitDetail => ({ kind: "http1.last_chunk" });

/** Reads one body in the chunked transfer coding, RFC 9112 §7.1. One per direction, reused. */
export class ChunkedBody {
  /** The body is over, trailers included. */
  over = false;
  /** Why its framing is lost; null: it is not. */
  failure: Rule | null = null;
  failureAt = 0;
  readonly #announcer: Announcer;
  readonly #lines: LineReader;
  readonly #fields: FieldSection;
  readonly #content: BodyContent;
  readonly #chunkUnit = (): UnitDetail => ({ kind: "http1.chunk", size: this.#size });
  #state = SIZE;
  #size = 0;
  #left = 0;
  /** A CR is held that the next octet completes to a line end. */
  #crHeld = false;
  /** The last chunk's size line, held: the octets after it say whether there are trailers. */
  #last = new Uint8Array(0);

  constructor(announcer: Announcer, lines: LineReader, fields: FieldSection, content: BodyContent) {
    this.#announcer = announcer;
    this.#lines = lines;
    this.#fields = fields;
    this.#content = content;
  }

  /** Octets held back beside those of the line reader. */
  get held(): number {
    return this.#last.length + (this.#crHeld ? 1 : 0);
  }

  begin(): void {
    this.over = false;
    this.failure = null;
    this.#state = SIZE;
  }

  /** Take octets of `bytes[at, to)`, not empty, up to a border. @returns the position up to which they were taken. */
  push(bytes: Uint8Array, at: number, to: number): number {
    switch (this.#state) {
      case SIZE:
        return this.#pushSize(bytes, at, to);
      case DATA:
        return this.#pushData(bytes, at, to);
      case DATA_END:
        return this.#pushDataEnd(bytes, at, to);
      case LAST:
        return this.#pushLast(bytes, at);
      default:
        return this.#pushTrailers(bytes, at, to);
    }
  }

  /** `octets` octets are missing here. @returns whether they are all data of the open chunk, which goes on behind them. */
  gap(octets: number): boolean {
    if (this.#state !== DATA || octets > this.#left) return false;
    this.#content.gap(octets);
    this.#left -= octets;
    if (this.#left === 0) this.#state = DATA_END;
    return true;
  }

  /** The direction is over inside the body. */
  end(): void {
    const announcer = this.#announcer;
    if (this.#state === TRAILERS) {
      this.#fields.end();
      announcer.unit(TRAILER_UNIT, true);
      return;
    }
    if (this.#state === LAST) this.#announceSizeLine(CATEGORY["http1.last_chunk"], this.#last, 0, this.#last.length);
    if (this.#crHeld) announcer.octets(CATEGORY["unattributed.truncated"], CR_OCTET, 0, 1);
    this.#lines.takeRest();
    announceTruncated(announcer, this.#lines);
    this.#lines.release();
    announcer.unit(this.#unit(), true);
    this.#forgetHeld();
  }

  #unit(): () => UnitDetail {
    if (this.#state === LAST) return LAST_CHUNK_UNIT;
    if (this.#state === SIZE) return () => ({ kind: "unattributed" });
    return this.#chunkUnit;
  }

  #pushSize(bytes: Uint8Array, at: number, to: number): number {
    const lines = this.#lines;
    const next = lines.take(bytes, at, to, false);
    if (next < 0) return to;
    const crlf = lines.bytes[lines.end - 2] === CR && lines.end - 2 >= lines.start;
    const line = lines.tooLong
      ? "line-too-long"
      : readChunkLine(internedOctetString(lines.bytes, lines.start, lines.end - (crlf ? 2 : 1)));
    if (typeof line === "string") this.#failLine(line);
    else {
      const { offset } = this.#announcer;
      if (line.rule !== null) this.#announcer.note(line.rule, offset);
      if (!crlf) this.#announcer.note("chunk-line-end", offset + lines.end - 1 - lines.start);
      this.#beginChunk(line.size);
    }
    lines.tooLong = false;
    lines.release();
    return next;
  }

  #beginChunk(size: number): void {
    const { bytes, start, end } = this.#lines;
    this.#size = size;
    this.#left = size;
    if (size === 0) {
      this.#last = bytes.slice(start, end);
      this.#state = LAST;
    } else {
      this.#announceSizeLine(CATEGORY["http1.chunk_size"], bytes, start, end);
      this.#state = DATA;
    }
  }

  /** The size, and what stands behind it: extensions say anything, so a hex view must not show them. */
  #announceSizeLine(category: number, bytes: Uint8Array, start: number, end: number): void {
    const behind = bytes[end - 2] === CR ? end - 2 : end - 1;
    let at = start;
    while (at < behind && isHexDigit(bytes[at])) at++;
    this.#announcer.octets(category, bytes, start, at, false);
    this.#announcer.octets(category, bytes, at, end, at < behind);
  }

  #failLine(rule: Rule): void {
    const { bytes, start, end } = this.#lines;
    this.failure = rule;
    this.failureAt = this.#announcer.offset;
    this.#announcer.octets(CATEGORY["http1.malformed"], bytes, start, end);
    this.#announcer.unit(() => ({ kind: "http1.malformed" }));
  }

  #pushData(bytes: Uint8Array, at: number, to: number): number {
    const next = Math.min(to, at + this.#left);
    this.#content.push(bytes, at, next);
    this.#left -= next - at;
    if (this.#left === 0) this.#state = DATA_END;
    return next;
  }

  #pushDataEnd(bytes: Uint8Array, at: number, to: number): number {
    const announcer = this.#announcer;
    const first = at;
    let next = at;
    if (!this.#crHeld && bytes[next] === CR) {
      next++;
      if (next === to) {
        this.#crHeld = true;
        return next;
      }
    }
    if (bytes[next] !== LF) return this.#failDataEnd(next > first || this.#crHeld, next);
    if (this.#crHeld) announcer.octets(CATEGORY["http1.chunk_end"], CR_OCTET, 0, 1, false);
    else if (next === first) announcer.note("chunk-line-end", announcer.offset);
    this.#crHeld = false;
    announcer.octets(CATEGORY["http1.chunk_end"], bytes, first, next + 1, false);
    announcer.unit(this.#chunkUnit);
    this.#state = SIZE;
    return next + 1;
  }

  #failDataEnd(afterCr: boolean, next: number): number {
    const announcer = this.#announcer;
    announcer.unit(this.#chunkUnit, true);
    this.failure = "chunk-end";
    this.failureAt = announcer.offset;
    if (afterCr) {
      announcer.octets(CATEGORY["http1.malformed"], CR_OCTET, 0, 1);
      announcer.unit(() => ({ kind: "http1.malformed" }));
    }
    this.#crHeld = false;
    return next;
  }

  /** After the last chunk's line: CRLF ends the body, anything else is a trailer line. */
  #pushLast(bytes: Uint8Array, at: number): number {
    const announcer = this.#announcer;
    if (!this.#crHeld && bytes[at] === CR) {
      this.#crHeld = true;
      return at + 1;
    }
    this.#announceSizeLine(CATEGORY["http1.last_chunk"], this.#last, 0, this.#last.length);
    const crHeld = this.#crHeld;
    this.#forgetHeld();
    if (bytes[at] === LF) {
      if (crHeld) announcer.octets(CATEGORY["http1.last_chunk"], CR_OCTET, 0, 1, false);
      else announcer.note("chunk-line-end", announcer.offset);
      announcer.octets(CATEGORY["http1.last_chunk"], bytes, at, at + 1, false);
      announcer.unit(LAST_CHUNK_UNIT);
      this.over = true;
      return at + 1;
    }
    announcer.unit(LAST_CHUNK_UNIT);
    this.#state = TRAILERS;
    this.#fields.begin(null);
    if (crHeld) this.#fields.push(CR_OCTET, 0, 1);
    return at;
  }

  #pushTrailers(bytes: Uint8Array, at: number, to: number): number {
    const next = this.#fields.push(bytes, at, to);
    if (next >= 0) return next;
    this.#announcer.unit(TRAILER_UNIT);
    this.over = true;
    return ~next;
  }

  #forgetHeld(): void {
    this.#last = new Uint8Array(0);
    this.#crHeld = false;
  }
}
