import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { concatOctets, HpackEncoder, writeData, writeHeaders, writeRstStream } from "http2-frame-parser";
import { RecordingSink } from "../../../test/recording-sink.ts";
import { OPEN_CONTENT_CAP } from "../content/content-pool.ts";
import { C2S, type Direction, S2C } from "../direction.ts";
import type { Detail } from "../sink.ts";
import { H2Session } from "./h2-session.ts";

type Fields = readonly (readonly [name: string, value: string])[];

/** A session that is seen from its middle on: no preface is needed. */
function session(detail: Detail = 0) {
  const sink = new RecordingSink(detail);
  const h2 = new H2Session(sink, { lateJoin: true, upgrade: null, schemas: null });
  const hpack = [new HpackEncoder(), new HpackEncoder()] as const;
  const send = (direction: Direction, octets: Uint8Array): void => {
    (direction === C2S ? h2.client : h2.server).push(octets, 0, octets.length);
  };
  const head = (direction: Direction, stream: number, fields: Fields): void =>
    send(direction, writeHeaders(stream, hpack[direction].encode(fields.map(([name, value]) => ({ name, value })))));
  return { sink, send, head };
}

const request = (type: string, ...more: Fields): Fields => [
  [":method", "POST"],
  [":scheme", "http"],
  [":path", "/a"],
  ["content-type", type],
  ...more,
];
const latin1 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "latin1"));
const envelope = (octets: number): Uint8Array => Uint8Array.from([0, 0, 0, 0, octets, ...Array<number>(octets).fill(8)]);
const violations = (sink: RecordingSink): string[] =>
  sink.notes.filter(({ severity }) => severity === "violation").map(({ code }) => code);

describe("content of streams", () => {
  test("messages are told in their order, however many end in one frame", () => {
    const frame = writeData(
      1,
      concatOctets([...Array<Uint8Array>(1024).fill(envelope(0)), ...Array<Uint8Array>(6).fill(envelope(2))]),
    );
    for (const detail of [0, 1, 3] as const) {
      const { sink, send, head } = session(detail);
      head(C2S, 1, request("application/grpc"));
      send(C2S, frame);
      const payloads = sink.calls.filter(([name]) => name === "message").map(([, , , payload]) => payload);
      assert.deepEqual(payloads, [...Array<number>(1024).fill(0), ...Array<number>(6).fill(2)], `detail ${detail}`);
    }
  });

  test("one coding of several is enough, RFC 9110 §8.4; of Content-Type the first line counts", () => {
    const { sink, send, head } = session();
    head(C2S, 1, request("application/json", ["content-encoding", "gzip"], ["content-encoding", "identity"]));
    send(C2S, writeData(1, latin1("\x1f\x8b")));
    head(C2S, 3, request("application/json", ["content-type", "text/plain"]));
    send(C2S, writeData(3, latin1("[]")));
    assert.equal(sink.byCategory(C2S)["body.compressed"], 2);
    assert.equal(sink.byCategory(C2S)["body.json.punctuation"], 2);
  });

  test("a value that stands there ten thousand times as an index is read once", () => {
    const { send, head } = session();
    const started = performance.now();
    for (const [name, value] of [
      ["content-encoding", ",".repeat(3900)],
      ["content-type", `application/${"a+".repeat(1900)}`],
    ] as const) {
      head(C2S, 1, request("text/plain", ...Array<readonly [string, string]>(10_000).fill([name, value])));
    }
    send(C2S, writeData(1, latin1("a")));
    assert.ok(performance.now() - started < 1500, `took ${performance.now() - started} ms`);
  });

  test("over the cap of open content a body is counted, not decoded, and one note says so", () => {
    const { sink, send, head } = session();
    const streams = OPEN_CONTENT_CAP + 10;
    for (let n = 0; n < streams; n++) {
      head(C2S, 2 * n + 1, request("application/json"));
      send(C2S, writeData(2 * n + 1, latin1("[")));
    }
    assert.equal(sink.byCategory(C2S)["body.undecoded"], 10);
    assert.deepEqual(
      sink.notes.map(({ code }) => code),
      ["limit-open-content"],
    );
    // One that ends makes room.
    send(C2S, writeData(1, latin1("]"), { endStream: true }));
    head(C2S, 2 * streams + 1, request("application/json"));
    send(C2S, writeData(2 * streams + 1, latin1("[]")));
    assert.equal(sink.byCategory(C2S)["body.undecoded"], 10);
  });

  test("what is no JSON and never was said to be breaks no rule", () => {
    const bodies: readonly (readonly [fields: Fields, body: string])[] = [
      [request(""), "[info] started up"],
      [request("application/x-ini"), "[section]\na=1"],
      [
        [
          [":method", "CONNECT"],
          [":authority", "a:1"],
        ],
        "{tunnel",
      ],
      [request("application/json", ["content-range", "bytes 5-9/20"]), "1,2]}"],
    ];
    const { sink, send, head } = session();
    for (const [at, [fields, body]] of bodies.entries()) {
      head(C2S, 2 * at + 1, fields);
      send(C2S, writeData(2 * at + 1, latin1(body), { endStream: true }));
    }
    assert.deepEqual(violations(sink), []);
  });

  test("a body that the other side asked to stop breaks no rule, RFC 9113 §8.1", () => {
    const { sink, send, head } = session();
    head(C2S, 1, request("application/json"));
    send(C2S, writeData(1, latin1('{"a":')));
    send(S2C, writeRstStream(1, 0));
    send(C2S, writeData(1, new Uint8Array(0), { endStream: true }));
    assert.deepEqual(violations(sink), []);
  });

  test("a body that ends before its value does breaks one", () => {
    const { sink, send, head } = session();
    head(C2S, 1, request("application/json"));
    send(C2S, writeData(1, latin1('{"a":'), { endStream: true }));
    assert.deepEqual(violations(sink), ["json-cut"]);
  });
});
