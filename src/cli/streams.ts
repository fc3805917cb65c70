import type { Writable } from "node:stream";
import type { ColourStream } from "../views/theme.ts";
import { writeFailure } from "./errors.ts";

/** What a command may touch of its process; a test gives its own. */
export interface Streams {
  readonly stdout: Writable & ColourStream & { readonly columns?: number; readonly rows?: number };
  readonly stderr: Writable & ColourStream & { readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A line on stderr that begins with the program's name: warnings and what it is about to do. */
export function narrate({ stderr }: Streams, text: string): void {
  stderr.write(`wiretally: ${text}\n`);
}

/**
 * Write what a command is for to stdout. Resolves when it is written, or when its reader went away (`| head`), which is no failure;
 * rejects with a RunError when stdout cannot take it.
 */
export function writeResult({ stdout }: Streams, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(text, (error: NodeJS.ErrnoException | null | undefined) => {
      if (error === undefined || error === null || error.code === "EPIPE") resolve();
      else reject(writeFailure("-", error));
    });
  });
}
