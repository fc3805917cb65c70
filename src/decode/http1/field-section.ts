import { CATEGORY } from "../category.ts";
import { isSecretValue } from "../secret-value.ts";
import type { Announcer } from "./announcer.ts";
import { FieldLine } from "./field-line.ts";
import type { FieldName } from "./field-name.ts";
import type { HeadFacts } from "./head-facts.ts";
import type { LineReader } from "./line-reader.ts";
import { CR } from "./octets.ts";
import type { Rule } from "./rules.ts";

/** Reads field lines up to the empty line that ends them: of a head, or of a chunked body's trailers. One per direction, reused. */
export class FieldSection {
  readonly #announcer: Announcer;
  readonly #lines: LineReader;
  readonly #line = new FieldLine();
  readonly #value = (): string => this.#line.value();
  /** Null in trailers: RFC 9110 §6.5.1, they do not frame. */
  #facts: HeadFacts | null = null;
  #lfNoted = false;
  /** Of a line too long to be held: its name (null: it has none), and octets so far. */
  #longName: FieldName | null = null;
  #longOctets = 0;

  constructor(announcer: Announcer, lines: LineReader) {
    this.#announcer = announcer;
    this.#lines = lines;
  }

  /** A section begins. @param facts where its lines are taken into account; null for trailers. */
  begin(facts: HeadFacts | null): void {
    this.#facts = facts;
    this.#lfNoted = false;
  }

  /** Say once per section that a line ends in LF alone. */
  noteLineEnd(bytes: Uint8Array, start: number, end: number): void {
    if (this.#lfNoted || bytes[end - 2] === CR) return;
    this.#lfNoted = true;
    this.#announcer.note("lf-line-end", this.#announcer.offset + end - 1 - start);
  }

  /**
   * Take at most one line from `bytes[at, to)`, not empty.
   * @returns the position up to which octets were taken; negative when the section ended there: its bitwise complement.
   */
  push(bytes: Uint8Array, at: number, to: number): number {
    const lines = this.#lines;
    if (lines.tooLong) return this.#skip(bytes, at, to);
    const next = lines.take(bytes, at, to, true);
    if (next < 0) return to;
    if (lines.tooLong) this.#beginLong();
    else if (lines.empty) {
      this.noteLineEnd(lines.bytes, lines.start, lines.end);
      const end = this.#facts === null ? CATEGORY["http1.trailer_end"] : CATEGORY["http1.head_end"];
      this.#announcer.octets(end, lines.bytes, lines.start, lines.end, false);
      lines.release();
      return ~next;
    } else {
      this.#readLine(lines.bytes, lines.start, lines.end);
    }
    lines.release();
    return next;
  }

  /** The direction is over: a held whole line is a field line, the rest of what is held is truncated. */
  end(): void {
    const lines = this.#lines;
    const { whole } = lines;
    lines.takeRest();
    if (lines.tooLong) this.#endLong();
    else if (whole) this.#readLine(lines.bytes, lines.start, lines.end);
    else announceTruncated(this.#announcer, lines);
    lines.release();
  }

  #readLine(bytes: Uint8Array, start: number, end: number): void {
    const announcer = this.#announcer;
    const line = this.#line;
    const { offset } = announcer;
    this.noteLineEnd(bytes, start, end);
    if (!line.read(bytes, start, end)) {
      announcer.note(line.problem ?? "field-line", offset + line.problemAt);
      announcer.octets(CATEGORY["http1.malformed"], bytes, start, end);
      return;
    }
    const name = line.name;
    const rule = name.fact && this.#facts !== null ? this.#facts.add(name.lower, line.value(), offset) : null;
    if (rule !== null) announcer.note(rule, offset);
    if (line.folds > 0) announcer.note("obs-fold", offset);
    if (line.controlAt >= 0) announcer.note("field-value-control", offset + line.controlAt);
    const secret = name.sensitive || (announcer.sink.detail === 3 && isSecretValue(name.lower, line.value()));
    this.#announceLine(rule, secret, bytes, start, end);
    announcer.field(name, end - start, line.valueLength, this.#value);
  }

  #announceLine(rule: Rule | null, secret: boolean, bytes: Uint8Array, start: number, end: number): void {
    if (rule === "content-length") this.#announcer.octets(CATEGORY["http1.malformed"], bytes, start, end);
    else if (this.#facts === null) this.#announcer.octets(CATEGORY["http1.trailer"], bytes, start, end, secret);
    else this.#line.announce(this.#announcer, secret);
  }

  /** What is in view of a line over the cap is read as far as it goes; the framing does not hear of it. */
  #beginLong(): void {
    const { bytes, start, end } = this.#lines;
    const line = this.#line;
    this.#announcer.note("line-too-long", this.#announcer.offset);
    this.#longOctets = end - start;
    line.read(bytes, start, end);
    this.#longName = line.named ? line.name : null;
    // Half a value is not read as a value: it may be half a secret.
    if (this.#longName === null) this.#announcer.octets(CATEGORY["http1.malformed"], bytes, start, end);
    else if (this.#facts === null) this.#announcer.octets(CATEGORY["http1.trailer"], bytes, start, end);
    else line.announce(this.#announcer, true);
  }

  #skip(bytes: Uint8Array, at: number, to: number): number {
    const next = this.#lines.skip(bytes, at, to);
    this.#announcer.octets(CATEGORY["http1.malformed"], bytes, at, next);
    this.#longOctets += next - at;
    if (!this.#lines.tooLong) this.#endLong();
    return next;
  }

  #endLong(): void {
    this.#lines.tooLong = false;
    if (this.#longName !== null) this.#announcer.field(this.#longName, this.#longOctets, -1, null);
  }
}

/** What is held is the beginning of something that never ended. */
export function announceTruncated(announcer: Announcer, { bytes, start, end }: LineReader): void {
  if (start === end) return;
  announcer.octets(CATEGORY["unattributed.truncated"], bytes, start, end);
}
