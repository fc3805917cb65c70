import type { Socket } from "node:net";
import type { Direction } from "../decode/direction.ts";

/** Who is told what a link does. */
export interface LinkEvents {
  /** One read has been written on. @param chunk borrowed until the call returns. */
  relayed(direction: Direction, chunk: Uint8Array): void;
  /** A write that had to wait has been taken by the kernel whole. */
  flushed(direction: Direction): void;
}

/**
 * One direction of a connection: reads a source, writes each read on as it is, and then shows it to whoever counts. While the
 * destination has not taken a read whole, the source is not read, so a link holds one read and TCP makes the sender wait.
 */
export abstract class Link {
  readonly direction: Direction;
  readonly #destination: Socket;
  readonly #events: LinkEvents;
  #pending = 0;
  #halted = false;

  constructor(direction: Direction, destination: Socket, events: LinkEvents) {
    this.direction = direction;
    this.#destination = destination;
    this.#events = events;
  }

  /**
   * Octets read and not yet taken by the destination's kernel; once that socket is gone they are the undelivered ones. A write that
   * the kernel took in part counts whole, as Node does not tell the part: at most one read too many.
   */
  get pending(): number {
    return this.#pending;
  }

  /** Read no more, as the destination is gone. */
  halt(): void {
    this.#halted = true;
    this.pauseSource();
  }

  /** The source is gone: pass on what was read from its socket and not yet shown here. */
  abstract drain(): void;

  protected abstract pauseSource(): void;
  protected abstract resumeSource(): void;

  /**
   * Write first, count after, on the same memory.
   * @returns whether the kernel took it all: `chunk` can be used again and the source read on. Else the source has to wait; it is
   * resumed from here.
   */
  protected forward(chunk: Uint8Array): boolean {
    const to = this.#destination;
    if (!to.destroyed) to.write(chunk, this.#written);
    // A failed write has left the buffer already, and the socket is destroyed only in the next tick.
    this.#pending = to.destroyed || to.errored ? this.#pending + chunk.length : to.writableLength;
    this.#events.relayed(this.direction, chunk);
    return this.#pending === 0;
  }

  readonly #written = (error?: Error | null): void => {
    // Writes that a destroyed socket drops are called back without an error.
    if (error || this.#pending === 0 || this.#destination.destroyed) return;
    this.#pending = this.#destination.writableLength;
    if (this.#pending > 0) return;
    this.#events.flushed(this.direction);
    if (!this.#halted) this.resumeSource();
  };
}
