import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFilter } from "./filter.ts";
import { HeaderMemory } from "./header-test.ts";
import { CALL, CALL_TALLY, CONNECTION, field, frame, NOTE, unit } from "./testing/items.ts";

/** HEADERS with END_HEADERS, 123 octets from the client, as far as the exchange is known at its end. */
const HEADERS = frame(1, 3, 0x4, {
  octets: 123,
  exchange: { ...CALL, status: null, grpcStatus: null, complete: false },
  fields: [
    field(":method", "POST"),
    field("content-type", "application/grpc"),
    field("Accept", "text/html"),
    field("accept", "text/plain"),
    field("authorization", "Bearer s3cret"),
    field("x-name", "J\u00c3\u00bcrgen"),
    field("x-lost", null),
    field(null, "x"),
  ],
});
const PING = frame(6, 0, 0x1, { direction: 1, octets: 17 });
const RESPONSE = unit(
  { kind: "http1.response_head", startLine: "HTTP/1.1 503 No", status: 503 },
  {
    direction: 1,
    octets: 40,
    exchange: { ...CALL, stream: null, protocol: "http1", method: "GET", path: "/items/12?x=1", status: 503, grpcStatus: null },
  },
);
const RECORD = unit({ kind: "tls.record", contentType: 22, version: 0x0301, length: 512 }, { octets: 517 });
const OPAQUE = unit({ kind: "unattributed" }, { octets: 5 });
const UNITS = { HEADERS, PING, RESPONSE, RECORD, OPAQUE };

test("units: which of a HEADERS, a PING, an HTTP/1 response head, a TLS record and opaque octets match", () => {
  const table: [string, (keyof typeof UNITS)[]][] = [
    ['conn == "c1"', ["HEADERS", "PING", "RESPONSE", "RECORD", "OPAQUE"]],
    ['conn == "c10"', []],
    ['listener != "grpc"', []],
    ['dir == "s2c"', ["PING", "RESPONSE"]],
    ['dir != "s2c"', ["HEADERS", "RECORD", "OPAQUE"]],
    ['protocol == "grpc"', ["HEADERS"]],
    ['protocol == "h2"', ["PING"]],
    ['protocol == "http1" || protocol == "tls"', ["RESPONSE", "RECORD"]],
    ["stream == 0", ["PING"]],
    ["stream == 3", ["HEADERS"]],
    // No value, no comparison: != says nothing of HTTP/1 and TLS, ! does.
    ["stream != 3", ["PING"]],
    ["!(stream == 3)", ["PING", "RESPONSE", "RECORD", "OPAQUE"]],
    ['type == "HEADERS"', ["HEADERS"]],
    ['type == "headers"', ["HEADERS"]],
    ["type == 1", ["HEADERS"]],
    ['type == "handshake" || type == 6', ["PING", "RECORD"]],
    ['type != "Headers"', ["PING", "RECORD"]],
    ['type ~ "^(head|ping)"', ["HEADERS", "PING"]],
    ['type contains "EAD"', ["HEADERS"]],
    ["type >= 6", ["PING", "RECORD"]],
    ["flags == 0x4", ["HEADERS"]],
    ["flags == 0X01", ["PING"]],
    ["octets > 40", ["HEADERS", "RECORD"]],
    ["octets >= 40", ["HEADERS", "RESPONSE", "RECORD"]],
    ["octets < 17", ["OPAQUE"]],
    ["octets <= 17", ["PING", "OPAQUE"]],
    ['method == "GET"', ["RESPONSE"]],
    ['authority contains "local"', ["HEADERS", "RESPONSE"]],
    ['path == "/items/12?x=1"', ["RESPONSE"]],
    ['path ~ "^/item\\.v1\\."', ["HEADERS"]],
    ['path ~ "^/item\\\\.v1\\\\."', ["HEADERS"]],
    ["path ~ '\\d'", ["HEADERS", "RESPONSE"]],
    ['route == "GET /items/{id}"', ["RESPONSE"]],
    ['route ~ "/items/{id}$"', ["RESPONSE"]],
    ['route == "/item.v1.ItemService/Echo"', ["HEADERS"]],
    // The request does not know yet.
    ["status >= 200", ["RESPONSE"]],
    ["grpc_status >= 0", []],
    ["duration_us >= 0", []],
    ['note ~ ""', []],
    ['header("content-type") contains "grpc"', ["HEADERS"]],
    ["header('Content-Type') == \"application/grpc\"", ["HEADERS"]],
    ['header( ":method" ) == "POST"', ["HEADERS"]],
    // Several lines: any is equal; none is equal.
    ['header("accept") == "text/plain"', ["HEADERS"]],
    ['header("accept") != "text/plain"', []],
    ['header("accept") != "image/png"', ["HEADERS"]],
    ['header("authorization") ~ "s3cret$"', ["HEADERS"]],
    ['header("x-name") == "J\u00fcrgen"', ["HEADERS"]],
    ['header("x-lost") ~ ""', []],
    ['header("absent") != "x"', []],
    ['!(header("absent") == "x")', ["HEADERS", "PING", "RESPONSE", "RECORD", "OPAQUE"]],
    // Precedence and parentheses.
    ['type == 6 || type == 1 && dir == "s2c"', ["PING"]],
    ['(type == 6 || type == 1) && dir == "c2s"', ["HEADERS"]],
    ["!(type == 6) && octets<20", ["OPAQUE"]],
    ["!!(stream==0)", ["PING"]],
    ["(((stream)) == (0))", ["PING"]],
    ["stream==0||\n\tstream==3", ["HEADERS", "PING"]],
  ];
  for (const [expression, expected] of table) {
    const filter = parseFilter(expression);
    const matched = Object.entries(UNITS).filter(([, item]) => filter.unit(CONNECTION, item));
    assert.deepEqual(
      matched.map(([name]) => name),
      expected,
      expression,
    );
  }
});

test("an unknown frame type is its number in hexadecimal, as in events", () => {
  const unknown = frame(0x42, 1, 0);
  assert.ok(parseFilter('type == "0x42" && type == 66').unit(CONNECTION, unknown), "0x42");
});

test("exchanges", () => {
  const table: [string, boolean][] = [
    ['conn == "c1" && listener == "grpc"', true],
    ['protocol == "grpc"', true],
    ["stream == 3", true],
    ["octets == 200", true],
    ['method == "POST" && authority == "localhost:8080"', true],
    ['path == "/item.v1.ItemService/Echo" && route == "/item.v1.ItemService/Echo"', true],
    ["status == 200 && grpc_status == 5", true],
    ["duration_us > 1000 && duration_us < 2000", true],
    // An exchange goes both ways, and is no frame and no note.
    ['dir == "c2s" || dir == "s2c" || type >= 0 || flags >= 0 || note ~ ""', false],
  ];
  for (const [expression, expected] of table) {
    assert.equal(parseFilter(expression).exchange(CONNECTION, CALL_TALLY), expected, expression);
  }
});

test("values that an exchange lacks make every comparison false", () => {
  const bare = { ...CALL_TALLY, stream: null, method: null, path: null, status: null, grpc_status: null, duration_us: null };
  for (const name of ["stream", "status", "grpc_status", "duration_us"]) {
    assert.equal(parseFilter(`${name} == 0 || ${name} != 0 || ${name} < 1`).exchange(CONNECTION, bare), false, name);
  }
  for (const name of ["method", "path"]) {
    assert.equal(parseFilter(`${name} == "" || ${name} != "" || ${name} ~ ""`).exchange(CONNECTION, bare), false, name);
  }
});

test("header() at an exchange is what its field lines came to", () => {
  const filter = parseFilter('header("accept") == "text/plain" && header("accept") != "image/png" && header("te") != "trailers"');
  const memory = new HeaderMemory(filter.headerTests.length);
  const add = (...fields: [string, string][]): boolean => {
    memory.add(
      fields.map(([name, value]) => field(name, value)),
      filter.headerTests,
    );
    return filter.exchange(CONNECTION, CALL_TALLY, memory);
  };
  assert.equal(filter.exchange(CONNECTION, CALL_TALLY), false);
  assert.equal(add(["accept", "text/plain"]), false, "no te yet");
  assert.equal(add(["te", "gzip"]), true);
  assert.equal(add(["server", "x"]), true, "other fields change nothing");
  assert.equal(add(["accept", "image/png"]), false, "!= wants none to be equal");
});

test("notes have a code, a direction and a connection", () => {
  const table: [string, boolean][] = [
    ['note == "te-and-cl" && dir == "c2s" && conn == "c1" && listener == "grpc"', true],
    ['note ~ "^limit-"', false],
    ['dir == "s2c"', false],
    ["octets >= 0 || stream >= 0", false],
  ];
  for (const [expression, expected] of table) assert.equal(parseFilter(expression).note(CONNECTION, NOTE), expected, expression);
});

test("messages have octets of their own, and all else of their exchange", () => {
  const message = { index: 0, direction: "s2c", octets: 80, compressed: false, payload_octets: 75, type: null } as const;
  const filter = parseFilter('octets == 80 && dir == "s2c" && path ~ "Echo$" && stream == 3 && grpc_status == 5');
  assert.equal(filter.message(CONNECTION, CALL, 1, message), true);
  assert.equal(filter.message(CONNECTION, null, 1, message), false);
});

test("only header() needs field lines", () => {
  assert.deepEqual(parseFilter("octets > 1").needs, { headers: false });
  assert.deepEqual(parseFilter('octets > 1 || header("a") ~ "b"').needs, { headers: true });
});
