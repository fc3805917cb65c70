import { CaptureError } from "../capture/capture-error.ts";
import { NetworkError } from "../proxy/network-error.ts";

/** The program cannot go on, or a result cannot be had: one line for a person, exit code 1. */
export class RunError extends Error {
  override readonly name = "RunError";
}

/** `cannot write tally.json: no space left on the device (ENOSPC)`. */
export function writeFailure(path: string, error: unknown): RunError {
  const code = error instanceof Error && "code" in error ? String(error.code) : null;
  const words = code === null ? String(error instanceof Error ? error.message : error) : `${WORDS[code] ?? "failed"} (${code})`;
  return new RunError(`cannot write ${path === "-" ? "to stdout" : path}: ${words}`);
}

/** One line for whatever was thrown while running; never a stack trace. */
export function oneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const told = error instanceof RunError || error instanceof NetworkError || error instanceof CaptureError;
  const text = told ? message : `failed: ${message}`;
  return text.replaceAll(/\s*\n\s*/g, " ");
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: "not permitted",
  EISDIR: "it is a directory",
  ENOENT: "the folder does not exist",
  ENOSPC: "no space left on the device",
  ENOTDIR: "a part of the path is not a folder",
  EPERM: "not permitted",
  EROFS: "the file system is read-only",
};
