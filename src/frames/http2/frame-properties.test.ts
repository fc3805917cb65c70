import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { REPRESENTATION_NAMES } from "../hpack/field-line.ts";
import { HpackEncoder } from "../hpack/hpack-encoder.ts";
import { chunksOf, everyCut, record } from "../testing/recorder.ts";
import { FrameParser } from "./frame-parser.ts";
import { concatOctets, writeFrame } from "./frame-writer.ts";
import { writeContinuation } from "./frames/continuation.ts";
import { writeData } from "./frames/data.ts";
import { writeGoaway } from "./frames/goaway.ts";
import { writeHeaders } from "./frames/headers.ts";
import { writeOrigin } from "./frames/origin.ts";
import { writePing } from "./frames/ping.ts";
import { writePriority } from "./frames/priority.ts";
import { writePushPromise } from "./frames/push-promise.ts";
import { writeRstStream } from "./frames/rst-stream.ts";
import { writeSettings, writeSettingsAck } from "./frames/settings.ts";
import { writeWindowUpdate } from "./frames/window-update.ts";
import { PREFACE } from "./preface.ts";

const streamId = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const uint31 = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const octets = (maxLength: number) => fc.uint8Array({ maxLength });
const padLength = fc.option(fc.integer({ min: 0, max: 255 }), { nil: undefined, freq: 3 });
const priority = fc.record({ exclusive: fc.boolean(), dependency: uint31, weight: fc.integer({ min: 1, max: 256 }) });
const line = fc.record({
  name: fc.constantFrom(":method", ":path", "x-a", "x-b", "content-type"),
  value: fc.stringMatching(/^[ -~]{0,20}$/),
  representation: fc.constantFrom(...REPRESENTATION_NAMES),
});

/** Frames that need no context, and field blocks, which need the encoder's. */
type Step = Uint8Array | ((encoder: HpackEncoder) => Uint8Array);
const block = (write: (fields: Uint8Array) => Uint8Array, lines: Parameters<HpackEncoder["encode"]>[0]): Step => {
  return (encoder) => write(encoder.encode(lines));
};
const maxFragment = fc.integer({ min: 1, max: 40 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(streamId, octets(60), padLength, fc.boolean())
    .map(([id, content, pad, endStream]) => writeData(id, content, { padLength: pad, endStream })),
  fc
    .tuple(streamId, fc.array(line, { maxLength: 6 }), padLength, fc.option(priority, { nil: undefined }), maxFragment)
    .map(([id, lines, pad, signal, size]) =>
      block((fields) => writeHeaders(id, fields, { padLength: pad, priority: signal, maxFragment: size }), lines),
    ),
  fc
    .tuple(streamId, fc.array(line, { maxLength: 4 }), padLength, maxFragment)
    .map(([id, lines, pad, size]) =>
      block((fields) => writePushPromise(id, 2, fields, { padLength: pad, maxFragment: size }), lines),
    ),
  fc.tuple(streamId, priority).map(([id, signal]) => writePriority(id, signal)),
  fc.tuple(streamId, fc.nat(20)).map(([id, code]) => writeRstStream(id, code)),
  fc
    .array(fc.record({ identifier: fc.constantFrom(1, 3, 6, 0xa0a), value: fc.nat() }), { maxLength: 4 })
    .map((all) => writeSettings(all)),
  fc.constant(writeSettingsAck()),
  fc.boolean().map((ack) => writePing(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), { ack })),
  octets(20).map((debugData) => writeGoaway(1, 0, { debugData })),
  fc.tuple(fc.oneof(fc.constant(0), streamId), uint31).map(([id, increment]) => writeWindowUpdate(id, increment)),
  fc.constant(writeOrigin(["https://example.com"])),
  fc.tuple(fc.integer({ min: 0x20, max: 0xff }), octets(30)).map(([type, payload]) => writeFrame(type, 0xff, 1, payload, 1)),
);
const transcript = fc.array(step, { maxLength: 10 }).map((steps) => {
  const encoder = new HpackEncoder();
  const written = steps.map((made) => (made instanceof Uint8Array ? made : made(encoder)));
  return concatOctets([PREFACE, writeSettings([]), ...written]);
});
/** Lose, change or insert octets. */
const mutated = fc
  .tuple(transcript, fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.nat(2)), { maxLength: 4 }))
  .map(([bytes, changes]) => {
    const out = [...bytes];
    for (const [at, octet, how] of changes) out.splice(at % out.length, how === 0 ? 0 : 1, ...(how === 2 ? [] : [octet]));
    return Uint8Array.from(out);
  });
const cutSizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 20 });
const cutBy = (bytes: Uint8Array, sizes: readonly number[]) => {
  const chunks: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] as number;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
};

// record() throws when at any moment octets announced + octets held are not the octets pushed.
test("valid traffic: no violation, no octet undecoded, and the cut does not matter", () => {
  fc.assert(
    fc.property(transcript, cutSizes, (bytes, sizes) => {
      const whole = record([bytes], { preface: true });
      assert.deepEqual(whole.violations, []);
      assert.ok(whole.runs.every(([label]) => !["undecoded", "malformed", "truncated"].includes(label)));
      assert.deepEqual(record(cutBy(bytes, sizes), { preface: true }).log, whole.log);
    }),
    { numRuns: 150 },
  );
});

test("damaged traffic: nothing throws, nothing is lost, and the cut does not matter", () => {
  fc.assert(
    fc.property(mutated, cutSizes, (bytes, sizes) => {
      const whole = record([bytes], { preface: true, maxFieldBlock: 1024 });
      assert.deepEqual(record(cutBy(bytes, sizes), { preface: true, maxFieldBlock: 1024 }).log, whole.log);
      assert.deepEqual(record(chunksOf(bytes, 1), { preface: true, maxFieldBlock: 1024 }).log, whole.log);
    }),
    { numRuns: 200 },
  );
});

test("random octets: nothing throws, nothing is lost, and the cut does not matter", () => {
  // Small numbers make short frames of known types.
  const random = fc.array(fc.oneof(fc.nat(12), fc.nat(255)), { maxLength: 300 }).map((all) => Uint8Array.from(all));
  fc.assert(
    fc.property(random, cutSizes, fc.boolean(), (bytes, sizes, preface) => {
      assert.deepEqual(record(cutBy(bytes, sizes), { preface }).log, record([bytes], { preface }).log);
    }),
    { numRuns: 200 },
  );
});

test("every cut of one transcript with every kind of frame", () => {
  const encoder = new HpackEncoder();
  const fields = encoder.encode([
    { name: ":path", value: "/x" },
    { name: "x-long", value: "v".repeat(150) },
  ]);
  const bytes = concatOctets([
    PREFACE,
    writeSettings([{ identifier: 1, value: 4096 }]),
    writeHeaders(1, fields, { maxFragment: 90, padLength: 7, priority: { exclusive: true, dependency: 3, weight: 16 } }),
    writeData(1, Uint8Array.of(1, 2, 3), { padLength: 2 }),
    writeHeaders(3, Uint8Array.of(0x80)),
    writeHeaders(5, Uint8Array.of(0x82), { endHeaders: false }),
    writePing(new Uint8Array(8)),
    writeContinuation(5, Uint8Array.of(0x84)),
    writeFrame(0xfa, 0xff, 9, Uint8Array.of(1, 2, 3), 1),
    writeGoaway(1, 2, { debugData: Uint8Array.of(65) }),
    writeFrame(0x04, 0, 0, new Uint8Array(5)),
  ]);
  const { log } = record([bytes], { preface: true });
  for (const cut of everyCut(bytes)) assert.deepEqual(record(cut, { preface: true }).log, log);
});

test("the parser's spans tile what was pushed, at every moment", () => {
  fc.assert(
    fc.property(mutated, cutSizes, (bytes, sizes) => {
      const parser = new FrameParser({ direction: "c2s" });
      let told = 0;
      let pushed = 0;
      const check = (events: ReturnType<FrameParser["push"]>) => {
        for (const event of events) {
          const span =
            "header" in event ? event.header.span : "span" in event && event.kind !== "violation" ? event.span : undefined;
          if (span === undefined) continue;
          assert.equal(span.start, told, event.kind);
          told = span.end;
        }
        assert.equal(told + parser.held, pushed);
      };
      for (const chunk of cutBy(bytes, sizes)) {
        pushed += chunk.length;
        check(parser.push(chunk));
      }
      check(parser.end());
      assert.equal(told, bytes.length);
    }),
    { numRuns: 150 },
  );
});
