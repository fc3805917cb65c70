import { CATEGORY } from "../category.ts";
import type { ContentSink } from "../content-sink.ts";

/** Compressed-Flag (1 octet), Message-Length (4, big-endian): gRPC over HTTP2, "Length-Prefixed-Message". */
export const GRPC_PREFIX_OCTETS = 5;

/**
 * Splits one direction of a gRPC stream's DATA into messages without holding an octet: message borders and DATA borders are unrelated.
 * A declared length is a claim by the peer; nothing is allocated from it.
 */
export class GrpcMessages {
  readonly #sink: ContentSink;
  #prefixSeen = 0;
  #flag = 0;
  #length = 0;
  #payloadLeft = 0;

  constructor(sink: ContentSink) {
    this.#sink = sink;
  }

  /** Octets that the open message still lacks, as far as it is known; 0 between messages. */
  get missing(): number {
    return this.#prefixSeen > 0 ? GRPC_PREFIX_OCTETS - this.#prefixSeen : this.#payloadLeft;
  }

  /** Announce `bytes[from, to)` as `grpc.prefix` and `grpc.message`. */
  push(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; ) {
      const inPayload = this.#payloadLeft > 0;
      const taken = Math.min(inPayload ? this.#payloadLeft : GRPC_PREFIX_OCTETS - this.#prefixSeen, to - at);
      this.#sink.content(inPayload ? CATEGORY["grpc.message"] : CATEGORY["grpc.prefix"], taken, bytes, at);
      if (inPayload) {
        this.#payloadLeft -= taken;
        if (this.#payloadLeft === 0) this.#complete();
      } else {
        for (let next = at; next < at + taken; next++) this.#prefixOctet(bytes[next] ?? 0);
      }
      at += taken;
    }
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
    this.#payloadLeft = this.#length;
    if (this.#flag > 1) this.#sink.badFlag(this.#flag);
    if (this.#length === 0) this.#complete();
  }

  #complete(): void {
    this.#sink.message(this.#length, (this.#flag & 1) === 1);
  }
}

/** Whether a Content-Type value says gRPC with binary envelopes: `application/grpc`, `application/grpc+proto`, … but not gRPC-Web. */
export function isGrpcContentType(value: string): boolean {
  return /^application\/grpc(?:[+;\s]|$)/i.test(value);
}
