import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../src/cli/main.ts", import.meta.url));
const PATIENCE_MS = 20_000;

/** The command line as a process of its own, for tests. */
export class CliProcess {
  stdout = "";
  stderr = "";
  readonly child: ChildProcessByStdio<Writable | null, Readable, Readable>;
  static readonly #running = new Set<CliProcess>();
  readonly #closed: Promise<unknown>;

  /** Kill what a failed test left behind. */
  static endAll(): void {
    for (const { child } of CliProcess.#running) child.kill("SIGKILL");
  }

  /** @param options its stdin and stdout may be a file descriptor. */
  constructor(
    argv: readonly string[],
    options: { readonly env?: Record<string, string>; readonly stdin?: "pipe" | number; readonly stdout?: number } = {},
  ) {
    const words = ["--conditions=wiretally-source", "--import", "tsx", MAIN, ...argv];
    this.child = spawn(process.execPath, words, {
      stdio: [options.stdin ?? "ignore", options.stdout ?? "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1", ...options.env },
    }) as ChildProcessByStdio<Writable | null, Readable, Readable>;
    // It may end before it has read everything.
    this.child.stdin?.on("error", () => {});
    this.child.stdout?.on("data", (chunk: Buffer) => {
      this.stdout += chunk.toString();
    });
    this.child.stderr.on("data", (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    CliProcess.#running.add(this);
    this.#closed = once(this.child, "close").then(() => CliProcess.#running.delete(this));
  }

  /** The ports of its `listening` lines, once there are as many. */
  async ports(count = 1): Promise<number[]> {
    await this.until(() => this.#ports().length >= count);
    return this.#ports();
  }

  /** Wait until something holds; fails after a while, telling what was written, or when the process ends before. */
  async until(holds: () => boolean): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!holds()) {
      const over = this.child.exitCode !== null || Date.now() > deadline;
      if (over)
        throw new Error(`it did not come to that; stdout ${JSON.stringify(this.stdout)} stderr ${JSON.stringify(this.stderr)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** More of its standard input. @param end nothing comes after it. */
  write(octets: Uint8Array, end?: "end"): void {
    this.child.stdin?.write(octets);
    if (end !== undefined) this.child.stdin?.end();
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Resolves to the exit code. */
  async ended(): Promise<number | null> {
    const timer = setTimeout(() => this.child.kill("SIGKILL"), PATIENCE_MS);
    await this.#closed;
    clearTimeout(timer);
    return this.child.exitCode;
  }

  #ports(): number[] {
    return [...this.stderr.matchAll(/^listening \S+ \S*:(\d+) -> /gm)].map((match) => Number(match[1]));
  }
}
