import type { Writable } from "node:stream";
import type { ColourStream } from "../views/theme.ts";

/** What a command may touch of its process; a test gives its own. */
export interface Streams {
  readonly stdout: Writable & ColourStream & { readonly columns?: number };
  readonly stderr: Writable & ColourStream & { readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A line on stderr that begins with the program's name: warnings and what it is about to do. */
export function narrate({ stderr }: Streams, text: string): void {
  stderr.write(`wiretally: ${text}\n`);
}
