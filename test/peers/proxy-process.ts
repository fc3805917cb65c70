import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Tally } from "../../src/ledger/tally.ts";

/** What users run: the built command. */
const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const READY_MS = 15_000;
const STOP_MS = 20_000;
const READY = /^listening \S+ \S+:(\d+) -> /gm;

/** How a proxy ended and what it had counted. */
export interface ProxyResult {
  readonly exitCode: number | null;
  readonly tally: Tally;
  readonly stderr: string;
}

/** `wiretally proxy` as a process of its own, in front of one target. */
export class ProxyProcess {
  readonly #child: ChildProcess;
  readonly #folder: string;
  #stderr = "";
  #ports: readonly number[] = [];

  private constructor(target: string, options: readonly string[]) {
    if (!existsSync(CLI)) throw new Error(`${CLI} is missing: run npm run build`);
    this.#folder = mkdtempSync(join(tmpdir(), "wiretally-peers-"));
    const args = ["proxy", "-L", `127.0.0.1:0:${target}`, "-q", "--strict", "--json", this.#tallyPath, ...options];
    this.#child = spawn(process.execPath, [CLI, ...args], { stdio: ["ignore", "ignore", "pipe"] });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
    });
  }

  /** Starts the proxy with `--strict` and waits until it listens; `options` are further arguments. */
  static async start(target: string, options: readonly string[] = []): Promise<ProxyProcess> {
    const proxy = new ProxyProcess(target, options);
    try {
      proxy.#ports = await proxy.#listening(1 + options.filter((option) => option === "-L").length);
    } catch (error) {
      await proxy.dispose();
      throw error;
    }
    return proxy;
  }

  /** The port that clients connect to, on 127.0.0.1. */
  get port(): number {
    return this.#ports[0] ?? 0;
  }

  /** The same of every listener: the target's, then those of `options`. */
  get ports(): readonly number[] {
    return this.#ports;
  }

  /** Resident memory of the process now, in octets. */
  residentOctets(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "latin1");
    const found = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    if (found === undefined) throw new Error("the proxy has no VmRSS: it has ended");
    return Number(found) * 1024;
  }

  /** End it as a user would, by SIGTERM, and read its tally. */
  async stop(): Promise<ProxyResult> {
    this.#child.kill("SIGTERM");
    await this.#ended();
    const tally = JSON.parse(readFileSync(this.#tallyPath, "utf8")) as Tally;
    return { exitCode: this.#child.exitCode, tally, stderr: this.#stderr };
  }

  /** End it whatever its state, and remove its files. Safe to call after `stop`. */
  async dispose(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill("SIGKILL");
      await this.#ended();
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #tallyPath(): string {
    return join(this.#folder, "tally.json");
  }

  async #listening(listeners: number): Promise<number[]> {
    const stop = Date.now() + READY_MS;
    while (Date.now() < stop) {
      const ports = [...this.#stderr.matchAll(READY)].map((match) => Number(match[1]));
      if (ports.length === listeners) return ports;
      if (this.#child.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`the proxy does not listen: ${this.#stderr}`);
  }

  async #ended(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), STOP_MS);
    await once(this.#child, "exit");
    clearTimeout(timer);
  }
}
