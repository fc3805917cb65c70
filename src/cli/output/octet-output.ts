import { createWriteStream } from "node:fs";
import type { Writable } from "node:stream";

/** Octets that may wait for the reader while the writer goes on. */
const ROOM = 1024 * 1024;

/** Octets to a file or a stream, for a writer that can wait. */
export class OctetOutput {
  /** What went wrong, if anything did; nothing is written after that. */
  failure: unknown = null;
  octets = 0;
  readonly #stream: Writable;
  readonly #own: boolean;
  #wake: (() => void) | null = null;

  private constructor(stream: Writable, own: boolean) {
    this.#stream = stream;
    this.#own = own;
    stream.on("drain", () => this.#wake?.());
    stream.on("error", (error) => {
      this.failure ??= error;
      this.#wake?.();
    });
  }

  /** @param path readable by its owner only when it is new; null: `stdout`. Rejects with the system's error. */
  static async open(path: string | null, stdout: Writable): Promise<OctetOutput> {
    if (path === null) return new OctetOutput(stdout, false);
    const stream = createWriteStream(path, { mode: 0o600 });
    await new Promise<void>((resolve, reject) => {
      stream.once("open", () => resolve());
      stream.once("error", reject);
    });
    return new OctetOutput(stream, true);
  }

  /** @param octets borrowed until this returns. */
  write(octets: Uint8Array): void {
    this.octets += octets.length;
    if (this.failure === null) this.#stream.write(octets.slice());
  }

  /** Resolves when little waits. */
  async caughtUp(): Promise<void> {
    while (this.failure === null && this.#stream.writableLength > ROOM) await this.#woken();
  }

  /** Resolves when all is written, or failed. */
  async finish(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (this.failure !== null) resolve();
      else if (this.#own) this.#stream.end(resolve);
      else this.#stream.write("", () => resolve());
    });
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
