import assert from "node:assert/strict";
import { test } from "node:test";
import { HpackDecoder } from "../hpack/hpack-decoder.ts";
import { chunksOf, everyCut, type RecordOptions, record } from "../testing/recorder.ts";
import { CONTROL_FRAME_CAP, FrameReader } from "./frame-reader.ts";
import { concatOctets, writeFrame } from "./frame-writer.ts";
import { writeContinuation } from "./frames/continuation.ts";
import { writeData } from "./frames/data.ts";
import { writeGoaway } from "./frames/goaway.ts";
import { writeHeaders } from "./frames/headers.ts";
import { writePing } from "./frames/ping.ts";
import { writePushPromise } from "./frames/push-promise.ts";
import { writeSettings } from "./frames/settings.ts";
import { PREFACE } from "./preface.ts";

const octets = (hex: string) => Buffer.from(hex.replaceAll(" ", ""), "hex");
const rules = (hex: string, options: RecordOptions = {}) =>
  record([octets(hex)], options).violations.map(({ rule, errorCode }) => `${rule} ${errorCode}`);
/** The log must be the same however the octets were cut. @returns it. */
const readEveryCut = (bytes: Uint8Array, options: () => RecordOptions = () => ({})) => {
  const whole = record([bytes], options());
  for (const cut of everyCut(bytes)) assert.deepEqual(record(cut, options()).log, whole.log);
  return whole;
};

test("rules of single frames: identifier and error code", () => {
  const cases: readonly (readonly [hex: string, ...found: string[]])[] = [
    ["000000 00 00 00000000", "data-on-stream-0 PROTOCOL_ERROR"],
    ["000000 00 08 00000001", "data-length FRAME_SIZE_ERROR"],
    ["000001 00 08 00000001 01", "data-padding PROTOCOL_ERROR"],
    ["000002 00 08 00000001 01 00"],
    ["000001 01 04 00000000 82", "headers-on-stream-0 PROTOCOL_ERROR"],
    ["000004 01 24 00000001 00000000", "headers-length FRAME_SIZE_ERROR"],
    ["000006 01 2c 00000001 00 00000000 10"],
    ["000006 01 2c 00000001 01 00000000 10", "headers-padding PROTOCOL_ERROR"],
    ["000005 02 00 00000000 00000000 10", "priority-on-stream-0 PROTOCOL_ERROR"],
    ["000006 02 00 00000001 00000000 1000", "priority-length FRAME_SIZE_ERROR"],
    ["000004 03 00 00000000 00000008", "rst-stream-on-stream-0 PROTOCOL_ERROR"],
    ["000003 03 00 00000001 000008", "rst-stream-length FRAME_SIZE_ERROR"],
    ["000000 04 00 00000001", "settings-on-stream PROTOCOL_ERROR"],
    ["000005 04 00 00000000 0000000000", "settings-length FRAME_SIZE_ERROR"],
    ["000006 04 01 00000000 000400000000", "settings-ack-length FRAME_SIZE_ERROR"],
    ["000006 04 00 00000000 0002 00000002", "settings-enable-push PROTOCOL_ERROR"],
    ["000006 04 00 00000000 0004 80000000", "settings-initial-window-size FLOW_CONTROL_ERROR"],
    ["000006 04 00 00000000 0004 7fffffff"],
    ["000006 04 00 00000000 0005 00003fff", "settings-max-frame-size PROTOCOL_ERROR"],
    ["000006 04 00 00000000 0005 01000000", "settings-max-frame-size PROTOCOL_ERROR"],
    ["00000c 04 00 00000000 0005 00004000 0005 00ffffff"],
    ["000006 04 00 00000000 0008 00000002", "settings-enable-connect-protocol PROTOCOL_ERROR"],
    ["000006 04 00 00000000 0009 00000002", "settings-no-rfc7540-priorities PROTOCOL_ERROR"],
    ["000005 05 04 00000000 00000002 82", "push-promise-on-stream-0 PROTOCOL_ERROR"],
    ["000005 05 04 00000001 00000002 82"],
    ["000005 05 04 00000001 00000003 82", "promised-stream PROTOCOL_ERROR"],
    ["000005 05 04 00000001 00000000 82", "promised-stream PROTOCOL_ERROR"],
    ["000003 05 04 00000001 000000", "push-promise-length FRAME_SIZE_ERROR"],
    ["000005 05 0c 00000001 01 00000002", "push-promise-padding PROTOCOL_ERROR"],
    ["000008 06 00 00000001 0102030405060708", "ping-on-stream PROTOCOL_ERROR"],
    ["000007 06 00 00000000 01020304050607", "ping-length FRAME_SIZE_ERROR"],
    ["000008 07 00 00000001 0000000000000000", "goaway-on-stream PROTOCOL_ERROR"],
    ["000007 07 00 00000000 00000000000000", "goaway-length FRAME_SIZE_ERROR"],
    ["000004 08 00 00000000 00000000", "window-update-increment PROTOCOL_ERROR"],
    ["000004 08 00 00000001 80000000", "window-update-increment PROTOCOL_ERROR"],
    ["000005 08 00 00000001 0000000100", "window-update-length FRAME_SIZE_ERROR"],
    ["000000 09 04 00000001", "continuation-without-block PROTOCOL_ERROR"],
    ["000004 10 00 00000001 00000001", "priority-update-on-stream PROTOCOL_ERROR"],
    ["000003 10 00 00000000 000001", "priority-update-length FRAME_SIZE_ERROR"],
    // RFC 9113 §4.1: flags of an unknown type mean nothing.
    ["000001 fa ff 80000001 ff"],
  ];
  for (const [hex, ...found] of cases) assert.deepEqual(rules(hex), found, hex);
});

test("rules that bind one side only", () => {
  assert.deepEqual(rules("000005 05 04 00000001 00000002 82", { direction: "s2c" }), []);
  assert.deepEqual(rules("000005 05 04 00000001 00000002 82", { direction: "c2s" }), ["push-promise-from-client PROTOCOL_ERROR"]);
  assert.deepEqual(rules("000006 04 00 00000000 0002 00000001", { direction: "c2s" }), []);
  assert.deepEqual(rules("000006 04 00 00000000 0002 00000001", { direction: "s2c" }), ["settings-enable-push PROTOCOL_ERROR"]);
  assert.deepEqual(rules("000004 10 00 00000000 00000001", { direction: "s2c" }), ["priority-update-from-server PROTOCOL_ERROR"]);
});

test("a frame above MAX_FRAME_SIZE is a violation and is read by its length", () => {
  const bytes = concatOctets([writeData(1, new Uint8Array(16385)), writePing(new Uint8Array(8))]);
  const { violations, frames } = record([bytes]);
  assert.deepEqual(
    violations.map(({ rule, ref, span }) => [rule, ref, span]),
    [["frame-length", "RFC 9113 §4.2", { start: 0, end: 9 }]],
  );
  assert.equal(frames.length, 2);
  const handler = record([]);
  const reader = new FrameReader(handler, { preface: false, hpack: new HpackDecoder() });
  reader.maxFrameSize = 16385;
  reader.push(bytes);
  assert.deepEqual(handler.violations, []);
});

test("illegal lengths and padding: what each octet was", () => {
  const runs = (hex: string) => readEveryCut(octets(hex)).runs.map(([label, length]) => `${label} ${length}`);
  assert.deepEqual(runs("000003 00 08 00000001 05 0000"), ["frame_header 9", "pad_length 1", "malformed 2"]);
  assert.deepEqual(runs("000003 01 0c 00000001 05 0000"), ["frame_header 9", "pad_length 1", "malformed 2"]);
  assert.deepEqual(runs("000003 01 24 00000001 000000"), ["frame_header 9", "malformed 3"]);
  assert.deepEqual(runs("000003 08 00 00000001 000000"), ["frame_header 9", "malformed 3"]);
  assert.deepEqual(runs("000003 10 00 00000000 000000"), ["frame_header 9", "malformed 3"]);
  assert.deepEqual(runs("000003 fa 08 00000001 ff0000"), ["frame_header 9", "unknown_payload 3"]);
  assert.deepEqual(runs("000009 05 0c 00000001 01 00000002 8284 86 00"), [
    ...["frame_header 9", "pad_length 1", "promised_stream 4", "indexed 1", "indexed 1", "indexed 1", "padding 1"],
  ]);
});

test("a malformed HEADERS takes its whole block with it, and the HPACK context", () => {
  const bytes = concatOctets([
    writeHeaders(1, octets("40 03782d61 0131")),
    writeFrame(0x01, 0x08, 3, octets("05 0000")),
    writeContinuation(3, octets("8284"), { endHeaders: true }),
    writeHeaders(5, octets("82be")),
  ]);
  const { sections, runs, violations } = readEveryCut(bytes);
  assert.deepEqual(
    sections.map(({ complete, lines }) => [complete, lines.map(({ name }) => name)]),
    [
      [true, ["x-a"]],
      [false, []],
      [true, [":method", null]],
    ],
  );
  assert.deepEqual(runs.slice(5, 10), [
    ["frame_header", 9],
    ["pad_length", 1],
    ["malformed", 2],
    ["frame_header", 9],
    ["undecoded", 2],
  ]);
  assert.deepEqual(
    violations.map(({ rule }) => rule),
    ["headers-padding"],
  );
});

test("a frame between HEADERS and its CONTINUATION closes the block", () => {
  const bytes = concatOctets([
    writeHeaders(1, octets("8284"), { endHeaders: false }),
    writePing(new Uint8Array(8)),
    writeContinuation(1, octets("86"), { endHeaders: true }),
    writeHeaders(3, octets("82"), { endHeaders: false }),
    writeContinuation(5, octets("84"), { endHeaders: true }),
    writeHeaders(7, octets("82"), { endHeaders: false }),
    writeHeaders(9, octets("82be")),
  ]);
  const { violations, sections, runs } = readEveryCut(bytes);
  assert.deepEqual(
    violations.map(({ rule, span }) => [rule, span.start]),
    [
      ["continuation-expected", 11],
      ["continuation-without-block", 28],
      ["continuation-expected", 48],
      ["continuation-without-block", 48],
      ["continuation-expected", 68],
    ],
  );
  assert.deepEqual(
    sections.map(({ streamId, complete, lines }) => [streamId, complete, lines.length]),
    [
      [1, false, 0],
      [3, false, 0],
      [7, false, 0],
      [9, true, 2],
    ],
  );
  assert.deepEqual(
    runs.filter(([label]) => label === "undecoded").map(([, length]) => length),
    [2, 1, 1, 1, 1],
  );
});

test("parts of a block are cut where frames are, and lines begin in their own frame", () => {
  const block = octets("82 40 03782d61 0131 84");
  for (let maxFragment = 1; maxFragment <= block.length; maxFragment++) {
    const bytes = writeHeaders(1, block, {
      maxFragment,
      padLength: 3,
      priority: { exclusive: true, dependency: 0, weight: 256 },
    });
    const { runs, sections, violations } = readEveryCut(bytes);
    assert.deepEqual(violations, []);
    assert.deepEqual(
      sections.map(({ lines }) => lines.map(({ name, value }) => `${name}=${value}`)),
      [[":method=GET", "x-a=1", ":path=/"]],
    );
    const owners = runs.flatMap(([label, length]) => Array<string>(length).fill(label));
    const inBlock = owners.filter((label) => !["frame_header", "pad_length", "priority", "padding"].includes(label));
    assert.deepEqual(inBlock, ["indexed", "prefix", "prefix", "name", "name", "name", "prefix", "value", "indexed"]);
    assert.deepEqual(owners.slice(0, 15), [
      ...Array<string>(9).fill("frame_header"),
      "pad_length",
      ...Array<string>(5).fill("priority"),
    ]);
  }
});

test("where the direction ends inside something, every octet is still told", () => {
  const bytes = concatOctets([
    PREFACE,
    writeSettings([{ identifier: 3, value: 100 }]),
    writeHeaders(1, octets("82848641 8cf1e3c2e5f23a6ba0ab90f4ff"), {
      maxFragment: 5,
      padLength: 2,
      priority: { exclusive: false, dependency: 0, weight: 1 },
    }),
    writePushPromise(1, 2, octets("8284"), { padLength: 1 }),
    writeData(1, new Uint8Array(5), { padLength: 4 }),
    writeData(1, new Uint8Array(0), { padLength: 0 }),
    writeFrame(0xfa, 0, 1, new Uint8Array(3)),
    writeGoaway(0, 0, { debugData: octets("616263") }),
  ]);
  for (let length = 0; length <= bytes.length; length++) {
    // record() itself checks that announced octets are all octets.
    const part = bytes.subarray(0, length);
    const whole = record([part], { preface: true });
    assert.deepEqual(record(chunksOf(part, 1), { preface: true }).log, whole.log, `cut off at ${length}`);
    assert.deepEqual(whole.violations, [], `cut off at ${length}`);
  }
  const inBlock = record([bytes.subarray(0, 24 + 15 + 9 + 1 + 5 + 2)], { preface: true });
  assert.deepEqual(inBlock.frames.at(-1)?.truncated, true);
  assert.deepEqual(inBlock.sections, [{ streamId: 1, complete: false, lines: [] }]);
  assert.deepEqual(record([bytes.subarray(0, 30)], { preface: true }).runs, [
    ["preface", 24],
    ["truncated", 6],
  ]);
});

test("what is no preface is read as frames from its first octet", () => {
  const bytes = octets("000000 04 00 00000000 000000 04 01 00000000");
  const { violations, frames } = readEveryCut(bytes, () => ({ preface: true }));
  assert.deepEqual(violations, [
    {
      kind: "violation",
      rule: "connection-preface",
      errorCode: "PROTOCOL_ERROR",
      ref: "RFC 9113 §3.4",
      span: { start: 0, end: 1 },
    },
  ]);
  assert.equal(frames.length, 2);
  const almost = Buffer.from(PREFACE);
  almost[23] = 0x20;
  const late = readEveryCut(almost, () => ({ preface: true }));
  assert.deepEqual(late.violations[0]?.span, { start: 23, end: 24 });
  assert.deepEqual(
    late.frames.map(({ type, length, truncated }) => [type, length, truncated]),
    [[0x20, 0x505249, true]],
  );
});

test("RFC 9113 §3.4: SETTINGS come first", () => {
  const found = record([PREFACE, writePing(new Uint8Array(8))], { preface: true }).violations;
  assert.deepEqual(
    found.map(({ rule, span }) => [rule, span.start]),
    [["settings-first", 24]],
  );
});

test("field block cap: everything is told, nothing is decoded, and later blocks go on without a table", () => {
  const entry = writeHeaders(1, octets("40 03782d61 0131"));
  const later = writeHeaders(5, octets("82be"));
  const options = () => ({ maxFieldBlock: 1024 });
  // 9 + 600 + 9 + 406 = 1024 octets fit exactly; one more does not.
  const fits = concatOctets([entry, writeHeaders(3, new Uint8Array(1006).fill(0x82), { maxFragment: 600 }), later]);
  const kept = record([fits], options());
  assert.deepEqual([kept.limits, kept.sections.map(({ lines }) => lines.length)], [[], [1, 1006, 2]]);
  for (const [fragments, padLength] of [
    [1007, undefined],
    [3000, 200],
  ] as const) {
    const over = concatOctets([
      entry,
      writeHeaders(3, new Uint8Array(fragments).fill(0x82), { maxFragment: 600, padLength }),
      later,
    ]);
    const whole = record([over], options());
    assert.deepEqual(whole.limits, [`field_block@${entry.length + 1024}`]);
    assert.deepEqual(
      whole.sections.map(({ complete, lines }) => [complete, lines.map(({ name }) => name)]),
      [
        [true, ["x-a"]],
        [false, []],
        [true, [":method", null]],
      ],
    );
    const undecoded = whole.runs.filter(([label]) => label === "undecoded").reduce((sum, [, length]) => sum + length, 0);
    assert.equal(undecoded, fragments);
    for (const size of [1, 7, 600, 609, 1024, 1033]) assert.deepEqual(record(chunksOf(over, size), options()).log, whole.log);
  }
  const single = record([concatOctets([writeHeaders(3, new Uint8Array(1016).fill(0x82)), later])], options());
  assert.deepEqual(single.limits, ["field_block@1024"], "a block in one chunk has the same cap");
});

test("a flood of empty CONTINUATIONs is bounded", () => {
  const frame = writeContinuation(1, new Uint8Array(0));
  const reader = new FrameReader(record([]), { preface: false, hpack: new HpackDecoder(), maxFieldBlock: 4096 });
  reader.push(writeHeaders(1, new Uint8Array(0), { endHeaders: false }));
  for (let index = 0; index < 1000; index++) {
    reader.push(frame);
    assert.ok(reader.held <= 4096);
  }
});

test("control frame cap: the values within it are read, the rest streams", () => {
  const debugData = new Uint8Array(CONTROL_FRAME_CAP).fill(0x41);
  const bytes = concatOctets([writeGoaway(7, 11, { debugData }), writePing(new Uint8Array(8))]);
  const whole = record([bytes]);
  assert.deepEqual(whole.limits, [`control_frame@${9 + CONTROL_FRAME_CAP}`]);
  assert.deepEqual(whole.runs, [
    ["frame_header", 9],
    ["goaway", CONTROL_FRAME_CAP + 8],
    ["frame_header", 9],
    ["ping", 8],
  ]);
  for (const size of [1, 5000, CONTROL_FRAME_CAP + 9, CONTROL_FRAME_CAP + 10])
    assert.deepEqual(record(chunksOf(bytes, size)).log, whole.log);
});

test("offsets count on from where the caller says, and misuse throws", () => {
  const { violations } = record([octets("000000 00 00 00000000")], { offset: 1000 });
  assert.deepEqual(violations[0]?.span, { start: 1000, end: 1009 });
  const reader = new FrameReader(record([]), { preface: false, hpack: new HpackDecoder(), offset: 1000 });
  reader.push(new Uint8Array(20), 5, 9);
  assert.deepEqual([reader.offset, reader.held], [1004, 4]);
  reader.end();
  assert.throws(() => reader.push(new Uint8Array(1)), TypeError);
  assert.throws(() => new FrameReader(record([]), { preface: false, hpack: new HpackDecoder(), maxFieldBlock: 1023 }), TypeError);
});
