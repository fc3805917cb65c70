import { Decompress } from "fzstd";
import type { CompressionProblem, Decompressor } from "./decompressor.ts";
import { ZstdFrames } from "./zstd-frames.ts";

/** Undoes zstd (RFC 8878), several frames in a row included. Windows up to 128 MiB; checksums are not verified. */
export class ZstdDecompressor implements Decompressor {
  readonly name = "zstd";
  readonly caveat = "zstd checksums were not verified";
  readonly #frames = new ZstdFrames();
  readonly #into: (octets: Uint8Array) => void;
  readonly #zstd: Decompress;
  #problem: CompressionProblem | null = null;
  #inCallback = false;

  constructor(into: (octets: Uint8Array) => void) {
    this.#into = into;
    this.#zstd = new Decompress((octets) => this.#out(octets));
  }

  async write(octets: Uint8Array): Promise<CompressionProblem | null> {
    if (this.#problem !== null) return this.#problem;
    try {
      this.#problem = this.#frames.push(octets, (part) => this.#zstd.push(part));
    } catch (error) {
      // What the callback throws is a bug of ours and not a damage of the input.
      if (this.#inCallback) throw error;
      this.#problem = { code: "compression-damaged", text: `the zstd data is damaged (${messageOf(error)})` };
    }
    return this.#problem;
  }

  async end(): Promise<CompressionProblem | null> {
    this.#problem ??= this.#frames.end();
    return this.#problem;
  }

  close(): void {
    // Nothing is held outside this object.
  }

  #out(octets: Uint8Array): void {
    this.#inCallback = true;
    if (octets.length > 0) this.#into(octets);
    this.#inCallback = false;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
