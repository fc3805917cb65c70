import { OctetBuffer } from "../../decode/octet-buffer.ts";
import type { CompressionProblem } from "./decompressor.ts";

/** The largest window that is decompressed; a decompressor allocates it whole. `zstd --ultra --long=27` needs this much. */
const LARGEST_WINDOW = 128 * 1024 * 1024;

const FRAME_MAGIC = 0xfd2fb528;
/** 0x184d2a50 to 0x184d2a5f. */
const SKIPPABLE_MAGIC = 0x184d2a5;
/** Of a magic number, and of a skippable frame's length. */
const MAGIC_OCTETS = 4;
const BLOCK_HEADER = 3;
const RLE_BLOCK = 1;
const RESERVED_BLOCK = 3;
const CHECKSUM_OCTETS = 4;

/** Parts that must be read to know what follows, and parts whose length is known then. */
type Part = "magic" | "frame-header" | "block-header" | "skip-length" | "block" | "checksum" | "skip";

/**
 * Walks the frames of a zstd file (RFC 8878 §3) without decompressing them, so that each frame's window is known before it is
 * allocated, and skippable frames and the end of the input are told for what they are.
 */
export class ZstdFrames {
  readonly #head = new OctetBuffer();
  #part: Part = "magic";
  /** Octets that are left of a block, checksum or skippable frame. */
  #left = 0;
  #lastBlock = false;
  #checksum = false;
  #skipping = false;
  #offset = 0;

  /**
   * Take the next octets; those of frames go on to `pass`, in order, when it is sure that they may.
   * @returns what ends the input early, or null. Not to be called again after that.
   */
  push(octets: Uint8Array, pass: (octets: Uint8Array) => void): CompressionProblem | null {
    let from = 0;
    for (let at = 0; at < octets.length; ) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, octets.length - at);
        this.#left -= taken;
        this.#offset += taken;
        at += taken;
        if (this.#skipping) from = at;
        if (this.#left === 0) this.#next();
        continue;
      }
      // Heads are gathered octet by octet, they are few; nothing of them is passed before it is understood.
      if (from < at) pass(octets.subarray(from, at));
      this.#head.append(octets, at, at + 1);
      this.#offset += 1;
      at += 1;
      from = at;
      const problem = this.#readHead(pass);
      if (problem !== null) return problem;
    }
    if (from < octets.length) pass(octets.subarray(from));
    return null;
  }

  /** The input is over. */
  end(): CompressionProblem | null {
    if (this.#part === "magic" && this.#head.length === 0) return null;
    if (this.#part === "magic") return this.#trailing();
    return { code: "compression-truncated", text: `the zstd data ends inside a frame, at offset ${this.#offset}` };
  }

  /** Read the head that has been gathered, if it is whole. */
  #readHead(pass: (octets: Uint8Array) => void): CompressionProblem | null {
    const head = this.#head.bytes;
    const view = new DataView(head.buffer, head.byteOffset, head.length);
    if (this.#part === "frame-header") return this.#readFrameHeader(head, view, pass);
    if (this.#part === "block-header") return this.#readBlockHeader(head, pass);
    if (head.length < MAGIC_OCTETS) return null;
    const number = view.getUint32(0, true);
    if (this.#part === "magic") return this.#readMagic(number);
    this.#take("skip", number);
    return null;
  }

  #readMagic(magic: number): CompressionProblem | null {
    this.#skipping = magic >>> 4 === SKIPPABLE_MAGIC;
    if (this.#skipping) this.#take("skip-length", 0);
    else if (magic === FRAME_MAGIC) this.#part = "frame-header";
    else return this.#trailing();
    return null;
  }

  /** RFC 8878 §3.1.1.1; `head` holds the magic number, too, which goes to the decompressor with the rest. */
  #readFrameHeader(head: Uint8Array, view: DataView, pass: (octets: Uint8Array) => void): CompressionProblem | null {
    const descriptor = head[MAGIC_OCTETS] ?? 0;
    const singleSegment = (descriptor & 0x20) !== 0;
    const windowOctets = singleSegment ? 0 : 1;
    const dictionaryOctets = [0, 1, 2, 4][descriptor & 0x03] ?? 0;
    const sizeOctets = [singleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
    const sizeAt = MAGIC_OCTETS + 1 + windowOctets + dictionaryOctets;
    if (head.length < sizeAt + sizeOctets) return null;
    const window = singleSegment ? contentSize(view, sizeAt, sizeOctets) : windowSize(head[MAGIC_OCTETS + 1] ?? 0);
    if (window > LARGEST_WINDOW) return { code: "compression-limit", text: tooLarge(window) };
    const dictionary = head.subarray(sizeAt - dictionaryOctets, sizeAt);
    if (dictionary.some((octet) => octet !== 0)) {
      return {
        code: "compression-damaged",
        text: "the zstd data needs a dictionary; unpack it with zstd -d -D DICTIONARY first",
      };
    }
    this.#checksum = (descriptor & 0x04) !== 0;
    pass(head.slice());
    this.#take("block-header", 0);
    return null;
  }

  /** RFC 8878 §3.1.1.2. */
  #readBlockHeader(head: Uint8Array, pass: (octets: Uint8Array) => void): CompressionProblem | null {
    if (head.length < BLOCK_HEADER) return null;
    const header = (head[0] ?? 0) | ((head[1] ?? 0) << 8) | ((head[2] ?? 0) << 16);
    const type = (header >> 1) & 0x03;
    if (type === RESERVED_BLOCK) {
      return {
        code: "compression-damaged",
        text: `the zstd data is damaged: no block can begin at offset ${this.#offset - BLOCK_HEADER}`,
      };
    }
    this.#lastBlock = (header & 1) !== 0;
    pass(head.slice());
    this.#take("block", type === RLE_BLOCK ? 1 : header >> 3);
    return null;
  }

  /** A head was read: go on with the part after it, of which `left` octets need no reading. */
  #take(part: Part, left: number): void {
    this.#head.take(this.#head.length);
    this.#part = part;
    this.#left = left;
    if (left === 0 && (part === "block" || part === "skip")) this.#next();
  }

  #next(): void {
    if (this.#part === "block" && !this.#lastBlock) this.#take("block-header", 0);
    else if (this.#part === "block" && this.#checksum) this.#take("checksum", CHECKSUM_OCTETS);
    else {
      this.#skipping = false;
      this.#take("magic", 0);
    }
  }

  #trailing(): CompressionProblem {
    const at = this.#offset - this.#head.length;
    return { code: "compression-damaged", text: `the zstd data is followed, at offset ${at}, by octets that are no zstd frame` };
  }
}

function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 0x07);
}

function contentSize(view: DataView, at: number, octets: number): number {
  if (octets === 1) return view.getUint8(at);
  if (octets === 2) return view.getUint16(at, true) + 256;
  return octets === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}

function tooLarge(window: number): string {
  return `the zstd data needs a window of ${window} octets, more than ${LARGEST_WINDOW}; unpack it with zstd -d --long=31 first`;
}
