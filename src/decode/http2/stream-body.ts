import { CATEGORY } from "../category.ts";
import type { Content } from "../content/content.ts";
import type { ContentKind, Envelope } from "../content/content-kind.ts";
import type { ContentPool } from "../content/content-pool.ts";
import { GRPC_PREFIX_OCTETS, GrpcMessages, type GrpcSink } from "../grpc/grpc-messages.ts";
import type { MessageType } from "../protobuf/message-type.ts";

/** A message that is only guessed at must be below four times what gRPC stacks take by default (4 MiB). */
const PLAUSIBLE_MESSAGE = 16 * 1024 * 1024;

/** What nearly every body keeps: nothing. */
const NONE: number[] = [];

/** A GrpcSink that is told what was only guessed. */
export interface StreamBodySink extends GrpcSink {
  /** Where streams get what reads their messages and their other bodies. */
  readonly contents: { readonly message: ContentPool; readonly body: ContentPool };
  /** Content could only be guessed to be gRPC. */
  inferredGrpc(): void;
}

/** The content of one direction of a stream: gRPC envelopes, another body, or unknown because its fields are from before a late join. */
export class StreamBody {
  readonly #sink: StreamBodySink;
  /** Of gRPC content that is being read. */
  #messages: GrpcMessages | null = null;
  /** The reader of it, kept for the next stream. */
  #envelopes: GrpcMessages | null = null;
  #content: Content | null = null;
  #kind: ContentKind = "unknown";
  #type: MessageType | null = null;
  #infer = false;
  /** What its octets are when they are not decoded, because of a cap or after its end; -1 else. */
  #late = -1;
  #missing = 0;
  /** A body went past a gap. */
  #cut = false;
  /** Octets kept to infer gRPC from; within one DATA frame, so that nothing is announced out of order. */
  #first: number[] = NONE;

  constructor(sink: StreamBodySink) {
    this.#sink = sink;
  }

  /** Another stream's content begins; the last one's has ended. */
  reuse(): void {
    this.#kind = "unknown";
    this.#type = null;
    this.#infer = false;
    this.#late = -1;
    this.#missing = 0;
    this.#cut = false;
    this.#first = NONE;
  }

  /** Octets taken and not announced: the first ones of content that is still guessed at. */
  get held(): number {
    return this.#first.length;
  }

  /** Octets that the open gRPC message still lacks; 0 at a message's end and in other content. */
  get missing(): number {
    return this.#messages?.missing ?? this.#missing;
  }

  /** Its head says gRPC or Connect: messages in `codec`, of `type` when a schema has it. */
  readAsGrpc(codec: ContentKind, type: MessageType | null, envelope: Envelope): void {
    this.#begin();
    if (this.#messages !== null || this.#late >= 0) return;
    const content = this.#sink.contents.message.take();
    this.#content = content;
    if (content === null) {
      this.#late = CATEGORY["grpc.message.undecoded"];
      return;
    }
    if (this.#envelopes === null) this.#envelopes = new GrpcMessages(this.#sink, content, codec, type, envelope);
    else this.#envelopes.begin(content, codec, type, envelope);
    this.#messages = this.#envelopes;
  }

  /** Its head says what it is. */
  readAs(kind: ContentKind, type: MessageType | null): void {
    this.#begin();
    this.#kind = kind;
    this.#type = type;
  }

  /** The Content-Type cannot be known: decide from the first octets of the first frame that has enough of them. */
  inferKind(): void {
    this.#begin();
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

  /**
   * Octets of it are missing here: as many as `octets`; null: nobody knows. Unless they leave the border of the next gRPC message known,
   * what follows is counted, not read, up to a head: content begins behind it.
   */
  gap(octets: number | null): void {
    if (this.#late >= 0) return;
    this.frameEnd();
    this.#infer = false;
    if (this.#messages === null) {
      this.#cut = true;
      this.#content?.cut();
      if (this.#content === null) this.#late = CATEGORY["body.undecoded"];
    } else if (!this.#messages.gap(octets)) {
      this.end(true);
      this.#missing = 0;
    }
  }

  /** A head was read: what came before it is over. */
  #begin(): void {
    if (!this.#cut) return;
    this.#cut = false;
    this.#late = -1;
    this.#release();
  }

  /** No more content should come. @param cut it ended before its time. */
  end(cut: boolean): void {
    this.#cut = false;
    if (this.#late >= 0) return;
    this.#late = CATEGORY[this.#messages === null ? "body.undecoded" : "grpc.message.undecoded"];
    this.#missing = this.missing;
    this.#content?.end(cut || this.#messages !== null);
    this.#release();
  }

  #release(): void {
    const { message, body } = this.#sink.contents;
    if (this.#content !== null) (this.#messages === null ? body : message).give(this.#content);
    this.#messages = null;
    this.#content = null;
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
      this.readAsGrpc("protobuf", null, "grpc");
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
    if (this.#late >= 0) this.#sink.content(this.#late, to - from, bytes, from, null);
    else if (this.#messages !== null) this.#messages.push(bytes, from, to);
    else this.#pushBody(bytes, from, to);
  }

  #pushBody(bytes: Uint8Array, from: number, to: number): void {
    if (this.#content === null) {
      this.#content = this.#sink.contents.body.take();
      this.#content?.begin(this.#kind, this.#type, null);
      if (this.#content === null) this.#late = CATEGORY["body.undecoded"];
    }
    if (this.#content === null) this.#sink.content(this.#late, to - from, bytes, from, null);
    else this.#content.push(bytes, from, to);
  }
}
