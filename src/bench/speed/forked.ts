import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A process of the benchmark that listens on a port; it ends when this one does. */
export class Forked {
  readonly port: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  /** Run a module of this folder, with the options that this process was started with. Rejects when it ends before it listens. */
  static async start(module: `./${string}.ts`, args: readonly string[]): Promise<Forked> {
    const child = fork(fileURLToPath(new URL(module, import.meta.url)), args);
    const { port } = await nextMessage<{ readonly port: number }>(child);
    return new Forked(child, port);
  }

  /** Its next answer. Rejects when it ends instead. */
  ask<T>(): Promise<T> {
    const answer = nextMessage<T>(this.#child);
    this.#child.send("");
    return answer;
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.disconnect();
    await once(this.#child, "exit");
  }
}

function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`a process of the benchmark ended with ${code}`));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.off("exit", onExit);
      resolve(message as T);
    });
  });
}
