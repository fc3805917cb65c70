import { CATEGORY } from "../category.ts";
import type { Direction } from "../direction.ts";
import type { Layer } from "../layer.ts";
import { LEVEL } from "../level.ts";
import { Resync } from "../resync.ts";
import { BorderSearch, type LostReason } from "../search.ts";
import type { ConnectionSink, NoteSeverity } from "../sink.ts";
import { UnitBuilder } from "../unit-builder.ts";
import { MAX_RECORD_LENGTH, RECORD_HEADER_OCTETS, recordAt } from "./record-shape.ts";
import { CONTENT_TYPES, type ContentType } from "./registry.ts";

const SECTION = "RFC 8446 §5.1";
const VERSION_2_HEADER_OCTETS = 2;
const HANDSHAKE: ContentType = CONTENT_TYPES[2];

/**
 * Counts one direction of TLS at record level, without keys. What follows ChangeCipherSpec under an outer type of handshake or alert
 * (TLS 1.2) is encrypted, and still counts by its type. Holds at most a record header.
 */
export class TlsRecordLayer implements Layer {
  /** Records whose header has come, by content type. */
  readonly records: number[] = Array<number>(CONTENT_TYPES.length + CONTENT_TYPES[0].code).fill(0);
  readonly #sink: ConnectionSink;
  readonly #direction: Direction;
  readonly #unit = new UnitBuilder();
  readonly #header = new Uint8Array(RECORD_HEADER_OCTETS);
  #headerHeld = 0;
  /** The record whose fragment is passing; null between records. */
  #type: ContentType | null = null;
  #length = 0;
  #left = 0;
  #lost = false;
  /** The next record is a ClientHello of version 2, whose header has two octets. */
  #versionTwo: boolean;
  readonly #resync: Resync;

  /** @param versionTwo it begins with a ClientHello of version 2 (RFC 5246 §E.2). */
  constructor(sink: ConnectionSink, direction: Direction, versionTwo = false) {
    this.#sink = sink;
    this.#direction = direction;
    this.#versionTwo = versionTwo;
    this.#resync = new Resync(sink, direction, [new BorderSearch(recordAt, RECORD_HEADER_OCTETS, true)]);
  }

  get held(): number {
    return this.#headerHeld + this.#resync.held;
  }

  push(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    if (this.#resync.active) {
      at = this.#resync.push(bytes, from, to);
      if (at < 0) return to;
      const rest = this.#resync.takeRest();
      this.push(rest, 0, rest.length);
    }
    while (at < to) {
      if (this.#lost) at = this.#pushLost(bytes, at, to);
      else if (this.#type === null) at = this.#pushHeader(bytes, at, to);
      else at = this.#pushFragment(this.#type, bytes, at, to);
    }
    return at;
  }

  gap(octets: number | null, reason: LostReason): void {
    if (octets !== null && this.#type !== null && octets <= this.#left) {
      this.#left -= octets;
      if (this.#left === 0) this.#finishRecord(false);
      return;
    }
    this.#abandon("octets are missing");
    this.#lost = false;
    this.#versionTwo = false;
    this.#resync.begin(reason);
  }

  end(): void {
    this.#abandon("the direction ended");
  }

  /** Announce what is open, as far as it goes. */
  #abandon(why: string): void {
    if (this.#resync.active) {
      this.#resync.end();
      const rest = this.#resync.takeRest();
      this.push(rest, 0, rest.length);
    }
    if (this.#lost) {
      this.#finishUnattributed(false);
    } else if (this.#headerHeld > 0) {
      this.#note("truncated", "warning", `${why} inside a record header`);
      this.#announce(CATEGORY["unattributed.truncated"], LEVEL.unowned, this.#header, 0, this.#headerHeld, true);
      this.#headerHeld = 0;
      this.#finishUnattributed(true);
    } else if (this.#type !== null) {
      this.#note("truncated", "warning", `${why} inside a record: ${this.#left} octets of it did not come`);
      this.#finishRecord(true);
    }
  }

  #pushHeader(bytes: Uint8Array, at: number, to: number): number {
    const octets = this.#versionTwo ? VERSION_2_HEADER_OCTETS : RECORD_HEADER_OCTETS;
    const next = Math.min(to, at + octets - this.#headerHeld);
    this.#header.set(bytes.subarray(at, next), this.#headerHeld);
    this.#headerHeld += next - at;
    if (this.#headerHeld < octets) return next;
    if (this.#versionTwo) this.#readVersionTwoHeader();
    else this.#readHeader();
    return next;
  }

  #readHeader(): void {
    const [code = 0, major = 0, , high = 0, low = 0] = this.#header;
    const type = CONTENT_TYPES.find((row) => row.code === code);
    const length = high * 256 + low;
    this.#headerHeld = 0;
    // RFC 8446 §5.1: only application data may be empty. legacy_record_version is to be ignored, but it is 3.x whenever this is TLS.
    if (type === undefined || major !== 3 || length > MAX_RECORD_LENGTH || (length === 0 && type.name !== "application_data")) {
      this.#note("tls-record", "violation", "no TLS record header: counted, not read, from here on");
      this.#lost = true;
      this.#pushLost(this.#header, 0, RECORD_HEADER_OCTETS);
      return;
    }
    this.records[code] = (this.records[code] ?? 0) + 1;
    this.#announce(CATEGORY["tls.record_header"], LEVEL[type.level], this.#header, 0, RECORD_HEADER_OCTETS, false);
    this.#type = type;
    this.#length = length;
    this.#left = length;
    if (length === 0) this.#finishRecord(false);
  }

  #readVersionTwoHeader(): void {
    const [high = 0, low = 0] = this.#header;
    this.#headerHeld = 0;
    this.#note(
      "tls-version-2-hello",
      "info",
      "a ClientHello in the format of version 2; what follows are records",
      "RFC 5246 §E.2",
    );
    this.#announce(CATEGORY["tls.record_header"], LEVEL[HANDSHAKE.level], this.#header, 0, VERSION_2_HEADER_OCTETS, false);
    this.#type = HANDSHAKE;
    this.#length = (high & 0x7f) * 256 + low;
    this.#left = this.#length;
  }

  #pushFragment(type: ContentType, bytes: Uint8Array, at: number, to: number): number {
    const next = Math.min(to, at + this.#left);
    this.#announce(CATEGORY[type.category], LEVEL[type.level], bytes, at, next, type.category === "tls.encrypted");
    this.#left -= next - at;
    if (this.#left === 0) this.#finishRecord(false);
    return next;
  }

  #pushLost(bytes: Uint8Array, at: number, to: number): number {
    this.#announce(CATEGORY["unattributed.after_error"], LEVEL.unowned, bytes, at, to, true);
    return to;
  }

  /** @param secret what they say is not known: a hex view must not show them. */
  #announce(category: number, level: number, bytes: Uint8Array, from: number, to: number, secret: boolean): void {
    const { detail } = this.#sink;
    if (detail > 0) this.#unit.part(this.#sink.offset(this.#direction), category, to - from, bytes, from, secret, detail === 3);
    this.#sink.octets(this.#direction, category, to - from, level, null);
  }

  #finishRecord(truncated: boolean): void {
    const [contentType = 0, major = 0, minor = 0] = this.#header;
    this.#type = null;
    if (this.#unit.octets === 0) {
      this.#versionTwo = false;
      return;
    }
    const detail = this.#versionTwo
      ? ({ kind: "tls.record", contentType: null, version: 0x0002, length: this.#length } as const)
      : ({ kind: "tls.record", contentType, version: major * 256 + minor, length: this.#length } as const);
    this.#versionTwo = false;
    this.#unit.finish(this.#sink, this.#direction, detail, null, truncated);
  }

  #finishUnattributed(truncated: boolean): void {
    if (this.#unit.octets > 0) this.#unit.finish(this.#sink, this.#direction, { kind: "unattributed" }, null, truncated);
  }

  #note(code: string, severity: NoteSeverity, text: string, ref = SECTION): void {
    this.#sink.note(code, severity, this.#direction, this.#sink.offset(this.#direction), ref, text);
  }
}
