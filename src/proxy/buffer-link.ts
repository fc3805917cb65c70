import type { OnReadOpts, Socket } from "node:net";
import type { Direction } from "../decode/direction.ts";
import { Link, type LinkEvents } from "./link.ts";

/** A connection that carries little should cost little. */
const SMALLEST = 16 * 1024;
/** Larger reads made bulk transfer no cheaper when measured; also what a link holds at most. */
const LARGEST = 512 * 1024;
/** Reads in a row that a much smaller buffer would have taken, before a grown one is given back. */
const SMALL_READS = 32;

/**
 * Reads an outgoing socket into one buffer that is used again for every read. It grows while reads fill it. As the source is not read
 * while a write waits, the buffer is never read into before the kernel has taken what it held.
 *
 *     const link = new BufferLink(S2C, client, events);
 *     link.source = connect({ port, onread: link.onread });
 */
export class BufferLink extends Link {
  /** For `net.connect`, which begins to read by itself. */
  readonly onread: OnReadOpts;
  /** The socket that was made with `onread`. */
  source: Socket | null = null;
  #buffer: Buffer = Buffer.allocUnsafeSlow(SMALLEST);
  #size = SMALLEST;
  #smallReads = 0;

  constructor(direction: Direction, destination: Socket, events: LinkEvents) {
    super(direction, destination, events);
    this.onread = {
      buffer: () => this.#next(),
      callback: (octets) => this.#read(octets),
    };
  }

  /** Nothing is read ahead. */
  override drain(): void {}

  protected override pauseSource(): void {
    this.source?.pause();
  }

  protected override resumeSource(): void {
    this.source?.resume();
  }

  #read(octets: number): boolean {
    this.#resize(octets);
    return this.forward(this.#buffer.subarray(0, octets));
  }

  /** Asked for by Node after each read: memory for the next one. */
  #next(): Uint8Array {
    if (this.#buffer.length !== this.#size) this.#buffer = Buffer.allocUnsafeSlow(this.#size);
    return this.#buffer;
  }

  #resize(octets: number): void {
    if (octets === this.#size) {
      this.#size = Math.min(this.#size * 4, LARGEST);
      this.#smallReads = 0;
    } else if (octets > SMALLEST / 2) {
      this.#smallReads = 0;
    } else if (++this.#smallReads === SMALL_READS) {
      this.#size = SMALLEST;
      this.#smallReads = 0;
    }
  }
}
