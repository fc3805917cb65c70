import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { REQUIRE_ALL } from "../../../test/shared.ts";
import { C2S } from "../../decode/direction.ts";
import { type CaptureStop, CaptureWriteError } from "./capture-failure.ts";
import { CaptureFile, type CaptureFileOptions } from "./capture-file.ts";

const START = 1_700_000_000_000_000_000n;
const MIB = 1024 * 1024;
const absent = ["tshark", "mergecap"].find((program) => spawnSync(program, ["--version"], { stdio: "ignore" }).status !== 0);
if (absent !== undefined && REQUIRE_ALL) throw new Error(`${absent} is not installed and WIRETALLY_REQUIRE_ALL=1`);
const skip = absent === undefined ? false : `${absent} is not installed`;

let folder = "";
before(() => {
  folder = mkdtempSync(join(tmpdir(), "wiretally-capture-"));
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** A capture with one connection, c1. */
async function begin(options: Partial<CaptureFileOptions> & { path: string }) {
  const stops: CaptureStop[] = [];
  const file = await CaptureFile.open({ application: "wiretally 0.0.0", onStop: (stop) => stops.push(stop), ...options });
  file.listener("web", "127.0.0.1:8080", "127.0.0.1:17001");
  file.open({ id: "c1", listener: "web", client: "127.0.0.1:40000", server: "127.0.0.1:17001" }, START);
  return { file, stops };
}

/** Octets by place in the stream, so that a part tells where it is from: each four are their own number. */
function numbered(from: number, to: number): Buffer {
  const octets = Buffer.alloc(to - from);
  for (let at = from; at < to; at += 4) octets.writeUInt32BE(at, at - from);
  return octets;
}

/** tshark's lines; it must have nothing to complain about. @param cutShort the last block may be in part. */
function tshark(path: string, args: readonly string[], cutShort = false): string[] {
  const { stderr, stdout } = spawnSync("tshark", ["-r", path, ...args], { encoding: "utf8", maxBuffer: 2 ** 29 });
  const complaint = stderr.replace(/^Running as user.*\n/, "").trim();
  if (!cutShort || !/cut short in the middle of a packet/.test(complaint)) assert.equal(complaint, "");
  return stdout.split("\n").slice(0, -1);
}

/** Payload from the client, in the order of the packets, which is that of the octets. */
function payload(path: string, cutShort = false): Buffer {
  const fields = ["tcp.srcport", "tcp.payload", "_ws.malformed", "tcp.analysis.flags"].flatMap((name) => ["-e", name]);
  const packets = tshark(path, ["-T", "fields", ...fields], cutShort).map((line) => line.split("\t"));
  for (const [at, [, , ...bad]] of packets.entries()) assert.deepEqual(bad, ["", ""], `packet ${at + 1}`);
  return Buffer.from(packets.map(([port, hex]) => (port === "40000" ? hex : "")).join(""), "hex");
}

function assertPart(octets: Buffer, from = 0): void {
  assert.ok(octets.equals(numbered(from, from + octets.length)), `${octets.length} octets from ${from} on, each in its place`);
}

test("what was relayed can be read while the capture goes on, by its owner only", { skip }, async () => {
  const path = join(folder, "growing.pcapng");
  writeFileSync(path, "what was there before, longer than a header ".repeat(100), { mode: 0o644 });
  const { file, stops } = await begin({ path });
  assert.equal(statSync(path).mode & 0o777, 0o600);
  file.delta("c1", C2S, numbered(0, 1000), START + 1n);
  // 200 ms, and room for a busy machine.
  const begun = () => readFileSync(path).subarray(0, 4).toString("hex") === "0a0d0d0a";
  for (let waited = 0; !(begun() && statSync(path).size > 1000) && waited < 5000; waited += 50) await sleep(50);
  const early = payload(path);
  assert.equal(early.length, 1000);
  assertPart(early);
  file.delta("c1", C2S, numbered(1000, 3 * MIB), START + 2n);
  file.close("c1", START + 3n);
  const { packets, paths, stop } = await file.finish();
  assert.deepEqual([paths, stop, stops], [[path], null, []]);
  assert.equal(tshark(path, []).length, packets);
  const octets = payload(path);
  assert.equal(octets.length, 3 * MIB);
  assertPart(octets);
});

test("after kill -9 everything is there up to the last whole block", { skip }, async () => {
  const path = join(folder, "killed.pcapng");
  const program = `
    import { CaptureFile } from ${JSON.stringify(new URL("capture-file.ts", import.meta.url).href)};
    const file = await CaptureFile.open({ path: ${JSON.stringify(path)}, application: "wiretally 0.0.0", onStop() {} });
    file.open({ id: "c1", listener: "web", client: "127.0.0.1:40000", server: "127.0.0.1:17001" }, 1n);
    let sent = 0;
    setInterval(() => {
      const octets = Buffer.alloc(40_000);
      for (let at = 0; at < octets.length; at += 4) octets.writeUInt32BE(sent + at, at);
      file.delta("c1", 0, octets, BigInt(sent));
      sent += octets.length;
      process.stdout.write(sent + "\\n");
    }, 5);`;
  const node = ["--conditions=wiretally-source", "--import", "tsx", "--input-type=module", "-e", program];
  const child = spawn(process.execPath, node, { stdio: ["ignore", "pipe", "inherit"] });
  let sent = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    sent = Number(text.trim().split("\n").at(-1));
  });
  for (let waited = 0; sent < MIB && waited < 20_000; waited += 50) await sleep(50);
  const flushed = sent;
  await sleep(600);
  child.kill("SIGKILL");
  await once(child, "exit");
  const octets = payload(path, true);
  assert.ok(octets.length >= flushed && flushed >= MIB, `${octets.length} of at least ${flushed} octets`);
  assertPart(octets);
});

test("a full disk stops the capture with one line, and nothing that was written is lost", { skip }, async (t) => {
  const disk = smallDisk(t);
  if (disk === null) return;
  const path = join(disk, "full.pcapng");
  const { file, stops } = await begin({ path });
  for (let at = 0; at < 4 * MIB; at += 65_536) {
    file.delta("c1", C2S, numbered(at, at + 65_536), START + 1n);
    await sleep(1);
  }
  const { stop } = await file.finish();
  const kept = "what it holds is kept, and traffic goes on without it";
  const text = `the capture ${path} stopped: no space is left on the device (ENOSPC); ${kept}`;
  assert.deepEqual(stops, [{ code: "ENOSPC", text }]);
  assert.deepEqual(stop, stops[0]);
  const octets = payload(path);
  assert.ok(octets.length > 900_000 && octets.length < MIB, `${octets.length} octets of a disk of 1 MiB`);
  assertPart(octets);

  // A numbered file that nothing whole got into is none.
  const filler = Buffer.alloc(MIB);
  assert.throws(() => writeFileSync(join(disk, "filler"), filler), { code: "ENOSPC" });
  const numberedOnes = await begin({ path: join(disk, "ring.pcapng"), maxFileOctets: 128 * 1024 });
  assert.deepEqual((await numberedOnes.file.finish()).paths, []);
  assert.deepEqual(
    numberedOnes.stops.map(({ code }) => code),
    ["ENOSPC"],
  );
  assert.deepEqual(readdirSync(disk).sort(), ["filler", "full.pcapng"]);
});

/** A file system of 1 MiB, gone after the test; null: it cannot be had here. */
function smallDisk(t: TestContext): string | null {
  const disk = join(folder, "disk");
  mkdirSync(disk);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], { encoding: "utf8" });
  if (mounted.status === 0) {
    t.after(() => execFileSync("umount", ["-l", disk]));
    return disk;
  }
  // Not every machine lets its tests mount; /dev/full, below, stands for a full disk there.
  t.diagnostic(`no file system of 1 MiB can be mounted: ${mounted.stderr.trim()}`);
  return null;
}

test("a device without any room", { skip: existsSync("/dev/full") ? false : "there is no /dev/full" }, async () => {
  const mode = statSync("/dev/full").mode;
  const { file, stops } = await begin({ path: "/dev/full" });
  await file.finish();
  assert.deepEqual(
    stops.map(({ code }) => code),
    ["ENOSPC"],
  );
  assert.equal(statSync("/dev/full").mode, mode, "what is no file keeps its mode");
});

test("a reader that does not read stops the capture when 64 MiB wait, and then gets all of them", { skip }, async (t) => {
  const path = join(folder, "pipe");
  const copy = join(folder, "copy.pcapng");
  execFileSync("mkfifo", [path]);
  const pipe = createReadStream(path, { highWaterMark: 4096 });
  t.after(() => pipe.destroy());
  const { file, stops } = await begin({ path });
  let sent = 0;
  for (; stops.length === 0 && sent < 100 * MIB; sent += MIB) {
    file.delta("c1", C2S, numbered(sent, sent + MIB), START + 1n);
    await sleep(0);
  }
  assert.deepEqual(
    stops.map(({ code }) => code),
    ["OVERRUN"],
  );
  assert.ok(sent > 56 * MIB && sent < 68 * MIB, `${sent} octets`);
  file.delta("c1", C2S, numbered(sent, sent + MIB), START + 2n);
  const chunks: Buffer[] = [];
  for await (const chunk of pipe) chunks.push(chunk as Buffer);
  const written = Buffer.concat(chunks);
  writeFileSync(copy, written);
  assert.equal((await file.finish()).stop?.code, "OVERRUN");
  const lengths = tshark(copy, ["-Y", "tcp.srcport == 40000", "-T", "fields", "-e", "tcp.len"]).map(Number);
  assert.equal(
    lengths.reduce((sum, octets) => sum + octets),
    sent,
  );
});

test("files of a size, all of them or a ring of the newest", { skip }, async () => {
  const total = MIB;
  const maxFileOctets = 256 * 1024;
  for (const ringFiles of [null, 3]) {
    const home = join(folder, `ring-${ringFiles}`);
    mkdirSync(home);
    // Not of this capture: kept, and not written over.
    for (const name of ["trace-00004.pcapng", "trace-00099.txt", "trace-x.pcapng"]) writeFileSync(join(home, name), "");
    const { file } = await begin({ path: join(home, "trace.pcapng"), maxFileOctets, ringFiles });
    for (let at = 0; at < total; at += 65_536) {
      file.delta("c1", C2S, numbered(at, at + 65_536), START + BigInt(at));
      await sleep(1);
    }
    file.close("c1", START + BigInt(total));
    const { paths } = await file.finish();

    // Three full packets and their acknowledgements go into one.
    const files = Math.ceil(total / (3 * 65_536));
    const numbers = Array.from({ length: files }, (_, at) => at + 5).slice(-(ringFiles ?? files));
    assert.deepEqual(
      paths,
      numbers.map((number) => join(home, `trace-${String(number).padStart(5, "0")}.pcapng`)),
    );
    const left = readdirSync(home).map((name) => join(home, name));
    assert.deepEqual(left.filter((path) => statSync(path).size > 0).sort(), [...paths]);
    assert.equal(left.length, paths.length + 3);
    for (const path of paths) {
      assert.ok(statSync(path).size <= maxFileOctets, path);
      assert.equal(statSync(path).mode & 0o777, 0o600);
    }
    const [first = "", second = ""] = paths;
    assert.ok(payload(second).length > 0, "each can be read alone");
    const comment = (path: string) => tshark(path, ["-c", "1", "-T", "fields", "-e", "frame.comment"])[0];
    if (ringFiles === null) assert.equal(comment(first), "c1; web");
    assert.equal(comment(second), "c1 goes on from an earlier file; its client is 127.0.0.1:40000");

    const joined = join(home, "joined.pcapng");
    execFileSync("mergecap", ["-a", "-w", joined, ...paths]);
    const octets = payload(joined);
    if (ringFiles === null) assert.equal(octets.length, total);
    assertPart(octets, total - octets.length);
  }
});

test("what was there stays until there is something to write, and for good when there never is", async () => {
  const path = join(folder, "kept.pcapng");
  const kept = "an earlier capture";
  const open = (at: string) => CaptureFile.open({ path: at, application: "a", onStop: () => {} });
  writeFileSync(path, kept);
  const unused = await open(path);
  await sleep(300);
  await unused.discard();
  assert.equal(readFileSync(path, "utf8"), kept);

  const fresh = join(folder, "fresh.pcapng");
  await (await open(fresh)).discard();
  assert.equal(existsSync(fresh), false);

  // Nothing was relayed, and the capture says so.
  await (await open(path)).finish();
  assert.equal(readFileSync(path).readUInt32LE(0), 0x0a0d0d0a);
});

test("what cannot be begun is said in one line", async () => {
  const rows: readonly [Partial<CaptureFileOptions>, RegExp][] = [
    [{ path: join(folder, "missing", "x.pcapng") }, /^cannot write the capture .*: the folder does not exist \(ENOENT\)/],
    [{ path: folder }, /^cannot write the capture .*: it is a folder \(EISDIR\)/],
    [{ maxFileOctets: 1000 }, /^a capture file of 1000 octets is too small: give 131072/],
    [{ maxFileOctets: Number.NaN }, /^a capture file of NaN octets is too small/],
    [{ ringFiles: 2 }, /^a ring of capture files needs the size of a file/],
    [{ ringFiles: 0, maxFileOctets: MIB }, /^a ring of 0 capture files cannot be/],
  ];
  for (const [options, message] of rows) {
    const path = join(folder, "never.pcapng");
    const opening = CaptureFile.open({ path, application: "a", onStop: () => {}, ...options });
    await assert.rejects(opening, (error: Error) => {
      assert.ok(error instanceof CaptureWriteError, String(error));
      assert.match(error.message, message);
      return !error.message.includes("\n");
    });
    assert.equal(existsSync(path), false);
  }
});

test("a connection that nobody opened, and calls after the end, do nothing", async () => {
  const path = join(folder, "strange.pcapng");
  const { file, stops } = await begin({ path });
  file.delta("c9", C2S, numbered(0, 4), START);
  file.fin("c9", C2S, START);
  file.note("c9", "a note", null);
  file.close("c9", START);
  const { packets } = await file.finish();
  assert.equal(packets, 3, "the handshake of c1");
  const before = readFileSync(path);
  file.delta("c1", C2S, numbered(0, 4), START);
  assert.deepEqual((await file.finish()).packets, 3);
  assert.deepEqual(readFileSync(path), before);
  assert.deepEqual(stops, []);
});
