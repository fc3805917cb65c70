import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { shared, skipWithoutShared } from "../../../test/shared.ts";
import { record } from "../testing/recorder.ts";
import { type FrameEvent, FrameParser, type TypedFrame } from "./frame-parser.ts";
import { concatOctets } from "./frame-writer.ts";
import { writeHeaders } from "./frames/headers.ts";
import { ERROR_CODES, FRAME_TYPES } from "./registry.ts";

interface Vector {
  /** Error codes, any of which is right; null when the frame is legal. */
  readonly error: readonly number[] | null;
  readonly wire: string;
  readonly frame: Readonly<{
    length: number;
    flags: number;
    stream_identifier: number;
    type: number;
    frame_payload: Payload;
  }> | null;
}
type Payload = Readonly<Record<string, unknown>>;

const VECTORS = ["corpora", "http2-frame-test-case"] as const;
const FUZZ = ["corpora", "nghttp2-fuzz"] as const;

test("http2-frame-test-case: every vector, error vectors with a right code", { skip: skipWithoutShared(...VECTORS) }, () => {
  let vectors = 0;
  const exceptions: string[] = [];
  for (const folder of readdirSync(shared(...VECTORS), { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    for (const file of readdirSync(shared(...VECTORS, folder.name))) {
      vectors++;
      const name = `${folder.name}/${file}`;
      const vector = JSON.parse(readFileSync(shared(...VECTORS, folder.name, file), "utf8")) as Vector;
      const wire = Buffer.from(vector.wire, "hex");
      const { violations, events } = parse(name, wire);
      if (vector.error !== null) {
        const codes = violations.map(({ errorCode }) => ERROR_CODES.indexOf(errorCode));
        assert.ok(
          codes.length > 0 && codes.every((code) => vector.error?.includes(code)),
          `${name}: ${codes} for ${vector.error}`,
        );
        continue;
      }
      // "this is dummy" and no field block: RFC 7541 §6.2 reads 0x74 as a literal whose name index, 52, is known and whose value is longer
      // than the fragment. The frame is right, the block is not.
      const aside = violations.filter(({ rule }) => rule === "hpack-truncated");
      if (aside.length > 0) exceptions.push(`${name}: RFC 7541 §6.2`);
      assert.deepEqual(violations.length - aside.length, 0, name);
      const frame = events.filter(isFrame).at(-1) as TypedFrame;
      const { length, flags, streamId, type } = frame.header;
      const { frame_payload: payload, ...header } = vector.frame as NonNullable<Vector["frame"]>;
      assert.deepEqual({ length, flags, stream_identifier: streamId, type }, header, name);
      for (const [key, value] of Object.entries(payload))
        assert.deepEqual(fieldOf(frame, events, wire, key), value, `${name} ${key}`);
    }
  }
  assert.equal(vectors, 20);
  console.log(`http2-frame-test-case: ${exceptions.length} exceptions: ${exceptions.join("; ")}`);
  assert.equal(exceptions.length, 2);
});

/** "Frames come without context" (its ORIGIN.md): a CONTINUATION gets the HEADERS that it continues. */
function parse(name: string, wire: Uint8Array) {
  const parser = new FrameParser({ direction: "s2c" });
  const context = name.startsWith("continuation/")
    ? writeHeaders(50, new Uint8Array(0), { endHeaders: false })
    : new Uint8Array(0);
  const events = [...parser.push(concatOctets([context, wire])), ...parser.end()];
  return { events, violations: events.filter((event) => event.kind === "violation") };
}

function isFrame(event: FrameEvent): event is TypedFrame {
  return "header" in event;
}

/** A field of a vector's payload, in our words. */
function fieldOf(frame: TypedFrame, events: readonly FrameEvent[], wire: Uint8Array, key: string): unknown {
  const text = (octets: Uint8Array) => Buffer.from(octets).toString("latin1");
  const partsOf = (names: readonly string[]) =>
    events.flatMap((event) =>
      event.kind === "part" && names.includes(event.part) ? [text(wire.subarray(event.span.start, event.span.end))] : [],
    );
  const padLength = "padLength" in frame ? frame.padLength : null;
  const priority = "priority" in frame ? frame.priority : null;
  switch (key) {
    case "padding_length":
      return padLength;
    case "padding":
      return padLength === null ? null : partsOf(["padding"]).join("");
    case "data":
      return events
        .flatMap((event) => (event.kind === "data" ? [text(wire.subarray(event.span.start, event.span.end))] : []))
        .join("");
    case "header_block_fragment":
      return partsOf(["indexed", "prefix", "name", "value", "size_update", "undecoded"]).join("");
    case "stream_dependency":
      return priority?.dependency ?? null;
    case "weight":
      return priority?.weight ?? null;
    case "exclusive":
      return priority?.exclusive ?? null;
    case "settings":
      return frame.kind === "SETTINGS" ? frame.settings.map(({ identifier, value }) => [identifier, value]) : undefined;
    case "promised_stream_id":
      return frame.kind === "PUSH_PROMISE" ? frame.promisedStreamId : undefined;
    case "opaque_data":
      return frame.kind === "PING" ? text(frame.opaqueData as Uint8Array) : undefined;
    case "window_size_increment":
      return frame.kind === "WINDOW_UPDATE" ? frame.increment : undefined;
    case "error_code":
      return frame.kind === "RST_STREAM" || frame.kind === "GOAWAY" ? frame.errorCode : undefined;
    case "last_stream_id":
      return frame.kind === "GOAWAY" ? frame.lastStreamId : undefined;
    case "additional_debug_data":
      return frame.kind === "GOAWAY" ? text(frame.debugData) : undefined;
    default:
      return assert.fail(`no such field: ${key}`);
  }
}

interface Truth {
  readonly bytes: number;
  readonly bytesLeftOver: number;
  readonly http2: Readonly<{ frames: readonly (readonly [type: string, stream: number, length: number, flags: number])[] }>;
}

test("nghttp2-fuzz: the frames are those of the truth files, and every octet is preface, frame or tail", {
  skip: skipWithoutShared(...FUZZ),
}, () => {
  const files = readdirSync(shared(...FUZZ, "streams"));
  for (const file of files) {
    const octets = readFileSync(shared(...FUZZ, "streams", file));
    const truth = JSON.parse(readFileSync(shared(...FUZZ, "truth", `${file}.json`), "utf8")) as Truth;
    const { frames, runs } = record([octets], { preface: true, direction: "c2s" });
    const preface = runs[0]?.[0] === "preface" ? [["PREFACE", 0, 24, 0] as const] : [];
    const whole = frames.filter(({ truncated }) => !truncated);
    // tshark's name for a type that no registry has: its number in decimal.
    const names = (type: number) => FRAME_TYPES.find(({ code }) => code === type)?.name ?? `TYPE_${type}`;
    const read = [
      ...preface,
      ...whole.map(({ type, streamId, length, flags }) => [names(type), streamId, length, flags] as const),
    ];
    const inWhole = whole.reduce((sum, { length }) => sum + 9 + length, preface.length * 24);
    assert.deepEqual(read, truth.http2.frames, file);
    assert.deepEqual([octets.length, octets.length - inWhole], [truth.bytes, truth.bytesLeftOver], file);
  }
  console.log(`nghttp2-fuzz: ${files.length} streams, 0 exceptions`);
  assert.equal(files.length, 82);
});
