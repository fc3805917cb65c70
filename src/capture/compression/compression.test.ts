import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { Readable } from "node:stream";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { PcapngBlocks } from "../../../test/pcapng-blocks.ts";
import { PacketRecorder, skipWithoutProgram } from "../../../test/read-packets.ts";
import { streamSource } from "../byte-source.ts";
import { CaptureError } from "../capture-error.ts";
import { CaptureFile, type CaptureSummary } from "../capture-file.ts";

const le = new PcapngBlocks(true);
const PACKETS = 300;
/** Packets that compress, but not to nothing. */
const packet = (index: number): Uint8Array => le.packet(0, BigInt(index), Buffer.from(`packet ${index ** 5} `.repeat(9)));
const CAPTURE = Buffer.concat([le.section(), le.interface(1), ...Array.from({ length: PACKETS }, (_, index) => packet(index))]);

/** Read compressed octets in pieces of `size`. */
async function read(bytes: Uint8Array, size = bytes.length): Promise<readonly [CaptureSummary, PacketRecorder]> {
  const recorder = new PacketRecorder();
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size));
  const capture = new CaptureFile(streamSource("capture", Readable.from(pieces)), recorder);
  while (await capture.step());
  await capture.close();
  return [capture.summary, recorder];
}

/** `zstd` with arguments, from standard input to output. */
function zstd(input: Uint8Array, ...args: readonly string[]): Uint8Array {
  return execFileSync("zstd", ["-q", "-c", ...args], { input, maxBuffer: 1e9 });
}

const codes = ({ notes }: PacketRecorder): string[] => notes.map(({ code }) => code);

test("gzip: one member or several, in pieces of any size", async () => {
  const half = CAPTURE.length >> 1;
  for (const bytes of [
    gzipSync(CAPTURE),
    Buffer.concat([gzipSync(CAPTURE.subarray(0, half)), gzipSync(CAPTURE.subarray(half))]),
  ]) {
    for (const size of [1, 100, 511, 513, bytes.length]) {
      const [summary, recorder] = await read(bytes, size);
      assert.deepEqual([summary.compression, summary.packets, summary.complete], ["gzip", PACKETS, true], `pieces of ${size}`);
      assert.deepEqual([summary.fileOctets, summary.octets], [bytes.length, CAPTURE.length]);
      assert.deepEqual(codes(recorder), []);
    }
  }
});

test("gzip: octets behind the last member cost nothing; zeros are padding", async () => {
  const [padded, quiet] = await read(Buffer.concat([gzipSync(CAPTURE), new Uint8Array(700)]));
  assert.deepEqual([padded.packets, padded.complete, codes(quiet)], [PACKETS, true, []]);
  const [followed, recorder] = await read(Buffer.concat([gzipSync(CAPTURE), Buffer.from("garbage")]));
  assert.deepEqual([followed.packets, followed.complete], [PACKETS, false]);
  assert.deepEqual(codes(recorder), ["compression-damaged"]);
});

test("gzip: a wrong checksum costs no packet", async () => {
  const bytes = gzipSync(CAPTURE);
  bytes[bytes.length - 6] = (bytes[bytes.length - 6] ?? 0) ^ 0xff;
  const [summary, recorder] = await read(bytes);
  assert.deepEqual([summary.packets, summary.complete, codes(recorder)], [PACKETS, false, ["compression-damaged"]]);
});

test("gzip: a missing end costs no octet that had been packed before it", async () => {
  // Stored, not compressed: what each octet of the file is worth is known.
  const bytes = gzipSync(CAPTURE, { level: 0 });
  const stored = 10 + 5;
  for (const octets of [1000, 10_000]) {
    const [summary, recorder] = await read(bytes.subarray(0, stored + octets));
    assert.equal(summary.octets, octets);
    assert.deepEqual(codes(recorder), ["compression-truncated", "capture-truncated"]);
  }
});

test("gzip: what a handler throws comes out", async () => {
  const bug = new TypeError("a bug");
  const source = streamSource("capture", Readable.from([gzipSync(CAPTURE)]));
  const capture = new CaptureFile(source, { packet: () => assert.fail(bug), note: () => {} });
  await assert.rejects(async () => {
    while (await capture.step());
  }, bug);
  await capture.close();
});

const noZstd = skipWithoutProgram("zstd");

test("zstd: frames of all kinds, in pieces of any size", { skip: noZstd }, async () => {
  const half = CAPTURE.length >> 1;
  const skippable = Buffer.concat([le.u32(0x184d2a53), le.u32(5), Buffer.from("skip!")]);
  const inputs = [
    zstd(CAPTURE),
    zstd(CAPTURE, "--no-check", "-19"),
    zstd(CAPTURE, "--long=27", "--ultra", "-22"),
    Buffer.concat([
      skippable,
      zstd(CAPTURE.subarray(0, half)),
      skippable,
      zstd(CAPTURE.subarray(half)),
      skippable,
      zstd(new Uint8Array(0)),
    ]),
  ];
  for (const bytes of inputs) {
    for (const size of [1, 100, bytes.length]) {
      const [summary, recorder] = await read(bytes, size);
      assert.deepEqual([summary.compression, summary.packets, summary.complete], ["zstd", PACKETS, true], `pieces of ${size}`);
      assert.deepEqual([summary.octets, codes(recorder)], [CAPTURE.length, ["compression-unchecked"]]);
    }
  }
});

test("zstd: a window over 128 MiB is refused before it is allocated", { skip: noZstd }, async () => {
  const before = process.memoryUsage().arrayBuffers;
  // RFC 8878 §3.1.1.1.2: exponent 18, mantissa 0 is 2^28 octets.
  const head = Buffer.concat([le.u32(0xfd2fb528), Uint8Array.of(0x00, 18 << 3)]);
  await assert.rejects(read(Buffer.concat([head, new Uint8Array(50)])), (error) => {
    assert.ok(error instanceof CaptureError, `a CaptureError, not ${error}`);
    assert.match(error.message, /needs a window of 268435456 octets, more than 134217728; unpack it with zstd/);
    return true;
  });
  assert.ok(process.memoryUsage().arrayBuffers - before < 64e6, "no window was allocated");
  // In a later frame it ends the reading, and what came before stays.
  const [summary, recorder] = await read(Buffer.concat([zstd(CAPTURE), head, new Uint8Array(50)]));
  assert.deepEqual([summary.packets, summary.complete], [PACKETS, false]);
  assert.deepEqual(codes(recorder), ["compression-limit", "compression-unchecked"]);
});

test("zstd: truncated, followed by other octets, damaged", { skip: noZstd }, async () => {
  const one = zstd(CAPTURE);
  const [cut, cutNotes] = await read(Buffer.concat([one, one.subarray(0, one.length - 1)]));
  assert.deepEqual([cut.complete, cutNotes.notes[0]?.code], [false, "compression-truncated"]);
  assert.ok(cut.packets >= PACKETS, "the first frame was read");
  const [followed, notes] = await read(Buffer.concat([one, Buffer.from("garbage")]));
  assert.deepEqual([followed.packets, followed.complete, notes.notes[0]?.code], [PACKETS, false, "compression-damaged"]);
  assert.match(notes.notes[0]?.text ?? "", new RegExp(`at offset ${one.length},`));
  const damaged = Buffer.concat([one, one]);
  damaged.fill(0xff, one.length + 20, one.length + 200);
  const [kept, damage] = await read(damaged);
  assert.ok(kept.packets >= PACKETS, "the first frame was read");
  assert.deepEqual([kept.complete, damage.notes[0]?.code], [false, "compression-damaged"]);
});
