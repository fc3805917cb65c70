import type { Direction } from "../direction.ts";
import type { Exchange } from "../exchange.ts";
import { StreamBody, type StreamBodySink } from "./stream-body.ts";

/** One HTTP/2 stream as both directions see it. Reused for another stream, once nobody asks for it any more. */
export class H2Stream {
  id: number;
  exchange: Exchange;
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
  /** Its exchange began in HTTP/1.1, and is known there, too. */
  upgraded = false;
  /** Both sides ended, or it was reset. */
  done = false;

  /** @param content where the DATA content of each direction is announced. */
  constructor(id: number, exchange: Exchange, content: readonly [StreamBodySink, StreamBodySink]) {
    this.id = id;
    this.exchange = exchange;
    this.bodies = [new StreamBody(content[0]), new StreamBody(content[1])];
  }

  /** It is another stream from now on. Its content has ended in both directions. */
  reuse(id: number, exchange: Exchange): void {
    this.id = id;
    this.exchange = exchange;
    this.requested = false;
    this.answered = false;
    this.upgraded = false;
    this.done = false;
    for (let direction = 0; direction < 2; direction++) {
      this.bodies[direction as Direction].reuse();
      this.ended[direction as Direction] = false;
      this.blocked[direction as Direction] = false;
    }
  }

  /** Whether DATA of that direction may still come. */
  sends(direction: Direction): boolean {
    return !this.done && !this.ended[direction];
  }
}
