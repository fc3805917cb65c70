import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { appendFileSync, chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { captureSlice } from "../../src/bench/speed/capture-slice.ts";
import { ConversationWriter } from "../../src/capture/write/conversation-writer.ts";
import { type BlockOutput, PcapngWriter } from "../../src/capture/write/pcapng-writer.ts";
import { C2S, S2C } from "../../src/decode/direction.ts";
import type { Tally } from "../../src/ledger/tally.ts";
import { CliProcess } from "../cli-process.ts";
import { runCommand } from "../run-command.ts";
import { openSums } from "../scripted-wire.ts";

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
/** A user who owns nothing here. */
const NOBODY = 65_534;

const folder = mkdtempSync(join(tmpdir(), "wiretally-robust-"));
const fileIn = (name: string): string => join(folder, name);
after(() => {
  CliProcess.endAll();
  rmSync(folder, { recursive: true });
});

test("a file that may not be read, a folder that may not be entered: one line and exit 1", async (t) => {
  const root = process.getuid?.() === 0;
  if (process.seteuid === undefined) {
    t.skip("files have no permissions here");
    return;
  }
  const [locked, inside] = [fileIn("locked.pcapng"), mkdtempSync(fileIn("closed-"))];
  writeFileSync(locked, Buffer.concat([...captureSlice("calls", 10_000)]));
  writeFileSync(join(inside, "a.pcapng"), "");
  chmodSync(folder, 0o755);
  chmodSync(locked, 0);
  chmodSync(inside, 0);
  // The superuser may read everything: what others meet is seen as another user.
  if (root) process.seteuid(NOBODY);
  try {
    for (const path of [locked, join(inside, "a.pcapng")]) {
      const { code, stdout, stderr } = await runCommand(["read", path, "--json", "-"]);
      assert.deepEqual([code, stdout], [1, ""]);
      const [line = "", ...rest] = stderr.split("\n");
      assert.ok(line.startsWith(`wiretally: ${path} may not be read (EACCES): check its permissions`), stderr);
      assert.deepEqual(rest, [""]);
    }
  } finally {
    if (root) process.seteuid(0);
    chmodSync(inside, 0o700);
  }
});

test("a capture that grows while it is read: exit 0 with what was there, and nothing of that is lost", async () => {
  const path = fileIn("grows.pcapng");
  // Pieces that end inside of blocks, as what is flushed does.
  const whole = Buffer.concat([...captureSlice("data", 24e6)]);
  const [start, step] = [8_000_003, 16_001];
  writeFileSync(path, whole.subarray(0, start));
  const cli = new CliProcess(["read", path, "-q", "--json", "-"]);
  let size = start;
  while (cli.child.exitCode === null && size < whole.length) {
    appendFileSync(path, whole.subarray(size, size + step));
    size = Math.min(whole.length, size + step);
    await sleep(2);
  }
  assert.equal(await cli.ended(), 0, cli.stderr);
  const tally = JSON.parse(cli.stdout) as Tally;
  assert.deepEqual(openSums(tally), []);
  const read = tally.totals.c2s.octets + tally.totals.s2c.octets;
  const least = await octetsIn(fileIn("start.pcapng"), whole.subarray(0, start));
  const most = await octetsIn(fileIn("end.pcapng"), whole.subarray(0, statSync(path).size));
  assert.ok(least > 0.99 * start && read >= least && read <= most, `${least} <= ${read} <= ${most}`);
  // At most that it ends inside of a packet.
  assert.match(cli.stderr, /^(wiretally: \S+grows\.pcapng: the capture ends at offset \d+; its last block, [^\n]+\n)?$/);
});

test("many small files, named in any order, are one capture", async () => {
  const { whole, parts } = ring(1_100);
  assert.ok(parts.length > 400, `${parts.length} files`);
  const paths = parts.map((part, index) => {
    // The names' order is not that of time.
    const path = fileIn(`part-${(index * 7919) % 10_007}.pcapng`);
    writeFileSync(path, part);
    return path;
  });
  const all = fileIn("whole.pcapng");
  writeFileSync(all, whole);
  const one = await tallyOf([all]);
  const many = await tallyOf(paths.toSorted());
  assert.equal(one.connections.length, 1);
  assert.deepEqual(many.totals, one.totals);
  assert.deepEqual(many.connections, one.connections);
});

test("more files than may be open at once: those are named, the others read, exit 1", async (t) => {
  if (process.platform === "win32") {
    t.skip("no limit to set");
    return;
  }
  const { parts } = ring(500);
  const paths = parts.map((part, index) => {
    const path = fileIn(`limited-${index + 1000}.pcapng`);
    writeFileSync(path, part);
    return path;
  });
  const words = [process.execPath, "--conditions=wiretally-source", "--import", "tsx", MAIN, "read", "-q", ...paths];
  const run = promisify(execFile)("sh", ["-c", 'ulimit -n 80; exec "$@"', "sh", ...words]);
  await assert.rejects(run, (error: Error & { code: number; stdout: string; stderr: string }) => {
    assert.equal(error.code, 1, error.stderr);
    assert.match(error.stderr, /^(wiretally: [^\n]+\n)+$/);
    assert.match(
      error.stderr,
      /^wiretally: left out: \S+limited-\d+\.pcapng cannot be opened \(EMFILE\): too many open files; raise ulimit -n$/m,
    );
    assert.match(error.stdout, /^sums close: /m);
    return true;
  });
});

/** A connection of `count` small HTTP/1.1 calls in one file, and the same in a row of files that hold two or three calls each. */
function ring(count: number): { readonly whole: Buffer; readonly parts: readonly Buffer[] } {
  const [one, several] = [new Files(), new Files()];
  const section = { hardware: "", os: "", application: "test", comment: "" };
  const writers = [new PcapngWriter(one, section), new PcapngWriter(several, section, 800)];
  for (const writer of writers) {
    const conversation = new ConversationWriter(writer);
    let timeNs = 1_700_000_000_000_000_000n;
    const next = (): bigint => {
      timeNs += 1_000_000n;
      return timeNs;
    };
    conversation.open({ id: "c1", listener: "a", client: "192.0.2.1:40000", server: "192.0.2.2:80" }, next());
    for (let call = 0; call < count; call++) {
      conversation.delta("c1", C2S, Buffer.from(`GET /${call} HTTP/1.1\r\nHost: a\r\n\r\n`), next());
      conversation.delta("c1", S2C, Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${`${call}`.length}\r\n\r\n${call}`), next());
    }
    conversation.fin("c1", C2S, next());
    conversation.fin("c1", S2C, next());
    conversation.close("c1", next());
  }
  const [whole] = one.files;
  assert.ok(whole !== undefined && one.files.length === 1, "one file");
  return { whole, parts: several.files };
}

/** The files of a writer, in memory. */
class Files implements BlockOutput {
  readonly #blocks: Uint8Array[][] = [[]];

  get files(): readonly Buffer[] {
    return this.#blocks.map((blocks) => Buffer.concat(blocks));
  }

  reserve(octets: number): Uint8Array {
    const block = new Uint8Array(octets);
    this.#blocks.at(-1)?.push(block);
    return block;
  }

  nextFile(): void {
    this.#blocks.push([]);
  }
}

async function tallyOf(paths: readonly string[]): Promise<Tally> {
  const { code, stdout, stderr } = await runCommand(["read", ...paths, "-q", "--json", "-"]);
  assert.deepEqual([code, stderr], [0, ""]);
  const tally = JSON.parse(stdout) as Tally;
  assert.deepEqual(openSums(tally), []);
  return tally;
}

/** TCP payload of a capture that may be cut. */
async function octetsIn(path: string, capture: Uint8Array): Promise<number> {
  writeFileSync(path, capture);
  const { stdout } = await runCommand(["read", path, "-q", "--json", "-"]);
  const { c2s, s2c } = (JSON.parse(stdout) as Tally).totals;
  return c2s.octets + s2c.octets;
}
