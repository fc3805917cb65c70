import assert from "node:assert/strict";
import { test } from "node:test";
import { FIN, hangUp, MS, openSums, type Said, ScriptedWire } from "../../test/scripted-wire.ts";
import { CATEGORY } from "../decode/category.ts";
import { C2S, type Direction, S2C } from "../decode/direction.ts";
import type { Exchange } from "../decode/exchange.ts";
import { LEVEL } from "../decode/level.ts";
import { CONTROL, type ConnectionSink } from "../decode/sink.ts";
import type { Window } from "./tally.ts";

/** Frame sizes are those of WIRE-TRUTH section 3, grpc-go, small item. */
const windowUpdate = (level: "setup" | "connection"): Said[] => [
  ["h2.frame_header.window_update", 9, level, null],
  ["h2.window_update", 4, level, null],
];
const ping: Said[] = [
  ["h2.frame_header.ping", 9, "connection", null],
  ["h2.ping", 8, "connection", null],
];
const headers = (exchange: Exchange, block: number): Said[] => [
  ["h2.frame_header.headers", 9, "exclusive", exchange],
  ["h2.field_block.indexed", block, "exclusive", exchange],
];
const data = (exchange: Exchange): Said[] => [
  ["h2.frame_header.data", 9, "exclusive", exchange],
  ["grpc.prefix", 5, "exclusive", exchange],
  ["grpc.message.protobuf.string", 20, "exclusive", exchange],
];
const settings = (octets: number): Said[] => [
  ["h2.frame_header.settings", 9, "setup", null],
  ["h2.settings", octets, "setup", null],
];

/** One grpc-go connection on a scripted wire. */
class GrpcGo {
  readonly wire: ScriptedWire;
  #stream = 1;

  constructor(wire: ScriptedWire) {
    this.wire = wire;
    wire.open();
  }

  /** 42 octets up, 37 down: preface, SETTINGS, ACK; SETTINGS with one setting, ACK, WINDOW_UPDATE before the first HEADERS. */
  setUp(): void {
    this.#control(C2S, [CONTROL.settings, CONTROL.settings], ["h2.preface", 24, "setup", null], ...settings(0), ...settings(0));
    this.#control(
      S2C,
      [CONTROL.settings, CONTROL.settings, CONTROL.window_update],
      ...settings(6),
      ...settings(0),
      ...windowUpdate("setup"),
    );
  }

  /** Exclusive 50 up and 56 down with blocks of 7, 2 and 2 octets; the flow control around it is up to the caller. */
  request(path: string, block = 7): Exchange {
    let exchange: Exchange | null = null;
    this.wire.pass(C2S, 9 + block + 34, (sink) => {
      exchange = sink.openExchange(this.#stream, "h2");
      this.#stream += 2;
      exchange.protocol = "grpc";
      exchange.method = "POST";
      exchange.path = path;
      sink.requestKnown(exchange);
      announce(sink, C2S, [...headers(exchange, block), ...data(exchange)]);
    });
    assert.ok(exchange !== null);
    return exchange;
  }

  response(exchange: Exchange, head = 2, trailers = 2): void {
    this.wire.pass(S2C, 9 + head + 34 + 9 + trailers, (sink) => {
      announce(sink, S2C, [...headers(exchange, head), ...data(exchange), ...headers(exchange, trailers)]);
      exchange.complete = true;
      sink.exchangeDone(exchange);
    });
  }

  /** The server saw DATA: its WINDOW_UPDATE and probe, and the answer. */
  serverProbe(coldWindowUpdate = false): void {
    if (coldWindowUpdate) this.#control(S2C, [CONTROL.ping], ...ping);
    else this.#control(S2C, [CONTROL.window_update, CONTROL.ping], ...windowUpdate("connection"), ...ping);
    this.#control(C2S, [CONTROL.ping_ack], ...ping);
  }

  /** The client saw DATA: 30 octets up and 17 down. */
  clientProbe(): void {
    this.#control(C2S, [CONTROL.window_update, CONTROL.ping], ...windowUpdate("connection"), ...ping);
    this.#control(S2C, [CONTROL.ping_ack], ...ping);
  }

  call(path = "/item.v1.ItemService/Echo"): void {
    const exchange = this.request(path);
    this.serverProbe();
    this.response(exchange);
    this.clientProbe();
  }

  coldCall(): void {
    const exchange = this.request("/item.v1.ItemService/Echo", 72);
    this.serverProbe(true);
    this.response(exchange, 14, 24);
    this.clientProbe();
  }

  goaway(direction: Direction): void {
    this.wire.say(direction, ["h2.frame_header.goaway", 9, "close", null], ["h2.goaway", 8, "close", null]);
  }

  keepAlive(): void {
    this.#control(C2S, [CONTROL.ping], ...ping);
    this.#control(S2C, [CONTROL.ping_ack], ...ping);
  }

  #control(direction: Direction, kinds: readonly number[], ...runs: Said[]): void {
    const octets = runs.reduce((sum, [, count]) => sum + count, 0);
    this.wire.pass(direction, octets, (sink) => {
      announce(sink, direction, runs);
      for (const kind of kinds) sink.control(direction, kind);
    });
  }
}

function announce(sink: ConnectionSink, direction: Direction, runs: readonly Said[]): void {
  for (const [category, count, level, exchange] of runs) {
    sink.octets(direction, CATEGORY[category], count, LEVEL[level], exchange);
  }
}

const amortised = (window: Window): number =>
  (window.exclusive + window.stream_flow + (window.connection ?? Number.NaN)) / window.calls;

/** The window, when there is one. */
function there(window: Window | null): Window {
  assert.ok(window !== null);
  return window;
}

test("grpc-go small: warm 97 and 103 a call amortised, 50 and 56 exclusive; cold 204 and 161", () => {
  const wire = new ScriptedWire({ warmUp: 2 });
  const go = new GrpcGo(wire);
  go.setUp();
  go.coldCall();
  wire.wait(150);
  go.call();
  wire.wait(150);
  for (let call = 0; call < 5; call++) go.call();
  wire.wait(150);
  go.goaway(C2S);

  const { c2s, s2c, calls, route, protocol } = wire.routeTally();
  assert.deepEqual([protocol, route, calls], ["grpc", "/item.v1.ItemService/Echo", 7]);

  const up = there(c2s.warm);
  const down = there(s2c.warm);
  assert.deepEqual([amortised(up), amortised(down)], [97, 103]);
  assert.deepEqual(up, {
    calls: 5,
    exclusive: 250,
    stream_flow: 0,
    connection: 235,
    setup: 0,
    edges: "closed",
    own: { min: 50, median: 50, max: 50 },
    frames: { ping: 5, ping_ack: 5, window_update: 5, settings: 0 },
  });
  assert.deepEqual([down.exclusive, down.connection, down.edges], [280, 235, "closed"]);

  const coldUp = there(c2s.cold);
  const coldDown = there(s2c.cold);
  assert.equal(coldUp.setup + coldUp.exclusive + (coldUp.connection ?? 0), 204);
  assert.equal(coldDown.setup + coldDown.exclusive + (coldDown.connection ?? 0), 161);
  assert.deepEqual([coldUp.setup, coldUp.exclusive, coldUp.connection, coldUp.calls], [42, 115, 47, 1]);
  assert.deepEqual([coldDown.setup, coldDown.exclusive, coldDown.connection], [37, 90, 34]);
  assert.deepEqual(coldUp.frames, { ping: 1, ping_ack: 1, window_update: 1, settings: 2 });
  assert.equal(coldUp.edges, "closed");

  const { levels } = wire.connectionTally();
  // 115 + 6 × 50; 7 × 47; GOAWAY 17.
  assert.deepEqual(levels.c2s, { exclusive: 415, stream_flow: 0, setup: 42, connection: 329, close: 17, unowned: 0 });
  assert.deepEqual(openSums(wire.tally()), []);
});

test("the close settles what a snapshot showed", () => {
  const wire = new ScriptedWire({ warmUp: 1 });
  const go = new GrpcGo(wire);
  go.setUp();
  go.coldCall();
  wire.wait(150);
  go.call();
  wire.wait(150);
  const before = wire.routeTally();
  hangUp(wire);
  assert.deepEqual(wire.routeTally(), before);
});

test("keep-alive after the last call's first pause is outside, between calls it is inside", () => {
  const wire = new ScriptedWire({ warmUp: 1 });
  const go = new GrpcGo(wire);
  go.setUp();
  go.coldCall();
  wire.wait(150);
  go.call();
  wire.wait(30_000);
  go.keepAlive();
  wire.wait(30_000);
  assert.equal(there(wire.routeTally().c2s.warm).connection, 47);
  // A connection window that grows late is set-up, and no part of a warm window.
  wire.say(C2S, ...windowUpdate("setup"));
  go.call();
  for (let pause = 0; pause < 3; pause++) {
    wire.wait(100);
    go.keepAlive();
  }
  wire.wait(500);
  const warm = there(wire.routeTally().c2s.warm);
  assert.deepEqual([warm.connection, warm.setup, warm.calls, warm.edges, warm.frames.ping], [2 * 47 + 17, 0, 2, "closed", 3]);
});

test("99 ms are no pause: the edge is the next request and at the end the first close-level octet", () => {
  const wire = new ScriptedWire({ warmUp: 2 });
  const go = new GrpcGo(wire);
  go.setUp();
  // As on the wire: the probe of response N leaves with request N + 1, so each edge moves by up to 47 octets.
  const first = go.request("/item.v1.ItemService/Echo", 72);
  go.serverProbe(true);
  go.response(first, 14, 24);
  wire.wait(99);
  const second = go.request("/item.v1.ItemService/Echo");
  go.clientProbe();
  go.serverProbe();
  go.response(second);
  const third = go.request("/item.v1.ItemService/Echo");
  go.clientProbe();
  go.serverProbe();
  go.response(third);
  go.goaway(S2C);
  go.keepAlive();
  const { cold, warm } = wire.routeTally().c2s;
  assert.deepEqual([there(cold).edges, there(cold).connection], ["open", 17]);
  assert.deepEqual([there(warm).edges, there(warm).connection, there(warm).calls], ["open", 47, 1]);
});

test("an open exchange, or octets held, are no pause", () => {
  const wire = new ScriptedWire({ warmUp: 1 });
  const go = new GrpcGo(wire);
  go.setUp();
  const call = go.request("/a");
  wire.wait(1_000);
  go.serverProbe();
  go.response(call);
  // Half a frame that is still held.
  wire.pass(C2S, 5, () => {});
  wire.wait(1_000);
  wire.pass(C2S, 12, (sink) => announce(sink, C2S, ping));
  assert.equal(there(wire.routeTally().c2s.cold).edges, "open");
  wire.wait(100);
  const cold = there(wire.routeTally().c2s.cold);
  assert.deepEqual([cold.edges, cold.connection], ["closed", 34]);
});

test("a warm window with two routes knows no connection octets for either", () => {
  const wire = new ScriptedWire({ warmUp: 1 });
  const go = new GrpcGo(wire);
  go.setUp();
  go.coldCall();
  wire.wait(150);
  go.call("/a");
  go.call("/b");
  wire.wait(150);
  const [echo, a, b] = wire.tally().routes;
  assert.equal(echo?.c2s.warm, null);
  assert.deepEqual([a?.c2s.warm?.calls, a?.c2s.warm?.exclusive, a?.c2s.warm?.connection], [1, 50, null]);
  assert.deepEqual([b?.s2c.warm?.calls, b?.s2c.warm?.exclusive, b?.s2c.warm?.connection], [1, 56, null]);
  assert.equal(echo?.c2s.cold?.connection, 47);
});

test("windows of several connections add up", () => {
  const wire = new ScriptedWire({ warmUp: 1 });
  for (let connection = 0; connection < 3; connection++) {
    const go = new GrpcGo(wire);
    go.setUp();
    go.coldCall();
    wire.wait(150);
    go.call();
    go.call();
    wire.wait(150);
    if (connection < 2) wire.connection.close(FIN, wire.now);
  }
  const { cold, warm } = wire.routeTally().c2s;
  assert.deepEqual([there(cold).calls, there(cold).setup, there(cold).connection], [3, 3 * 42, 3 * 47]);
  assert.deepEqual([there(warm).calls, there(warm).exclusive, there(warm).connection], [6, 300, 6 * 47]);
});

test("flow control that comes after a call's end counts with its call", () => {
  const wire = new ScriptedWire({ warmUp: 0 });
  const go = new GrpcGo(wire);
  go.setUp();
  const calls = [1, 2, 3].map(() => {
    const exchange = go.request("/a");
    go.response(exchange);
    return exchange;
  });
  wire.wait(150);
  const late = calls[1] ?? null;
  wire.say(C2S, ["h2.frame_header.window_update", 9, "stream_flow", late], ["h2.window_update", 4, "stream_flow", late]);
  const route = wire.routeTally();
  const warm = there(route.c2s.warm);
  assert.deepEqual([warm.calls, warm.exclusive, warm.stream_flow, warm.own], [3, 150, 13, { min: 50, median: 50, max: 63 }]);
  assert.deepEqual([route.c2s.octets, route.c2s.stream_flow, route.s2c.stream_flow], [163, 13, 0]);
  const [, second] = wire.connectionTally().exchanges;
  assert.equal(second?.c2s.octets, 63);
  assert.deepEqual(openSums(wire.tally()), []);
});

test("a call that is still open is in its route, and in no window", () => {
  const wire = new ScriptedWire({ warmUp: 10 });
  const go = new GrpcGo(wire);
  go.setUp();
  go.request("/watch");
  wire.wait(5 * 150);
  const route = wire.routeTally();
  assert.deepEqual([route.calls, route.c2s.octets, route.c2s.exclusive, route.c2s.cold], [1, 50, 50, null]);
  wire.connection.close(FIN, wire.now + MS);
  const closed = wire.routeTally();
  assert.deepEqual([closed.calls, closed.c2s.octets, closed.c2s.cold?.calls], [1, 50, 1]);
  assert.equal(wire.connectionTally().exchanges[0]?.complete, false);
});
