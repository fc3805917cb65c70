/** A capture of which nothing could be read. The message is one line: which, what is wrong, what to try. */
export class CaptureError extends Error {
  override readonly name = "CaptureError";
  /** The file as it was named, `standard input` for `-`. */
  readonly capture: string;

  constructor(capture: string, what: string) {
    super(`${capture} ${what}`);
    this.capture = capture;
  }
}

/** Why a file cannot be opened or read, to follow its name. @param code of the error, such as ENOENT. */
export function fileTrouble(code: string): string {
  return TROUBLE.get(code) ?? `cannot be read (${code})`;
}

const TROUBLE: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "does not exist (ENOENT): check the path"],
  ["ENOTDIR", "does not exist (ENOTDIR): a part of the path is not a directory"],
  ["EACCES", "may not be read (EACCES): check its permissions; captures by root are often readable by root only"],
  ["EPERM", "may not be read (EPERM): check its permissions"],
  ["EISDIR", "is a directory: name the captures in it, such as DIRECTORY/*.pcapng"],
  ["ELOOP", "cannot be opened (ELOOP): its symbolic links go round in circles"],
  ["EMFILE", "cannot be opened (EMFILE): too many open files; raise ulimit -n"],
]);
