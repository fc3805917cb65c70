import { type ContentType, contentTypeOf, isCoded, UNTYPED } from "../content/content-kind.ts";
import type { H2Stream } from "./h2-stream.ts";

/** Fields whose text an exchange keeps; the others are numbers, or only looked at. */
const TEXTS = new Set([":method", ":authority", "host", ":path", "grpc-message"]);

/** All fields that say something to it. */
const HEEDED = new Set([...TEXTS, ":status", "content-type", "content-encoding", "content-range", "grpc-status"]);

/** What a field section said, as far as streams need it. One per direction, reused. Texts are octet strings. */
export class FieldSection {
  /** Whose section it is; for a PUSH_PROMISE the promised stream. Null on stream 0 and on streams forgotten long ago. */
  stream: H2Stream | null = null;
  /** A request head; else a response head, an interim one or trailers. */
  request = false;
  endStream = false;
  method: string | null = null;
  authority: string | null = null;
  path: string | null = null;
  status: number | null = null;
  grpcStatus: number | null = null;
  grpcMessage: string | null = null;
  /** What its Content-Type says. */
  type: ContentType = UNTYPED;
  /** Some Content-Encoding is not `identity`. */
  coded = false;
  /** RFC 9110 §14.4: the content is a part of something. */
  partial = false;
  /** Some line could not be known. */
  unknown = false;
  /** The Content-Encoding that was looked at last. */
  #encoding = "";

  /** A field section begins. */
  begin(stream: H2Stream | null, request: boolean, endStream: boolean): void {
    this.stream = stream;
    this.request = request;
    this.endStream = endStream;
    this.method = null;
    this.authority = null;
    this.path = null;
    this.status = null;
    this.grpcStatus = null;
    this.grpcMessage = null;
    this.type = UNTYPED;
    this.coded = false;
    this.partial = false;
    this.#encoding = "";
    this.unknown = false;
  }

  /** Whether a field of this name says something to it. */
  static heeds(name: string): boolean {
    return HEEDED.has(name);
  }

  /** Whether the Content-Type may be among the lines that could not be known. */
  get kindUnknown(): boolean {
    return this.unknown && this.type === UNTYPED;
  }

  /**
   * The next field line; null for what cannot be known.
   * @param secret a never-indexed literal: its text must not leave the process with the exchange (RFC 7541 §7.1.3).
   */
  line(name: string | null, value: string | null, secret: boolean): void {
    if (name === null || value === null) {
      this.unknown = true;
      return;
    }
    if (secret && TEXTS.has(name)) return;
    // By length first: most names are nobody's, and this is asked for each line.
    switch (name.length) {
      case 4:
        // RFC 9113 §8.3.1: Host stands in when there is no :authority.
        if (name === "host") this.authority ??= value;
        return;
      case 5:
        if (name === ":path") this.path = value;
        return;
      case 7:
        if (name === ":method") this.method = value;
        else if (name === ":status") this.status = digits(value);
        return;
      case 10:
        if (name === ":authority") this.authority = value;
        return;
      case 11:
        if (name === "grpc-status") this.grpcStatus = digits(value);
        return;
      case 12:
        if (name === "content-type") {
          if (this.type === UNTYPED) this.type = contentTypeOf(value);
        } else if (name === "grpc-message") this.grpcMessage = value;
        return;
      case 13:
        if (name === "content-range") this.partial = true;
        return;
      case 16:
        if (name === "content-encoding") this.#codedBy(value);
        return;
      default:
    }
  }

  /** The same entry of a table may stand there ten thousand times. */
  #codedBy(encoding: string): void {
    if (!this.coded && encoding !== this.#encoding) this.coded = isCoded(encoding);
    this.#encoding = encoding;
  }
}

/** A number of at most nine digits; null for any other text. */
function digits(value: string): number | null {
  if (value.length === 0 || value.length > 9) return null;
  let number = 0;
  for (let at = 0; at < value.length; at++) {
    const digit = value.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return null;
    number = number * 10 + digit;
  }
  return number;
}
