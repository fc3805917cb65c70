import { constants } from "node:fs";
import { type FileHandle, open, readdir, unlink } from "node:fs/promises";
import { basename, dirname, extname } from "node:path";
import type { BlockDestination } from "./block-destination.ts";

/** Captures hold what nobody redacted: for their owner only. */
const MODE = 0o600;
const DIGITS = 5;

/** One file, or numbered ones of which the newest are kept. */
export interface FilePlan {
  /** The file; with `numbered` its name gets `-00001`, `-00002` … before the extension. */
  readonly path: string;
  readonly numbered: boolean;
  /** How many numbered files are kept; null: all. */
  readonly keep: number | null;
}

/**
 * The files of one capture, one open at a time, appended to. Every method rejects with the system's error. A single file that
 * exists is emptied when the first block comes; numbered ones begin after the highest number that exists, and only files of this
 * capture are ever removed.
 */
export class FileSequence implements BlockDestination {
  readonly #plan: FilePlan;
  readonly #paths: string[] = [];
  #handle: FileHandle | null = null;
  #number = 0;
  #regular = false;
  /** The open file did not exist before. */
  #created = false;
  #written = 0;

  constructor(plan: FilePlan) {
    this.#plan = plan;
  }

  /** Files that hold the capture now, oldest first. */
  get paths(): readonly string[] {
    return this.#paths;
  }

  /** Opens the first file, or closes the one that is open and opens the next. */
  async next(): Promise<void> {
    await this.close();
    const { keep, numbered, path } = this.#plan;
    if (!numbered) await this.#openOnly(path);
    else {
      if (this.#number === 0) this.#number = await highestNumber(path);
      while (keep !== null && this.#paths.length >= keep) await removeIfThere(this.#paths.shift() ?? "");
      this.#handle = await open(numberedPath(path, ++this.#number), "wx", MODE);
      this.#created = true;
      this.#regular = true;
    }
    this.#paths.push(numbered ? numberedPath(path, this.#number) : path);
    this.#written = 0;
  }

  /** Appends pieces of whole blocks. When that fails, the file is cut back to the last whole block: readers find nothing broken. */
  async append(pieces: readonly Uint8Array[]): Promise<void> {
    const handle = this.#handle;
    if (handle === null) throw new TypeError("no file is open");
    const octets = pieces.reduce((sum, piece) => sum + piece.length, 0);
    // Nothing of an earlier capture goes before there is something to put in its place.
    if (this.#written === 0 && this.#regular && !this.#created) await handle.truncate(0);
    let done = 0;
    try {
      while (done < octets) done += (await handle.writev(after(pieces, done))).bytesWritten;
    } catch (error) {
      if (this.#regular) await this.#cut(handle, this.#written + wholeBlocks(pieces, done));
      throw error;
    }
    this.#written += done;
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close();
  }

  async discard(): Promise<void> {
    await this.close();
    if (this.#created && this.#written === 0) await removeIfThere(this.#paths.pop() ?? "");
  }

  /** An existing file is made private before anything of the capture is in it. Pipes and devices are left as they are. */
  async #openOnly(path: string): Promise<void> {
    [this.#handle, this.#created] = await openOrCreate(path);
    try {
      this.#regular = (await this.#handle.stat()).isFile();
      if (this.#regular) await this.#handle.chmod(MODE);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** What cannot be cut either stays as it is: the first failure is told. A numbered file with nothing in it is removed. */
  async #cut(handle: FileHandle, octets: number): Promise<void> {
    try {
      await handle.truncate(octets);
      if (octets === 0 && this.#plan.numbered) await removeIfThere(this.#paths.pop() ?? "");
    } catch {}
  }
}

/** `trace.pcapng`, 7 → `trace-00007.pcapng`. */
function numberedPath(path: string, number: number): string {
  const extension = extname(path);
  const stem = path.slice(0, path.length - extension.length);
  return `${stem}-${String(number).padStart(DIGITS, "0")}${extension}`;
}

async function openOrCreate(path: string): Promise<[handle: FileHandle, created: boolean]> {
  try {
    return [await open(path, "wx", MODE), true];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    // Created all the same where the path is a link that leads nowhere.
    return [await open(path, constants.O_WRONLY | constants.O_CREAT, MODE), false];
  }
}

async function highestNumber(path: string): Promise<number> {
  const extension = extname(path);
  const stem = `${basename(path, extension)}-`;
  const names = (await readdir(dirname(path))).filter((name) => name.startsWith(stem) && name.endsWith(extension));
  const numbers = names.map((name) => name.slice(stem.length, name.length - extension.length));
  return numbers.reduce((highest, text) => (/^\d{5,15}$/.test(text) ? Math.max(highest, Number(text)) : highest), 0);
}

/** A file that somebody else removed is as good as removed. */
async function removeIfThere(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

/** What is left of pieces after so many octets. */
function after(pieces: readonly Uint8Array[], octets: number): Uint8Array[] {
  let skip = octets;
  return pieces.flatMap((piece) => {
    const left = piece.subarray(Math.min(skip, piece.length));
    skip -= piece.length - left.length;
    return left.length === 0 ? [] : [left];
  });
}

/** Octets of the blocks that lie whole within the first `limit` octets; a block's length is in its octets 4 to 7. */
function wholeBlocks(pieces: readonly Uint8Array[], limit: number): number {
  let whole = 0;
  for (const piece of pieces) {
    const view = new DataView(piece.buffer, piece.byteOffset, piece.byteLength);
    for (let at = 0; at < piece.length; ) {
      const length = view.getUint32(at + 4, true);
      if (whole + length > limit) return whole;
      whole += length;
      at += length;
    }
  }
  return whole;
}
