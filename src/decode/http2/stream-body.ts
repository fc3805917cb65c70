import { CATEGORY } from "../category.ts";
import type { ContentSink } from "../content-sink.ts";
import { GRPC_PREFIX_OCTETS, GrpcMessages } from "../grpc/grpc-messages.ts";

/** A message that is only guessed at must be below four times what gRPC stacks take by default (4 MiB). */
const PLAUSIBLE_MESSAGE = 16 * 1024 * 1024;

/** What nearly every body keeps: nothing. */
const NONE: number[] = [];

/** The content of one direction of a stream: gRPC envelopes, another body, or unknown because its fields are from before a late join. */
export class StreamBody {
  readonly #sink: ContentSink;
  #messages: GrpcMessages | null = null;
  #infer = false;
  /** Octets kept to infer gRPC from; within one DATA frame, so that nothing is announced out of order. */
  #first: number[] = NONE;

  constructor(sink: ContentSink) {
    this.#sink = sink;
  }

  /** Octets taken and not announced: the first ones of content that is still guessed at. */
  get held(): number {
    return this.#first.length;
  }

  /** Octets that the open gRPC message still lacks; 0 at a message's end and in other content. */
  get missing(): number {
    return this.#messages?.missing ?? 0;
  }

  /** The Content-Type says gRPC. */
  readAsGrpc(): void {
    this.#messages ??= new GrpcMessages(this.#sink);
  }

  /** The Content-Type cannot be known: decide from the first octets of the first frame that has enough of them. */
  inferKind(): void {
    if (this.#messages !== null) return;
    this.#infer = true;
    this.#first = [];
  }

  /**
   * Announce the next octets of content, `bytes[from, to)`.
   * @param frameLeft content octets of the DATA frame from `from` on, those that have not come yet included.
   */
  push(bytes: Uint8Array, from: number, to: number, frameLeft: number): void {
    if (this.#infer) this.#guess(bytes, from, to, frameLeft);
    else this.#announce(bytes, from, to);
  }

  /** The frame is over: content too short to tell is a body. */
  frameEnd(): void {
    if (this.#first.length === 0) return;
    this.#infer = false;
    this.#flush();
  }

  #guess(bytes: Uint8Array, from: number, to: number, frameLeft: number): void {
    const content = this.#first.length + frameLeft;
    let at = from;
    while (at < to && this.#first.length < GRPC_PREFIX_OCTETS) this.#first.push(bytes[at++] ?? 0);
    if (this.#first.length < GRPC_PREFIX_OCTETS) return;
    this.#infer = false;
    const [flag = 0, a = 0, b = 0, c = 0, d = 0] = this.#first;
    const whole = a * 0x1000000 + ((b << 16) | (c << 8) | d) + GRPC_PREFIX_OCTETS;
    if (flag <= 1 && whole < PLAUSIBLE_MESSAGE && whole >= content) {
      this.#sink.inferredGrpc();
      this.readAsGrpc();
    }
    this.#flush();
    this.#announce(bytes, at, to);
  }

  #flush(): void {
    const first = Uint8Array.from(this.#first);
    this.#first = NONE;
    this.#announce(first, 0, first.length);
  }

  #announce(bytes: Uint8Array, from: number, to: number): void {
    if (from === to) return;
    if (this.#messages !== null) this.#messages.push(bytes, from, to);
    else this.#sink.content(CATEGORY.body, to - from, bytes, from);
  }
}
