import assert from "node:assert/strict";
import { test } from "node:test";
import { HpackDecoder } from "../hpack/hpack-decoder.ts";
import { HpackEncoder } from "../hpack/hpack-encoder.ts";
import { FIELD_LIST_CAP, type FrameEvent, FrameParser, type TypedFrame } from "./frame-parser.ts";
import { concatOctets, writeFrame } from "./frame-writer.ts";
import { writeAltsvc } from "./frames/altsvc.ts";
import { writeContinuation } from "./frames/continuation.ts";
import { writeData } from "./frames/data.ts";
import { writeGoaway } from "./frames/goaway.ts";
import { writeHeaders } from "./frames/headers.ts";
import { writeOrigin } from "./frames/origin.ts";
import { writePing } from "./frames/ping.ts";
import { writePriority } from "./frames/priority.ts";
import { writePriorityUpdate } from "./frames/priority-update.ts";
import { writePushPromise } from "./frames/push-promise.ts";
import { writeRstStream } from "./frames/rst-stream.ts";
import { writeSettings, writeSettingsAck } from "./frames/settings.ts";
import { writeWindowUpdate } from "./frames/window-update.ts";
import { PREFACE } from "./preface.ts";

const parse = (bytes: Uint8Array, options: Partial<ConstructorParameters<typeof FrameParser>[0]> = {}) => {
  const parser = new FrameParser({ direction: "s2c", ...options });
  return [...parser.push(bytes), ...parser.end()];
};
/** The only frame of some octets, without its header, and the other events. */
const only = (bytes: Uint8Array) => {
  const events = parse(bytes);
  const [frame, ...more] = events.filter((event): event is TypedFrame => "header" in event);
  assert.deepEqual(more, []);
  const { header, ...rest } = frame as TypedFrame;
  return { header, rest, events };
};
const octets = (...values: number[]) => Uint8Array.from(values);

test("what was written reads back: every type", () => {
  const priority = { exclusive: true, dependency: 2 ** 31 - 1, weight: 256 };
  const cases: readonly (readonly [bytes: Uint8Array, wanted: object])[] = [
    [writeData(1, octets(1, 2), { endStream: true }), { kind: "DATA", endStream: true, padLength: null, malformed: false }],
    [writeData(1, octets(1), { padLength: 255 }), { kind: "DATA", endStream: false, padLength: 255, malformed: false }],
    [
      writeHeaders(3, octets(0x82), { endStream: true, padLength: 0, priority }),
      { kind: "HEADERS", endStream: true, endHeaders: true, padLength: 0, priority, fragmentLength: 1, malformed: false },
    ],
    [
      writePriority(1, { exclusive: false, dependency: 0, weight: 1 }),
      { kind: "PRIORITY", priority: { exclusive: false, dependency: 0, weight: 1 } },
    ],
    [writeRstStream(1, 0xffffffff), { kind: "RST_STREAM", errorCode: 0xffffffff }],
    [
      writeSettings([
        { identifier: 0xffff, value: 0xffffffff },
        { identifier: 3, value: 0 },
      ]),
      {
        kind: "SETTINGS",
        ack: false,
        settings: [
          { identifier: 0xffff, value: 0xffffffff },
          { identifier: 3, value: 0 },
        ],
        malformed: false,
      },
    ],
    [writeSettingsAck(), { kind: "SETTINGS", ack: true, settings: [], malformed: false }],
    [
      writePushPromise(1, 2, octets(0x82, 0x84), { padLength: 1 }),
      { kind: "PUSH_PROMISE", endHeaders: true, padLength: 1, promisedStreamId: 2, fragmentLength: 2, malformed: false },
    ],
    [
      writePing(octets(1, 2, 3, 4, 5, 6, 7, 8), { ack: true }),
      { kind: "PING", ack: true, opaqueData: octets(1, 2, 3, 4, 5, 6, 7, 8) },
    ],
    [
      writeGoaway(2 ** 31 - 1, 11, { debugData: octets(0x68, 0x69) }),
      { kind: "GOAWAY", lastStreamId: 2 ** 31 - 1, errorCode: 11, debugData: octets(0x68, 0x69), malformed: false },
    ],
    [writeWindowUpdate(0, 2 ** 31 - 1), { kind: "WINDOW_UPDATE", increment: 2 ** 31 - 1 }],
    [
      writeOrigin(["https://a.example", ""]),
      { kind: "ORIGIN", origins: ["https://a.example", ""], payload: writeOrigin(["https://a.example", ""]).slice(9) },
    ],
    [
      writeAltsvc(0, "https://a.example", 'h2=":443"'),
      {
        kind: "ALTSVC",
        origin: "https://a.example",
        value: 'h2=":443"',
        payload: writeAltsvc(0, "https://a.example", 'h2=":443"').slice(9),
      },
    ],
  ];
  for (const [bytes, wanted] of cases) {
    const { header, rest, events } = only(bytes);
    assert.deepEqual(rest, wanted);
    assert.equal(header.length, bytes.length - 9);
    assert.deepEqual(
      events.filter(({ kind }) => kind === "violation"),
      [],
    );
  }
  const [update] = parse(writePriorityUpdate(5, "u=1, i"), { direction: "c2s", preface: false }) as [TypedFrame];
  assert.deepEqual([update.kind, "value" in update && update.value], ["PRIORITY_UPDATE", "u=1, i"]);
  assert.equal(update.kind === "PRIORITY_UPDATE" && update.prioritizedStreamId, 5);
});

test("raw type, flags and reserved bit stay on the frame", () => {
  const { header, rest } = only(writeFrame(0xfa, 0xff, 7, octets(9), 1));
  assert.deepEqual(header, { span: { start: 0, end: 9 }, length: 1, type: 0xfa, flags: 0xff, reserved: 1, streamId: 7 });
  assert.deepEqual(rest, { kind: "UNKNOWN", payload: octets(9) });
});

test("an invalid ORIGIN, ALTSVC or PRIORITY_UPDATE is kept as octets", () => {
  const cases: readonly (readonly [type: number, payload: Uint8Array])[] = [
    [0x0c, octets(0)],
    [0x0c, octets(0, 3, 0x61)],
    [0x0a, octets(0)],
    [0x0a, octets(0, 9, 0x61)],
    [0x10, octets(0, 0, 1)],
  ];
  for (const [type, payload] of cases) {
    const { rest } = only(writeFrame(type, 0, 0, payload));
    assert.deepEqual("payload" in rest && rest.payload, payload);
    for (const [key, value] of Object.entries(rest)) assert.ok(["kind", "payload"].includes(key) || value === null, key);
  }
});

test("events of a request: spans, field lines, content and ends in stream order", () => {
  const block = new HpackEncoder({ huffman: false }).encode([
    { name: ":method", value: "GET" },
    { name: "x-a", value: "1" },
  ]);
  const events = parse(
    concatOctets([
      PREFACE,
      writeSettings([]),
      writeHeaders(1, block, { maxFragment: 4 }),
      writeData(1, octets(7, 8), { endStream: true }),
    ]),
    { direction: "c2s" },
  );
  const brief = events.map((event: FrameEvent) => {
    if (event.kind === "field_line") return `${event.kind} ${event.line.name}=${event.line.value} @${event.offset}`;
    if (event.kind === "field_section") return `${event.kind} ${event.streamId} ${event.complete} ${event.lines}`;
    if (event.kind === "part") return `${event.part} ${event.span.start}-${event.span.end}`;
    if ("header" in event) return `${event.kind} ${event.header.span.start}-${event.header.span.end}`;
    return "span" in event ? `${event.kind} ${event.span.start}-${event.span.end}` : event.kind;
  });
  assert.deepEqual(brief, [
    ...["preface 0-24", "SETTINGS 24-33", "frame_end"],
    ...[
      "HEADERS 33-42",
      "field_line :method=GET @42",
      "indexed 42-43",
      "field_line x-a=1 @43",
      "prefix 43-45",
      "name 45-46",
      "frame_end",
    ],
    ...["CONTINUATION 46-55", "name 55-57", "prefix 57-58", "value 58-59", "field_section 1 true 2", "frame_end"],
    ...["DATA 59-68", "data 68-70", "frame_end"],
  ]);
});

test("the listed field lines are capped, the octets are not", () => {
  const hpack = new HpackDecoder();
  const entry = new HpackEncoder({ huffman: false }).encode([{ name: "a", value: "v".repeat(3000) }]);
  const bytes = concatOctets([writeHeaders(1, entry), writeHeaders(3, new Uint8Array(1000).fill(0xbe))]);
  const events = parse(bytes, { hpack });
  const sections = events.filter((event) => event.kind === "field_section");
  const shown = Math.floor(FIELD_LIST_CAP / 3033);
  assert.deepEqual([sections[1]?.lines, sections[1]?.omitted], [1000, 1000 - shown]);
  assert.equal(events.filter(({ kind }) => kind === "field_line").length, 1 + shown);
  const last = events.filter((event) => event.kind === "part").at(-1);
  assert.equal(last?.span.end, bytes.length);
});

test("a stray CONTINUATION is a frame of its own", () => {
  const events = parse(writeContinuation(1, octets(0x82), { endHeaders: true }));
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ["CONTINUATION", "violation", "part", "frame_end"],
  );
});

test("field blocks are cut so that no frame is above the limit", () => {
  const block = new Uint8Array(40_000).fill(0x82);
  const lengths = parse(writeHeaders(1, block)).flatMap((event) => ("header" in event ? [event.header.length] : []));
  assert.deepEqual(lengths, [16384, 16384, 7232]);
  assert.throws(() => writeHeaders(1, block, { maxFragment: 0 }), TypeError);
  assert.throws(() => writeFrame(0, 0, 1, new Uint8Array(0x1000000)), TypeError);
});
