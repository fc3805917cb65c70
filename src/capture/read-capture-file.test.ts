import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { PcapngBlocks } from "../../test/pcapng-blocks.ts";
import { PacketRecorder } from "../../test/read-packets.ts";
import { streamSource } from "./byte-source.ts";
import { CaptureError } from "./capture-error.ts";
import { CaptureFile } from "./capture-file.ts";
import { readCaptureFile } from "./read-capture-file.ts";

const folder = mkdtempSync(join(tmpdir(), "wiretally-read-"));
after(() => rmSync(folder, { recursive: true }));

const le = new PcapngBlocks(true);
const START = Buffer.concat([le.section(), le.interface(1)]);
const PACKET = le.packet(0, 1_700_000_000_000_000n, Uint8Array.of(1, 2, 3, 4));

/** Put octets into a new file. */
function file(name: string, ...octets: readonly Uint8Array[]): string {
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat(octets));
  return path;
}

// Each says what it is and what to try, in one line.
const nothing = new Uint8Array(0);
for (const [what, path, message] of [
  ["a missing file", join(folder, "none"), /none does not exist \(ENOENT\): check the path$/],
  ["a path through a file", join(file("plain", PACKET), "x"), /does not exist \(ENOTDIR\)/],
  ["a directory", folder, /is a directory: name the captures in it/],
  ["an empty file", file("empty", nothing), /empty is empty: .*tcpdump -U/],
  [
    "a text file",
    file("text", Buffer.from("héllo\n".repeat(100))),
    /text is text, not a capture: pcap and pcapng files are read/,
  ],
  ["JSON", file("har", Buffer.from("{}")), /har is text, not a capture/],
  ["a snoop file", file("snoop", Buffer.from("snoop\0\0\0\0\0\0\x02\0\0\0\x04")), /is a snoop capture.*editcap -F pcapng/],
  ["an xz file", file("xz", Buffer.from("fd377a585a0000", "hex")), /is compressed with xz: .*unpack it first/],
  ["random octets", file("random", Buffer.alloc(100, 0x80), nothing, Buffer.alloc(9)), /is no capture that we know|is text/],
  ["few octets", file("few", Uint8Array.of(0, 1)), /has only 2 octets/],
  ["half a pcap header", file("half", Buffer.from("d4c3b2a102000400", "hex")), /ends, or is damaged, inside its first header/],
  ["half a section header", file("halfng", START.subarray(0, 20)), /ends, or is damaged, inside its first header/],
] as const) {
  test(`${what}: a CaptureError of one line`, async () => {
    await assert.rejects(readCaptureFile(path, new PacketRecorder()), (error) => {
      assert.ok(error instanceof CaptureError, `a CaptureError, not ${error}`);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    });
  });
}

test("a capture without packets is one", async () => {
  const summary = await readCaptureFile(file("nopackets", START), new PacketRecorder());
  assert.deepEqual([summary.packets, summary.complete, summary.format], [0, true, "pcapng"]);
});

test("what a summary tells", async () => {
  const path = file("summary", START, PACKET, PACKET);
  const { blocks, ...summary } = await readCaptureFile(path, new PacketRecorder());
  const octets = START.length + 2 * PACKET.length;
  assert.deepEqual(summary, {
    name: path,
    format: "pcapng",
    compression: null,
    fileOctets: octets,
    octets,
    packets: 2,
    complete: true,
    comments: 0,
  });
  assert.equal(blocks.get("enhanced-packet"), 2);
});

test("a truncated capture is no error: what is there is delivered, a note tells where it ends", async () => {
  const recorder = new PacketRecorder();
  const summary = await readCaptureFile(file("cut", START, PACKET, PACKET.subarray(0, 30)), recorder);
  assert.deepEqual([summary.packets, summary.complete, recorder.packets.length], [1, false, 1]);
  const end = START.length + PACKET.length + 30;
  assert.deepEqual(
    recorder.notes.map(({ code, offset }) => [code, offset]),
    [["capture-truncated", end]],
  );
});

test("a capture that grows while it is read: what is there is read, to the end", async () => {
  const path = file("grows", START, PACKET);
  const recorder = new PacketRecorder();
  const capture = await CaptureFile.open(path, recorder);
  assert.equal(await capture.step(), true);
  assert.equal(recorder.packets.length, 1);
  appendFileSync(path, Buffer.concat([PACKET, PACKET.subarray(0, 11)]));
  while (await capture.step());
  await capture.close();
  assert.deepEqual([recorder.packets.length, capture.summary.complete], [2, false]);
});

test("a stream: packets are delivered as they come, not at its end", async () => {
  const stream = new Readable({ read: () => {} });
  const recorder = new PacketRecorder();
  const capture = new CaptureFile(streamSource("pipe", stream), recorder);
  stream.push(Buffer.concat([START, PACKET]));
  await capture.step();
  assert.equal(recorder.packets.length, 1);
  const waiting = capture.step();
  await capture.close();
  assert.equal(await waiting, false, "closing ends a read that waits");
  assert.deepEqual([capture.summary.packets, capture.summary.complete], [1, false]);
});

test("an aborted signal stops the reading, which is no error", async () => {
  const abort = new AbortController();
  const path = file("abort", START, ...Array.from({ length: 20_000 }, () => PACKET));
  let packets = 0;
  const summary = await readCaptureFile(
    path,
    { packet: () => ++packets === 1 && abort.abort(), note: () => {} },
    { signal: abort.signal },
  );
  assert.equal(summary.complete, false);
  assert.ok(packets < 20_000, `${packets} packets: the second piece was not read`);
});

test("a read that fails in the middle keeps what came before", async () => {
  const recorder = new PacketRecorder();
  const pieces = (async function* () {
    yield Buffer.concat([START, PACKET]);
    throw Object.assign(new Error("input/output error"), { code: "EIO" });
  })();
  const capture = new CaptureFile(streamSource("disk", Readable.from(pieces)), recorder);
  while (await capture.step());
  assert.deepEqual([capture.summary.packets, capture.summary.complete], [1, false]);
  assert.deepEqual(
    recorder.notes.map(({ code, text }) => [code, text]),
    [["read-failed", `reading failed after ${START.length + PACKET.length} octets (EIO)`]],
  );
  await capture.close();
});

test("what a handler throws comes out of readCaptureFile", async () => {
  const bug = new TypeError("a bug");
  const thrower = { packet: () => assert.fail(bug), note: () => {} };
  await assert.rejects(readCaptureFile(file("bug", START, PACKET), thrower), bug);
});

test("standard input, in a process of its own", async () => {
  mkdirSync(join(folder, "stdin"));
  const script = join(folder, "stdin", "read.mts");
  const module = fileURLToPath(new URL("read-capture-file.ts", import.meta.url));
  writeFileSync(
    script,
    `import { readCaptureFile } from ${JSON.stringify(module)};
     const summary = await readCaptureFile("-", { packet() {}, note() {} });
     console.log(summary.name, summary.packets);`,
  );
  const args = ["--conditions=wiretally-source", "--import", import.meta.resolve("tsx"), script];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(readFileSync(file("pipe", START, PACKET, PACKET, PACKET)));
  let out = "";
  for await (const text of child.stdout.setEncoding("utf8")) out += text;
  assert.equal(out, "standard input 3\n");
});
