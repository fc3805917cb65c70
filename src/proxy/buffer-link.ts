import type { Socket } from "node:net";
import type { Direction } from "../decode/direction.ts";
import { Link, type LinkEvents } from "./link.ts";
import type { ReadBuffer } from "./read-buffer.ts";

/**
 * Reads a socket that was made with a `ReadBuffer`. As the source is not read while a write waits, the buffer is never read into before
 * the kernel has taken what it held.
 */
export class BufferLink extends Link {
  readonly #source: Socket;

  /** @param source still connecting, or paused: a paused one is to be resumed. @param buffer of the source. */
  constructor(direction: Direction, source: Socket, buffer: ReadBuffer, destination: Socket, events: LinkEvents) {
    super(direction, destination, events);
    this.#source = source;
    buffer.reader = (chunk) => this.forward(chunk);
  }

  /** Nothing is read ahead. */
  override drain(): void {}

  protected override pauseSource(): void {
    this.#source.pause();
  }

  protected override resumeSource(): void {
    this.#source.resume();
  }
}
