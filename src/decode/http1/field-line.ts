import { internedOctetString, octetString } from "http2-frame-parser";
import { CATEGORY } from "../category.ts";
import type { Announcer } from "./announcer.ts";
import { type FieldName, fieldName } from "./field-name.ts";
import { COLON, CR, HTAB, indexOfLf, isTokenOctet, isWhitespace, SP } from "./octets.ts";
import type { Rule } from "./rules.ts";

/**
 * One field line with its folds, RFC 9112 §5: field-name ":" OWS field-value OWS. What stands where: `name`; `separator`, the colon and
 * the whitespace after it, also when the value is empty; `value`; `fold`, an obs-fold (OWS CRLF RWS, §5.2); `eol`, trailing
 * whitespace and line end. One instance per direction is used for all lines.
 */
export class FieldLine {
  /** It has a name and a colon. */
  named = false;
  /** Folds in the line. */
  folds = 0;
  /** Octets of the value; a fold counts as the one SP that it stands for. */
  valueLength = 0;
  /** First problem that makes the value unfit, or null. Where it was, counted from the line's start. */
  problem: Rule | null = null;
  problemAt = 0;
  /** Where the first control octet in the value is, counted from the line's start; -1: none. */
  controlAt = -1;
  #bytes: Uint8Array = new Uint8Array(0);
  #start = 0;
  #nameEnd = 0;
  #separatorEnd = 0;
  #end = 0;
  /** Start and end of the value's piece on each physical line; the first `#pieceCount` numbers count. */
  readonly #pieces: number[] = [];
  #pieceCount = 0;

  /** Read the line `bytes[start, end)`, borrowed until the next read. @returns false when it is no field line: see `problem`. */
  read(bytes: Uint8Array, start: number, end: number): boolean {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.#pieceCount = 0;
    this.folds = 0;
    this.valueLength = 0;
    this.problem = null;
    this.controlAt = -1;
    let at = start;
    while (at < end && isTokenOctet(bytes[at])) at++;
    this.#nameEnd = at;
    this.named = at > start && at < end && bytes[at] === COLON;
    if (!this.named) {
      this.#fail(this.#nameProblem(at), at);
      return false;
    }
    do at++;
    while (at < end && isWhitespace(bytes[at]));
    this.#separatorEnd = at;
    this.#readValue(at);
    return this.problem === null;
  }

  get name(): FieldName {
    return fieldName(this.#bytes, this.#start, this.#nameEnd);
  }

  /** The value, each fold as one SP. */
  value(): string {
    if (this.#pieceCount === 2) return internedOctetString(this.#bytes, this.#pieces[0] ?? 0, this.#pieces[1] ?? 0);
    const texts: string[] = [];
    for (let index = 0; index < this.#pieceCount; index += 2) {
      const from = this.#pieces[index] ?? 0;
      const to = this.#pieces[index + 1] ?? from;
      if (to > from) texts.push(octetString(this.#bytes, from, to));
    }
    return texts.join(" ");
  }

  /** Announce the line by its leaves. */
  announce(announcer: Announcer, secret: boolean): void {
    const bytes = this.#bytes;
    announcer.octets(CATEGORY["http1.field_line.name"], bytes, this.#start, this.#nameEnd, false);
    announcer.octets(CATEGORY["http1.field_line.separator"], bytes, this.#nameEnd, this.#separatorEnd, false);
    let at = this.#separatorEnd;
    for (let index = 0; index < this.#pieceCount; index += 2) {
      const from = this.#pieces[index] ?? at;
      const to = this.#pieces[index + 1] ?? from;
      announcer.octets(CATEGORY["http1.field_line.fold"], bytes, at, from, false);
      announcer.octets(CATEGORY["http1.field_line.value"], bytes, from, to, secret);
      at = to;
    }
    announcer.octets(CATEGORY["http1.field_line.eol"], bytes, at, this.#end, false);
  }

  #readValue(first: number): void {
    const bytes = this.#bytes;
    const end = this.#end;
    for (let from = first; ; this.folds++) {
      const next = indexOfLf(bytes, from, end);
      let to = next < end && next > from && bytes[next - 1] === CR ? next - 1 : next;
      if (next < end) while (to > from && isWhitespace(bytes[to - 1])) to--;
      this.#check(from, to);
      if (to > from) this.valueLength += to - from + (this.valueLength > 0 ? 1 : 0);
      this.#pieces[this.#pieceCount++] = from;
      this.#pieces[this.#pieceCount++] = to;
      if (next >= end - 1) return;
      from = next + 1;
      while (from < end && isWhitespace(bytes[from])) from++;
    }
  }

  /** RFC 9110 §5.5: CR and NUL make a value invalid; other controls are unwise and pass. */
  #check(from: number, to: number): void {
    const bytes = this.#bytes;
    for (let at = from; at < to; at++) {
      const octet = bytes[at] ?? SP;
      if (octet >= SP || octet === HTAB) continue;
      if (octet === CR) this.#fail("bare-cr", at);
      else if (octet === 0) this.#fail("field-value-nul", at);
      else if (this.controlAt < 0) this.controlAt = at - this.#start;
    }
  }

  #nameProblem(at: number): Rule {
    const bytes = this.#bytes;
    if (at === this.#start) return isWhitespace(bytes[at]) ? "space-before-fields" : "field-line";
    let colon = at;
    while (colon < this.#end && isWhitespace(bytes[colon])) colon++;
    return colon > at && bytes[colon] === COLON ? "space-before-colon" : "field-line";
  }

  #fail(rule: Rule, at: number): void {
    if (this.problem !== null) return;
    this.problem = rule;
    this.problemAt = at - this.#start;
  }
}
