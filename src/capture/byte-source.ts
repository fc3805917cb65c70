import { type FileHandle, open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { CaptureError, fileTrouble } from "./capture-error.ts";

/** Octets to be read at a time. */
const PIECE = 256 * 1024;

/** Where the octets of a capture come from. */
export interface ByteSource {
  /** How the user knows it, for messages. */
  readonly name: string;
  /** Octets there were when it was opened; null: a stream does not tell. */
  readonly size: number | null;
  /** The next octets, never none of them; borrowed until the next call. Null: there are no more. Rejects with an errno `code`. */
  read(): Promise<Uint8Array | null>;
  /** Let go of it, at any time; a stream's read that is under way ends. */
  close(): Promise<void>;
}

/** Open a file, or standard input for `-`. Rejects with a CaptureError when that is impossible. */
export async function openSource(path: string): Promise<ByteSource> {
  if (path === "-") {
    if (process.stdin.isTTY)
      throw new CaptureError("standard input", "is a terminal: pipe a capture into it (tcpdump -U -w - | …)");
    return streamSource("standard input", process.stdin);
  }
  try {
    const file = await open(path, "r");
    const stat = await file.stat();
    return new FileSource(path, file, stat.isFile() ? stat.size : null);
  } catch (error) {
    throw new CaptureError(path, fileTrouble(errnoOf(error)));
  }
}

/** A source of what a stream of octets yields. */
export function streamSource(name: string, stream: Readable): ByteSource {
  const pieces: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
  return {
    name,
    size: null,
    async read() {
      for (;;) {
        const { done, value } = await pieces.next();
        if (done === true) return null;
        if (value.length > 0) return value;
      }
    },
    async close() {
      // Not by the iterator's own way, which waits for a read that is under way.
      stream.destroy();
    },
  };
}

/** The errno code of an error, `UNKNOWN` when it has none. */
export function errnoOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "UNKNOWN";
}

/** Reads a file to its end as it is when that is reached: a file that grows meanwhile is read as far as it got. */
class FileSource implements ByteSource {
  readonly name: string;
  readonly size: number | null;
  readonly #file: FileHandle;
  readonly #piece = new Uint8Array(PIECE);

  constructor(name: string, file: FileHandle, size: number | null) {
    this.name = name;
    this.size = size;
    this.#file = file;
  }

  async read(): Promise<Uint8Array | null> {
    const { bytesRead } = await this.#file.read(this.#piece, 0, PIECE);
    return bytesRead === 0 ? null : this.#piece.subarray(0, bytesRead);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
