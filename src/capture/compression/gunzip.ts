import { createGunzip, type Gunzip } from "node:zlib";
import { OctetBuffer } from "../../decode/octet-buffer.ts";
import type { CompressionProblem, Decompressor } from "./decompressor.ts";

/**
 * node:zlib drops what came out of the step in which it met an error. So the last octets of the input go in one by one: an error in a
 * trailer or behind it costs nothing. An error in the middle costs at most one step's output (16 KiB).
 */
const LAST_OCTETS = 512;

/** Undoes gzip (RFC 1952), several members in a row included. */
export class GzipDecompressor implements Decompressor {
  readonly name = "gzip";
  readonly caveat = null;
  readonly #gunzip: Gunzip;
  readonly #last = new OctetBuffer();
  #problem: CompressionProblem | null = null;
  /** An error that the callback threw: a bug, to be thrown on. */
  #thrown: unknown;
  #settle: (() => void) | undefined;

  constructor(into: (octets: Uint8Array) => void) {
    this.#gunzip = createGunzip();
    this.#gunzip.on("data", (octets: Uint8Array) => {
      try {
        if (this.#thrown === undefined) into(octets);
      } catch (error) {
        this.#thrown = error;
      }
    });
    this.#gunzip.on("error", (error) => {
      this.#problem ??= problemOf(error);
      this.#settle?.();
    });
  }

  async write(octets: Uint8Array): Promise<CompressionProblem | null> {
    const before = Math.max(0, this.#last.length + octets.length - LAST_OCTETS);
    const old = Math.min(before, this.#last.length);
    if (old > 0) {
      await this.#step(this.#last.bytes.slice(0, old));
      this.#last.take(old);
    }
    if (before > old) await this.#step(octets.subarray(0, before - old));
    this.#last.append(octets, before - old, octets.length);
    return this.#problem;
  }

  async end(): Promise<CompressionProblem | null> {
    const last = this.#last.bytes.slice();
    for (let at = 0; at < last.length && this.#problem === null; at++) await this.#step(last.subarray(at, at + 1));
    // Apart from the last write: only then is a missing end told after everything has come out.
    if (this.#problem === null && !this.#over) {
      await this.#until((done) => {
        this.#gunzip.once("end", () => done());
        this.#gunzip.end();
      });
    }
    return this.#problem;
  }

  close(): void {
    this.#gunzip.destroy();
    this.#settle?.();
  }

  get #over(): boolean {
    return this.#gunzip.destroyed || this.#gunzip.readableEnded;
  }

  #step(octets: Uint8Array): Promise<void> {
    if (this.#problem !== null || this.#over) return Promise.resolve();
    return this.#until((done) => this.#gunzip.write(octets, done));
  }

  /** Wait for what `start` sets going, or for an error, or for `close`. */
  async #until(start: (done: (error?: Error | null) => void) => void): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#settle = resolve;
      start((error) => {
        if (error) this.#problem ??= problemOf(error);
        resolve();
      });
    });
    this.#settle = undefined;
    if (this.#thrown !== undefined) throw this.#thrown;
  }
}

function problemOf(error: Error & { code?: string }): CompressionProblem {
  if (error.code === "Z_BUF_ERROR")
    return { code: "compression-truncated", text: "the gzip data ends before its last member does" };
  return { code: "compression-damaged", text: `the gzip data is damaged (${error.message})` };
}
