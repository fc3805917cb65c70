import assert from "node:assert/strict";
import { test } from "node:test";
import { hangUp, only, openSums, ScriptedWire } from "../../test/scripted-wire.ts";
import { CATEGORY } from "../decode/category.ts";
import { C2S, S2C } from "../decode/direction.ts";
import type { Exchange } from "../decode/exchange.ts";
import { LEVEL } from "../decode/level.ts";
import type { ExchangeRecord } from "./exchange-record.ts";

/** A whole call of 10 octets up and 20 down; the request names `path`. */
function call(wire: ScriptedWire, stream: number, path = "/a"): Exchange {
  let opened: Exchange | null = null;
  wire.pass(C2S, 10, (sink) => {
    opened = sink.openExchange(stream, "h2");
    opened.method = "GET";
    opened.path = path;
    sink.requestKnown(opened);
    sink.octets(C2S, CATEGORY["h2.frame_header.headers"], 9, LEVEL.exclusive, opened);
    sink.octets(C2S, CATEGORY["h2.field_block.indexed"], 1, LEVEL.exclusive, opened);
  });
  const exchange = opened as Exchange | null;
  assert.ok(exchange !== null);
  wire.pass(S2C, 20, (sink) => {
    sink.octets(S2C, CATEGORY["body.text"], 20, LEVEL.exclusive, exchange);
    exchange.complete = true;
    sink.exchangeDone(exchange);
  });
  return exchange;
}

test("the newest finished exchanges are listed, older ones and their late octets still count everywhere else", () => {
  const wire = new ScriptedWire({ limits: { exchanges: 3 }, warmUp: 0 });
  wire.open();
  const calls = [1, 3, 5, 7, 9].map((stream) => call(wire, stream));
  assert.deepEqual(
    wire.connectionTally().exchanges.map(({ id }) => id),
    ["c1.s5", "c1.s7", "c1.s9"],
  );
  assert.equal(wire.tally().omitted.exchanges, 2);
  wire.say(C2S, ["h2.window_update", 13, "stream_flow", calls[0] ?? null]);
  // The decoder may hold on to it; its counts are gone all the same.
  assert.equal((calls[0] as ExchangeRecord).tally(0n).c2s.octets, 0);
  const { c2s, levels } = wire.connectionTally();
  const route = wire.routeTally();
  assert.deepEqual([c2s.octets, levels.c2s.stream_flow], [63, 13]);
  assert.deepEqual([route.calls, route.c2s.octets, route.s2c.octets, route.c2s.stream_flow], [5, 63, 100, 13]);
  assert.deepEqual(route.c2s.warm?.own, { min: 10, median: 10, max: 23 });
  assert.deepEqual(openSums(wire.tally()), []);
});

test("the bound is the ledger's: a busy connection pushes a quiet one's exchanges out", () => {
  const wire = new ScriptedWire({ limits: { exchanges: 2 } });
  wire.open();
  call(wire, 1);
  wire.open();
  call(wire, 1);
  call(wire, 3);
  const [first, second] = wire.tally().connections;
  assert.deepEqual([first?.exchanges.length, first?.c2s.octets], [0, 10]);
  assert.deepEqual(
    second?.exchanges.map(({ id }) => id),
    ["c2.s1", "c2.s3"],
  );
});

test("live exchanges are always listed", () => {
  const wire = new ScriptedWire({ limits: { exchanges: 1 } });
  wire.open();
  for (let stream = 1; stream < 20; stream += 2) {
    wire.pass(C2S, 9, (sink) => {
      sink.octets(C2S, CATEGORY["h2.frame_header.headers"], 9, LEVEL.exclusive, sink.openExchange(stream, "h2"));
    });
  }
  assert.equal(wire.connectionTally().exchanges.length, 10);
  assert.deepEqual([wire.routeTally().route, wire.routeTally().calls, wire.routeTally().c2s.octets], ["(unknown)", 10, 90]);
  assert.deepEqual(wire.tally().omitted, { connections: 0, exchanges: 0, messages: 0, routes: 0, field_names: 0, notes: 0 });
  hangUp(wire);
  assert.equal(wire.tally().omitted.exchanges, 9);
});

test("the newest closed connections are listed, with the exchanges of the dropped ones in omitted", () => {
  const wire = new ScriptedWire({ limits: { connections: 2, exchanges: 4 } });
  const opened = [1, 2, 3, 4].map(() => {
    const connection = wire.open();
    call(wire, 1);
    if (connection.facts.id !== "c1") hangUp(wire);
    return connection;
  });
  // c2 had to go for c4; c1 is still open.
  const tally = wire.tally();
  assert.deepEqual(
    tally.connections.map(({ id, exchanges }) => [id, exchanges.length]),
    [
      ["c1", 1],
      ["c3", 1],
      ["c4", 1],
    ],
  );
  assert.deepEqual([tally.omitted.connections, tally.omitted.exchanges], [1, 1]);
  assert.deepEqual([tally.totals.c2s.octets, tally.totals.s2c.octets, tally.totals.c2s.deltas], [40, 80, 4]);
  assert.equal(only(tally.routes).calls, 4);
  assert.deepEqual([wire.ledger.openConnections, opened.length], [1, 4]);
  assert.deepEqual(openSums(tally), []);
  // Every finished exchange is either listed or omitted, once.
  wire.open();
  for (const stream of [3, 5, 7]) call(wire, stream, "/late");
  const later = wire.tally();
  const listed = later.connections.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  assert.deepEqual([listed + later.omitted.exchanges, later.routes.reduce((sum, { calls }) => sum + calls, 0)], [7, 7]);
});

test("routes past the bound count under (other) of their protocol", () => {
  const wire = new ScriptedWire({ limits: { routes: 2 } });
  wire.open();
  for (const [at, path] of ["/a", "/b", "/c", "/a", "/d"].entries()) call(wire, 2 * at + 1, path);
  const { routes, omitted } = wire.tally();
  assert.deepEqual(
    routes.map(({ route, calls, c2s }) => [route, calls, c2s.octets]),
    [
      ["GET /a", 2, 20],
      ["GET /b", 1, 10],
      ["(other)", 2, 20],
    ],
  );
  assert.equal(omitted.routes, 2);
});

test("a snapshot makes no routes: live requests that are not known yet do not use the bound up", () => {
  const wire = new ScriptedWire({ limits: { routes: 1 } });
  wire.open();
  wire.pass(C2S, 9, (sink) => {
    sink.octets(C2S, CATEGORY["h2.frame_header.headers"], 9, LEVEL.exclusive, sink.openExchange(1, "h2"));
  });
  assert.equal(wire.routeTally().route, "(unknown)");
  call(wire, 3);
  assert.deepEqual(
    wire.tally().routes.map(({ route }) => route),
    ["GET /a", "(other)"],
  );
});

test("messages and notes past the bound are counted only", () => {
  const wire = new ScriptedWire({ limits: { messages: 2, notes: 3 } });
  const connection = wire.open();
  const exchange = call(wire, 1);
  for (let message = 0; message < 5; message++) connection.message(exchange, C2S, message, 5, false, null);
  for (let note = 0; note < 4; note++) connection.note(`note-${note}`, "info", C2S, note, null, "");
  const { exchanges, notes } = wire.connectionTally();
  assert.deepEqual(
    only(exchanges).messages.map(({ payload_octets }) => payload_octets),
    [0, 1],
  );
  assert.deepEqual(
    notes.map(({ code }) => code),
    ["note-0", "note-1", "note-2"],
  );
  const { omitted } = wire.tally();
  assert.deepEqual([omitted.messages, omitted.notes], [3, 1]);
});

test("texts from the wire are kept up to their cap, with a note", () => {
  const wire = new ScriptedWire({ limits: { textOctets: 10 } });
  wire.open();
  call(wire, 1, `/${"p".repeat(50)}`);
  const { exchanges, notes } = wire.connectionTally();
  assert.deepEqual([only(exchanges).path, only(exchanges).route], [`/${"p".repeat(9)}`, `GET /${"p".repeat(9)}`]);
  assert.deepEqual([only(notes).code, only(notes).severity], ["text-cap", "limit"]);
});

test("V-PX-05: 100,000 calls on one connection stay flat and are counted exactly", () => {
  const wire = new ScriptedWire({ limits: { exchanges: 100 } });
  wire.open();
  for (let number = 0; number < 100_000; number++) call(wire, 2 * number + 1);
  assert.deepEqual([wire.connection.exchanges.live.size, wire.connection.exchanges.listed.size], [0, 100]);
  const route = wire.routeTally();
  assert.deepEqual([route.calls, route.c2s.octets, route.s2c.octets], [100_000, 1_000_000, 2_000_000]);
  assert.deepEqual([route.c2s.warm?.calls, route.c2s.warm?.exclusive], [99_990, 999_900]);
  assert.equal(wire.tally().omitted.exchanges, 99_900);
});
