import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  concatOctets,
  HpackEncoder,
  PREFACE,
  writeData,
  writeFrame,
  writeGoaway,
  writeHeaders,
  writePing,
  writePushPromise,
  writeRstStream,
  writeSettings,
  writeSettingsAck,
  writeWindowUpdate,
} from "http2-frame-parser";
import { RecordingSink } from "../../../test/recording-sink.ts";
import { CATEGORIES } from "../category.ts";
import { C2S, type Direction, S2C } from "../direction.ts";
import type { Detail } from "../sink.ts";
import { SHOWN_PARTS_CAP } from "../unit-builder.ts";
import type { WireUnit } from "../wire-unit.ts";
import { H2Session } from "./h2-session.ts";
import { OPEN_STREAMS_CAP } from "./h2-streams.ts";

/** RFC 7541 appendix A: `:method POST`, `:scheme http`, `:path /`. */
const POST = Uint8Array.of(0x83, 0x86, 0x84);
/** `:status 200` */
const OK = Uint8Array.of(0x88);
const CONTENT = new Uint8Array(20);

/** A session with its prefaces exchanged, and a way to feed it. */
function session(detail: Detail = 0, lateJoin = false) {
  const sink = new RecordingSink(detail);
  const h2 = new H2Session(sink, { lateJoin, upgrade: null, schemas: null });
  const send = (direction: Direction, ...frames: Uint8Array[]): void => {
    const octets = concatOctets(frames);
    (direction === C2S ? h2.client : h2.server).push(octets, 0, octets.length);
  };
  if (!lateJoin) {
    send(C2S, PREFACE, writeSettings([]));
    send(S2C, writeSettings([]), writeSettingsAck());
    send(C2S, writeSettingsAck());
  }
  return { sink, h2, send };
}

const violations = (sink: RecordingSink): string[] =>
  sink.notes.filter(({ severity }) => severity === "violation").map(({ code }) => code);

/** The level of every frame after the opening exchange of SETTINGS. */
function levelsOf(sink: RecordingSink, direction: Direction): string[] {
  const opening = direction === C2S ? PREFACE.length + 18 : 18;
  return sink.runs[direction]
    .filter((run) => run.offset >= opening && run.category.startsWith("h2.frame_header"))
    .map((run) => `${run.category.slice(16)} ${run.level}`);
}

describe("levels (docs/ledger.md)", () => {
  test("set-up: the preface, each side's first SETTINGS and acknowledgement", () => {
    const { sink } = session();
    for (const side of [C2S, S2C])
      assert.deepEqual(new Set(sink.runs[side as Direction].map((run) => run.level)), new Set(["setup"]));
  });

  test("WINDOW_UPDATE on stream 0: set-up before HEADERS and where it grows the window, else connection", () => {
    const { sink, send } = session();
    send(C2S, writeWindowUpdate(0, 1000), writeHeaders(1, POST), writeData(1, CONTENT, { endStream: true }));
    send(S2C, writeWindowUpdate(0, 20), writeHeaders(1, OK), writeWindowUpdate(0, 1), writeData(1, CONTENT, { endStream: true }));
    send(C2S, writeWindowUpdate(0, 20), writeWindowUpdate(0, 21), writeWindowUpdate(1, 20));
    assert.deepEqual(levelsOf(sink, C2S), [
      "window_update setup",
      "headers exclusive",
      "data exclusive",
      "window_update connection",
      "window_update setup",
      "window_update stream_flow",
    ]);
    // The server's first one comes before its HEADERS; the second credits nothing that is left.
    assert.deepEqual(levelsOf(sink, S2C), ["window_update setup", "headers exclusive", "window_update setup", "data exclusive"]);
  });

  test("PING and later SETTINGS: connection; GOAWAY: close; RST_STREAM: exclusive", () => {
    const { sink, send } = session();
    send(
      C2S,
      writeHeaders(1, POST),
      writePing(new Uint8Array(8)),
      writeSettings([{ identifier: 3, value: 1 }]),
      writeSettingsAck(),
      writeRstStream(1, 8),
      writeGoaway(0, 0),
    );
    assert.deepEqual(levelsOf(sink, C2S), [
      "headers exclusive",
      "ping connection",
      "settings connection",
      "settings connection",
      "rst_stream exclusive",
      "goaway close",
    ]);
  });
});

describe("streams", () => {
  test("open ones are bounded: the eldest is settled as incomplete, with one note", () => {
    const { sink, send } = session();
    const opened = OPEN_STREAMS_CAP + 100;
    for (let n = 0; n < opened; n++) send(C2S, writeHeaders(1 + 2 * n, POST));
    assert.equal(sink.exchanges.length, opened);
    assert.deepEqual(sink.done.slice(0, 2), ["c1.s1", "c1.s3"]);
    assert.equal(sink.done.length, 100);
    assert.deepEqual(
      sink.notes.map(({ code }) => code),
      ["limit-open-streams"],
    );
    send(S2C, writeHeaders(1, OK, { endStream: true }));
    assert.equal(sink.runs[S2C].at(-1)?.exchange, "c1.s1", "a late answer still finds its exchange");
  });

  test("promised streams that never come are bounded as well", () => {
    const { sink, send } = session();
    send(C2S, writeHeaders(1, POST, { endStream: true }));
    for (let n = 1; n <= OPEN_STREAMS_CAP + 10; n++) send(S2C, writePushPromise(1, 2 * n, POST));
    assert.equal(sink.done.length, 11);
  });

  test("frames on an idle stream are a violation, on a finished one they are not (RFC 9113 §5.1)", () => {
    const { sink, send } = session();
    send(C2S, writeHeaders(1, POST, { endStream: true }));
    send(S2C, writeHeaders(1, OK, { endStream: true }));
    send(C2S, writeWindowUpdate(1, 5), writeRstStream(1, 8));
    assert.deepEqual(violations(sink), []);
    send(C2S, writeWindowUpdate(7, 5), writeRstStream(9, 8), writeData(11, CONTENT));
    assert.deepEqual(violations(sink), ["frame-on-idle-stream", "frame-on-idle-stream", "frame-on-idle-stream"]);
  });

  test("a promise of a stream in use changes nothing of it (RFC 9113 §5.1.1)", () => {
    const { sink, send } = session();
    const hpack = new HpackEncoder();
    send(C2S, writeHeaders(1, POST));
    send(
      S2C,
      writePushPromise(
        1,
        2,
        hpack.encode([
          { name: ":method", value: "GET" },
          { name: ":path", value: "/pushed" },
        ]),
      ),
    );
    send(
      S2C,
      writePushPromise(
        1,
        2,
        hpack.encode([
          { name: ":method", value: "GET" },
          { name: ":path", value: "/other" },
        ]),
      ),
    );
    assert.deepEqual(
      sink.exchanges.map(({ id, method, path }) => [id, method, path]),
      [
        ["c1.s1", "POST", "/"],
        ["c1.s2", "GET", "/pushed"],
      ],
    );
    assert.deepEqual(violations(sink), ["promised-stream-in-use"]);
  });

  test("HEADERS with too much padding say nothing of the stream before them", () => {
    const { sink, send } = session();
    send(C2S, writeHeaders(1, POST));
    send(C2S, writeFrame(0x01, 0x0c, 3, Uint8Array.of(200, 0x82)));
    send(C2S, writeData(1, Uint8Array.of(0, 0, 0, 0, 0), { endStream: true }));
    assert.equal(sink.byCategory(C2S)["body.binary"], 5);
    assert.equal(sink.exchanges[0]?.protocol, "h2");
  });

  test("a stream of a late join is opened by its DATA; what its fields were is told by the first prefix", () => {
    const { sink, send } = session(0, true);
    send(C2S, writeData(5, Uint8Array.of(1, 2, 3)));
    assert.deepEqual(
      sink.runs[C2S].map(({ category, exchange }) => [category, exchange]),
      [
        ["h2.frame_header.data", "c1.s5"],
        ["body.binary", "c1.s5"],
      ],
    );
    assert.deepEqual(violations(sink), []);
  });
});

describe("settings and windows", () => {
  test("acknowledgements of nothing are cheap, however many streams are open", () => {
    const { send } = session();
    for (let n = 0; n < 10_000; n++) send(C2S, writeHeaders(1 + 2 * n, POST));
    const acks = concatOctets(Array.from({ length: 20_000 }, () => writeSettingsAck()));
    const started = performance.now();
    send(C2S, acks);
    assert.ok(performance.now() - started < 2000, "20,000 acknowledgements took over 2 s");
  });

  test("HTTP2-Settings opens the windows of the answer (RFC 7540 §3.2.1)", () => {
    const sink = new RecordingSink();
    const exchange = sink.openExchange(null, "http1");
    // 00 04 01 00 00 00: INITIAL_WINDOW_SIZE 16 MiB.
    const http2Settings = Buffer.from("000401000000", "hex").toString("base64url");
    const h2 = new H2Session(sink, { lateJoin: false, upgrade: { exchange, http2Settings }, schemas: null });
    const answer = concatOctets([
      writeSettings([]),
      writeHeaders(1, OK),
      ...Array.from({ length: 4 }, () => writeData(1, new Uint8Array(16_000))),
    ]);
    h2.server.push(answer, 0, answer.length);
    assert.deepEqual(violations(sink), []);
    const more = writeData(1, new Uint8Array(16_000));
    h2.server.push(more, 0, more.length);
    // 80,000 octets: within the stream's window, over the connection's 65,535.
    assert.deepEqual(violations(sink), ["flow-connection-exceeded"]);
  });

  test("a sender without window is blocked until it has one again", () => {
    const { sink, send } = session();
    send(C2S, writeHeaders(1, POST));
    for (let n = 0; n < 4; n++) send(C2S, writeData(1, new Uint8Array(n < 3 ? 16_384 : 16_383)));
    const blocked = () => sink.calls.filter(([name]) => name === "blocked");
    assert.deepEqual(blocked(), [["blocked", C2S, true]]);
    send(S2C, writeWindowUpdate(1, 10));
    assert.equal(blocked().length, 1, "the connection has no window yet");
    send(S2C, writeWindowUpdate(0, 10));
    assert.deepEqual(blocked()[1], ["blocked", C2S, false]);
  });
});

describe("what a listener is told, in order", () => {
  test("the DATA frame, the messages that end in it, the end of the stream", () => {
    const order: string[] = [];
    const sink = new (class extends RecordingSink {
      override unit(unit: WireUnit): void {
        if (unit.detail.kind === "h2.frame") order.push(`frame ${unit.detail.type}`);
      }
      override message(...[, , payload]: Parameters<RecordingSink["message"]>): void {
        order.push(`message ${payload}`);
      }
      override exchangeDone(): void {
        order.push("done");
      }
    })(1);
    const h2 = new H2Session(sink, { lateJoin: false, upgrade: null, schemas: null });
    const grpc = new HpackEncoder().encode([{ name: "content-type", value: "application/grpc" }]);
    const request = concatOctets([
      PREFACE,
      writeHeaders(1, grpc),
      writeData(1, Uint8Array.of(0, 0, 0, 0, 1)),
      writeData(1, Uint8Array.of(9, 0, 0, 0, 0, 0), { endStream: true }),
    ]);
    h2.client.push(request, 0, request.length);
    const answer = writeHeaders(1, OK, { endStream: true });
    h2.server.push(answer, 0, answer.length);
    assert.deepEqual(order, ["frame 1", "frame 0", "frame 0", "message 1", "message 0", "frame 1", "done"]);
  });
});

describe("what an exchange keeps", () => {
  test("no text of a never-indexed literal (RFC 7541 §7.1.3)", () => {
    const { sink, send } = session();
    const block = new HpackEncoder().encode([
      { name: ":method", value: "POST" },
      { name: ":path", value: "/secret", representation: "never" },
      { name: ":authority", value: "secret.example", representation: "never" },
    ]);
    send(C2S, writeHeaders(1, block));
    const [exchange] = sink.exchanges;
    assert.deepEqual([exchange?.method, exchange?.path, exchange?.authority], ["POST", null, null]);
  });
});

describe("what a hex view may show", () => {
  test("parts of a frame up to a cap, and how many octets they leave out", () => {
    const { sink, send } = session(3);
    const hpack = new HpackEncoder();
    send(
      C2S,
      writeHeaders(
        1,
        hpack.encode([
          { name: ":path", value: "/s" },
          { name: "content-type", value: "application/grpc" },
        ]),
      ),
    );
    // 5,000 messages of one octet: two parts each.
    const message = Uint8Array.of(0, 0, 0, 0, 1, 0xaa);
    const frame = writeData(1, concatOctets(Array.from({ length: 5000 }, () => message)));
    send(C2S, frame);
    const unit = sink.units.at(-1);
    assert.equal(unit?.octets, frame.length);
    assert.equal(unit?.parts.length, SHOWN_PARTS_CAP);
    const kept = unit?.parts.reduce((sum, part) => sum + part.octets, 0) ?? 0;
    assert.equal(kept + (unit?.octetsOmitted ?? 0), frame.length);
  });

  test("nothing of what no grammar has read, and no content", () => {
    const { sink, send } = session(3);
    send(C2S, writeHeaders(1, POST));
    send(C2S, writeData(1, CONTENT), writeFrame(0x00, 0x08, 1, Uint8Array.of(200, 1, 2)));
    send(
      C2S,
      writeFrame(0xfa, 0, 1, CONTENT),
      writeFrame(0x01, 0x04, 3, Uint8Array.of(0x82, 0xff, 0xff, 0x7f)),
      writeGoaway(0, 1, { debugData: CONTENT }),
    );
    const secret = new Set(
      sink.units.flatMap(({ parts }) => parts.filter((part) => part.secret).map((part) => CATEGORIES[part.category])),
    );
    const open = new Set(
      sink.units.flatMap(({ parts }) => parts.filter((part) => !part.secret).map((part) => CATEGORIES[part.category])),
    );
    assert.deepEqual([...secret].sort(), [
      "body.binary",
      "h2.field_block.undecoded",
      "h2.goaway",
      "h2.malformed",
      "h2.unknown_payload",
    ]);
    assert.deepEqual(
      [...secret].filter((category) => open.has(category)),
      [],
    );
  });
});
