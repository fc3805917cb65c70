import assert from "node:assert/strict";
import { test } from "node:test";
import { HpackEncoder, PREFACE, writeData, writeHeaders, writeSettings } from "http2-frame-parser";
import { C2S } from "../../src/decode/direction.ts";
import type { ConnectionLedger } from "../../src/ledger/connection-ledger.ts";
import { Ledger } from "../../src/ledger/ledger.ts";
import type { ConnectionTally } from "../../src/ledger/tally.ts";
import { octetsUnder } from "../octets-under.ts";
import { FIN } from "../scripted-wire.ts";

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
/** What content of any size may cost. */
const RSS_CAP = 64 * MIB;
const CHUNK = 64 * 1024;

/*
 * Content that a decoder might hold, or fall over: each passes in bounded memory, is counted whole, and a note tells of it.
 */

test("a JSON string of 500 MB", () => {
  const text = Buffer.alloc(CHUNK, "abcdefghijklmnop");
  const repeats = 500e6 / CHUNK;
  const length = Math.floor(repeats) * CHUNK + 2;
  const tally = passed((connection) => {
    connection.delta(C2S, http1Head(length), 0);
    connection.delta(C2S, Buffer.from('"'), 0);
    for (let n = 0; n < Math.floor(repeats); n++) connection.delta(C2S, text, 0);
    connection.delta(C2S, Buffer.from('"'), 0);
  });
  assert.equal(octetsUnder(tally.c2s.by_category, "body"), length);
  assert.equal(octetsUnder(tally.c2s.by_category, "body.json"), length);
  assert.deepEqual(codes(tally), ["limit-json-string"]);
});

test("100,000 nested brackets", () => {
  const tally = passed((connection) => {
    connection.delta(C2S, http1Head(200_000), 0);
    connection.delta(C2S, Buffer.from("[".repeat(100_000) + "]".repeat(100_000)), 0);
  });
  assert.equal(tally.c2s.by_category["body.json.punctuation"], 10_000);
  assert.equal(tally.c2s.by_category["body.undecoded"], 190_000);
  assert.deepEqual(codes(tally), ["limit-json-depth"]);
});

test("100,000 nested protobuf messages", () => {
  const message = nested(100_000);
  const tally = passed((connection) => sendGrpc(connection, message.length, [message]));
  assert.equal(octetsUnder(tally.c2s.by_category, "grpc.message"), message.length);
  assert.ok(codes(tally).includes("limit-protobuf-depth"), codes(tally).join(" "));
});

test("a length prefix of 2 GiB and nothing behind it", () => {
  const tally = passed((connection) => sendGrpc(connection, 2 * GIB, [Uint8Array.of(0x0a, 0x01, 0x61)]));
  assert.equal(octetsUnder(tally.c2s.by_category, "grpc.message"), 3);
  assert.ok(codes(tally).includes("large-message"), codes(tally).join(" "));
});

test("a gRPC message of 1 GiB: one field of octets", () => {
  const field = Uint8Array.of(0x2a, ...varint(GIB));
  const chunk = Buffer.alloc(16_384, 7);
  const tally = passed((connection) => {
    sendGrpc(connection, field.length + GIB, [field]);
    const frame = writeData(1, chunk);
    for (let sent = 0; sent < GIB; sent += chunk.length) connection.delta(C2S, frame, 0);
  });
  assert.equal(octetsUnder(tally.c2s.by_category, "grpc.message"), field.length + GIB);
  assert.equal(tally.c2s.by_category["grpc.message.protobuf.bytes"], GIB);
  assert.ok(codes(tally).includes("large-message"), codes(tally).join(" "));
});

/** The closed connection's document, after `send`; the process must not have grown meanwhile. */
function passed(send: (connection: ConnectionLedger) => void): ConnectionTally {
  const ledger = new Ledger({ kind: "proxy", generator: { name: "wiretally", version: "0" }, startedNs: 0n });
  const connection = ledger.open({ listener: "", client: "", server: "" }, 0);
  const before = process.memoryUsage().rss;
  send(connection);
  const grown = process.memoryUsage().rss - before;
  connection.close(FIN, 1);
  assert.ok(grown < RSS_CAP, `RSS grew by ${(grown / MIB).toFixed(1)} MiB`);
  assert.deepEqual([ledger.broken, ledger.unattributed], [0, 0]);
  const [tally] = ledger.tally(1).connections;
  if (tally === undefined) throw new Error("there is a connection");
  return tally;
}

function codes({ notes }: ConnectionTally): string[] {
  return notes.map(({ code }) => code);
}

function http1Head(length: number): Uint8Array {
  return Buffer.from(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`);
}

/** The head of a call, a prefix that says `length`, and the first octets of the message. */
function sendGrpc(connection: ConnectionLedger, length: number, octets: readonly Uint8Array[]): void {
  const head = new HpackEncoder().encode([
    { name: ":method", value: "POST" },
    { name: ":path", value: "/a.B/C" },
    { name: "content-type", value: "application/grpc" },
  ]);
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(length, 1);
  connection.delta(C2S, Buffer.concat([PREFACE, writeSettings([]), writeHeaders(1, head), writeData(1, prefix)]), 0);
  for (const piece of octets) {
    for (let at = 0; at < piece.length; at += 16_384) connection.delta(C2S, writeData(1, piece.subarray(at, at + 16_384)), 0);
  }
}

/** Field 1 within field 1 …, innermost a number. */
function nested(depth: number): Uint8Array {
  const heads: Uint8Array[] = [];
  let length = 2;
  for (let level = 0; level < depth; level++) {
    const head = Uint8Array.of(0x0a, ...varint(length));
    heads.push(head);
    length += head.length;
  }
  return Buffer.concat([...heads.reverse(), Uint8Array.of(0x08, 0x01)]);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
