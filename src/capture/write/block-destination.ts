import type { Writable } from "node:stream";

/** Where a capture's blocks go; one call at a time. What fails rejects with the system's error. */
export interface BlockDestination {
  /** Files that hold the capture now, oldest first; none for a stream. */
  readonly paths: readonly string[];
  /** What comes next belongs to the next file. */
  next(): Promise<void>;
  /** @param pieces each of whole blocks; not used any more when it resolves. */
  append(pieces: readonly Uint8Array[]): Promise<void>;
  close(): Promise<void>;
  /** Close without ever having written: what was there before is there after. */
  discard(): Promise<void>;
}

/** A stream such as standard output, which stays open. */
export class StreamDestination implements BlockDestination {
  readonly paths = [];
  readonly #stream: Writable;

  constructor(stream: Writable) {
    this.#stream = stream;
    // Each write tells its own failure.
    stream.on("error", () => {});
  }

  async next(): Promise<void> {}

  async append(pieces: readonly Uint8Array[]): Promise<void> {
    for (const piece of pieces) await this.#write(piece);
  }

  async close(): Promise<void> {}

  async discard(): Promise<void> {}

  #write(octets: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stream.write(octets, (error) => (error ? reject(error) : resolve()));
    });
  }
}
