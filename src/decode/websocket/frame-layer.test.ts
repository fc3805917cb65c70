import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { chunksOf, everyCut, pieces } from "../../../test/cuts.ts";
import { RecordingSink } from "../../../test/recording-sink.ts";
import { C2S, type Direction, S2C } from "../direction.ts";
import type { Detail } from "../sink.ts";
import { WebSocketLayer } from "./frame-layer.ts";

interface Options {
  readonly direction?: Direction;
  readonly deflate?: boolean;
  readonly detail?: Detail;
}

function read(
  bytes: Uint8Array,
  { direction = S2C, deflate = false, detail = 3 }: Options = {},
  cut: readonly number[] = chunksOf(bytes.length, bytes.length),
): RecordingSink {
  const sink = new RecordingSink(detail);
  const exchange = sink.openExchange(null, "ws");
  const layer = new WebSocketLayer(sink, direction, exchange, deflate);
  let pushed = 0;
  for (const piece of pieces(bytes, cut)) {
    const borrowed = Uint8Array.from(piece);
    assert.equal(layer.push(borrowed, 0, borrowed.length), borrowed.length);
    borrowed.fill(0xee);
    pushed += piece.length;
    assert.equal(sink.offset(direction) + layer.held, pushed, "announced + held = pushed");
  }
  layer.end();
  assert.equal(sink.offset(direction), bytes.length);
  return sink;
}

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(" ", ""), "hex"));
const runs = (sink: RecordingSink, direction: Direction = S2C) =>
  sink.runs[direction].map(({ category, length }) => [category, length]);
const messages = (sink: RecordingSink) => sink.calls.filter(([name]) => name === "message").map(([, , , ...rest]) => rest);
const codes = (sink: RecordingSink) => sink.notes.filter(({ severity }) => severity === "violation").map(({ code }) => code);

test("the examples of RFC 6455 §5.7", () => {
  const hello = read(hex("81 05 48656c6c6f"));
  assert.deepEqual(runs(hello), [
    ["ws.frame_header", 2],
    ["ws.payload.text", 5],
  ]);
  assert.deepEqual(messages(hello), [[5, false, null]]);
  const masked = read(hex("81 85 37fa213d 7f9f4d5158"), { direction: C2S });
  assert.deepEqual(runs(masked, C2S), [
    ["ws.frame_header", 2],
    ["ws.mask", 4],
    ["ws.payload.text", 5],
  ]);
  const fragmented = read(hex("01 03 48656c 80 02 6c6f"));
  assert.deepEqual(messages(fragmented), [[5, false, null]]);
  assert.deepEqual(
    fragmented.units.map(({ detail }) => (detail.kind === "ws.frame" ? [detail.fin, detail.opcode, detail.length] : [])),
    [
      [false, 1, 3],
      [true, 0, 2],
    ],
  );
  const ping = read(hex("89 05 48656c6c6f"));
  assert.deepEqual(runs(ping), [
    ["ws.frame_header", 2],
    ["ws.payload.control", 5],
  ]);
  assert.deepEqual(messages(ping), []);
  assert.deepEqual(runs(read(new Uint8Array([...hex("82 7e 0100"), ...new Uint8Array(256)]))), [
    ["ws.frame_header", 4],
    ["ws.payload.binary", 256],
  ]);
  assert.deepEqual(runs(read(new Uint8Array([...hex("82 7f 0000000000010000"), ...new Uint8Array(65536)]))), [
    ["ws.frame_header", 10],
    ["ws.payload.binary", 65536],
  ]);
  for (const sink of [hello, masked, fragmented, ping]) assert.deepEqual(codes(sink), []);
});

test("a mask is taken off before the content is read; a ping between fragments breaks nothing", () => {
  const text = Buffer.from('{"a":[1,true]}');
  const mask = [0x11, 0x22, 0x33, 0x44];
  const veil = (part: Uint8Array) => part.map((octet, at) => octet ^ (mask[at % 4] ?? 0));
  const bytes = Buffer.concat([
    Buffer.from([0x01, 0x80 | 5, ...mask]),
    veil(text.subarray(0, 5)),
    Buffer.from([0x89, 0x81, ...mask, 0x41 ^ 0x11]),
    Buffer.from([0x80, 0x80 | 9, ...mask]),
    veil(text.subarray(5)),
  ]);
  const sink = read(bytes, { direction: C2S });
  assert.deepEqual(codes(sink), []);
  assert.deepEqual(messages(sink), [[14, false, null]]);
  // Three headers and masks; RFC 8259 §2 says what is structure.
  assert.deepEqual(sink.byCategory(C2S), {
    "ws.frame_header": 6,
    "ws.mask": 12,
    "ws.payload.control": 1,
    "ws.payload.json.punctuation": 6,
    "ws.payload.json.key.quote": 2,
    "ws.payload.json.key.text": 1,
    "ws.payload.json.number": 1,
    "ws.payload.json.literal": 4,
  });
  for (const cut of everyCut(bytes.length)) assert.deepEqual(read(bytes, { direction: C2S }, cut).figures(), sink.figures());
});

test("what breaks a rule is noted, with its section, and counted all the same", () => {
  const table: readonly (readonly [code: string, bytes: string, options?: Options])[] = [
    ["ws-reserved-bits", "c1 01 41"],
    ["ws-reserved-bits", "91 01 41", { deflate: true }],
    ["ws-reserved-bits", "c9 00", { deflate: true }],
    ["ws-reserved-bits", "41 00 c0 01 41", { deflate: true }],
    ["ws-opcode", "83 01 41"],
    ["ws-opcode", "8b 00"],
    ["ws-mask", "81 81 00000000 41"],
    ["ws-mask", "81 01 41", { direction: C2S }],
    ["ws-length", "81 7e 0001 41"],
    ["ws-length", "81 7f 0000000000000001 41"],
    ["ws-control-fragmented", "09 00"],
    ["ws-control-length", `89 7e 007e ${"41".repeat(126)}`],
    ["ws-close-length", "88 01 03"],
    ["ws-continuation", "80 01 41"],
    ["ws-interleaved", "01 01 41 81 01 41"],
    ["ws-after-close", "88 00 81 01 41"],
    // RFC 6455 §7.4.1: never on the wire; §7.4.2: no code is so low or so high.
    ["ws-close-code", "88 02 03ed"],
    ["ws-close-code", "88 02 03ee"],
    ["ws-close-code", "88 02 03f7"],
    ["ws-close-code", "88 02 03e7"],
    ["ws-close-code", "88 02 1388"],
    ["ws-utf8", "88 03 03e8 ff"],
    ["ws-utf8", "88 03 03e8 c3"],
    ["ws-utf8", "81 02 c328"],
    ["ws-utf8", "81 01 c3"],
    ["ws-message-cut", "01 01 41"],
  ];
  for (const [code, text, options] of table) {
    const bytes = hex(text);
    const direction = options?.direction ?? S2C;
    const sink = read(bytes, options);
    assert.deepEqual(codes(sink), [code], text);
    for (const { ref } of sink.notes) assert.match(ref ?? "", /^RFC (6455|7692) §/);
    for (const cut of everyCut(bytes.length)) assert.deepEqual(read(bytes, options, cut).figures(), sink.figures(), text);
    assert.equal(sink.offset(direction), bytes.length);
  }
});

test("UTF-8 is a matter of the message, not of the frame (RFC 6455 §5.6)", () => {
  assert.deepEqual(codes(read(hex("01 01 c3 00 00 80 02 a921"))), []);
});

test("status codes that may be sent, and a reason (RFC 6455 §5.5.1, §7.4)", () => {
  for (const text of ["88 00", "88 02 03e8", "88 02 0bb8", "88 02 1387", "88 04 03e9 c3a9"]) {
    assert.deepEqual(codes(read(hex(text))), [], text);
  }
  const interrupting = read(hex("01 01 c3 88 04 03e9 c3a9"));
  assert.deepEqual(codes(interrupting), ["ws-message-cut"], "the reason's octets are none of the message's");
});

test("permessage-deflate: the first frame says that the message is compressed (RFC 7692 §6)", () => {
  const bytes = hex("41 03 f248cd 00 02 c9c9 80 02 0700 81 01 41");
  const sink = read(bytes, { deflate: true });
  assert.deepEqual(codes(sink), []);
  assert.deepEqual(messages(sink), [
    [7, true, null],
    [1, false, null],
  ]);
  assert.equal(sink.byCategory(S2C)["ws.payload.compressed"], 7);
});

test("cut off anywhere: what came is counted, the rest of a header has no owner", () => {
  const bytes = hex("82 7e 0004 01020304");
  for (let end = 1; end < bytes.length; end++) {
    const sink = read(bytes.subarray(0, end));
    assert.deepEqual(
      runs(sink),
      end < 4
        ? [["unattributed.truncated", end]]
        : end === 4
          ? [["ws.frame_header", 4]]
          : [
              ["ws.frame_header", 4],
              ["ws.payload.binary", end - 4],
            ],
    );
    assert.deepEqual(sink.notes.filter(({ code }) => code === "truncated").length, 1);
  }
});

test("a hole within a frame leaves the next one known, one that is larger does not", () => {
  for (const [octets, behind] of [
    [
      2,
      [
        ["ws.frame_header", 2],
        ["ws.payload.text", 2],
      ],
    ],
    [3, [["unattributed.after_gap", 4]]],
    [null, [["unattributed.after_gap", 4]]],
  ] as const) {
    const sink = new RecordingSink(3);
    const layer = new WebSocketLayer(sink, S2C, sink.openExchange(null, "ws"), false);
    const first = hex("82 04 0102");
    layer.push(first, 0, first.length);
    layer.gap(octets, "after_gap");
    const second = hex("81 02 4141");
    layer.push(second, 0, second.length);
    layer.end();
    assert.deepEqual(runs(sink).slice(2), behind);
  }
});

test("what a hole leaves of a frame is neither judged nor guessed at", () => {
  const table: readonly (readonly [steps: readonly (string | number)[], behind: readonly (readonly [string, number])[]])[] = [
    [["81 04 41c3", 1, "21"], [["ws.payload.text", 3]]],
    [["81 03 41c3", 1], [["ws.payload.text", 2]]],
    [
      ["01 02 c3", 1, "80 01 a9"],
      [
        ["ws.payload.text", 1],
        ["ws.frame_header", 2],
        ["ws.payload.text", 1],
      ],
    ],
    [["81 03", 1, "a921"], [["ws.payload.undecoded", 2]]],
    [["81 04", 1, "7b2241"], [["ws.payload.undecoded", 3]]],
    [["82 04", 1, "7b2241"], [["ws.payload.undecoded", 3]]],
    [["88 04 03", 1, "ffff"], [["ws.payload.control", 3]]],
    [
      ["01 01 41", 2, "80 00"],
      [
        ["ws.payload.text", 1],
        ["unattributed.after_gap", 2],
      ],
    ],
    // A ping is no part of the message that it stands in.
    [
      ["01 01 5b", "89 02 41", 1, "80 01 5d"],
      [
        ["ws.payload.json.punctuation", 1],
        ["ws.frame_header", 2],
        ["ws.payload.control", 1],
        ["ws.frame_header", 2],
        ["ws.payload.json.punctuation", 1],
      ],
    ],
  ];
  for (const [steps, behind] of table) {
    const sink = new RecordingSink(3);
    const layer = new WebSocketLayer(sink, S2C, sink.openExchange(null, "ws"), false);
    for (const step of steps) {
      if (typeof step === "number") layer.gap(step, "after_gap");
      else layer.push(hex(step), 0, hex(step).length);
    }
    layer.end();
    assert.deepEqual(codes(sink), [], JSON.stringify(steps));
    assert.deepEqual(runs(sink).slice(1), behind, JSON.stringify(steps));
  }
});

test("random octets are tiled, at any cut, within a time", () => {
  const started = performance.now();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 40 }), fc.boolean(), (bytes, size, deflate) => {
      const whole = read(bytes, { deflate });
      assert.deepEqual(read(bytes, { deflate }, chunksOf(bytes.length, size)).figures(), whole.figures());
    }),
    { numRuns: 300 },
  );
  assert.ok(performance.now() - started < 10_000, "300 runs within 10 s");
});
