import assert from "node:assert/strict";
import { test } from "node:test";
import { FIN, only, ScriptedWire } from "../../test/scripted-wire.ts";
import { C2S, type Direction, S2C } from "../decode/direction.ts";
import { Ledger } from "./ledger.ts";
import type { LedgerListener } from "./listener.ts";
import type { CloseTally, PacketTally } from "./tally.ts";

const FACTS = { listener: "", client: "192.0.2.1:1", server: "192.0.2.2:80" };
const latin1 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "latin1"));
const REQUEST = latin1("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
const POST = latin1("POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n");

function capture(listener: LedgerListener | null = null): Ledger {
  const generator = { name: "wiretally", version: "0" };
  return new Ledger({ kind: "capture", generator, startedNs: 0n, listener, files: ["a.pcap", "b.pcap"] });
}

test("a hole is never counted; a known length moves the offsets behind it, an unknown one does not", () => {
  for (const [told, moved] of [
    [500, 500],
    [null, 0],
  ] as const) {
    const ledger = capture();
    const connection = ledger.open(FACTS, 0);
    connection.delta(C2S, REQUEST, 1);
    connection.gap(C2S, told, 2);
    connection.delta(C2S, latin1("rest of a body"), 3);
    connection.delta(C2S, REQUEST, 4);
    connection.close(FIN, 5);
    const { c2s, notes, exchanges } = only(ledger.tally(6).connections);
    assert.equal(c2s.octets, 2 * REQUEST.length + 14);
    assert.equal(c2s.by_category["unattributed.after_gap"], 14);
    assert.deepEqual(
      notes.map(({ code, offset, severity }) => [code, offset, severity]),
      [
        ["gap", REQUEST.length, "warning"],
        ["after-gap", REQUEST.length + moved, "warning"],
      ],
    );
    assert.match(notes[0]?.text ?? "", told === null ? /nobody knows how many/ : /^500 octets/);
    assert.deepEqual(
      exchanges.map(({ path }) => path),
      ["/a", "/a"],
    );
    assert.equal(ledger.broken, 0);
  }
});

test("a hole within a body leaves the message whole, and nothing without an owner", () => {
  const ledger = capture();
  const connection = ledger.open(FACTS, 0);
  connection.delta(C2S, POST, 1);
  connection.delta(C2S, latin1("abc"), 1);
  connection.gap(C2S, 5, 2);
  connection.delta(C2S, latin1("yz"), 3);
  connection.delta(C2S, REQUEST, 4);
  connection.close(FIN, 5);
  const { exchanges, notes } = only(ledger.tally(6).connections);
  assert.deepEqual(
    exchanges.map(({ path, c2s }) => [path, c2s.octets]),
    [
      ["/b", POST.length + 5],
      ["/a", REQUEST.length],
    ],
  );
  assert.deepEqual(
    notes.map(({ code, offset }) => [code, offset]),
    [["gap", POST.length + 3]],
  );
  assert.equal(ledger.unattributed, 0);
});

test("that the beginning is missing is one note, with the first octets that tell nothing", () => {
  const ledger = capture();
  const connection = ledger.open(FACTS, 0, { late: [true, true] });
  connection.gap(C2S, null, 0);
  connection.delta(C2S, latin1("tail"), 1);
  connection.delta(C2S, REQUEST, 1);
  connection.close(null, 2);
  const { c2s, notes } = only(ledger.tally(3).connections);
  assert.equal(c2s.by_category["unattributed.late_join"], 4);
  assert.deepEqual(
    notes.map(({ code, offset }) => [code, offset]),
    [["late-join", 0]],
  );
});

test("a decoder that throws at a hole is contained", () => {
  const stack = {
    push: () => {},
    end: () => {},
    pending: (direction: Direction) => (direction === C2S ? 3 : 0),
    tlsRecords: null,
  };
  const wire = new ScriptedWire({
    stackFor: () => ({
      ...stack,
      gap: () => {
        throw new Error("no way on");
      },
    }),
  });
  const connection = wire.open();
  connection.delta(C2S, new Uint8Array(3), 0);
  connection.gap(C2S, 7, 0);
  connection.delta(C2S, new Uint8Array(4), 0);
  connection.close(FIN, 0);
  assert.deepEqual(wire.connectionTally().c2s.by_category, { "unattributed.after_error": 7 });
  assert.equal(wire.ledger.broken, 0);
});

test("open at the end of the capture: decoders end, and nobody closed it", () => {
  const heard: [CloseTally | null, readonly [number, number]][] = [];
  const nothing = () => {};
  const listener: LedgerListener = {
    ...{ detail: 0, messages: false, connection: nothing, unit: nothing, message: nothing, exchange: nothing, note: nothing },
    close: (_, close, octets) => void heard.push([close, octets]),
  };
  const ledger = capture(listener);
  const connection = ledger.open(FACTS, 0);
  connection.delta(C2S, REQUEST.subarray(0, 10), 1);
  connection.close(null, 2);
  assert.deepEqual(heard, [[null, [10, 0]]]);
  assert.equal(ledger.openConnections, 0);
  const { closed, close, c2s } = only(ledger.tally(3).connections);
  assert.deepEqual([closed, close, c2s.pending, c2s.by_category], [null, null, 0, { "unattributed.truncated": 10 }]);
});

test("connections have the numbers and packets that the capture gives them, and the source its files", () => {
  const packets: PacketTally = {
    ...{ packets: 3, payload_packets: 1, payload_octets: 28, retransmitted_octets: 0, missing_octets: 0, out_of_order: 0 },
    ...{ header_octets: { link: 42, ip: 60, tcp: 60 }, acks: 1, syn: 1, fin: 0, rst: 0 },
  };
  const counts = { c2s: { ...packets, header_octets: { ...packets.header_octets } }, s2c: packets };
  const ledger = capture();
  const third = ledger.open(FACTS, 0, { ordinal: 3, packets: () => counts });
  const first = ledger.open(FACTS, 0, { ordinal: 1 });
  const next = ledger.open(FACTS, 0);
  third.close(FIN, 1);
  // What is counted later is no longer theirs.
  counts.c2s.header_octets.link += 14;
  const tally = ledger.tally(1);
  assert.deepEqual(
    [first, third, next].map(({ facts }) => facts.id),
    ["c1", "c3", "c4"],
  );
  assert.deepEqual(
    tally.connections.map(({ id }) => id),
    ["c1", "c3", "c4"],
  );
  assert.deepEqual(
    tally.connections.map((connection) => connection.packets),
    [null, { c2s: packets, s2c: packets }, null],
  );
  assert.deepEqual(tally.source, { kind: "capture", listeners: [], files: ["a.pcap", "b.pcap"] });
});

test("the other direction goes on by itself", () => {
  const ledger = capture();
  const connection = ledger.open(FACTS, 0);
  connection.delta(C2S, REQUEST, 1);
  connection.delta(S2C, latin1("HTTP/1.1 200 OK\r\nConte"), 1);
  connection.gap(C2S, null, 2);
  connection.delta(S2C, latin1("nt-Length: 2\r\n\r\nok"), 3);
  connection.close(FIN, 4);
  assert.deepEqual(
    only(ledger.tally(5).connections).exchanges.map(({ status, complete }) => [status, complete]),
    [[200, true]],
  );
});
