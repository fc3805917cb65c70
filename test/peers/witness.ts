import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { REQUIRE_ALL } from "../shared.ts";
import { runProgram } from "./program.ts";

/** Octets of unique TCP payload, both ways. */
export interface LegOctets {
  readonly c2s: number;
  readonly s2c: number;
}

/** What is kept of a packet. Headers of any packet on loopback fit; the payload's length comes from the IP header. */
const HEADERS_ONLY = 128;
/** More than a packet of loopback has. */
const WHOLE_PACKETS = 262_144;
/** Room for what arrives while dumpcap waits for a core. */
const BUFFER_MIB = 128;
const READY_MS = 10_000;
/** libpcap hands packets over in blocks: the last ones come this late. */
const SETTLE_MS = 700;
const TSHARK_MS = 120_000;

/**
 * An independent count: dumpcap captures loopback, tshark reads what each leg carried. Payload is unique when a retransmission counts
 * once: the union of the sequence ranges.
 */
export class Witness {
  readonly #dumpcap: ChildProcess;
  readonly #folder: string;
  #stderr = "";

  private constructor(ports: readonly number[], snapOctets: number) {
    this.#folder = mkdtempSync(join(tmpdir(), "wiretally-witness-"));
    const filter = ports.map((port) => `tcp port ${port}`).join(" or ");
    const args = ["-q", "-i", "lo", "-s", `${snapOctets}`, "-B", `${BUFFER_MIB}`, "-f", filter, "-w", this.capture];
    this.#dumpcap = spawn("dumpcap", args, { stdio: ["ignore", "ignore", "pipe"] });
    this.#dumpcap.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
    });
  }

  /** Why there can be no witness here, or null when there can. Where nothing may skip, a missing one is an error. */
  static missing(): string | null {
    const absent = ["dumpcap", "tshark"].find((program) => spawnSync(program, ["--version"], { stdio: "ignore" }).status !== 0);
    if (absent === undefined) return null;
    if (REQUIRE_ALL) throw new Error(`${absent} is not installed and WIRETALLY_REQUIRE_ALL=1`);
    return `${absent} is not installed`;
  }

  /** Starts to capture the TCP ports given on loopback; `payload` tells whether whole packets are kept, or their headers only. */
  static async start(ports: readonly number[], { payload = false } = {}): Promise<Witness> {
    const witness = new Witness(ports, payload ? WHOLE_PACKETS : HEADERS_ONLY);
    const stop = Date.now() + READY_MS;
    while (!/^File: /m.test(witness.#stderr)) {
      if (Date.now() > stop || witness.#dumpcap.exitCode !== null)
        throw new Error(`dumpcap does not capture: ${witness.#stderr}`);
      await sleep(20);
    }
    return witness;
  }

  /**
   * Ends the capture and counts each leg.
   * @param ports the server side of each leg, as in `start`.
   */
  async stop(ports: readonly number[]): Promise<LegOctets[]> {
    await this.finish();
    const rows = await this.fields(["-o", "tcp.desegment_tcp_streams:FALSE", "-Y", "tcp.len > 0"], SEGMENT_FIELDS);
    const segments = rows.map(readSegment);
    return ports.map((port) => ({
      c2s: uniqueOctets(segments.filter((segment) => segment.to === port)),
      s2c: uniqueOctets(segments.filter((segment) => segment.from === port)),
    }));
  }

  /** Ends the capture, once the last packets are in it. */
  async finish(): Promise<void> {
    await sleep(SETTLE_MS);
    this.#dumpcap.kill("SIGINT");
    if (this.#dumpcap.exitCode === null) await once(this.#dumpcap, "exit");
    // A packet that the kernel dropped would look like one that was never sent.
    const dropped = /received\/dropped on interface [^:]*: lo': \d+\/(\d+)/.exec(this.#stderr)?.[1];
    if (dropped !== "0") throw new Error(`the capture is not whole: ${this.#stderr}`);
  }

  /** What tshark says of each packet of a finished capture: a row a packet, a column a field. `args` come before the fields. */
  async fields(args: readonly string[], fields: readonly string[]): Promise<string[][]> {
    const command = ["-r", this.capture, ...args, "-T", "fields", ...fields.flatMap((field) => ["-e", field])];
    const { stdout, stderr, exitCode } = await runProgram(["tshark", ...command], new Uint8Array(), TSHARK_MS);
    if (exitCode !== 0) throw new Error(`tshark cannot read the capture: ${stderr}`);
    return stdout === ""
      ? []
      : stdout
          .trimEnd()
          .split("\n")
          .map((line) => line.split("\t"));
  }

  /** Ends the capture whatever its state, and removes it. Safe to call after `stop`. */
  dispose(): void {
    if (this.#dumpcap.exitCode === null) this.#dumpcap.kill("SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** What dumpcap writes. */
  get capture(): string {
    return join(this.#folder, "loopback.pcapng");
  }
}

const SEGMENT_FIELDS = ["tcp.stream", "tcp.srcport", "tcp.dstport", "tcp.seq", "tcp.len"];

interface Segment {
  readonly stream: number;
  readonly from: number;
  readonly to: number;
  /** Relative to the connection's first octet: no wrap below 4 GiB. */
  readonly start: number;
  readonly end: number;
}

function readSegment(row: readonly string[]): Segment {
  const [stream = 0, from = 0, to = 0, start = 0, length = 0] = row.map(Number);
  return { stream, from, to, start, end: start + length };
}

/** Size of the union of the ranges, stream by stream. */
function uniqueOctets(segments: readonly Segment[]): number {
  let octets = 0;
  let stream = -1;
  let covered = 0;
  for (const segment of segments.toSorted((a, b) => a.stream - b.stream || a.start - b.start)) {
    if (segment.stream !== stream) {
      stream = segment.stream;
      covered = 0;
    }
    octets += Math.max(0, segment.end - Math.max(segment.start, covered));
    covered = Math.max(covered, segment.end);
  }
  return octets;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
