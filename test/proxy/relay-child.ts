import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import type { ClientReads } from "../../src/proxy/accepted-socket.ts";
import type { RelayMessage } from "./relay-process.ts";

const SCRIPT = fileURLToPath(new URL("./relay-process.ts", import.meta.url));
const NODE = [process.execPath, "--expose-gc", "--conditions=wiretally-source", "--import", "tsx"];

type Told<K extends RelayMessage["kind"]> = Extract<RelayMessage, { readonly kind: K }>;

/** How the process is started. */
interface RelayChildOptions {
  /** Its `ulimit -n`. */
  readonly descriptors?: number;
  /** Default: the best way that works. */
  readonly clientReads?: ClientReads;
}

/** A proxy in a process of its own, so that its memory and its descriptors can be watched. */
export class RelayChild {
  readonly port: number;
  readonly narrations: string[] = [];
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#process = child;
    this.port = port;
    child.on("message", (message: RelayMessage) => {
      if (message.kind === "narration") this.narrations.push(message.name);
    });
  }

  /** Started with the target as `host:port`; ends with the test. */
  static async start(t: TestContext, target: string, options: RelayChildOptions = {}): Promise<RelayChild> {
    const { descriptors, clientReads } = options;
    const limit = descriptors === undefined ? "" : `ulimit -n ${descriptors} && `;
    const command = [...NODE, SCRIPT, target, ...(clientReads === undefined ? [] : [clientReads])];
    const child = spawn("sh", ["-c", `${limit}exec "$@"`, "sh", ...command], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    t.after(async () => {
      if (child.exitCode !== null) return;
      child.disconnect();
      await once(child, "exit");
    });
    const { port } = await nextOf(child, "listening");
    return new RelayChild(child, port);
  }

  /** What it has counted, and how large it is. */
  async state(): Promise<Told<"state">> {
    const told = nextOf(this.#process, "state");
    this.#process.send("state");
    return told;
  }
}

async function nextOf<K extends RelayMessage["kind"]>(child: ChildProcess, kind: K): Promise<Told<K>> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`the proxy's process ended with ${code}`));
    const onMessage = (message: RelayMessage) => {
      if (message.kind !== kind) return;
      child.off("message", onMessage).off("exit", onExit);
      resolve(message as Told<K>);
    };
    child.on("message", onMessage).on("exit", onExit);
  });
}
