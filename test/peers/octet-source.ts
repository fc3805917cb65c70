import { createHash } from "node:crypto";
import { Readable } from "node:stream";

const BLOCK_OCTETS = 256 * 1024;

/** Octets made when they are asked for, so that a gigabyte needs no memory. */
export class OctetSource extends Readable {
  readonly #pattern = Buffer.alloc(BLOCK_OCTETS);
  readonly #octets: number;
  #given = 0;
  #index = 0;

  /** `octets` octets, the same each time with one seed; blocks differ in their first four octets. */
  constructor(octets: number, seed: number) {
    super({ highWaterMark: BLOCK_OCTETS });
    this.#octets = octets;
    for (let at = 0, state = seed; at < BLOCK_OCTETS; at++) {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      this.#pattern[at] = state >>> 24;
    }
  }

  /** Octets handed out so far, one block of read-ahead included: stands still when the reader does. */
  get given(): number {
    return this.#given;
  }

  override _read(): void {
    const left = this.#octets - this.#given;
    if (left === 0) {
      this.push(null);
      return;
    }
    const block = Buffer.from(this.#pattern.subarray(0, Math.min(left, BLOCK_OCTETS)));
    if (block.length >= 4) block.writeUInt32BE(this.#index++);
    this.#given += block.length;
    this.push(block);
  }
}

/** SHA-256 of all that a source gives, in hexadecimal. */
export async function hashOf(source: Readable): Promise<string> {
  const hash = createHash("sha256");
  for await (const block of source) hash.update(block as Buffer);
  return hash.digest("hex");
}
