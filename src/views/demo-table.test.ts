import assert from "node:assert/strict";
import { test } from "node:test";
import { bridge } from "../ledger/bridge.ts";
import type { ByCategory } from "../ledger/tally.ts";
import { cells } from "./columns.ts";
import type { DemoBridgeFigures, DemoFigures, DemoRowFigures, DemoWindowFigures } from "./demo-figures.ts";
import { demoTable } from "./demo-table.ts";

// Means of the reference tables for small and medium; whole sums over 100 calls.
type Sides = readonly [c2s: number, s2c: number];
function window(calls: number, exclusive: Sides, connection: Sides, setup: Sides = [0, 0]): DemoWindowFigures {
  const side = (at: 0 | 1) => ({ exclusive: exclusive[at], streamFlow: 0, connection: connection[at], setup: setup[at] });
  return { calls, edges: "closed", c2s: side(0), s2c: side(1) };
}
const ROWS: readonly DemoRowFigures[] = [
  {
    size: "small",
    stack: "grpc",
    cold: window(1, [159, 173], [0, 0], [48, 18]),
    warm: window(100, [7100, 5923], [0, 0]),
    categories: { c2s: { "h2.field_block.value": 7100 }, s2c: { "h2.field_block.value": 5923 } },
    ratioToGrpc: 1,
  },
  {
    size: "small",
    stack: "http1",
    cold: window(1, [196, 230], [0, 0]),
    warm: window(100, [19600, 23000], [0, 0]),
    categories: { c2s: { "http1.field_line.value": 19600 }, s2c: { "http1.field_line.value": 23000 } },
    ratioToGrpc: 42600 / 13023,
  },
  {
    size: "medium",
    stack: "grpc",
    cold: window(1, [1256, 1270], [0, 0], [48, 18]),
    warm: window(100, [116800, 115600], [39, 39]),
    categories: { c2s: {}, s2c: {} },
    ratioToGrpc: 1,
  },
];

const lineWith = (text: string, ...words: string[]) => {
  const line = text.split("\n").find((candidate) => words.every((word) => candidate.includes(word)));
  assert.ok(line !== undefined, `no line with ${words.join(", ")} in:\n${text}`);
  return line.trim().split(/\s{2,}/);
};

test("a row: request, response, both, ratio, exclusive, cold, cold exclusive", () => {
  const text = demoTable(FIGURES);
  assert.deepEqual(lineWith(text, "gRPC", "71", "1.00×"), ["gRPC", "71", "59.23", "130.23", "1.00×", "130.23", "398", "332"]);
  assert.deepEqual(lineWith(text, "HTTP/1.1", "×"), ["JSON, HTTP/1.1", "196", "230", "426", "3.27×", "426", "426", "426"]);
  assert.deepEqual(lineWith(text, "2324.78"), ["gRPC", "1168.39", "1156.39", "2324.78", "1.00×", "2324", "2592", "2526"]);
});

const side = (c2s: ByCategory, s2c: ByCategory) => ({ calls: 100, c2s, s2c });
const bridged = (size: DemoBridgeFigures["size"], to: DemoBridgeFigures["to"], json: ByCategory): DemoBridgeFigures => {
  const grpc = side({ "grpc.prefix": 500 }, {});
  return { size, from: "grpc", to, ...bridge(grpc, side(json, {})) };
};
const BRIDGES = [
  bridged("small", "http1", { "http1.start_line": 2100, "body.json.key.text": 1600 }),
  bridged("medium", "http1", { "http1.start_line": 2100, "body.json.base64.inflation": 34400 }),
  bridged("medium", "http2", { "body.json.key.text": 1600 }),
];
const FIGURES: DemoFigures = { calls: 100, rows: ROWS, bridges: BRIDGES };

test("the conclusion takes its numbers from the rows, and says what the difference is above all", () => {
  const lines = (figures: DemoFigures) => demoTable(figures).replaceAll("\n", " ");
  assert.match(lines({ ...FIGURES, rows: ROWS.slice(0, 2) }), / Against gRPC, JSON over HTTP\/1\.1 costs 3\.27× \(small\), /);
  assert.match(lines(FIGURES), / What JSON over HTTP\/1\.1 adds is above all headers \(small\) and base64 \(medium\)\. /);
  assert.match(lines({ ...FIGURES, bridges: BRIDGES.slice(0, 1) }), / adds is above all headers\. /);
  assert.doesNotMatch(lines({ ...FIGURES, bridges: [bridged("small", "http1", {})] }), /above all/);
});

test("the bridge is that of the protocol asked for, a pair of columns a size", () => {
  const http1 = demoTable(FIGURES);
  assert.match(http1, /^JSON over HTTP\/1\.1 minus gRPC/m);
  assert.deepEqual(lineWith(http1, "difference  ").slice(1), ["+32", "0", "+360", "0"]);
  assert.match(http1, /^ +small +medium$/m);
  const http2 = demoTable(FIGURES, { bridge: "http2" });
  assert.match(http2, /^JSON over HTTP\/2 minus gRPC/m);
  assert.deepEqual(lineWith(http2, "difference  ").slice(1), ["+11", "0"]);
  assert.match(http2.replaceAll("\n", " "), / What JSON over HTTP\/2 adds is above all json_text\. /);
});

test("open edges are said, closed ones are not", () => {
  const [first, ...others] = ROWS;
  assert.ok(first !== undefined, "there are rows");
  const open = { ...first, warm: { ...first.warm, edges: "open" as const } };
  assert.match(demoTable({ ...FIGURES, rows: [open, ...others] }), /too busy for a pause/);
  assert.doesNotMatch(demoTable(FIGURES), /too busy/);
});

test("the protocols of an item stand below its name", () => {
  const lines = demoTable(FIGURES).split("\n");
  assert.deepEqual(
    lines.filter((line) => /^(small|medium|gRPC .*×|JSON.*×)/.test(line)).map((line) => line.split(/\s{2,}/)[0]),
    ["small", "gRPC", "JSON, HTTP/1.1", "medium", "gRPC"],
  );
});

/** The widest figures that the demo can have: the large item, and calls that no mean divides. */
const LARGE: DemoRowFigures[] = (["grpc", "http2", "http1"] as const).map((stack) => ({
  size: "large",
  stack,
  cold: window(1, [87718, 87750], [0, 0], [48, 18]),
  warm: window(7, [613747, 613763], [39, 39]),
  categories: { c2s: {}, s2c: {} },
  ratioToGrpc: 1.3333,
}));

test("it fits in 80 columns, numbers to the right; sentences are as wide as the terminal", () => {
  const figures = { calls: 7, rows: [...ROWS, ...LARGE], bridges: BRIDGES };
  const widest = (columns?: number): number => Math.max(...demoTable(figures, { columns }).split("\n").map(cells));
  assert.ok(widest() <= 80, `${widest()} cells`);
  assert.ok(widest(0) <= 80, `${widest(0)} cells`);
  assert.ok(widest(120) > 80 && widest(120) <= 100, `${widest(120)} cells`);
  const ends = demoTable(figures)
    .split("\n")
    .filter((line) => /^(gRPC|JSON).*×/.test(line))
    .map((line) => line.length);
  assert.equal(new Set(ends).size, 1, ends.join());
  assert.doesNotMatch(demoTable(figures).replaceAll("\n", ""), /\p{Cc}/u);
});
