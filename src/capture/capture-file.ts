import { OctetBuffer } from "../decode/octet-buffer.ts";
import { type ByteSource, errnoOf, openSource } from "./byte-source.ts";
import { CaptureError, fileTrouble } from "./capture-error.ts";
import { type CompressionProblem, compressionOf, type Decompressor } from "./compression/decompressor.ts";
import { GzipDecompressor } from "./compression/gunzip.ts";
import { type DetectingReader, openCaptureReader } from "./formats/open-capture-reader.ts";
import type { CaptureHandler } from "./packet.ts";

/** Octets that tell how an input is compressed. */
const MAGIC_OCTETS = 4;

/** What a capture was, known when it has been read. */
export interface CaptureSummary {
  /** As it was named; `standard input` for `-`. */
  readonly name: string;
  readonly format: "pcap" | "pcapng";
  readonly compression: "gzip" | "zstd" | null;
  /** Octets read from the file. */
  readonly fileOctets: number;
  /** Octets of the capture in it, after decompression. */
  readonly octets: number;
  /** Packets in it, those passed over for their length or damage included. */
  readonly packets: number;
  /** It was read to its end, and the end was there. */
  readonly complete: boolean;
  /** Blocks by name (pcapng; else empty). */
  readonly blocks: ReadonlyMap<string, number>;
  /** Comments in it (pcapng). */
  readonly comments: number;
}

/** A capture file, or standard input, read piece by piece at the caller's pace. Close it in the end, or to stop a read under way. */
export class CaptureFile {
  readonly #source: ByteSource;
  readonly #handler: CaptureHandler;
  readonly #reader: DetectingReader;
  /** The first octets, until they tell the compression. */
  readonly #start = new OctetBuffer();
  /** Undefined: not known yet; null: not compressed. */
  #decompressor: Decompressor | null | undefined;
  #fileOctets = 0;
  #octets = 0;
  #ended = false;
  #closed = false;
  #whole = false;

  constructor(source: ByteSource, handler: CaptureHandler) {
    this.#source = source;
    this.#handler = handler;
    this.#reader = openCaptureReader(handler);
  }

  /**
   * Open a capture. Nothing is read yet.
   * @param path of a file, or `-` for standard input. Rejects with a CaptureError when it cannot be opened.
   */
  static async open(path: string, handler: CaptureHandler): Promise<CaptureFile> {
    return new CaptureFile(await openSource(path), handler);
  }

  /**
   * Read the next piece; its packets have been delivered when this is fulfilled. Damage and a missing end become notes. After `close`
   * it delivers what is held and reads no more.
   * @returns whether there may be more. Rejects with a CaptureError when nothing in it can be read, with what the handler throws, too.
   */
  async step(): Promise<boolean> {
    if (this.#ended) return false;
    let piece: Uint8Array | null = null;
    try {
      if (!this.#closed) piece = await this.#source.read();
    } catch (error) {
      if (!this.#closed) {
        await this.#broken(errnoOf(error));
        return false;
      }
    }
    if (this.#closed) this.#stop();
    else if (piece === null) await this.#end(null);
    else await this.#take(piece);
    return !this.#ended;
  }

  /** Octets of the file when it was opened; null: a stream does not tell. */
  get size(): number | null {
    return this.#source.size;
  }

  /** Octets read from the file so far. */
  get octetsRead(): number {
    return this.#fileOctets;
  }

  /** What was read so far. Throws a CaptureError when that is nothing. */
  get summary(): CaptureSummary {
    const facts = this.#reader.facts;
    if (facts === null || !facts.begun) throw new CaptureError(this.#source.name, this.#reader.refusal ?? "was not read");
    return {
      name: this.#source.name,
      format: facts.format,
      compression: this.#decompressor?.name ?? null,
      fileOctets: this.#fileOctets,
      octets: this.#octets,
      packets: facts.packets,
      complete: this.#whole && !facts.cut,
      blocks: facts.blocks,
      comments: facts.comments,
    };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#decompressor?.close();
    await this.#source.close();
  }

  async #take(piece: Uint8Array): Promise<void> {
    this.#fileOctets += piece.length;
    if (this.#decompressor !== undefined) return this.#feed(piece);
    this.#start.append(piece, 0, piece.length);
    if (this.#start.length >= MAGIC_OCTETS) await this.#begin();
  }

  /** Choose the way in by the first octets, and send them there. */
  async #begin(): Promise<void> {
    const start = this.#start.bytes;
    const into = (octets: Uint8Array): void => this.#deliver(octets);
    const compression = compressionOf(start);
    if (compression === "gzip") this.#decompressor = new GzipDecompressor(into);
    else if (compression === "zstd") {
      // Loaded where it is needed: few captures are of that kind, and it is code of others.
      const { ZstdDecompressor } = await import("./compression/unzstd.ts");
      this.#decompressor = new ZstdDecompressor(into);
    } else this.#decompressor = null;
    if (start.length > 0) await this.#feed(start);
    this.#start.take(start.length);
  }

  async #feed(octets: Uint8Array): Promise<void> {
    if (this.#decompressor === null || this.#decompressor === undefined) this.#deliver(octets);
    else {
      const problem = await this.#decompressor.write(octets);
      if (problem !== null) await this.#end(problem);
    }
    if (this.#reader.refusal !== null) throw this.#refused(this.#reader.refusal);
  }

  #deliver(octets: Uint8Array): void {
    this.#octets += octets.length;
    this.#reader.push(octets);
  }

  /** @param problem why the input ends before its end, if it does. */
  async #end(problem: CompressionProblem | null): Promise<void> {
    if (this.#decompressor === undefined) await this.#begin();
    const found = problem ?? (await this.#decompressor?.end()) ?? null;
    this.#ended = true;
    this.#whole = found === null;
    if (found !== null && this.#octets === 0) throw this.#refused(`cannot be unpacked: ${found.text}`);
    if (found !== null)
      this.#handler.note(found.code, "warning", this.#octets, `${found.text}; ${this.#octets} octets came out of it`);
    this.#reader.end();
    if (this.#reader.refusal !== null) throw this.#refused(this.#reader.refusal);
    const caveat = this.#decompressor?.caveat ?? null;
    if (caveat !== null) this.#handler.note("compression-unchecked", "info", this.#octets, caveat);
  }

  /** The source failed: what came before it counts. */
  async #broken(code: string): Promise<void> {
    if (this.#fileOctets === 0) throw new CaptureError(this.#source.name, fileTrouble(code));
    const text = `reading failed after ${this.#fileOctets} octets (${code})`;
    this.#handler.note("read-failed", "warning", this.#octets, text);
    await this.#end(null);
    this.#whole = false;
  }

  /** The caller closed it: no more octets come, and that they don't is no damage. */
  #stop(): void {
    this.#ended = true;
    this.#reader.end();
  }

  #refused(why: string): CaptureError {
    this.#ended = true;
    const packed = this.#decompressor?.name;
    return new CaptureError(
      this.#source.name,
      packed === undefined || this.#octets === 0 ? why : `(unpacked with ${packed}) ${why}`,
    );
  }
}
