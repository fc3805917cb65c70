import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FIN, hangUp, only, openSums, type Said, ScriptedWire } from "../../test/scripted-wire.ts";
import { CATEGORIES, CATEGORY } from "../decode/category.ts";
import { C2S, type Direction, S2C } from "../decode/direction.ts";
import type { Exchange } from "../decode/exchange.ts";
import { LEVEL, LEVELS } from "../decode/level.ts";
import type { WireUnit } from "../decode/wire-unit.ts";
import type { LedgerListener } from "./listener.ts";

/** WIRE-TRUTH section 4: the head of one Go HTTP/1.1 message as leaves. */
function head(exchange: Exchange, startLine: string, fields: readonly (readonly [name: string, value: string])[]): Said[] {
  const runs: Said[] = [["http1.start_line", startLine.length + 2, "exclusive", exchange]];
  for (const [name, value] of fields) {
    runs.push(["http1.field_line.name", name.length, "exclusive", exchange]);
    runs.push(["http1.field_line.separator", 2, "exclusive", exchange]);
    runs.push(["http1.field_line.value", value.length, "exclusive", exchange]);
    runs.push(["http1.field_line.eol", 2, "exclusive", exchange]);
  }
  return [...runs, ["http1.head_end", 2, "exclusive", exchange]];
}

/** Say runs whose exchange is opened by the first of them. */
function request(wire: ScriptedWire, path: string, runs: (exchange: Exchange) => readonly Said[]): Exchange {
  let opened: Exchange | null = null;
  const octets = runs({} as Exchange).reduce((sum, [, count]) => sum + count, 0);
  wire.pass(C2S, octets, (sink) => {
    const exchange = sink.openExchange(null, "http1");
    opened = exchange;
    exchange.method = "POST";
    exchange.path = path;
    sink.requestKnown(exchange);
    for (const [category, count, level, owner] of runs(exchange))
      sink.octets(C2S, CATEGORY[category], count, LEVEL[level], owner);
  });
  assert.ok(opened !== null);
  return opened;
}

function respond(wire: ScriptedWire, exchange: Exchange, runs: readonly Said[]): void {
  wire.say(S2C, ...runs);
  wire.pass(S2C, 1, (sink) => {
    sink.octets(S2C, CATEGORY["body.text"], 1, LEVEL.exclusive, exchange);
    exchange.status = 200;
    exchange.complete = true;
    sink.exchangeDone(exchange);
  });
}

const goRequest = (exchange: Exchange): Said[] => [
  ...head(exchange, "POST /item HTTP/1.1", [
    ["Host", "127.0.0.1:8080"],
    ["User-Agent", "Go-http-client/1.1"],
    ["Content-Length", "75"],
    ["Content-Type", "application/json"],
    ["Accept-Encoding", "gzip"],
  ]),
  ["body.text", 75, "exclusive", exchange],
];
const goResponse = (exchange: Exchange): Said[] => [
  ...head(exchange, "HTTP/1.1 200 OK", [
    ["Content-Type", "application/json"],
    ["Date", "x".repeat(29)],
    ["Content-Length", "76"],
  ]),
  // The 76th octet, json.Encoder's LF, comes in a read of its own.
  ["body.text", 75, "exclusive", exchange],
];

test("one Go HTTP/1.1 call: 227 = headers 152 + payload 75, 184 = 108 + 76", () => {
  const wire = new ScriptedWire();
  wire.open();
  const exchange = request(wire, "/item", goRequest);
  wire.wait(2.5);
  respond(wire, exchange, goResponse(exchange));
  const { c2s, s2c, exchanges, levels } = wire.connectionTally();
  assert.deepEqual([c2s.octets, c2s.by_cause], [227, { headers: 152, payload: 75 }]);
  assert.deepEqual([s2c.octets, s2c.by_cause], [184, { headers: 108, payload: 76 }]);
  assert.deepEqual(c2s.by_category, {
    "http1.start_line": 21,
    "http1.field_line.name": 4 + 10 + 14 + 12 + 15,
    "http1.field_line.separator": 10,
    "http1.field_line.value": 14 + 18 + 2 + 16 + 4,
    "http1.field_line.eol": 10,
    "http1.head_end": 2,
    "body.text": 75,
  });
  assert.deepEqual([c2s.deltas, s2c.deltas], [1, 2]);
  assert.deepEqual(levels.s2c, { exclusive: 184, stream_flow: 0, setup: 0, connection: 0, close: 0, unowned: 0 });
  const listed = only(exchanges);
  assert.deepEqual([listed.id, listed.route, listed.status, listed.complete], ["c1.r1", "POST /item", 200, true]);
  assert.deepEqual([listed.first_octet_us, listed.duration_us], [2500, 2500]);
  const { c2s: up, s2c: down } = wire.routeTally();
  assert.deepEqual([up.cold?.exclusive, up.cold?.connection, down.cold?.exclusive], [227, 0, 184]);
  assert.deepEqual(openSums(wire.tally()), []);
});

test("whatever is announced, all sums close at every moment and at the end", () => {
  const run = fc.record({
    direction: fc.constantFrom<Direction>(C2S, S2C),
    category: fc.nat(CATEGORIES.length - 1),
    level: fc.nat(LEVELS.length - 1),
    count: fc.integer({ min: 1, max: 1000 }),
    held: fc.boolean(),
    exchange: fc.nat(3),
    done: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(run, { maxLength: 40 }), (runs) => {
      const wire = new ScriptedWire({ limits: { exchanges: 2, routes: 2 }, warmUp: 1 });
      wire.open();
      const exchanges = new Map<number, Exchange>();
      for (const { direction, category, level, count, held, exchange: number, done } of runs) {
        wire.pass(direction, count, (sink) => {
          if (held) return;
          const exchange = number === 0 ? null : (exchanges.get(number) ?? sink.openExchange(number, "h2"));
          if (exchange !== null) {
            exchanges.set(number, exchange);
            exchange.path = `/${"abc"[number - 1]}`;
          }
          sink.octets(direction, category, count, level, exchange);
          if (done && exchange !== null) sink.exchangeDone(exchange);
        });
        assert.deepEqual(openSums(wire.tally()), []);
      }
      wire.atEnd((sink, direction) => {
        const { relayed } = wire.connection.account;
        sink.octets(direction, CATEGORY["unattributed.truncated"], (relayed[direction] ?? 0) - sink.offset(direction), 5, null);
      });
      hangUp(wire);
      const tally = wire.tally();
      assert.deepEqual(openSums(tally), []);
      assert.deepEqual([tally.totals.c2s.pending, tally.totals.s2c.pending, wire.ledger.broken], [0, 0, 0]);
      const owned = (name: "c2s" | "s2c") => tally.routes.reduce((sum, route) => sum + route[name].octets, 0);
      const theirs = (direction: Direction) =>
        runs
          .filter((entry) => entry.direction === direction && entry.exchange > 0 && !entry.held)
          .reduce((sum, entry) => sum + entry.count, 0);
      assert.deepEqual([owned("c2s"), owned("s2c")], [theirs(C2S), theirs(S2C)]);
    }),
    { numRuns: 100 },
  );
});

test("octets held are pending, and a decoder that loses some is found out once", () => {
  const wire = new ScriptedWire();
  wire.open();
  wire.pass(C2S, 10, (sink) => sink.octets(C2S, CATEGORY["h2.preface"], 4, LEVEL.setup, null));
  const { octets, pending, by_category } = wire.connectionTally().c2s;
  assert.deepEqual([octets, pending, by_category], [10, 6, { "h2.preface": 4 }]);
  assert.equal(wire.ledger.broken, 0);
  wire.lie(1);
  wire.pass(C2S, 1, () => {});
  wire.pass(C2S, 1, () => {});
  const notes = wire.connectionTally().notes.filter(({ direction }) => direction === "c2s");
  assert.deepEqual(notes, [
    {
      code: "ledger-open",
      severity: "warning",
      direction: "c2s",
      offset: 4,
      ref: null,
      text: "4 octets attributed and 6 pending of 11 relayed",
    },
  ]);
});

test("octets that nobody claims by the close break the ledger", () => {
  const wire = new ScriptedWire();
  wire.open();
  wire.pass(S2C, 3, () => {});
  hangUp(wire);
  assert.equal(wire.ledger.broken, 1);
  assert.equal(only(wire.connectionTally().notes).code, "ledger-open");
});

test("a decoder fault: both directions are unattributed from there on, nothing is thrown", () => {
  const wire = new ScriptedWire();
  const connection = wire.open();
  const exchange = request(wire, "/a", (owner) => [["http1.start_line", 20, "exclusive", owner]]);
  wire.pass(S2C, 7, () => {});
  wire.pass(C2S, 30, (sink) => {
    sink.octets(C2S, CATEGORY["body.text"], 10, LEVEL.exclusive, exchange);
    throw new RangeError("index out of range");
  });
  wire.say(C2S, ["body.text", 5, "exclusive", exchange]);
  wire.say(S2C, ["body.text", 5, "exclusive", exchange]);
  wire.atEnd(() => {
    throw new Error("not to be called any more");
  });
  hangUp(wire);
  const { c2s, s2c, levels, notes, exchanges } = wire.connectionTally();
  assert.deepEqual(c2s.by_category, { "http1.start_line": 20, "body.text": 10, "unattributed.after_error": 25 });
  assert.deepEqual(s2c.by_category, { "unattributed.after_error": 12 });
  assert.deepEqual([levels.c2s.unowned, levels.s2c.unowned], [25, 12]);
  assert.deepEqual(
    notes.map(({ code, severity, direction, offset, text }) => [code, severity, direction, offset, text]),
    [
      ["decoder-fault", "warning", "c2s", 30, "index out of range"],
      ["decoder-fault", "warning", "s2c", 0, "index out of range"],
    ],
  );
  assert.deepEqual([only(exchanges).complete, only(exchanges).c2s.octets], [false, 30]);
  assert.deepEqual([wire.ledger.unattributed, wire.ledger.broken, connection.facts.id], [37, 0, "c1"]);
  assert.deepEqual(openSums(wire.tally()), []);
});

test("a fault at the end of a direction is contained, too", () => {
  const wire = new ScriptedWire();
  wire.open();
  wire.pass(C2S, 3, () => {});
  wire.atEnd(() => {
    throw new Error("unfinished");
  });
  hangUp(wire);
  assert.deepEqual(wire.connectionTally().c2s.by_category, { "unattributed.after_error": 3 });
  assert.deepEqual([wire.ledger.broken, wire.ledger.unattributed], [0, 3]);
});

test("a close happens once; octets after it are noticed", () => {
  const wire = new ScriptedWire();
  const connection = wire.open();
  wire.say(C2S, ["unattributed.opaque", 5, "unowned", null]);
  connection.undelivered(C2S, 2);
  wire.wait(1);
  connection.close({ by: "server", how: "rst", code: "ECONNRESET", order: ["server"] }, wire.now);
  const closed = wire.connectionTally();
  connection.close(FIN, wire.now + 1);
  assert.deepEqual(wire.connectionTally(), closed);
  assert.deepEqual(closed.close, { by: "server", how: "rst", code: "ECONNRESET", order: ["server"] });
  assert.deepEqual([closed.opened, closed.closed], ["1970-01-01T00:00:00.000000000Z", "1970-01-01T00:00:00.001000000Z"]);
  assert.deepEqual([closed.undelivered, wire.ledger.openConnections], [{ c2s: 2, s2c: 0 }, 0]);
  assert.equal(wire.ledger.broken, 0);
  connection.delta(C2S, new Uint8Array(1), wire.now);
  connection.delta(C2S, new Uint8Array(1), wire.now);
  assert.equal(wire.ledger.broken, 1);
});

test("the first octet of an exchange is timed by its arrival, not by its decoding", () => {
  const wire = new ScriptedWire();
  wire.open();
  wire.wait(1);
  wire.pass(C2S, 5, () => {});
  wire.wait(4);
  wire.pass(C2S, 3, () => {});
  wire.wait(6);
  const exchange = request(wire, "/a", (owner) => [["http1.start_line", 15, "exclusive", owner]]);
  wire.wait(5);
  wire.pass(S2C, 3, () => {});
  wire.wait(20);
  wire.pass(S2C, 3, (sink) => {
    sink.octets(S2C, CATEGORY["http1.start_line"], 6, LEVEL.exclusive, exchange);
    sink.exchangeDone(exchange);
  });
  const { started, first_octet_us, duration_us } = only(wire.connectionTally().exchanges);
  assert.deepEqual([started, first_octet_us, duration_us], ["1970-01-01T00:00:00.001000000Z", 15_000, 35_000]);
});

test("an upgrade to h2c renames its exchange, and texts are decoded", () => {
  const wire = new ScriptedWire();
  wire.open();
  const exchange = request(wire, "/caf\u00c3\u00a9/\u00ff", (owner) => [["http1.start_line", 20, "exclusive", owner]]);
  const valid = request(wire, "/caf\u00c3\u00a9", (owner) => [["http1.start_line", 20, "exclusive", owner]]);
  wire.pass(S2C, 9, (sink) => {
    sink.protocol("h2", false);
    sink.becomeStream(exchange, 1);
    sink.octets(S2C, CATEGORY["h2.frame_header.headers"], 9, LEVEL.exclusive, exchange);
  });
  const { exchanges, protocol, h2 } = wire.connectionTally();
  assert.deepEqual(
    exchanges.map(({ id, stream, path }) => [id, stream, path]),
    [
      ["c1.s1", 1, "/caf\u00c3\u00a9/\u00ff"],
      [valid.id, null, "/café"],
    ],
  );
  assert.deepEqual([protocol, h2?.max_concurrent], ["h2", 1]);
});

test("listeners hear connection, message, note, exchange and close, in that order", () => {
  const heard: unknown[] = [];
  const listener: LedgerListener = {
    detail: 1,
    messages: true,
    connection: ({ id }, time) => heard.push(["connection", id, time]),
    unit: ({ id }, unit, time) => heard.push(["unit", id, unit.detail.kind, time]),
    message: ({ id }, exchange, direction, message) => heard.push(["message", id, exchange, direction, message]),
    exchange: (_, exchange, time) => heard.push(["exchange", exchange.id, exchange.complete, exchange.c2s.octets, time]),
    note: (_, note) => heard.push(["note", note.code]),
    close: ({ id }, close, octets, time) => heard.push(["close", id, close?.how, octets, time]),
  };
  const wire = new ScriptedWire({ listener });
  const connection = wire.open();
  assert.equal(connection.detail, 1);
  const first = request(wire, "/a", (owner) => [["grpc.message.protobuf.string", 20, "exclusive", owner]]);
  const second = request(wire, "/b", (owner) => [["body.text", 8, "exclusive", owner]]);
  connection.message(first, C2S, 15, 5, false, null);
  connection.message(first, S2C, 7, 5, true, null);
  connection.message(first, C2S, 1, 5, false, null);
  connection.note("odd", "info", C2S, 0, null, "so it is");
  connection.unit({
    direction: C2S,
    offset: 0,
    octets: 24,
    exchange: null,
    detail: { kind: "h2.preface" },
    fields: [],
    fieldsOmitted: 0,
    octetsOmitted: 0,
    parts: [],
    truncated: false,
  });
  second.complete = true;
  connection.exchangeDone(second);
  connection.exchangeDone(second);
  wire.now = 50;
  hangUp(wire);
  const message = (index: number, direction: "c2s" | "s2c", payload: number, compressed: boolean) => ({
    index,
    direction,
    octets: payload + 5,
    compressed,
    payload_octets: payload,
    type: null,
  });
  assert.deepEqual(heard, [
    ["connection", "c1", 0],
    ["message", "c1", "c1.r1", C2S, message(0, "c2s", 15, false)],
    ["message", "c1", "c1.r1", S2C, message(0, "s2c", 7, true)],
    ["message", "c1", "c1.r1", C2S, message(1, "c2s", 1, false)],
    ["note", "odd"],
    ["unit", "c1", "h2.preface", 0],
    ["exchange", "c1.r2", true, 8, 0],
    ["exchange", "c1.r1", false, 20, 50],
    ["close", "c1", "fin", [28, 0], 50],
  ]);
  assert.deepEqual(
    wire.connectionTally().exchanges[0]?.messages.map(({ index, direction, octets }) => [index, direction, octets]),
    [
      [0, "c2s", 20],
      [0, "s2c", 12],
      [1, "c2s", 6],
    ],
  );
});

test("a document is plain JSON with its keys in the contract's order", () => {
  const wire = new ScriptedWire();
  wire.ledger.addListener("a", "127.0.0.1:1", "127.0.0.1:2");
  wire.open();
  request(wire, "/a", (owner) => [["body.text", 8, "exclusive", owner]]);
  const tally = wire.tally();
  assert.deepEqual(JSON.parse(JSON.stringify(tally)), tally);
  assert.deepEqual(Object.keys(tally), [..."schema generator source started ended totals omitted connections routes".split(" ")]);
  assert.deepEqual(Object.keys(only(tally.connections)), [
    ..."id listener client server protocol opened closed close c2s s2c levels undelivered fields h2 tls packets exchanges notes".split(
      " ",
    ),
  ]);
  assert.deepEqual(tally.source, {
    kind: "proxy",
    listeners: [{ name: "a", listen: "127.0.0.1:1", target: "127.0.0.1:2" }],
    files: [],
  });
});

test("a unit's exchange is plain: the exchange's own properties and no more", () => {
  const wire = new ScriptedWire();
  wire.open();
  request(wire, "/a", (owner) => [["body.text", 8, "exclusive", owner]]);
  const exchange = wire.connection.openExchange(7, "h2");
  assert.deepEqual(JSON.parse(JSON.stringify(exchange)), {
    id: "c1.s7",
    stream: 7,
    protocol: "h2",
    method: null,
    authority: null,
    path: null,
    status: null,
    grpcStatus: null,
    grpcMessage: null,
    complete: false,
  });
});

test("a listener that throws is told nothing more, and disturbs nothing", () => {
  const events = ["connection", "unit", "message", "exchange", "note", "close"] as const;
  for (const faulty of events) {
    const told: string[] = [];
    const tell = (event: string) => () => {
      told.push(event);
      if (event === faulty) throw new TypeError("a view's bug");
    };
    const [connection, unit, message, exchange, note, close] = events.map(tell);
    const listener = { detail: 1, messages: true, connection, unit, message, exchange, note, close } as unknown as LedgerListener;
    const wire = new ScriptedWire({ listener });
    wire.open();
    wire.pass(C2S, 30, (sink) => {
      const opened = sink.openExchange(1, "grpc");
      sink.octets(C2S, CATEGORY["grpc.message.protobuf.string"], 30, LEVEL.exclusive, opened);
      sink.unit({ exchange: opened } as unknown as WireUnit);
      sink.message(opened, C2S, 25, 5, false, null);
      sink.exchangeDone(opened);
      sink.note("odd", "info", C2S, 0, null, "");
    });
    hangUp(wire);
    wire.open();
    assert.deepEqual(told, events.slice(0, events.indexOf(faulty) + 1), faulty);
    const [first] = wire.tally().connections;
    assert.deepEqual(
      first?.notes.filter(({ code }) => code !== "odd").map(({ code, severity, text }) => [code, severity, text]),
      [["listener-fault", "warning", "a view's bug"]],
      faulty,
    );
    assert.deepEqual([first.c2s.octets, wire.ledger.broken, wire.ledger.unattributed], [30, 0, 0], faulty);
    assert.deepEqual(openSums(wire.tally()), []);
  }
});
