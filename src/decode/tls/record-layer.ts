import { CATEGORY } from "../category.ts";
import type { Direction } from "../direction.ts";
import type { Layer } from "../layer.ts";
import { LEVEL } from "../level.ts";
import type { ConnectionSink } from "../sink.ts";
import { UnitBuilder } from "../unit-builder.ts";
import { CONTENT_TYPES, type ContentType } from "./registry.ts";

const HEADER_OCTETS = 5;
/** RFC 5246 §6.2.3: TLS 1.2 ciphertext; TLS 1.3 allows less (RFC 8446 §5.2: 2^14 + 256). */
const MAX_LENGTH = 2 ** 14 + 2048;
const SECTION = "RFC 8446 §5.1";

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
  readonly #header = new Uint8Array(HEADER_OCTETS);
  #headerHeld = 0;
  /** The record whose fragment is passing; null between records. */
  #type: ContentType | null = null;
  #length = 0;
  #left = 0;
  #lost = false;

  constructor(sink: ConnectionSink, direction: Direction) {
    this.#sink = sink;
    this.#direction = direction;
  }

  get held(): number {
    return this.#headerHeld;
  }

  push(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    while (at < to) {
      if (this.#lost) at = this.#pushLost(bytes, at, to);
      else if (this.#type === null) at = this.#pushHeader(bytes, at, to);
      else at = this.#pushFragment(this.#type, bytes, at, to);
    }
    return at;
  }

  end(): void {
    if (this.#lost) {
      this.#finishUnattributed(false);
    } else if (this.#headerHeld > 0) {
      this.#note("truncated", "warning", "the direction ended inside a record header");
      this.#announce(CATEGORY["unattributed.truncated"], LEVEL.unowned, this.#header, 0, this.#headerHeld, true);
      this.#headerHeld = 0;
      this.#finishUnattributed(true);
    } else if (this.#type !== null) {
      this.#note("truncated", "warning", `the direction ended inside a record: ${this.#left} octets are missing`);
      this.#finishRecord(true);
    }
  }

  #pushHeader(bytes: Uint8Array, at: number, to: number): number {
    const next = Math.min(to, at + HEADER_OCTETS - this.#headerHeld);
    this.#header.set(bytes.subarray(at, next), this.#headerHeld);
    this.#headerHeld += next - at;
    if (this.#headerHeld === HEADER_OCTETS) this.#readHeader();
    return next;
  }

  #readHeader(): void {
    const [code = 0, major = 0, , high = 0, low = 0] = this.#header;
    const type = CONTENT_TYPES.find((row) => row.code === code);
    const length = high * 256 + low;
    this.#headerHeld = 0;
    // RFC 8446 §5.1: only application data may be empty. legacy_record_version is to be ignored, but it is 3.x whenever this is TLS.
    if (type === undefined || major !== 3 || length > MAX_LENGTH || (length === 0 && type.name !== "application_data")) {
      this.#note("tls-record", "violation", "no TLS record header: counted, not read, from here on");
      this.#lost = true;
      this.#pushLost(this.#header, 0, HEADER_OCTETS);
      return;
    }
    this.records[code] = (this.records[code] ?? 0) + 1;
    this.#announce(CATEGORY["tls.record_header"], LEVEL[type.level], this.#header, 0, HEADER_OCTETS, false);
    this.#type = type;
    this.#length = length;
    this.#left = length;
    if (length === 0) this.#finishRecord(false);
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
    if (this.#unit.octets === 0) return;
    const detail = { kind: "tls.record", contentType, version: major * 256 + minor, length: this.#length } as const;
    this.#unit.finish(this.#sink, this.#direction, detail, null, truncated);
  }

  #finishUnattributed(truncated: boolean): void {
    if (this.#unit.octets > 0) this.#unit.finish(this.#sink, this.#direction, { kind: "unattributed" }, null, truncated);
  }

  #note(code: string, severity: "violation" | "warning", text: string): void {
    this.#sink.note(code, severity, this.#direction, this.#sink.offset(this.#direction), SECTION, text);
  }
}
