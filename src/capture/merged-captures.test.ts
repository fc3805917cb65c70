import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { PcapngBlocks } from "../../test/pcapng-blocks.ts";
import { CaptureError } from "./capture-error.ts";
import { type CaptureNote, MergedCaptures } from "./merged-captures.ts";

const blocks = new PcapngBlocks(true);
const folder = mkdtempSync(join(tmpdir(), "wiretally-merge-"));
let files = 0;

/** Packets of one octet-string each, by time in microseconds; null: a simple packet, which has none. */
type Packets = readonly (readonly [time: number | null, text: string])[];

function captureOf(packets: Packets, padding = 0): string {
  const body = packets.map(([time, text]) => {
    const octets = Buffer.from(text.padEnd(text.length + padding));
    return time === null ? blocks.simplePacket(octets) : blocks.packet(0, BigInt(time), octets);
  });
  return fileWith(Buffer.concat([blocks.section(), blocks.interface(1), ...body]));
}

function fileWith(octets: Uint8Array): string {
  const path = join(folder, `${files++}.pcapng`);
  writeFileSync(path, octets);
  return path;
}

/** What comes out: texts and numbers in order, notes, and captures that were left out. */
async function merged(paths: readonly string[], stopAfter = Number.POSITIVE_INFINITY) {
  const texts: string[] = [];
  const numbers: number[] = [];
  const notes: CaptureNote[] = [];
  const failures: string[] = [];
  const captures = await MergedCaptures.open(paths, {
    packet: ({ octets, number }) => {
      texts.push(String.fromCharCode(...octets).trim());
      numbers.push(number);
    },
    note: (note) => notes.push(note),
    failed: ({ message }) => failures.push(message),
  });
  for (let steps = 0; await captures.step(); steps++) if (steps === stopAfter) await captures.close();
  await captures.close();
  return { texts, numbers, notes, failures, captures };
}

test("one capture is as it is: neither sorted nor numbered anew", async () => {
  const { texts, numbers, captures } = await merged([
    captureOf([
      [3, "a"],
      [1, "b"],
      [null, "c"],
      [2, "d"],
    ]),
  ]);
  assert.deepEqual(
    [texts, numbers],
    [
      ["a", "b", "c", "d"],
      [1, 2, 3, 4],
    ],
  );
  const { octets, total } = captures.progress;
  assert.deepEqual([octets > 0, octets], [true, total]);
});

test("several are merged by time; of equal times the one named first comes first; packets are numbered anew", async () => {
  const paths = [
    captureOf([
      [1, "a1"],
      [5, "a5"],
      [6, "a6"],
    ]),
    captureOf([
      [1, "b1"],
      [4, "b4"],
      [9, "b9"],
    ]),
    captureOf([]),
    captureOf([
      [0, "d0"],
      [5, "d5"],
    ]),
  ];
  const { texts, numbers } = await merged(paths);
  assert.deepEqual(texts, ["d0", "a1", "b1", "b4", "a5", "d5", "a6", "b9"]);
  assert.deepEqual(numbers, [1, 2, 3, 4, 5, 6, 7, 8]);
});

test("a packet without a time stays behind the one before it", async () => {
  const { texts } = await merged([
    captureOf([
      [1, "a1"],
      [null, "a"],
      [9, "a9"],
    ]),
    captureOf([
      [null, "b"],
      [2, "b2"],
      [null, "b"],
    ]),
  ]);
  assert.deepEqual(texts, ["b", "a1", "a", "b2", "b", "a9"]);
});

test("a ring in any order is the whole; pieces of several steps are no different", async () => {
  const pages = [0, 1, 2].map((page): Packets => Array.from({ length: 40 }, (_, n) => [page * 40 + n, `${page * 40 + n}`]));
  // 40 packets of 20 KB are three pieces of a file.
  const [one = "", two = "", three = ""] = pages.map((page) => captureOf(page, 20_000));
  const { texts } = await merged([three, one, two]);
  assert.deepEqual(
    texts,
    Array.from({ length: 120 }, (_, n) => `${n}`),
  );
});

test("whatever is split over captures comes together again in order", async () => {
  const packets = fc.array(fc.tuple(fc.nat(30), fc.nat(3)), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(packets, async (list) => {
      const sorted = list.map(([time, input], n) => ({ time, input, text: `${time}/${n}` })).sort((a, b) => a.time - b.time);
      const paths = [0, 1, 2, 3].map((input) =>
        captureOf(sorted.filter((packet) => packet.input === input).map(({ time, text }) => [time, text])),
      );
      const expected = [...sorted].sort((a, b) => a.time - b.time || a.input - b.input).map(({ text }) => text);
      assert.deepEqual((await merged(paths)).texts, expected);
    }),
    { numRuns: 60 },
  );
});

test("one that cannot be opened or read is left out, with its reason; none is an error", async () => {
  const good = captureOf([[1, "a"]]);
  const text = fileWith(Buffer.from("Dear reader, this is text and nothing else."));
  const missing = join(folder, "missing");
  const { texts, failures, captures } = await merged([missing, good, text]);
  assert.deepEqual(texts, ["a"]);
  assert.equal(failures.length, 2);
  assert.match(failures.join("\n"), /^\S*missing does not exist \(ENOENT\).*\n\S+ is text, not a capture/);
  assert.deepEqual(
    captures.summaries.map(({ name }) => name),
    [good],
  );
  await assert.rejects(merged([missing, join(folder, "gone")]), CaptureError);
  await assert.rejects(merged([text, fileWith(Buffer.alloc(0))]), CaptureError);
});

test("damage is a note that names its capture", async () => {
  const whole = Buffer.concat([blocks.section(), blocks.interface(1), blocks.packet(0, 1n, Buffer.from("a"))]);
  const cut = fileWith(Buffer.concat([whole, blocks.packet(0, 2n, Buffer.from("b")).subarray(0, 20)]));
  const { texts, notes } = await merged([cut, captureOf([[3, "c"]])]);
  assert.deepEqual(texts, ["a", "c"]);
  assert.deepEqual(
    notes.map(({ capture, code }) => [capture, code]),
    [[cut, "capture-truncated"]],
  );
});

test("stopped in the middle, what was read is delivered", async () => {
  const page = (from: number): Packets => Array.from({ length: 40 }, (_, n) => [2 * n + from, `${2 * n + from}`]);
  const paths = [captureOf(page(0), 20_000), captureOf(page(1), 20_000)];
  const { texts } = await merged(paths, 2);
  assert.ok(texts.length > 10 && texts.length < 80, `${texts.length} packets`);
  assert.deepEqual(
    texts,
    [...texts].sort((a, b) => Number(a) - Number(b)),
  );
});
