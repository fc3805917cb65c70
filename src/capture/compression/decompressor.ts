/** Why a compressed input ended early: its code for notes, and one line about it. */
export interface CompressionProblem {
  readonly code: "compression-damaged" | "compression-truncated" | "compression-limit";
  readonly text: string;
}

/** Undoes a compression as octets come; what comes out goes to the callback given to its constructor, borrowed until that returns. */
export interface Decompressor {
  readonly name: "gzip" | "zstd";
  /** A fact to note at the end of an input that was read, or null. */
  readonly caveat: string | null;
  /** Take the next octets; borrowed until the promise is fulfilled. After a problem nothing more comes out. */
  write(octets: Uint8Array): Promise<CompressionProblem | null>;
  /** The input is over. */
  end(): Promise<CompressionProblem | null>;
  /** Let go of everything, at any time. */
  close(): void;
}

const GZIP = [0x1f, 0x8b, 0x08];
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];
/** A skippable frame, with which pzstd begins, after its first octet (0x50 to 0x5f). */
const SKIPPABLE = [0x2a, 0x4d, 0x18];

/** What an input that begins with `bytes` is compressed with; null: nothing that we undo. Four octets are enough to tell. */
export function compressionOf(bytes: Uint8Array): "gzip" | "zstd" | null {
  if (begins(bytes, GZIP)) return "gzip";
  return begins(bytes, ZSTD) || begins(bytes.subarray(1), SKIPPABLE) ? "zstd" : null;
}

function begins(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((octet, at) => bytes[at] === octet);
}
