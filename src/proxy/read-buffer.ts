import type { OnReadOpts } from "node:net";

/** A connection that carries little should cost little. */
const SMALLEST = 16 * 1024;
/** Larger reads made bulk transfer no cheaper when measured; also what a link holds at most. */
const LARGEST = 512 * 1024;
/** Reads in a row that a much smaller buffer would have taken, before a grown one is given back. */
const SMALL_READS = 32;

/**
 * Memory that one socket reads into, used again for every read. It grows while reads fill it.
 *
 *     const buffer = new ReadBuffer();
 *     const socket = connect({ port, onread: buffer.onread });
 *     buffer.reader = (chunk) => take(chunk);
 */
export class ReadBuffer {
  /** For the socket that shall read into it. */
  readonly onread: OnReadOpts;
  /**
   * Takes each read; the chunk is borrowed until the next one. To be set before the socket reads. Where it returns false the socket
   * reads no more until it is resumed.
   */
  reader: (chunk: Uint8Array) => boolean = () => false;
  #buffer: Buffer = Buffer.allocUnsafeSlow(SMALLEST);
  #size = SMALLEST;
  #smallReads = 0;

  constructor() {
    this.onread = {
      buffer: () => this.#next(),
      callback: (octets) => this.#read(octets),
    };
  }

  #read(octets: number): boolean {
    this.#resize(octets);
    return this.reader(this.#buffer.subarray(0, octets));
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
