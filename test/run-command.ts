import { Writable } from "node:stream";
import { run } from "../src/cli/cli.ts";

/** What a command line came to. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The same as it was written. */
  readonly octets: Uint8Array;
}

/** Test set-up: a command line in this process; nothing is a terminal. */
export async function runCommand(argv: readonly string[], env: Record<string, string> = {}): Promise<CommandResult> {
  const [stdout, stderr] = [new Collected(), new Collected()];
  const code = await run(argv, { stdout, stderr, env });
  return { code, stdout: String(stdout.octets), stderr: String(stderr.octets), octets: stdout.octets };
}

class Collected extends Writable {
  readonly #chunks: Buffer[] = [];

  get octets(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }
}
