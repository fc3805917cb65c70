import assert from "node:assert/strict";
import { test } from "node:test";
import protobuf from "protobufjs";
import { chunksOf } from "../../../test/cuts.ts";
import { CONTENT_BASE } from "../category.ts";
import { LEAF } from "../content/content-leaf.ts";
import type { MessageType } from "./message-type.ts";
import { ProtobufDecoder } from "./protobuf-decoder.ts";
import { schemasOf } from "./schemas.ts";
import { type Reading, type Told, told } from "./testing/told.ts";

const { root } = protobuf.parse(
  'syntax = "proto2"; message M { optional M m = 1; optional group G = 2 { optional G g = 2; } optional int32 n = 3; }',
);
const M = schemasOf(root).message("M");
const LEVELS = 100_000;
const CHUNKS = [1 << 20, 16384, 1460, 3];

/** `levels` messages in field 1, one in the other, around `core`. */
function nested(levels: number, core: readonly number[]): Uint8Array {
  const backwards = [...core].reverse();
  for (let level = 0; level < levels; level++) {
    const length: number[] = [];
    for (let left = backwards.length; length.length === 0 || left > 0; left = Math.floor(left / 128)) length.push(left & 0x7f);
    backwards.push(...length.map((octet, at) => (at === length.length - 1 ? octet : octet | 0x80)).reverse(), 0x0a);
  }
  return Uint8Array.from(backwards.reverse());
}

test("100,000 nested messages pass fast, with one note", () => {
  const octets = nested(LEVELS, [0x18, 0x01]);
  const started = performance.now();
  for (const type of [M, null]) {
    for (const size of CHUNKS) {
      const { sums, notes } = told(octets, { type, chunks: chunksOf(octets.length, size), parts: false });
      // 100 levels are looked into; of the 101st, which is not, the tag and the length stand in the 100th.
      assert.equal(sums["protobuf.tag"], 101);
      assert.equal(sums[type === null ? "protobuf.bytes" : "undecoded"], octets.length - 101 - (sums["protobuf.length"] ?? 0));
      assert.deepEqual(
        notes.map((note) => note.replace(/@.*/, "")),
        ["limit-protobuf-depth"],
      );
    }
  }
  assert.ok(performance.now() - started < 4000, "it is fast");
});

test("the 100th level is looked into, the 101st is not", () => {
  for (const [type, leaf] of [
    [M, "undecoded"],
    [null, "bytes"],
  ] as const) {
    // [tag, length] of each level; the length has two octets from 128 octets on.
    const deepest = told(nested(100, [0x18, 0x01]), { type });
    assert.match(deepest.runs, /tag 1, length 1, tag 1, varint 1$/);
    assert.deepEqual(deepest.notes, []);
    const deeper = told(nested(101, [0x18, 0x01]), { type });
    assert.match(deeper.runs, new RegExp(`tag 1, length 1, ${leaf} 2$`));
    assert.equal(deeper.notes.length, 1);
    // Text is text at any depth.
    const text = told(nested(101, [0x61, 0x62]), { type });
    assert.match(text.runs, type === null ? /string 2$/ : /undecoded 2$/);
    assert.equal(text.notes.length, type === null ? 0 : 1);
  }
});

test("100,000 nested groups pass: the innermost, and what is behind them, are undecoded", () => {
  const octets = new Uint8Array(2 * LEVELS).fill(0x13, 0, LEVELS).fill(0x14, LEVELS);
  for (const type of [M, null]) {
    for (const size of CHUNKS) {
      const { sums, notes } = told(octets, { type, chunks: chunksOf(octets.length, size), parts: false });
      assert.deepEqual(sums, { "protobuf.group": 101, undecoded: octets.length - 101 });
      assert.deepEqual(notes, ["limit-protobuf-depth@101"]);
    }
  }
  // In a value that no schema knows, they are bytes.
  const inside = Uint8Array.from([0x0a, 0xac, 0x02, ...octets.subarray(LEVELS - 150, LEVELS + 150)]);
  assert.equal(told(inside).runs, "tag 1, length 2, bytes 300");
  for (const { sums, notes } of everyReading(inside)) {
    assert.deepEqual(sums, { "protobuf.tag": 1, "protobuf.length": 2, "protobuf.bytes": 300 });
    assert.deepEqual(notes, ["limit-protobuf-depth@303"]);
  }
});

test("what was too deep in a value that holds no message is not noted", () => {
  const deep = nested(102, [0x18, 0x01]);
  // Field 0 behind it: the value is bytes.
  const value = [...deep, 0x00];
  const octets = Uint8Array.from([0x0a, 0x80 | (value.length & 0x7f), value.length >> 7, ...value, 0x18, 0x01]);
  for (const { sums, notes } of everyReading(octets)) {
    assert.deepEqual(sums, { "protobuf.tag": 2, "protobuf.length": 2, "protobuf.bytes": value.length, "protobuf.varint": 1 });
    assert.deepEqual(notes, []);
  }
});

test("a length of 2 GiB allocates nothing and does not stop the count", () => {
  const octets = Uint8Array.from([0x18, 0x01, 0x0a, 0x80, 0x80, 0x80, 0x80, 0x08, 0x18, 0x01]);
  const within: Partial<Reading> = { type: M, length: 2 ** 31 + 8, cut: true };
  assert.equal(told(octets, within).runs, "tag 1, varint 1, tag 1, length 5, tag 1, varint 1");
  assert.equal(told(octets, { ...within, length: null }).runs, "tag 1, varint 1, tag 1, length 5, tag 1, varint 1");
  assert.equal(told(octets, { ...within, type: null }).runs, "tag 1, varint 1, tag 1, length 5, bytes 2");
  const over = told(octets, { type: M });
  assert.equal(over.runs, "tag 1, varint 1, malformed 8");
  assert.deepEqual(over.notes, ["protobuf-malformed@7"]);
});

test("a value above 4 GiB is counted to its end", () => {
  const sums = new Map<number, number>();
  const add = (category: number, octets: number) => sums.set(category, (sums.get(category) ?? 0) + octets);
  const decoder = new ProtobufDecoder(
    {
      parts: false,
      content: add,
      moved: (from, to, octets) => {
        add(from, -octets);
        add(to, octets);
      },
      contentNote: (note) => assert.fail(note),
    },
    CONTENT_BASE.body,
  );
  const chunk = new Uint8Array(1 << 26).fill(0xff);
  decoder.expect(null, null);
  decoder.begin();
  // 5 GiB as a varint: 5 * 2^30.
  decoder.push(Uint8Array.from([0x0a, 0x80, 0x80, 0x80, 0x80, 0x14]), 0, 6);
  for (let left = 5 * 2 ** 30; left > 0; left -= chunk.length) decoder.push(chunk, 0, chunk.length);
  decoder.push(Uint8Array.from([0x18, 0x01]), 0, 2);
  decoder.end(false);
  assert.equal(sums.get(CONTENT_BASE.body + LEAF["protobuf.bytes"]), 5 * 2 ** 30);
  assert.equal(sums.get(CONTENT_BASE.body + LEAF["protobuf.tag"]), 2);
});

test("a value of more than 4,096 runs is refined by sums", () => {
  const moves: (readonly [from: number, to: number, octets: number, back: number])[] = [];
  const fields = (count: number) => Uint8Array.from(Array.from({ length: count }, () => [0x18, 0x01]).flat());
  const walk = (inner: Uint8Array, type: MessageType | null) => {
    moves.length = 0;
    const decoder = new ProtobufDecoder(
      { parts: true, content: () => {}, moved: (...move) => moves.push(move), contentNote: () => {} },
      CONTENT_BASE.body,
    );
    decoder.expect(type, null);
    decoder.begin();
    const octets = Uint8Array.from([
      0x2a,
      0x80 | (inner.length & 0x7f),
      0x80 | ((inner.length >> 7) & 0x7f),
      inner.length >> 14,
      ...inner,
    ]);
    decoder.push(octets, 0, octets.length);
    decoder.end(false);
  };
  const leaf = (category: number) => category - CONTENT_BASE.body;
  walk(fields(2048), null);
  assert.equal(moves.length, 4096, "tag, varint, tag, varint …");
  assert.ok(
    moves.every(([, , octets, back], at) => octets === 1 && back === at),
    "each in its place, the last one first",
  );
  walk(fields(5000), null);
  assert.deepEqual(
    moves.map(([from, to, octets, back]) => [leaf(from), leaf(to), octets, back]),
    [
      [LEAF["protobuf.bytes"], LEAF["protobuf.tag"], 5000, 0],
      [LEAF["protobuf.bytes"], LEAF["protobuf.varint"], 5000, 0],
    ],
  );
  // Broken at its end: all of it is bytes, as announced.
  walk(Uint8Array.from([...fields(5000), 0x00]), null);
  assert.deepEqual(moves, []);
});

test("a decoder is reused for one message after another", () => {
  const parts: number[] = [];
  const decoder = new ProtobufDecoder(
    {
      parts: false,
      content: (category, octets) => parts.push(category - CONTENT_BASE.body, octets),
      moved: () => {},
      contentNote: () => {},
    },
    CONTENT_BASE.body,
  );
  for (const [hex, length] of [
    ["0a0918", null],
    ["0001", 2],
    ["1801", 2],
    ["1801", null],
  ] as const) {
    parts.length = 0;
    const octets = Buffer.from(hex, "hex");
    decoder.expect(M, length);
    decoder.begin();
    decoder.push(octets, 0, octets.length);
    decoder.end(hex === "0a0918");
  }
  assert.deepEqual(parts, [LEAF["protobuf.tag"], 1, LEAF["protobuf.varint"], 1]);
});

/** Without a schema, in chunks of all sizes, with parts and without. */
function everyReading(octets: Uint8Array): Told[] {
  return [octets.length, 64, 7, 1].flatMap((size) =>
    [true, false].map((parts) => told(octets, { chunks: chunksOf(octets.length, size), parts })),
  );
}
