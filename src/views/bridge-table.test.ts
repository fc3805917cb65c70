import assert from "node:assert/strict";
import { test } from "node:test";
import { type BridgeSide, bridge } from "../ledger/bridge.ts";
import type { ByCategory } from "../ledger/tally.ts";
import { bridgeTable } from "./bridge-table.ts";
import { cells } from "./columns.ts";
import { createTheme } from "./theme.ts";

const PLAIN = createTheme(0);

/** Sums over a hundred calls of what one call has. */
function hundred(c2s: ByCategory, s2c: ByCategory): BridgeSide {
  const sums = (of: ByCategory): ByCategory =>
    Object.fromEntries(Object.entries(of).map(([category, octets]) => [category, Math.round(octets * 100)]));
  return { calls: 100, c2s: sums(c2s), s2c: sums(s2c) };
}

// Go's medium item, one warm call, by the reference's arithmetic: causes as the contract lists them, categories as the frames have them.
const GRPC = hundred(
  {
    "h2.field_block.indexed": 7,
    "h2.frame_header.headers": 9,
    "h2.frame_header.data": 9,
    "grpc.prefix": 5,
    "h2.frame_header.window_update": 9,
    "h2.window_update": 4,
    "h2.frame_header.ping": 18,
    "h2.ping": 16,
    "grpc.message.protobuf.tag": 14,
    "grpc.message.protobuf.length": 13,
    "grpc.message.protobuf.varint": 7,
    "grpc.message.protobuf.string": 59,
    "grpc.message.protobuf.bytes": 1024,
  },
  { "h2.field_block.indexed": 4, "h2.frame_header.headers": 18, "h2.frame_header.data": 9, "grpc.prefix": 5 },
);
const HTTP1 = hundred(
  {
    "http1.start_line": 21,
    "http1.field_line.value": 131,
    "http1.head_end": 2,
    "body.json.punctuation": 25,
    "body.json.key.text": 53,
    "body.json.base64.inflation": 344,
    "body.json.base64.data": 1024,
    "body.json.number": 74,
  },
  { "http1.start_line": 17, "http1.field_line.value": 93.25 },
);

/** Cells of the line that begins with `label`; columns that are empty are left out. */
function row(text: string, label: string): string[] {
  const line = text.split("\n").find((candidate) => candidate.trimStart().startsWith(`${label} `));
  assert.ok(line !== undefined, `no line ${label} in\n${text}`);
  return line.trim().split(/\s+/).slice(1);
}

test("a cause's line is the sum of those below it, the last line that of the causes", () => {
  const text = bridgeTable([{ heading: "medium", bridge: bridge(GRPC, HTTP1) }], PLAIN);
  assert.deepEqual(row(text, "headers"), ["+147", "+106.25"]);
  assert.deepEqual(row(text, "framing"), ["-23", "-32"]);
  assert.deepEqual(row(text, "control"), ["-47"]);
  assert.deepEqual(row(text, "base64"), ["+344"]);
  assert.deepEqual(row(text, "protobuf"), ["-27"]);
  assert.deepEqual(row(text, "json_text"), ["+78"]);
  assert.deepEqual(row(text, "payload"), ["+8"]);
  // 1674 - 1194 and 110.25 - 36.
  assert.deepEqual(row(text, "difference"), ["+480", "+74.25"]);
  assert.deepEqual(row(text, "…header.window_update"), ["-9"]);
  assert.deepEqual(row(text, "base64.inflation"), ["+344"]);
});

test("categories stand below their causes, causes in the ledger's order", () => {
  const lines = bridgeTable([{ heading: "medium", bridge: bridge(GRPC, HTTP1) }], PLAIN).split("\n");
  assert.deepEqual(
    lines.slice(3, -2).map((line) => line.replace(/^(\s*\S+).*/, "$1")),
    [
      "headers",
      " field_block.indexed",
      " start_line",
      " field_line.value",
      " head_end",
      "framing",
      " frame_header.data",
      " frame_header.headers",
      " grpc.prefix",
      "control",
      " frame_header.ping",
      " …header.window_update",
      " window_update",
      " ping",
      "base64",
      " base64.inflation",
      "protobuf",
      " protobuf.tag",
      " protobuf.length",
      "json_text",
      " json.punctuation",
      " json.key.text",
      "payload",
      " protobuf.varint",
      " protobuf.string",
      " protobuf.bytes",
      " json.number",
      " json.base64.data",
    ],
  );
});

test("the other way round every sign is the other one", () => {
  const there = bridgeTable([{ heading: "medium", bridge: bridge(GRPC, HTTP1) }], PLAIN);
  const back = bridgeTable([{ heading: "medium", bridge: bridge(HTTP1, GRPC) }], PLAIN);
  const swapped = there.replaceAll(/[+-](?=\d)/g, (sign) => (sign === "+" ? "-" : "+"));
  assert.equal(back, swapped);
});

test("what both sides have alike is 0, what neither has is empty", () => {
  const one = hundred({ "grpc.prefix": 5 }, {});
  const text = bridgeTable([{ heading: "same", bridge: bridge(one, one) }], PLAIN);
  assert.deepEqual(row(text, "grpc.prefix"), ["0"]);
  assert.deepEqual(row(text, "difference"), ["0", "0"]);
});

test("digits of one weight stand below each other", () => {
  const lines = bridgeTable([{ heading: "medium", bridge: bridge(GRPC, HTTP1) }], PLAIN).split("\n");
  const response = ["headers ", " field_line.value ", "difference "].map((label) => {
    const line = lines.find((candidate) => candidate.startsWith(label));
    assert.ok(line !== undefined, label);
    return line.indexOf(".", label.length);
  });
  assert.ok(response[0] !== undefined && response[0] > 0, "a mean of the responses has decimals");
  assert.equal(new Set(response).size, 1, response.join());
});

/** The widest that the demo has: large items whose means no number of calls divides. */
test("three bridges fit into 80 cells, and colours take none", () => {
  const large = hundred(
    { "body.json.base64.inflation": 21_848.37, "h2.window_update": 12.01 },
    { "h2.field_block.name": 98_765.43 },
  );
  const all = hundred(Object.fromEntries(Object.keys(GRPC.c2s).map((category) => [category, 0.01])), {});
  const three = [
    { heading: "small", bridge: bridge(all, HTTP1) },
    { heading: "medium", bridge: bridge(GRPC, HTTP1) },
    { heading: "large", bridge: bridge(all, large) },
  ];
  const widths = bridgeTable(three, PLAIN).split("\n").map(cells);
  assert.ok(Math.max(...widths) <= 80, `${Math.max(...widths)} cells`);
  assert.deepEqual(bridgeTable(three, createTheme(3)).split("\n").map(cells), widths);
});
