import type { BlockOutput } from "./pcapng-writer.ts";

/** Memory for blocks comes in chunks: large ones, as the largest packets leave up to 64 KiB of a chunk empty. */
const CHUNK_OCTETS = 1024 * 1024;
/** Chunks kept for use again: one is filled while one is written. */
const SPARE_CHUNKS = 2;

/** Chunks given to one write. A write ends in a later turn of the event loop, and in one turn of a busy relay many chunks fill. */
const MOST_TAKEN = 16;

/** What comes next for the disk: pieces of whole blocks, or the border between two files. */
export type QueueItem = { readonly kind: "blocks"; readonly pieces: readonly Uint8Array[] } | { readonly kind: "next-file" };

/** Blocks on their way to a disk that is slower than they come. */
export class BlockQueue implements BlockOutput {
  /** null: the next file begins. */
  readonly #items: (Uint8Array | null)[] = [];
  readonly #spare: ArrayBuffer[] = [];
  #chunk = new ArrayBuffer(CHUNK_OCTETS);
  #used = 0;
  #waitingOctets = 0;

  /** Octets that were reserved and not yet taken; what is unused of sealed chunks counts, as it is held as well. */
  get waitingOctets(): number {
    return this.#waitingOctets + this.#used;
  }

  /** Octets that are to be taken only after a `seal`. */
  get unsealedOctets(): number {
    return this.#used;
  }

  /** Whether something is to be taken without a `seal`. */
  get ready(): boolean {
    return this.#items.length > 0;
  }

  reserve(octets: number): Uint8Array {
    if (this.#used + octets > this.#chunk.byteLength) {
      this.seal();
      if (octets > this.#chunk.byteLength) this.#chunk = new ArrayBuffer(octets);
    }
    const room = new Uint8Array(this.#chunk, this.#used, octets);
    this.#used += octets;
    return room;
  }

  nextFile(): void {
    this.seal();
    this.#items.push(null);
  }

  /** Lets the blocks be taken that are there, be they as few as they are. */
  seal(): void {
    if (this.#used === 0) return;
    this.#items.push(new Uint8Array(this.#chunk, 0, this.#used));
    this.#waitingOctets += this.#chunk.byteLength;
    this.#chunk = this.#spare.pop() ?? new ArrayBuffer(CHUNK_OCTETS);
    this.#used = 0;
  }

  /** The oldest of what is ready; undefined: nothing is. Its octets stay as they are until `release`. */
  take(): QueueItem | undefined {
    if (this.#items.length === 0) return undefined;
    const border = this.#items.indexOf(null);
    if (border === 0) {
      this.#items.shift();
      return { kind: "next-file" };
    }
    const count = Math.min(border < 0 ? this.#items.length : border, MOST_TAKEN);
    const pieces = this.#items.splice(0, count).filter((piece) => piece !== null);
    for (const { buffer } of pieces) this.#waitingOctets -= buffer.byteLength;
    return { kind: "blocks", pieces };
  }

  /** The octets of a taken item are no longer needed. */
  release(item: QueueItem): void {
    if (item.kind !== "blocks") return;
    for (const { buffer } of item.pieces) {
      const reusable = buffer instanceof ArrayBuffer && buffer.byteLength === CHUNK_OCTETS;
      if (reusable && this.#spare.length < SPARE_CHUNKS) this.#spare.push(buffer);
    }
  }

  /** Forgets what waits. */
  clear(): void {
    this.#items.length = 0;
    this.#waitingOctets = 0;
    this.#used = 0;
  }
}
