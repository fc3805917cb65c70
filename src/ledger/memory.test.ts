import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { hangUp, openSums, ScriptedWire } from "../../test/scripted-wire.ts";
import { CATEGORY } from "../decode/category.ts";
import { C2S, S2C } from "../decode/direction.ts";
import type { ConnectionSink } from "../decode/sink.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const MIB = 2 ** 20;

/** Octets that `fill` leaves alive. */
function kept(fill: () => void): number {
  const held = () => {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = held();
  fill();
  return held() - before;
}

test("65,536 live exchanges of one connection are small", () => {
  const wire = new ScriptedWire();
  const octets = kept(() => {
    wire.pass(C2S, 65_536 * 20, (sink) => {
      for (let number = 0; number < 65_536; number++) {
        const exchange = sink.openExchange(2 * number + 1, "h2");
        sink.octets(C2S, CATEGORY["h2.frame_header.headers"], 9, 2, exchange);
        sink.octets(C2S, CATEGORY["h2.field_block.indexed"], 11, 2, exchange);
      }
    });
  });
  assert.equal(wire.connection.exchanges.live.size, 65_536);
  assert.ok(octets < 60 * MIB, `${Math.round(octets / MIB)} MiB`);
  assert.deepEqual(openSums(wire.tally()), []);
});

/** `length` octets that begin with `start`, as one flat string. */
function longText(start: string, length: number): string {
  return Buffer.from(start.padEnd(length, "x"), "latin1").toString("latin1");
}

test("no kept text is a slice of a longer one", () => {
  const wire = new ScriptedWire();
  const slice = (start: string) => longText(start, 100_000).slice(0, 40);
  const everything = (sink: ConnectionSink, number: number) => {
    const exchange = sink.openExchange(null, "http1");
    exchange.method = slice(`METHOD-${number}-`);
    exchange.authority = slice(`host-${number}-`);
    exchange.path = slice(`/path-${number}-`);
    sink.requestKnown(exchange);
    sink.field(C2S, slice(`name-${number}-`), 10, 5, 1, -1, false, 0);
    sink.note("odd", "info", C2S, 0, null, slice(`note ${number} `));
    sink.octets(C2S, CATEGORY["body.text"], 10, 2, exchange);
    if (number % 2 !== 0) return;
    exchange.grpcMessage = slice(`message ${number} `);
    sink.exchangeDone(exchange);
  };
  const octets = kept(() => {
    for (let number = 0; number < 300; number++) wire.pass(C2S, 10, (sink) => everything(sink, number));
  });
  // One kind of text alone would keep 30 MB alive; half of the exchanges are live.
  assert.ok(octets < 6 * MIB, `${Math.round(octets / MIB)} MiB`);
  assert.equal(wire.connectionTally().exchanges[0]?.path, `/path-0-${"x".repeat(32)}`);
});

test("field names and notes of closed connections have one bound together, and the oldest give theirs up first", () => {
  const wire = new ScriptedWire({ limits: { closedDetailOctets: 5000 } });
  for (let number = 0; number < 10; number++) {
    wire.open();
    wire.pass(C2S, 10, (sink) => {
      sink.octets(C2S, CATEGORY["body.text"], 10, 2, null);
      for (let line = 0; line < 8; line++) sink.field(line % 2 === 0 ? C2S : S2C, `x-${line >> 1}`, 10, 3, 2, -1, false, 0);
      sink.note("odd", "info", C2S, 0, null, "text");
    });
    hangUp(wire);
  }
  const { connections, omitted } = wire.tally();
  const whole = connections.filter(({ fields }) => fields.c2s.length > 1);
  assert.ok(whole.length > 0 && whole.length < 10, `${whole.length} are whole`);
  assert.deepEqual(whole, connections.slice(-whole.length));
  const trimmed = connections.slice(0, -whole.length);
  for (const { fields, notes } of trimmed) {
    for (const rows of [fields.c2s, fields.s2c]) {
      assert.deepEqual(
        rows.map(({ name, count, octets, plain_octets }) => ({ name, count, octets, plain_octets })),
        [{ name: "(other)", count: 4, octets: 40, plain_octets: 36 }],
      );
    }
    assert.deepEqual(notes, []);
  }
  assert.deepEqual([omitted.field_names, omitted.notes], [8 * trimmed.length, trimmed.length]);
});

test("1,000 connections of 1,000 names of their own stay within the default bound", () => {
  const wire = new ScriptedWire();
  const octets = kept(() => {
    for (let number = 0; number < 1000; number++) {
      wire.open();
      wire.pass(C2S, 10, (sink) => {
        sink.octets(C2S, CATEGORY["body.text"], 10, 2, null);
        for (let line = 0; line < 1000; line++) sink.field(C2S, `x-${number}-${line}`, 10, 10, 2, -1, false, 0);
      });
      hangUp(wire);
    }
  });
  assert.ok(octets < 80 * MIB, `${Math.round(octets / MIB)} MiB`);
  assert.ok(wire.tally().omitted.field_names > 500_000, "names are left out, and counted");
});
