import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { shared, skipWithoutShared } from "../../../test/shared.ts";
import { REPRESENTATION } from "../hpack/field-line.ts";
import { HpackDecoder } from "../hpack/hpack-decoder.ts";
import { everyCut, type RecordedSection, type Recorder, record, silent } from "../testing/recorder.ts";
import { FlowControl, type FlowDirection } from "./flow-control.ts";
import type { Frame } from "./frame.ts";
import type { FrameHandler } from "./frame-handler.ts";
import { FrameReader } from "./frame-reader.ts";
import type { Direction } from "./registry.ts";

type Field = readonly [name: string, value: string] | null;
interface Case {
  readonly expect: Readonly<Record<string, never>> & {
    readonly headers?: readonly Readonly<{
      dir: Direction;
      stream: number;
      role?: string;
      fields?: readonly Field[];
      error?: string;
      decoded_before_error?: readonly Field[];
      unknown_indexes?: readonly number[];
    }>[];
  };
  readonly turns: readonly (readonly [dir: Direction, start: number, end: number])[];
  readonly byte_ranges: Readonly<Record<Direction, readonly (readonly [offset: number, length: number, label: string])[]>>;
  readonly h2_frames: readonly Readonly<{
    dir: Direction;
    offset: number;
    type: number;
    flags: number;
    stream: number;
    length: number;
  }>[];
}

const skip = skipWithoutShared("cases");
const DIRECTIONS: readonly Direction[] = ["c2s", "s2c"];
const octetsOf = (id: string, direction: Direction) => readFileSync(shared("cases", id, `${direction}.bin`));
const readCase = (id: string) => JSON.parse(readFileSync(shared("cases", id, "expected.json"), "utf8")) as Case;
const options = (direction: Direction, late: boolean) => ({
  direction,
  preface: direction === "c2s" && !late,
  hpack: new HpackDecoder({ lateJoin: late }),
});

/** The labels of cases.md for our parts. */
const FIELD_BLOCK = ["indexed", "prefix", "name", "value", "size_update", "undecoded"];
const label = (part: string) => (FIELD_BLOCK.includes(part) ? "h2.field_block" : part === "data" ? "body" : `h2.${part}`);
/** gRPC lies inside DATA: what this package calls content. */
const ownersOf = (runs: readonly (readonly [string, number])[]) =>
  runs.flatMap(([part, length]) => Array<string>(length).fill(label(part)));
const wantedOwners = (ranges: Case["byte_ranges"]["c2s"]) =>
  ranges.flatMap(([, length, name]) => Array<string>(length).fill(name.startsWith("grpc.") ? "body" : name));
const fieldsOf = ({ lines }: RecordedSection) =>
  lines.map(({ name, value }) => (name === null || value === null ? null : [name, value]));

/** Byte ranges and frames of both directions, at every cut. @returns both records. */
function replay(id: string, late = false): Record<Direction, Recorder> {
  const expected = readCase(id);
  const records = DIRECTIONS.map((direction) => {
    const octets = octetsOf(id, direction);
    const whole = record([octets], options(direction, late));
    assert.deepEqual(ownersOf(whole.runs), wantedOwners(expected.byte_ranges[direction]), `${id} ${direction}`);
    assert.deepEqual(
      whole.frames.map(({ offset, type, flags, streamId, length }) => ({
        dir: direction,
        offset,
        type,
        flags,
        stream: streamId,
        length,
      })),
      expected.h2_frames.filter(({ dir }) => dir === direction),
      `${id} ${direction}`,
    );
    const borders = whole.frames.flatMap(({ offset }) => [offset, offset + 9]);
    for (const cut of everyCut(octets, borders))
      assert.deepEqual(record(cut, options(direction, late)).log, whole.log, `${id} ${direction}`);
    return whole;
  });
  const [c2s, s2c] = records as [Recorder, Recorder];
  return { c2s, s2c };
}

/** The field sections that the case lists, in its order. */
function assertHeaders(id: string, records: Record<Direction, Recorder>): void {
  const seen = { c2s: 0, s2c: 0 };
  for (const wanted of readCase(id).expect.headers ?? []) {
    const { sections } = records[wanted.dir];
    const from = seen[wanted.dir];
    const index = sections.findIndex((section, at) => at >= from && section.streamId === wanted.stream);
    assert.ok(index >= 0, `${id}: no section on stream ${wanted.stream}`);
    seen[wanted.dir] = index + 1;
    const section = sections[index] as RecordedSection;
    assert.deepEqual(fieldsOf(section), wanted.fields ?? wanted.decoded_before_error, `${id} stream ${wanted.stream}`);
    assert.equal(section.complete, wanted.error === undefined);
    if (wanted.unknown_indexes === undefined) continue;
    const unknown = section.lines.filter(({ name }) => name === null);
    assert.deepEqual(
      unknown.map(({ index: at, prefixOctets }) => [at, prefixOctets]),
      wanted.unknown_indexes.map((at) => [at, 1]),
    );
  }
}

/** Octets and entries of a direction's dynamic table after each field section, by stream. */
function tablesOf(id: string, direction: Direction): Map<number, { octets: number; entries: number }> {
  const hpack = new HpackDecoder();
  const tables = new Map<number, { octets: number; entries: number }>();
  const handler = silent({
    fieldSection: (frame) => tables.set(frame.streamId, { octets: hpack.table.size, entries: hpack.table.length }),
  });
  new FrameReader(handler, { preface: direction === "c2s", hpack }).push(octetsOf(id, direction));
  return tables;
}

const HP_01 = "V-HP-01-size-update-zero-then-4096";
const HP_02 = "V-HP-02-huffman-padding-11-bits";
const HP_03 = "V-HP-03-entry-larger-than-table";
const HP_04 = "V-HP-04-cookie-crumbs-and-never-indexed";
const HP_05 = "V-HP-05-long-huffman-codes";
const H2_01 = "V-H2-01-padded-data-255";
const H2_02 = "V-H2-02-continuation-mid-integer";
const H2_04 = "V-H2-04-unknown-frame-types";
const H2_05 = "V-H2-05-early-hints-final-trailers";
const H2_06 = "V-H2-06-capture-starts-mid-connection";
const H2_07 = "V-H2-07-initial-window-shrink-negative";
const H2_08 = "V-H2-08-too-many-pings-goaway";
const H2_09 = "V-H2-09-headers-on-reset-stream-update-hpack";
const SE_01 = "V-SE-01-continuation-flood";
const SE_02 = "V-SE-02-rapid-reset";
const SE_03 = "V-SE-03-hpack-bomb";

for (const id of [HP_01, HP_03, HP_04, H2_01, H2_02, H2_04, H2_05, H2_08, H2_09]) {
  test(`${id}: every octet, frame and field at every cut, and no violation`, { skip }, () => {
    const records = replay(id);
    assertHeaders(id, records);
    assert.deepEqual([records.c2s.violations, records.s2c.violations], [[], []]);
  });
}

for (const id of [HP_01, HP_03]) {
  test(`${id}: the dynamic table after each section`, { skip }, () => {
    const tables = tablesOf(id, "s2c");
    const wanted = (readCase(id).expect as Record<string, unknown>)["table_after"] as {
      stream: number;
      octets: number;
      entries?: number;
    }[];
    for (const { stream, octets, entries } of wanted) {
      assert.equal(tables.get(stream)?.octets, octets, `stream ${stream}`);
      if (entries !== undefined) assert.equal(tables.get(stream)?.entries, entries, `stream ${stream}`);
    }
  });
}

test(`${HP_02}: reported, counted, and decoding goes on`, { skip }, () => {
  const records = replay(HP_02);
  assertHeaders(HP_02, records);
  assert.deepEqual(
    records.s2c.violations.map(({ rule, errorCode, ref }) => [rule, errorCode, ref]),
    [["hpack-huffman-long-padding", "COMPRESSION_ERROR", "RFC 7541 §5.2"]],
  );
});

test(`${HP_04}: what was never indexed`, { skip }, () => {
  const [section] = replay(HP_04).c2s.sections;
  const never = section?.lines.filter(({ representation }) => representation === REPRESENTATION.never);
  assert.deepEqual(
    never?.map(({ name, value }) => [name, value]),
    [
      ["authorization", "Bearer demo-token"],
      ["cookie", "sid=demo"],
    ],
  );
});

test(`${HP_05}: the exact octets of the longest codes`, { skip }, () => {
  const { s2c } = replay(HP_05);
  const expected = readCase(HP_05).expect as unknown as { headers: { fields_hex: [string, string][]; huffman_octets: number }[] };
  const hex = (text: string | null) => Buffer.from(text ?? "", "latin1").toString("hex");
  assert.deepEqual(
    s2c.sections[0]?.lines.map(({ name, value }) => [name, hex(value)]),
    expected.headers[0]?.fields_hex,
  );
  assert.deepEqual([s2c.sections[0]?.lines[1]?.valueOctets, s2c.sections[0]?.lines[1]?.valueLength], [401, 137]);
  assert.deepEqual(s2c.violations, []);
});

test(`${H2_04}: unknown types keep their type, flags and reserved bit, and an unknown setting its value`, { skip }, () => {
  const { s2c } = replay(H2_04);
  assert.deepEqual(
    s2c.frames.filter(({ type }) => type > 9).map(({ type, flags, streamId, length }) => [type, flags, streamId, length]),
    [
      [12, 0, 0, 21],
      [10, 0, 0, 11],
      [250, 255, 1, 16],
      [11, 0, 2147483646, 0],
    ],
  );
  assert.equal(s2c.frames.find(({ type }) => type === 250)?.reserved, 1);
  assert.ok(s2c.log.some((entry) => entry.includes('"settings":[2570,7,3,100]')));
});

test(`${H2_06}: late join`, { skip }, () => {
  const records = replay(H2_06, true);
  assertHeaders(H2_06, records);
  assert.deepEqual([records.c2s.violations, records.s2c.violations], [[], []]);
});

/** Follow the windows of a case in the order of its turns. `after` sees them after each frame that can change them. */
function followWindows(id: string, after: (flow: FlowControl, direction: Direction, frame: Frame) => void): void {
  const flow = new FlowControl();
  const handlerOf = (direction: Direction): FrameHandler => {
    const way: FlowDirection = direction === "c2s" ? 0 : 1;
    return silent({
      frameStart(frame) {
        if (frame.type === 0) assert.equal(flow.data(way, frame.streamId, frame.length), null);
        if (frame.type === 8) assert.equal(flow.windowUpdate(way, frame.streamId, frame.increment), null);
        if (frame.type === 4 && !frame.ack) flow.settings(way, frame.settings);
        if (frame.type === 4 && frame.ack) assert.equal(flow.settingsAck(way), null);
        after(flow, direction, frame);
      },
      violation: (found) => assert.fail(found.rule),
    });
  };
  const readers = {
    c2s: new FrameReader(handlerOf("c2s"), options("c2s", false)),
    s2c: new FrameReader(handlerOf("s2c"), options("s2c", false)),
  };
  const octets = { c2s: octetsOf(id, "c2s"), s2c: octetsOf(id, "s2c") };
  for (const [direction, start, end] of readCase(id).turns) readers[direction].push(octets[direction], start, end);
}

test(`${H2_01}: padding is charged to the windows and is no content`, { skip }, () => {
  const { s2c } = replay(H2_01);
  assert.equal(Buffer.from(s2c.content).toString(), "AAAAAAAAAABBBBBCCCCCCC");
  const windows: [number, number][] = [];
  followWindows(H2_01, (flow, direction, frame) => {
    if (direction === "s2c" && frame.type === 0) windows.push([flow.streamWindow(1, 1), flow.connectionWindow(1)]);
  });
  assert.deepEqual(windows, [
    [65269, 65269],
    [65263, 65263],
    [65256, 65256],
  ]);
});

test(`${H2_07}: a window below zero`, { skip }, () => {
  replay(H2_07);
  const windows: [number, number][] = [];
  followWindows(H2_07, (flow) => windows.push([flow.streamWindow(1, 1), flow.connectionWindow(1)]));
  const expected = (readCase(H2_07).expect as Record<string, unknown>)["windows_s2c"] as {
    stream_1: number;
    connection: number;
  }[];
  // The case lists the windows after each step; between them come frames that change nothing.
  const steps = windows
    .filter((window, index) => index > 0 && String(window) !== String(windows[index - 1]))
    .slice(-expected.length);
  assert.deepEqual(
    steps.map(([stream, connection]) => ({ stream, connection })),
    expected.map(({ stream_1: stream, connection }) => ({ stream, connection })),
  );
});

test(`${H2_09}: DATA after a reset still counts on the connection`, { skip }, () => {
  let window = 0;
  followWindows(H2_09, (flow, direction, frame) => {
    if (direction === "c2s" && frame.type === 3) flow.closeStream(frame.streamId);
    window = flow.connectionWindow(1);
  });
  assert.equal(window, 65435);
});

test(`${SE_01}: every frame and octet counted, nothing decoded, bounded`, { skip }, () => {
  const octets = octetsOf(SE_01, "c2s");
  const started = performance.now();
  for (const maxFieldBlock of [undefined, 64 * 1024]) {
    const read = record([octets], { ...options("c2s", false), ...(maxFieldBlock === undefined ? {} : { maxFieldBlock }) });
    assert.equal(read.frames.filter(({ type }) => type === 9).length, 2000);
    const undecoded = read.runs.filter(([part]) => part === "undecoded").reduce((sum, [, length]) => sum + length, 0);
    assert.equal(undecoded, 224_019);
    assert.deepEqual(
      read.sections.map(({ complete }) => complete),
      [false],
    );
    assert.equal(read.limits.length, maxFieldBlock === undefined ? 0 : 1);
  }
  assert.ok(performance.now() - started < 2000, "the case allows two seconds");
});

test(`${SE_02}: five thousand streams opened and reset`, { skip }, () => {
  const { frames, violations } = record([octetsOf(SE_02, "c2s")], options("c2s", false));
  const resets = frames.filter(({ type }) => type === 3).length;
  assert.deepEqual([frames.filter(({ type }) => type === 1).length, resets, violations], [5000, 5000, []]);
});

test(`${SE_03}: the bomb's octets are counted and its strings are shared`, { skip }, () => {
  const hpack = new HpackDecoder();
  let indexed = 0;
  let decoded = 0;
  const before = process.memoryUsage().heapUsed;
  const kept: unknown[] = [];
  const decodedPerSection: number[] = [];
  const handler = silent({
    part: (_part, octets) => {
      indexed += octets;
    },
    fieldLine(line) {
      kept.push(line.value);
      if (line.index === 62) decoded += line.nameLength + line.valueLength;
    },
    fieldSection(_frame, complete) {
      assert.ok(complete);
      decodedPerSection.push(decoded);
      decoded = 0;
    },
    violation: (found) => assert.fail(found.rule),
    limit: (cap) => assert.fail(cap),
    truncated: () => assert.fail("nothing is cut off"),
  });
  const reader = new FrameReader(handler, { preface: true, hpack });
  reader.push(octetsOf(SE_03, "c2s"));
  const grown = process.memoryUsage().heapUsed - before;
  assert.equal(indexed, 4030 + 3 * 16_019);
  const { expect } = readCase(SE_03) as unknown as { expect: { decoded_octets_per_block: number } };
  assert.equal(kept.length, 5 + 3 + 3 * 16_004);
  assert.deepEqual(decodedPerSection.slice(1), Array<number>(3).fill(expect.decoded_octets_per_block));
  assert.ok(grown < 64 * 1024 * 1024, `heap grew by ${grown}`);
});
