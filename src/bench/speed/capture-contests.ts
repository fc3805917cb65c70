import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { builtCli } from "./built-cli.ts";
import { captureSlice, SLICE_PORT, type SliceOf } from "./capture-slice.ts";
import { type Contest, type ContestPlan, type Scale, verify } from "./contest.ts";

const OURS = "capture read";
const THEIRS = "tshark -q -z http2,tree";
const SLICE_OCTETS = 100e6;
/** A run is a process that takes seconds. */
const MOST_ROUNDS = 3;
const execute = promisify(execFile);

/** Reading a capture of 100 MB, from the start of the process to its end: `wiretally read -q` as it is installed, against tshark. */
export const CAPTURE_CONTESTS: readonly ContestPlan[] = [
  plan("pcapng: gRPC-like calls, 100 MB", "calls"),
  plan("pcapng: HTTP/2 DATA of 16 KiB, 100 MB", "data"),
];

function plan(input: string, of: SliceOf): ContestPlan {
  return { input, contenders: [OURS, THEIRS], lacks, prepare: (scale) => contest(of, scale) };
}

function lacks(): string | null {
  if (spawnSync("tshark", ["--version"], { stdio: "ignore" }).status !== 0) return "tshark is not installed";
  return builtCli().trouble;
}

async function contest(of: SliceOf, { transferOctets }: Scale): Promise<Contest> {
  const folder = await mkdtemp(join(tmpdir(), "wiretally-bench-"));
  const close = (): Promise<void> => rm(folder, { recursive: true });
  try {
    const path = join(folder, `${of}.pcapng`);
    await write(path, captureSlice(of, Math.min(SLICE_OCTETS, transferOctets)));
    const read = () => tcpOctets(path);
    const dissect = () => http2Frames(path);
    // Both have found all of it: each packet of these captures carries TCP, and little but its headers and block is no payload.
    const { size } = await stat(path);
    const [octets, frames] = [await read(), await dissect()];
    verify(octets < size && octets > size * LEAST_PAYLOAD[of], `wiretally counts the octets of TCP, and ${octets} are not all`);
    verify(frames > octets / MOST_OCTETS_A_FRAME[of], `tshark finds the HTTP/2 frames, and ${frames} are not all`);
    return {
      octets: size,
      contenders: [
        { what: OURS, reference: THEIRS, run: read, expected: octets },
        { what: THEIRS, reference: null, run: dissect, expected: frames },
      ],
      mostRounds: MOST_ROUNDS,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The least share of a capture that is TCP payload; calls are small, and their packets mostly headers. */
const LEAST_PAYLOAD = { calls: 0.5, data: 0.99 } as const;
/** More than a frame has on average. */
const MOST_OCTETS_A_FRAME = { calls: 25, data: 16_500 } as const;

async function write(path: string, pieces: Iterable<Uint8Array>): Promise<void> {
  const file = await open(path, "wx");
  try {
    for (const piece of pieces) await file.writeFile(piece);
  } finally {
    await file.close();
  }
}

/** @returns octets of both directions, as `read` counts them. */
async function tcpOctets(path: string): Promise<number> {
  const argv = [builtCli().path, "read", path, "-q", "--strict", "--decode-as", `${SLICE_PORT}=h2`];
  const { stdout } = await execute(process.execPath, argv);
  return Number(/^sums close: .* = (\d+) octets, all attributed$/m.exec(stdout)?.[1]);
}

/** @returns HTTP/2 frames, as tshark counts them. */
async function http2Frames(path: string): Promise<number> {
  const { stdout } = await execute("tshark", ["-r", path, "-q", "-d", `tcp.port==${SLICE_PORT},http2`, "-z", "http2,tree"]);
  return Number(/^HTTP2 +(\d+) /m.exec(stdout)?.[1]);
}
