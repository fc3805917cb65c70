import type { Direction } from "../direction.ts";
import type { Exchange } from "../exchange.ts";
import type { ConnectionSink } from "../sink.ts";
import { GRPC_PREFIX_OCTETS } from "./grpc-messages.ts";

/** Memory has to have an end: of more messages those before are told at once. */
const HELD_MESSAGES = 1024;

interface Message {
  readonly exchange: Exchange;
  readonly payload: number;
  readonly compressed: boolean;
  readonly type: string | null;
}

/** Messages of one direction. Whoever is told of frames is told of the frame first, and then of the messages that ended in it. */
export class MessageQueue {
  readonly #sink: ConnectionSink;
  readonly #direction: Direction;
  readonly #messages: Message[] = [];

  constructor(sink: ConnectionSink, direction: Direction) {
    this.#sink = sink;
    this.#direction = direction;
  }

  /** A message has ended; parameters as for GrpcSink's `message`. */
  add(exchange: Exchange, payload: number, compressed: boolean, type: string | null): void {
    if (this.#messages.length >= HELD_MESSAGES) this.tell();
    if (this.#sink.detail > 0) this.#messages.push({ exchange, payload, compressed, type });
    else this.#sink.message(exchange, this.#direction, payload, GRPC_PREFIX_OCTETS, compressed, type);
  }

  /** The frame in which they ended has been told. */
  tell(): void {
    if (this.#messages.length === 0) return;
    for (const { exchange, payload, compressed, type } of this.#messages)
      this.#sink.message(exchange, this.#direction, payload, GRPC_PREFIX_OCTETS, compressed, type);
    this.#messages.length = 0;
  }
}
