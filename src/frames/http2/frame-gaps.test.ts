import assert from "node:assert/strict";
import { test } from "node:test";
import { HpackDecoder } from "../hpack/hpack-decoder.ts";
import { Recorder } from "../testing/recorder.ts";
import { FrameReader } from "./frame-reader.ts";
import { writeContinuation } from "./frames/continuation.ts";
import { writeData } from "./frames/data.ts";
import { writeHeaders } from "./frames/headers.ts";
import { writePing } from "./frames/ping.ts";

/** A reader that was given `bytes`, and what it says. */
function reading(...pieces: readonly Uint8Array[]) {
  const recorder = new Recorder();
  const gaps: number[] = [];
  const handler = Object.assign(recorder, { dataGap: (octets: number) => void gaps.push(octets) });
  const hpack = new HpackDecoder();
  const reader = new FrameReader(handler, { preface: false, hpack });
  for (const piece of pieces) reader.push(piece);
  return { recorder, gaps, reader, hpack };
}

test("a gap within the payload of a DATA frame: the frame goes on behind it", () => {
  const frame = writeData(1, Buffer.from("0123456789"), { padLength: 4, endStream: true });
  // 9 octets of header, Pad Length, ten of content, four of padding: [missing octets, of which content].
  for (const [missing, content] of [
    [1, 1],
    [7, 7],
    [8, 7],
    [11, 7],
  ] as const) {
    const { recorder, gaps, reader } = reading(frame.subarray(0, 13));
    assert.ok(reader.gap(missing), `${missing} octets`);
    reader.push(frame.subarray(13 + missing));
    reader.push(writePing(new Uint8Array(8)));
    assert.deepEqual(gaps, [content]);
    assert.deepEqual(
      recorder.flush().frames.map(({ offset, truncated }) => [offset, truncated]),
      [
        [0, false],
        [frame.length, false],
      ],
    );
    assert.equal(recorder.announced, frame.length + 17 - missing);
  }
});

test("any other gap: what is held is announced, and the caller says where the next frame begins", () => {
  const open = writeHeaders(1, Uint8Array.of(0x40, 1, 0x61, 1, 0x62), { endHeaders: false });
  const data = writeData(1, new Uint8Array(10));
  for (const [held, octets] of [
    [data.subarray(0, 5), 3],
    [data.subarray(0, 12), 8],
    [data.subarray(0, 12), null],
    [open, 20],
    [writePing(new Uint8Array(8)).subarray(0, 12), 1],
    [data, 1],
  ] as const) {
    const { recorder, gaps, reader, hpack } = reading(held);
    assert.ok(!reader.gap(octets));
    assert.deepEqual([reader.held, recorder.announced, gaps.length], [0, held.length, 0]);
    assert.equal(reader.offset, held.length + (octets ?? 0));
    assert.ok(hpack.lateJoin, "entries that were inserted in the gap are unknown");
    reader.restart(100);
    reader.push(writePing(new Uint8Array(8)));
    assert.deepEqual(recorder.frames.at(-1), {
      offset: 100,
      type: 6,
      flags: 0,
      reserved: 0,
      streamId: 0,
      length: 8,
      truncated: false,
    });
    assert.deepEqual(recorder.violations, []);
  }
});

test("CONTINUATIONs behind a gap continue what was not seen, and break a rule only behind another frame", () => {
  const { recorder, reader } = reading();
  reader.gap(null);
  reader.restart(0);
  const stray = writeContinuation(1, Uint8Array.of(0x82), { endHeaders: true });
  for (const frame of [stray, stray, writePing(new Uint8Array(8)), stray]) reader.push(frame);
  assert.deepEqual(
    recorder.violations.map(({ rule, span }) => [rule, span.start]),
    [["continuation-without-block", 2 * stray.length + 17]],
  );
});
