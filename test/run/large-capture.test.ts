import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { test } from "node:test";
import { builtCli } from "../../src/bench/speed/built-cli.ts";
import { captureSlice } from "../../src/bench/speed/capture-slice.ts";
import type { Tally } from "../../src/ledger/tally.ts";
import { REQUIRE_ALL } from "../shared.ts";

const MEGABYTE = 1e6;
/** The whole of it takes a while. */
const OCTETS = REQUIRE_ALL ? 1_000 * MEGABYTE : 256 * MEGABYTE;
const RSS_CAP = 200 * MEGABYTE;
const SAMPLE_MS = 50;

test(`a capture of ${OCTETS / MEGABYTE} MB through a pipe in less than 200 MB of memory`, { timeout: 240_000 }, async (t) => {
  if (!existsSync("/proc/self/status")) {
    t.skip("there is no /proc to tell the memory of another process");
    return;
  }
  const { path, trouble } = builtCli();
  assert.equal(trouble, null);
  const words = [path, "read", "-", "-q", "--json", "-"];
  const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "pipe"], env: { ...process.env, NO_COLOR: "1" } });
  t.after(() => child.kill("SIGKILL"));
  const closed = once(child, "close");
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  let peak = 0;
  const sampling = setInterval(() => {
    peak = Math.max(peak, highWater(child.pid));
  }, SAMPLE_MS);
  const sent = new Counted();
  await pipeline(Readable.from(sent.count(captureSlice("data", OCTETS))), child.stdin);
  const [code] = await closed;
  clearInterval(sampling);

  assert.deepEqual([code, await stderr], [0, ""]);
  const tally = JSON.parse(await stdout) as Tally;
  const { c2s, s2c } = tally.totals;
  assert.ok(sent.octets >= OCTETS, `${sent.octets} octets were sent`);
  // Beside the payload there are 28 octets of block header, 40 of IP and TCP, 4 of block end for each 64,000, and little else.
  assert.ok(c2s.octets + s2c.octets > 0.99 * sent.octets, `${c2s.octets + s2c.octets} octets were counted`);
  const missing = tally.connections.flatMap(({ packets }) => [packets?.c2s.missing_octets, packets?.s2c.missing_octets]);
  assert.ok(
    missing.every((octets) => octets === 0),
    missing.join(" "),
  );
  assert.equal((s2c.by_category["body.binary"] ?? 0) + (s2c.by_category["h2.frame_header.data"] ?? 0) > 0.99 * s2c.octets, true);
  assert.ok(peak > 0 && peak < RSS_CAP, `it had ${(peak / MEGABYTE).toFixed(1)} MB at its peak`);
  t.diagnostic(`VmHWM ${(peak / MEGABYTE).toFixed(1)} MB`);
});

/** The most memory that the process has had so far, in octets; 0 when it is no more. */
function highWater(pid: number | undefined): number {
  try {
    return 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

async function textOf(stream: Readable): Promise<string> {
  let text = "";
  for await (const piece of stream.setEncoding("utf8")) text += piece;
  return text;
}

class Counted {
  octets = 0;

  *count(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
    for (const piece of pieces) {
      this.octets += piece.length;
      yield piece;
    }
  }
}
