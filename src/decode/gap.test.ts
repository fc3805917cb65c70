import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import {
  concatOctets,
  HpackEncoder,
  PREFACE,
  writeContinuation,
  writeData,
  writeGoaway,
  writeHeaders,
  writePing,
  writeSettings,
  writeSettingsAck,
  writeWindowUpdate,
} from "http2-frame-parser";
import { loadCase } from "../../test/cases.ts";
import { chunksOf } from "../../test/cuts.ts";
import { replayHoles, talk } from "../../test/gap-replay.ts";
import type { RecordingSink } from "../../test/recording-sink.ts";
import { RecordingSink as Sink } from "../../test/recording-sink.ts";
import type { Hole, Transcript } from "../../test/replay.ts";
import { skipWithoutShared } from "../../test/shared.ts";
import { tcpPayloads } from "../../test/tcp-payloads.ts";
import { C2S, DIRECTIONS, type Direction, S2C } from "./direction.ts";
import { Stack } from "./stack.ts";
import type { WireUnit } from "./wire-unit.ts";

const envelope = (text: string): Uint8Array => concatOctets([Uint8Array.of(0, 0, 0, 0, text.length), Buffer.from(text)]);

/** gRPC and plain calls whose heads use and fill the dynamic tables, every frame legal. */
function h2Talk(): Transcript {
  const hpack = [new HpackEncoder(), new HpackEncoder()] as const;
  const fields = (direction: Direction, ...lines: string[]): Uint8Array =>
    hpack[direction].encode(lines.map((line) => ({ name: line.replace(/ .*/, ""), value: line.replace(/^\S+ /, "") })));
  const request = (n: number, type: string) =>
    fields(C2S, ":method POST", ":scheme http", `:path /a/${n}`, "user-agent table-filler", `content-type ${type}`, `x-n ${n}`);
  const response = (n: number, type: string) =>
    fields(S2C, ":status 200", "server table-filler", `content-type ${type}`, `x-n ${n}`);
  const turns: (readonly [Direction, Uint8Array])[] = [
    [C2S, PREFACE],
    [C2S, writeSettings([{ identifier: 3, value: 100 }])],
    [S2C, writeSettings([{ identifier: 4, value: 70000 }])],
    [S2C, writeSettingsAck()],
    [C2S, writeSettingsAck()],
  ];
  for (const [index, type] of ["application/grpc", "application/json", "application/grpc", "text/plain"].entries()) {
    const id = 2 * index + 1;
    const content =
      type === "application/grpc" ? concatOctets([envelope("\x0a\x03abc"), envelope("")]) : Buffer.from('{"a":[1,2]}');
    turns.push(
      [C2S, writeHeaders(id, request(index, type), index === 1 ? { maxFragment: 9 } : {})],
      [C2S, writeData(id, content, { padLength: index === 2 ? 5 : undefined })],
      [S2C, writeWindowUpdate(0, 1000)],
      [C2S, writeData(id, content, { endStream: true })],
      [S2C, writeHeaders(id, response(index, type))],
      [S2C, writeData(id, content)],
      [S2C, writeHeaders(id, fields(S2C, "grpc-status 0", `x-t ${index}`), { endStream: true })],
      [C2S, writePing(Buffer.from(`ping${index}!!!`))],
      [S2C, writePing(Buffer.from(`ping${index}!!!`), { ack: true })],
    );
  }
  turns.push([S2C, writeGoaway(7, 0)]);
  return talk(...turns);
}

const HTTP1 = talk(
  [C2S, "POST /one HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n[1,2,3,4]"],
  [S2C, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n[1,2,3,40]"],
  [
    C2S,
    "PUT /two HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n8;x=1\r\nto chunk\r\n0\r\nX-Sum: 1\r\n\r\n",
  ],
  [S2C, "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n"],
  [C2S, "GET /three?q HTTP/1.1\r\nHost: a\r\n\r\n"],
  [S2C, "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone"],
  [C2S, "DELETE /four HTTP/1.1\r\nHost: a\r\n\r\n"],
  [S2C, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nup to the end"],
);

const record = (type: number, octets: number): Uint8Array =>
  concatOctets([Uint8Array.of(type, 3, 3, octets >> 8, octets & 0xff), new Uint8Array(octets).fill(0x55)]);
const TLS = talk(
  [C2S, record(22, 40)],
  [S2C, concatOctets([record(22, 60), record(20, 1), record(23, 30)])],
  [C2S, concatOctets([record(20, 1), record(23, 20), record(23, 300), record(21, 19)])],
  [S2C, concatOctets([record(23, 21), record(23, 22), record(21, 19)])],
);

const SIZES = [1, 4, 9, 10, 23, 64];

/** Holes of some sizes at every octet of each direction, their length told and not. */
function* everyHole({ octets }: Transcript): Generator<Hole> {
  for (const direction of DIRECTIONS) {
    for (const size of SIZES) {
      for (let from = 0; from + size <= octets[direction].length; from++) {
        for (const known of [true, false]) yield { direction, from, to: from + size, known };
      }
    }
  }
}

/** Units of one direction as text; behind a hole of unknown length their offsets are moved back where they were. */
function units(sink: RecordingSink, direction: Direction, hole: Hole | null): { from: number; text: string; unit: WireUnit }[] {
  return sink.units
    .filter((unit) => unit.direction === direction)
    .map((unit) => {
      const moved = hole !== null && !hole.known && unit.offset >= hole.from ? hole.to - hole.from : 0;
      const from = unit.offset + moved;
      return { from, text: JSON.stringify([unit.detail, from, unit.octets]), unit };
    });
}

/** Octets of a direction that no unit could be found for. */
function lost(sink: RecordingSink, direction: Direction, category = "unattributed.after_gap"): number {
  return sink.runs[direction].reduce((sum, run) => sum + (run.category === category ? run.length : 0), 0);
}

const isUnattributed = ({ unit }: { unit: WireUnit }): boolean => unit.detail.kind === "unattributed";

/**
 * Behind each hole: nothing that was lost lies behind the first unit of `kinds` after it, and from there on all units are the undamaged
 * ones. @returns how many holes left nothing to be looked for.
 */
function resynchronises(transcript: Transcript, kinds: RegExp): number {
  const whole = replayHoles(transcript, []);
  let quiet = 0;
  for (const hole of everyHole(transcript)) {
    const { direction, from, to, known } = hole;
    const label = `${to - from} octets at ${from} of ${direction}, ${known ? "told" : "not told"}`;
    const sink = replayHoles(transcript, [hole]);
    const all = units(whole, direction, null);
    const found = units(sink, direction, hole).filter((unit) => !isUnattributed(unit));
    // The other direction is read as if nothing had happened, but for what hangs on both.
    const other: Direction = direction === C2S ? S2C : C2S;
    assert.deepEqual(
      units(sink, other, null).map(({ text }) => text),
      units(whole, other, null).map(({ text }) => text),
      label,
    );
    const next =
      all.find((unit) => unit.from >= to && kinds.test(unit.unit.detail.kind))?.from ?? transcript.octets[direction].length;
    const behind = (list: typeof all) => list.filter((unit) => unit.from >= next).map(({ text }) => text);
    assert.deepEqual(behind(found), behind(all), label);
    if (lost(sink, direction) === 0) quiet++;
    else assert.ok(lost(sink, direction) <= next - to, `${label}: ${lost(sink, direction)} lost, ${next - to} at most`);
    assert.deepEqual(
      sink.notes.filter(({ severity }) => severity === "violation"),
      [],
      label,
    );
  }
  return quiet;
}

describe("a hole", () => {
  test("in HTTP/2, anywhere: the next frame is found, and all that follow", () => {
    assert.ok(resynchronises(h2Talk(), /^h2\.frame$/) > 0, "some lie within DATA");
  });

  test("in HTTP/1, anywhere: the next start-line is found, and all that follows", () => {
    assert.ok(resynchronises(HTTP1, /_head$/) > 0, "some lie within bodies");
  });

  test("in TLS, anywhere: the next record is found, and all that follow", () => {
    assert.ok(resynchronises(TLS, /^tls\.record$/) > 0, "some lie within records");
  });

  test("leaves no wrong field: what a lost table entry said is unknown, what comes later is right", () => {
    const transcript = h2Talk();
    const fields = (sink: RecordingSink, hole: Hole | null) =>
      new Map(
        DIRECTIONS.flatMap((side) => units(sink, side, hole).map(({ from, unit }) => [`${side} ${from}`, unit.fields] as const)),
      );
    const right = fields(replayHoles(transcript, []), null);
    let known = 0;
    let unknown = 0;
    for (const hole of everyHole(transcript)) {
      if (hole.to - hole.from !== 9 || !hole.known) continue;
      for (const [at, lines] of fields(replayHoles(transcript, [hole]), hole)) {
        for (const [index, { name, value }] of lines.entries()) {
          const wanted = right.get(at)?.[index];
          if (name !== null) assert.equal(name, wanted?.name, `${at} after ${hole.from}`);
          if (value === null) unknown++;
          else {
            assert.equal(value, wanted?.value, `${at} after ${hole.from}`);
            known++;
          }
        }
      }
    }
    assert.ok(known > unknown && unknown > 0, `${known} known, ${unknown} unknown`);
  });

  test("is where it is at every cut around it", () => {
    for (const transcript of [h2Talk(), HTTP1, TLS]) {
      for (const direction of DIRECTIONS) {
        const { length } = transcript.octets[direction];
        for (let from = 3; from + 30 < length; from += 37) {
          const hole = { direction, from, to: from + 30, known: from % 2 === 0 };
          const whole = replayHoles(transcript, [hole]);
          for (const size of [1, 2, 7, 64]) {
            const cuts = [chunksOf(transcript.octets[C2S].length, size), chunksOf(transcript.octets[S2C].length, size)] as const;
            assert.deepEqual(replayHoles(transcript, [hole], {}, cuts).figures(), whole.figures(), `${from} by ${size}`);
          }
        }
      }
    }
  });

  test("of known length within a gRPC message: the frame goes on, and the next message is found", () => {
    const [first, second] = [envelope("\x0a\x1eabcdefghijklmnopqrstuvwxyz0123"), envelope("\x0a\x01z")];
    const head = writeHeaders(
      1,
      new HpackEncoder().encode([
        { name: ":method", value: "POST" },
        { name: ":path", value: "/a.B/C" },
        { name: "content-type", value: "application/grpc" },
      ]),
    );
    const before = concatOctets([PREFACE, writeSettings([]), head]);
    const transcript = talk([C2S, concatOctets([before, writeData(1, concatOctets([first, second]), { endStream: true })])]);
    const from = before.length + 9 + 5 + 10;
    const sink = replayHoles(transcript, [{ direction: C2S, from, to: from + 8, known: true }]);
    const messages = sink.calls.filter(([name]) => name === "message").map(([, , , payload]) => payload);
    assert.deepEqual(messages, [first.length - 5, second.length - 5]);
    const { "grpc.prefix": prefix, "grpc.message.undecoded": undecoded } = sink.byCategory(C2S);
    // Of 32 octets of payload 10 came before the hole, 14 behind it.
    assert.deepEqual([prefix, undecoded], [10, 14]);
    assert.equal(lost(sink, C2S), 0);
    // Unknown, or over the border: nobody knows where the next message begins.
    const unknown = replayHoles(transcript, [{ direction: C2S, from, to: from + 26, known: true }]);
    assert.deepEqual(unknown.calls.filter(([name]) => name === "message").length, 0);
    assert.equal(unknown.byCategory(C2S)["grpc.message.undecoded"], second.length - 4);
  });

  test("may begin with a CONTINUATION behind it, which breaks no rule", () => {
    const before = concatOctets([PREFACE, writeSettings([]), writeHeaders(1, Uint8Array.of(0x82, 0x86), { endHeaders: false })]);
    const behind = concatOctets([writeContinuation(1, Uint8Array.of(0x84), { endHeaders: true }), writePing(new Uint8Array(8))]);
    const transcript = talk([C2S, concatOctets([before, Uint8Array.of(0x84), behind])]);
    const sink = replayHoles(transcript, [{ direction: C2S, from: before.length - 3, to: before.length + 1, known: true }]);
    assert.deepEqual(
      sink.notes.filter(({ severity }) => severity === "violation"),
      [],
    );
    assert.equal(sink.byCategory(C2S)["h2.frame_header.continuation"], 9);
    assert.equal(sink.byCategory(C2S)["h2.frame_header.ping"], 9);
  });

  test("that takes a whole response: the next response is the next request's", () => {
    const response = (n: number) => `HTTP/1.1 20${n} OK\r\nContent-Length: 1\r\n\r\n${n}`;
    const transcript = talk(
      ...[0, 1, 2].flatMap((n) => [[C2S, `GET /${n} HTTP/1.1\r\nHost: a\r\n\r\n`] as const, [S2C, response(n)] as const]),
    );
    const { length } = response(0);
    for (const known of [true, false]) {
      const sink = replayHoles(transcript, [{ direction: S2C, from: length, to: 2 * length, known }]);
      assert.deepEqual(
        sink.exchanges.map(({ path, status, complete }) => [path, status, complete]),
        [
          ["/0", 200, true],
          ["/1", null, false],
          ["/2", 202, true],
        ],
      );
    }
  });

  test("behind a parked upgrade: what follows is the new protocol from its middle on", () => {
    const upgrade = "GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
    const switched = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n";
    const transcript = talk([C2S, upgrade], [C2S, "early lost "], [C2S, "late"], [S2C, switched], [C2S, "r"]);
    const sink = replayHoles(transcript, [{ direction: C2S, from: upgrade.length + 6, to: upgrade.length + 11, known: true }]);
    assert.deepEqual(
      sink.runs[C2S].slice(-2).map(({ category, length, offset }) => [category, length, offset]),
      [
        ["unattributed.truncated", 6, upgrade.length],
        ["unattributed.opaque", 5, upgrade.length + 11],
      ],
    );
  });

  test("before a protocol is known: it is found behind it", () => {
    const request = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";
    const transcript = talk([C2S, `POST /${"x".repeat(20)}`], [C2S, `yz${request}`]);
    const sink = replayHoles(transcript, [{ direction: C2S, from: 2, to: 22, known: true }]);
    assert.equal(sink.byCategory(C2S)["unattributed.truncated"], 2);
    assert.deepEqual(
      sink.exchanges.map(({ path }) => path),
      ["/a"],
    );
  });
});

describe("a late start", () => {
  test("V-TCP-05: one side, from the middle of a response", { skip: skipWithoutShared("cases") }, () => {
    const [one, other] = tcpPayloads(join(loadCase("V-TCP-05").folder, "capture.pcap"), 80);
    const octets = one.length > 0 ? one : other;
    for (const size of [1, 50, octets.length]) {
      const cuts = [[], chunksOf(octets.length, size)] as const;
      const sink = replayHoles(talk([S2C, octets]), [], { late: [true, true] }, cuts);
      assert.equal(lost(sink, S2C, "unattributed.late_join"), 110);
      assert.deepEqual(
        sink.exchanges.map(({ status, protocol }) => [status, protocol]),
        [[200, "http1"]],
      );
      assert.deepEqual(sink.runs[S2C].at(-1), {
        offset: 148,
        length: 5,
        category: "body.text",
        level: "exclusive",
        exchange: "c1.r1",
      });
      assert.deepEqual(
        sink.notes.map(({ code, offset }) => [code, offset]),
        [
          ["late-join", 0],
          ["response-unasked", 110],
        ],
      );
    }
  });

  test("V-H2-06: the same with and without knowing that it is late", { skip: skipWithoutShared("cases") }, () => {
    const given = loadCase("V-H2-06");
    const plain = replayHoles(given, []);
    const late = replayHoles(given, [], { late: [true, true] });
    assert.deepEqual(late.figures(), plain.figures());
    assert.deepEqual(late.byLabel(C2S), given.expected.byte_attribution?.c2s?.by_label);
    assert.deepEqual(late.byLabel(S2C), given.expected.byte_attribution?.s2c?.by_label);
  });

  test("at a 101 to h2c: what follows is HTTP/2 on both sides (RFC 7540 §3.2)", () => {
    const settings = "\x00\x00\x00\x04\x00\x00\x00\x00\x00";
    const transcript = talk(
      [S2C, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"],
      [C2S, `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${settings}`],
      [S2C, `${settings}\x00\x00\x01\x01\x05\x00\x00\x00\x01\x88`],
    );
    for (const size of [1, 7, 200]) {
      const cuts = DIRECTIONS.map((direction) => chunksOf(transcript.octets[direction].length, size)) as [number[], number[]];
      const sink = replayHoles(transcript, [], { late: [true, true] }, cuts);
      for (const direction of DIRECTIONS) assert.equal(lost(sink, direction, "unattributed.late_join"), 0);
      assert.deepEqual(
        sink.exchanges.map(({ status, complete }) => [status, complete]),
        [[200, true]],
      );
      assert.deepEqual(
        sink.notes.map(({ code }) => code),
        ["response-unasked"],
      );
    }
  });

  test("of a client's request alone: the 101 says what follows it, and what was held is counted", () => {
    const transcript = talk(
      [C2S, "ET /ws HTTP/1.1\r\nHost: a\r\n\x00"],
      [S2C, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n\x81\x02hi"],
      [C2S, "\x81\x82\x00\x00\x00\x00yo"],
    );
    for (const size of [1, 5, 100]) {
      const cuts = DIRECTIONS.map((direction) => chunksOf(transcript.octets[direction].length, size)) as [number[], number[]];
      const sink = replayHoles(transcript, [], { late: [true, false] }, cuts);
      assert.deepEqual(sink.byCategory(C2S), {
        "unattributed.late_join": transcript.octets[C2S].length - 8,
        "ws.frame_header": 2,
        "ws.mask": 4,
        "ws.payload.text": 2,
      });
      assert.equal(sink.byCategory(S2C)["ws.payload.text"], 2);
    }
  });

  test("the octets of one weak frame header at the end are no HTTP/2", () => {
    // An X11 event, as far as it looks like DATA of one octet.
    const sink = replayHoles(talk([S2C, `${"\xff".repeat(30)}\x00\x00\x01\x00\x00\x00\x00\x00\x03\x00`]), [], {
      late: [true, true],
    });
    assert.deepEqual(sink.byCategory(S2C), { "unattributed.late_join": 40 });
  });

  for (const [name, transcript, kinds] of [
    ["HTTP/2", h2Talk(), /^h2\.frame$/],
    ["HTTP/1", HTTP1, /_head$/],
    ["TLS", TLS, /^tls\.record$/],
  ] as const) {
    test(`of ${name} in one direction or in both, anywhere: units are found as after a hole`, () => {
      const whole = replayHoles(transcript, []);
      for (const direction of DIRECTIONS) {
        for (let from = 1; from < transcript.octets[direction].length; from++) {
          const cut: Transcript = from === 0 ? transcript : startAt(transcript, direction, from);
          const late = [direction === C2S, direction === S2C] as const;
          const sink = replayHoles(cut, [], { late });
          const all = units(whole, direction, null);
          const next = all.find((unit) => unit.from >= from && kinds.test(unit.unit.detail.kind))?.from;
          const found = units(sink, direction, null).filter((unit) => !isUnattributed(unit));
          const behind = (list: typeof all, offset: number) =>
            list
              .filter((unit) => next !== undefined && unit.from + offset >= next)
              .map(({ unit }) => JSON.stringify([unit.detail, unit.octets]));
          assert.deepEqual(behind(found, from), behind(all, 0), `${direction} from ${from}`);
        }
      }
    });
  }

  test("of anything else: all of it is late_join, and a note says why", () => {
    const sink = replayHoles(talk([C2S, Buffer.alloc(3000, 0xc3)]), [], { late: [true, false] });
    assert.deepEqual(sink.byCategory(C2S), { "unattributed.late_join": 3000 });
    assert.deepEqual(
      sink.notes.map(({ code, offset, severity }) => [code, offset, severity]),
      [["late-join", 0, "warning"]],
    );
  });
});

/** The transcript without the first octets of a direction. */
function startAt({ octets, turns }: Transcript, direction: Direction, from: number): Transcript {
  const moved = (at: number): number => Math.max(0, at - from);
  const kept: [Uint8Array, Uint8Array] = [octets[0], octets[1]];
  kept[direction] = octets[direction].subarray(from);
  return {
    octets: kept,
    turns: turns
      .map((turn) => (turn.direction === direction ? { ...turn, start: moved(turn.start), end: moved(turn.end) } : turn))
      .filter(({ start, end }) => end > start),
  };
}

describe("decodeAs", () => {
  const said = talk([C2S, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"], [S2C, "HTTP/1.1 204 No Content\r\n\r\n"]);

  test("takes the protocol for granted, whatever the octets are", () => {
    for (const [decodeAs, category] of [
      ["opaque", "unattributed.opaque"],
      ["tls", "unattributed.after_error"],
      ["http1", "http1.head_end"],
      ["h2", "h2.frame_header.unknown"],
    ] as const) {
      const sink = replayHoles(said, [], { decodeAs });
      assert.ok((sink.byCategory(C2S)[category] ?? 0) > 0, `${decodeAs}: ${JSON.stringify(sink.byCategory(C2S))}`);
      assert.deepEqual(
        sink.calls.find(([name]) => name === "protocol"),
        ["protocol", decodeAs, false],
      );
    }
  });

  test("of a late start: the preface, or a frame, or a start-line is looked for", () => {
    const transcript = h2Talk();
    const late = [true, true] as const;
    const whole = replayHoles(transcript, [], { decodeAs: "h2", late });
    assert.equal(whole.byCategory(C2S)["h2.preface"], 24);
    const cut = startAt(transcript, C2S, 30);
    assert.ok(lost(replayHoles(cut, [], { decodeAs: "h2", late }), C2S, "unattributed.late_join") > 0, "from within SETTINGS");
    const http1 = replayHoles(startAt(said, C2S, 2), [], { decodeAs: "http1", late });
    assert.equal(lost(http1, C2S, "unattributed.late_join"), said.octets[C2S].length - 2);
    assert.equal(lost(http1, S2C, "unattributed.late_join"), 0);
  });

  test("holds for the outermost protocol only: a tunnel is detected anew", () => {
    const tunnel = talk([C2S, "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"], [S2C, "HTTP/1.1 200 OK\r\n\r\n"], [C2S, record(22, 4)]);
    assert.equal(replayHoles(tunnel, [], { decodeAs: "http1" }).byCategory(C2S)["tls.handshake"], 4);
  });
});

describe("a search", () => {
  /** What makes each search hold as much, and look as often, as it can. */
  const HARD: Record<string, Buffer> = {
    zeros: Buffer.alloc(1 << 20),
    "frame headers that nothing follows": Buffer.alloc(1 << 20, Buffer.from("0040000000000000013f", "hex")),
    "record headers that nothing follows": Buffer.alloc(1 << 20, Buffer.from("1703034800", "hex")),
    "one line of versions": Buffer.alloc(1 << 20, "GET / HTTP/1.1 200 "),
    "lines of versions": Buffer.alloc(1 << 20, " HTTP/1.1\n"),
  };

  for (const [name, octets] of Object.entries(HARD)) {
    test(`looks at each octet a bounded number of times: ${name}`, () => {
      for (const options of [{}, { decodeAs: "h2" }, { decodeAs: "http1" }, { decodeAs: "tls" }] as const) {
        for (const size of [1, octets.length]) {
          const pushed = size === 1 ? octets.subarray(0, 1 << 17) : octets;
          const sink = new Sink();
          const stack = new Stack(sink, { ...options, late: [true, true] });
          const started = performance.now();
          let most = 0;
          for (let at = 0; at < pushed.length; at += size) {
            stack.push(C2S, pushed.subarray(at, at + size));
            most = Math.max(most, stack.pending(C2S));
          }
          stack.end(C2S);
          assert.equal(sink.offset(C2S), pushed.length);
          assert.ok(most <= 65536 + 18 || size > 1, `${most} octets held`);
          const took = performance.now() - started;
          assert.ok(took < 3000, `${JSON.stringify(options)} by ${size}: ${took} ms`);
        }
      }
    });
  }
});
