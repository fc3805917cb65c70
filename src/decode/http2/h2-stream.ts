import type { Direction } from "../direction.ts";
import type { Exchange } from "../exchange.ts";
import { StreamBody, type StreamBodySink } from "./stream-body.ts";

/** One HTTP/2 stream as both directions see it. */
export class H2Stream {
  readonly id: number;
  readonly exchange: Exchange;
  /** Content of its DATA frames, by direction. */
  readonly bodies: readonly [StreamBody, StreamBody];
  /** END_STREAM was seen, by direction. */
  readonly ended: [boolean, boolean] = [false, false];
  /** No flow-control window is left for DATA of that direction. */
  readonly blocked: [boolean, boolean] = [false, false];
  /** The request's fields were read. */
  requested = false;
  /** A final response head was read: further field sections are trailers. */
  answered = false;
  /** Both sides ended, or it was reset. */
  done = false;

  /** @param content where the DATA content of each direction is announced. */
  constructor(id: number, exchange: Exchange, content: readonly [StreamBodySink, StreamBodySink]) {
    this.id = id;
    this.exchange = exchange;
    this.bodies = [new StreamBody(content[0]), new StreamBody(content[1])];
  }

  /** Whether DATA of that direction may still come. */
  sends(direction: Direction): boolean {
    return !this.done && !this.ended[direction];
  }
}
