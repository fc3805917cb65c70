/** Why a capture could not be begun. The message is one line: what failed, and what to try. */
export class CaptureWriteError extends Error {
  override readonly name = "CaptureWriteError";
}

/** Why a capture ended by itself. What was written before stays, up to the last whole block. */
export interface CaptureStop {
  /** errno code such as ENOSPC; `OVERRUN`: the disk was slower than the wire for so long that the buffer is full. */
  readonly code: string;
  /** One line without a line end. */
  readonly text: string;
}

const REASONS: { readonly [code: string]: string } = {
  EACCES: "permission is denied",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file is as large as the file system or a limit allows",
  EIO: "the disk failed",
  EISDIR: "it is a folder",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open in the system",
  ENOENT: "the folder does not exist",
  ENOSPC: "no space is left on the device",
  ENOTDIR: "a part of the path is not a folder",
  EPERM: "the file cannot be made private to its owner",
  EPIPE: "nobody reads the pipe any more",
  EROFS: "the file system is read-only",
  OVERRUN: "the disk is slower than the traffic, and the buffer is full",
};

/** A system error's code; EUNKNOWN when it has none. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | null)?.code ?? "EUNKNOWN";
}

/** What a code means for a capture, with the code. */
export function reasonOf(code: string): string {
  const reason = REASONS[code];
  return reason === undefined ? code : `${reason} (${code})`;
}
