import type { Socket } from "node:net";
import type { Direction } from "../decode/direction.ts";
import { Link, type LinkEvents } from "./link.ts";

/** Reads an accepted socket as a stream, whose reads Node allocates: where this Node cannot read it into a buffer. */
export class StreamLink extends Link {
  readonly #source: Socket;

  /** @param source paused so far, so that the sender waits in TCP; reading begins when it is resumed. */
  constructor(direction: Direction, source: Socket, destination: Socket, events: LinkEvents) {
    super(direction, destination, events);
    this.#source = source;
    source.on("data", this.#read);
  }

  override drain(): void {
    // A paused stream has read ahead by up to one read; read() must not show it to #read as well.
    this.#source.off("data", this.#read);
    for (let chunk = this.#source.read(); chunk instanceof Uint8Array; chunk = this.#source.read()) this.forward(chunk);
  }

  protected override pauseSource(): void {
    this.#source.pause();
  }

  protected override resumeSource(): void {
    this.#source.resume();
  }

  readonly #read = (chunk: Buffer): void => {
    if (!this.forward(chunk)) this.#source.pause();
  };
}
