import assert from "node:assert/strict";
import { test } from "node:test";
import { HpackEncoder, PREFACE, writeData, writeHeaders, writePushPromise, writeSettings } from "http2-frame-parser";
import { C2S, type Direction, S2C } from "../../decode/direction.ts";
import type { Detail } from "../../decode/sink.ts";
import type { ConnectionLedger } from "../../ledger/connection-ledger.ts";
import { Ledger } from "../../ledger/ledger.ts";
import type { LedgerListener } from "../../ledger/listener.ts";
import { parseFilter } from "./filter.ts";
import { FilteredListener } from "./filtered-listener.ts";
import { UnitItem } from "./items.ts";

/** Writes down what it is told, a word or two a call. */
class Recorder implements LedgerListener {
  readonly detail: Detail;
  readonly messages: boolean;
  readonly lines: string[] = [];

  constructor(detail: Detail, messages = detail > 0) {
    this.detail = detail;
    this.messages = messages;
  }

  connection: LedgerListener["connection"] = ({ id }, time) => this.lines.push(`${id} open at ${time}`);
  unit: LedgerListener["unit"] = (connection, unit) => {
    const { type, dir } = new UnitItem(connection, unit);
    this.lines.push(`${connection.id} ${type?.name ?? unit.detail.kind} ${dir}`);
  };
  message: LedgerListener["message"] = (_connection, exchange, _direction, { octets, direction }) =>
    this.lines.push(`${exchange} message ${octets} ${direction}`);
  exchange: LedgerListener["exchange"] = (_connection, { id, status }) => this.lines.push(`${id} over ${status}`);
  note: LedgerListener["note"] = ({ id }, { code }) => this.lines.push(`${id} note ${code}`);
  close: LedgerListener["close"] = ({ id }, _close, [c2s, s2c]) => this.lines.push(`${id} close ${c2s}+${s2c}`);
}

type Turn = readonly [Direction, string | Uint8Array];

/** Two or more connections, one after the other, each opened at 10 times its number; what a listener behind the filter is told. */
function told(expression: string, recorder: Recorder, ...connections: readonly (readonly Turn[])[]): string[] {
  const listener = new FilteredListener(parseFilter(expression), recorder);
  const ledger = new Ledger({ kind: "proxy", generator: { name: "wiretally", version: "0" }, startedNs: 0n, listener });
  connections.forEach((turns, index) => {
    const time = 10 * (index + 1);
    const connection: ConnectionLedger = ledger.open({ listener: "a", client: "", server: "" }, time);
    for (const [direction, octets] of turns) {
      connection.delta(direction, typeof octets === "string" ? Buffer.from(octets, "latin1") : octets, time + 5);
    }
    connection.close({ by: "client", how: "fin", code: null, order: ["client", "server"] }, time + 9);
  });
  assert.equal(ledger.tally(1000).connections[0]?.notes.filter(({ code }) => code === "listener-fault").length, 0);
  return recorder.lines;
}

const http1 = (path: string, agent: string, status: number): Turn[] => [
  [C2S, `GET ${path} HTTP/1.1\r\nHost: a\r\nUser-Agent: ${agent}\r\n\r\n`],
  [S2C, `HTTP/1.1 ${status} X\r\nContent-Length: 2\r\n\r\nok`],
];

/** A gRPC call on stream 1: a request message of 3 octets, a response message of 4, grpc-status 0. */
function grpc(): Turn[] {
  const [client, server] = [new HpackEncoder(), new HpackEncoder()];
  const request = client.encode([
    { name: ":method", value: "POST" },
    { name: ":scheme", value: "http" },
    { name: ":path", value: "/item.v1.ItemService/Echo" },
    { name: ":authority", value: "localhost" },
    { name: "content-type", value: "application/grpc" },
    { name: "authorization", value: "Bearer s3cret" },
  ]);
  const response = server.encode([
    { name: ":status", value: "200" },
    { name: "content-type", value: "application/grpc" },
  ]);
  const trailers = server.encode([{ name: "grpc-status", value: "0" }]);
  const end = { endStream: true };
  return [
    [C2S, PREFACE],
    [C2S, writeSettings([])],
    [C2S, writeHeaders(1, request)],
    [C2S, writeData(1, Uint8Array.of(0, 0, 0, 0, 3, 1, 2, 3), end)],
    [S2C, writeSettings([])],
    [S2C, writeHeaders(1, response)],
    [S2C, writeData(1, Uint8Array.of(0, 0, 0, 0, 4, 1, 2, 3, 4))],
    [S2C, writeHeaders(1, trailers, end)],
  ];
}

test("only exchanges that match, with the opening and the close of their connections", () => {
  const one = [...http1("/a", "curl/8", 200), ...http1("/b", "curl/8", 500)];
  const other = http1("/c", "Go", 200);
  // 17 + 9 + 20 + 2 octets a request of curl/8, four less of Go; 16 + 19 + 2 + 2 a response.
  assert.deepEqual(told("status >= 500", new Recorder(0), one, other), ["c1 open at 10", "c1.r2 over 500", "c1 close 96+78"]);
  assert.deepEqual(told('path == "/c"', new Recorder(0), one, other), ["c2 open at 20", "c2.r1 over 200", "c2 close 44+39"]);
  assert.deepEqual(told('path == "/d"', new Recorder(0), one, other), []);
});

test("an exchange is known by its field lines, for a listener without units, too", () => {
  const connections = [[...http1("/a", "curl/8", 200), ...http1("/b", "Go", 200)], http1("/c", "curl/7", 200)];
  const curl = 'header("user-agent") ~ "^curl"';
  const recorder = new Recorder(0);
  assert.equal(new FilteredListener(parseFilter(curl), recorder).detail, 2);
  assert.equal(new FilteredListener(parseFilter("octets > 1"), recorder).detail, 0);
  assert.deepEqual(
    told(curl, recorder, ...connections).filter((line) => line.includes("over")),
    ["c1.r1 over 200", "c2.r1 over 200"],
  );
  // Request and response together: a field line of each.
  const both = `${curl} && header("content-length") == "2"`;
  assert.deepEqual(told(both, new Recorder(0), ...connections).length, 6);
});

test("units and messages by themselves", () => {
  const call = grpc();
  const open = "c1 open at 10";
  const octets = (direction: Direction): number =>
    call.reduce((sum, [of, bytes]) => sum + (of === direction ? bytes.length : 0), 0);
  const close = `c1 close ${octets(C2S)}+${octets(S2C)}`;
  const table: [string, string[]][] = [
    ['type == "SETTINGS"', ["c1 SETTINGS c2s", "c1 SETTINGS s2c"]],
    ['type == "DATA"', ["c1 DATA c2s", "c1 DATA s2c"]],
    ["octets == 8", ["c1.s1 message 8 c2s"]],
    ['header("authorization") contains "s3cret" && type >= 0', ["c1 HEADERS c2s"]],
    ["grpc_status == 0", ["c1 HEADERS s2c", "c1.s1 over 200"]],
    ['path ~ "Echo$" && dir == "s2c"', ["c1 HEADERS s2c", "c1 DATA s2c", "c1.s1 message 9 s2c", "c1 HEADERS s2c"]],
    ["stream == 0", ["c1 SETTINGS c2s", "c1 SETTINGS s2c"]],
    ['header("authorization") ~ "s3cret" && dir == "c2s"', ["c1 HEADERS c2s", "c1.s1 message 8 c2s"]],
  ];
  for (const [expression, expected] of table) {
    assert.deepEqual(told(expression, new Recorder(1), call), [open, ...expected, close], expression);
  }
});

test("messages are known by their exchange where no units are wanted", () => {
  const lines = told('path ~ "Echo$" && dir == "c2s"', new Recorder(0, true), grpc());
  assert.deepEqual(lines.slice(0, 2), ["c1 open at 10", "c1.s1 message 8 c2s"]);
  assert.equal(lines.length, 3);
});

test("what is not wanted is not told, though the filter needs it", () => {
  assert.deepEqual(told('header("te") == "x" || type >= 0', new Recorder(0), grpc()), []);
});

test("notes", () => {
  const smuggled: Turn[] = [
    [C2S, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
  ];
  const lines = told('note == "te-and-cl"', new Recorder(0), smuggled, http1("/", "x", 200));
  assert.deepEqual(lines.slice(0, 2), ["c1 open at 10", "c1 note te-and-cl"]);
  assert.equal(lines.length, 3);
});

const H2C =
  "GET /up HTTP/1.1\r\nHost: a\r\nUser-Agent: curl/8\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: \r\n\r\n";
const SWITCH = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n";

test("a request that becomes stream 1 keeps its field lines, answered or not", () => {
  const answered: Turn[] = [
    [C2S, H2C],
    [S2C, SWITCH],
    [C2S, PREFACE],
    [C2S, writeSettings([])],
    [S2C, writeSettings([])],
    [S2C, writeHeaders(1, new HpackEncoder().encode([{ name: ":status", value: "204" }]), { endStream: true })],
  ];
  const over = (turns: readonly Turn[]): string[] =>
    told('header("user-agent") == "curl/8"', new Recorder(0), turns).filter((line) => line.includes("over"));
  assert.deepEqual(over(answered), ["c1.s1 over 204"]);
  assert.deepEqual(over(answered.slice(0, 2)), ["c1.s1 over null"]);
});

test("the fields of a promise are not those of the stream that it came on", () => {
  const [client, server] = [new HpackEncoder(), new HpackEncoder()];
  const request = (path: string): { name: string; value: string }[] => [
    { name: ":method", value: "GET" },
    { name: ":scheme", value: "http" },
    { name: ":path", value: path },
    { name: ":authority", value: "a" },
  ];
  const end = { endStream: true };
  const turns: Turn[] = [
    [C2S, PREFACE],
    [C2S, writeSettings([])],
    [C2S, writeHeaders(1, client.encode(request("/page")), end)],
    [S2C, writeSettings([])],
    [S2C, writePushPromise(1, 2, server.encode(request("/style.css")))],
    [S2C, writeHeaders(1, server.encode([{ name: ":status", value: "200" }]), end)],
  ];
  assert.deepEqual(
    told('header(":path") == "/style.css"', new Recorder(1), turns).filter((line) => !/open|close/.test(line)),
    ["c1 PUSH_PROMISE s2c"],
  );
});
