import { CATEGORY } from "../category.ts";
import type { Content } from "../content/content.ts";
import type { ContentKind, Envelope } from "../content/content-kind.ts";
import type { ContentSink } from "../content/content-sink.ts";
import type { MessageType } from "../protobuf/message-type.ts";

/** Compressed-Flag (1 octet), Message-Length (4, big-endian): gRPC over HTTP2, "Length-Prefixed-Message". */
export const GRPC_PREFIX_OCTETS = 5;

const COMPRESSED = 1;
/** Connect only. */
const END_STREAM = 2;
const TRAILERS = CATEGORY["grpc.message.trailers"];
const GRPC_PREFIX = CATEGORY["grpc.prefix"];
/** A message that says it is longer is noted: 16 times what gRPC stacks take by default. */
const LARGE_MESSAGE = 64 * 1024 * 1024;

/** A ContentSink that is told of envelopes, too. */
export interface GrpcSink extends ContentSink {
  /** One gRPC message is whole: `payload` octets after its 5-octet prefix. @param type its full name by the schema, or null. */
  message(payload: number, compressed: boolean, type: string | null): void;
  /** The last 5 octets announced are a prefix with this illegal Compressed-Flag. */
  badFlag(flag: number): void;
}

/**
 * Splits one direction of a gRPC stream's DATA into messages without holding an octet: message borders and DATA borders are unrelated.
 * A declared length is a claim by the peer; nothing is allocated from it. Reused from stream to stream.
 */
export class GrpcMessages {
  readonly #sink: GrpcSink;
  #content: Content;
  #codec: ContentKind;
  #type: MessageType | null;
  #envelope: Envelope;
  #prefixSeen = 0;
  #flag = 0;
  #length = 0;
  #payloadLeft = 0;

  /**
   * @param content reads the messages, one after the other. @param codec how one that is not compressed is read. @param type of all of
   * them, when the schema has it.
   */
  constructor(sink: GrpcSink, content: Content, codec: ContentKind, type: MessageType | null, envelope: Envelope = "grpc") {
    this.#sink = sink;
    this.#content = content;
    this.#codec = codec;
    this.#type = type;
    this.#envelope = envelope;
  }

  /** Another stream's messages; parameters as for the constructor. */
  begin(content: Content, codec: ContentKind, type: MessageType | null, envelope: Envelope): void {
    this.#content = content;
    this.#codec = codec;
    this.#type = type;
    this.#envelope = envelope;
    this.#prefixSeen = 0;
    this.#payloadLeft = 0;
  }

  /** Octets that the open message still lacks, as far as it is known; 0 between messages. */
  get missing(): number {
    return this.#prefixSeen > 0 ? GRPC_PREFIX_OCTETS - this.#prefixSeen : this.#payloadLeft;
  }

  /** Announce `bytes[from, to)` as `grpc.prefix` and what is in `grpc.message`. */
  push(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; ) {
      const inPayload = this.#payloadLeft > 0;
      const taken = Math.min(inPayload ? this.#payloadLeft : GRPC_PREFIX_OCTETS - this.#prefixSeen, to - at);
      if (inPayload) {
        if (this.#isEnd) this.#sink.content(TRAILERS, taken, bytes, at, null);
        else this.#content.push(bytes, at, at + taken);
        this.#payloadLeft -= taken;
        if (this.#payloadLeft === 0) this.#complete();
      } else {
        this.#sink.content(GRPC_PREFIX, taken, bytes, at, "");
        if (taken === GRPC_PREFIX_OCTETS) this.#wholePrefix(bytes, at);
        else for (let next = at; next < at + taken; next++) this.#prefixOctet(bytes[next] ?? 0);
      }
      at += taken;
    }
  }

  /**
   * Octets are missing here: as many as `octets`; null: nobody knows.
   * @returns whether they are all in the payload of the open message, so that the next one is found; else this is over.
   */
  gap(octets: number | null): boolean {
    this.#content.cut();
    if (octets === null || octets > this.#payloadLeft) return false;
    this.#payloadLeft -= octets;
    if (this.#payloadLeft === 0) this.#complete();
    return true;
  }

  /** Nearly all come so. */
  #wholePrefix(bytes: Uint8Array, at: number): void {
    const octet = (index: number): number => bytes[at + index] as number;
    this.#flag = octet(0);
    this.#length = octet(1) * 0x1000000 + ((octet(2) << 16) | (octet(3) << 8) | octet(4));
    this.#prefixRead();
  }

  #prefixOctet(octet: number): void {
    if (this.#prefixSeen === 0) {
      this.#flag = octet;
      this.#length = 0;
    } else {
      this.#length = this.#length * 256 + octet;
    }
    this.#prefixSeen += 1;
    if (this.#prefixSeen < GRPC_PREFIX_OCTETS) return;
    this.#prefixSeen = 0;
    this.#prefixRead();
  }

  #prefixRead(): void {
    this.#payloadLeft = this.#length;
    if (this.#flag > (this.#envelope === "connect" ? COMPRESSED | END_STREAM : COMPRESSED)) this.#sink.badFlag(this.#flag);
    if (this.#length > LARGE_MESSAGE) this.#sink.contentNote("large-message");
    if (!this.#isEnd) this.#content.begin(this.#compressed ? "compressed" : this.#codec, this.#type, this.#length);
    if (this.#length === 0) this.#complete();
  }

  get #compressed(): boolean {
    return (this.#flag & COMPRESSED) !== 0;
  }

  /** Connect protocol, "EndStreamResponse": no message, but what HTTP has trailers for. */
  get #isEnd(): boolean {
    return this.#envelope === "connect" && (this.#flag & END_STREAM) !== 0;
  }

  #complete(): void {
    if (this.#isEnd) return;
    this.#content.end(false);
    this.#sink.message(this.#length, this.#compressed, this.#type?.name ?? null);
  }
}
