import assert from "node:assert/strict";
import { test } from "node:test";
import { cells } from "./columns.ts";
import { type DemoFigures, type DemoRowFigures, type DemoWindowFigures, demoTable } from "./demo-table.ts";
import { createTheme } from "./theme.ts";

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
    causes: { headers: 3523, framing: 5500, payload: 4000 },
    ratioToGrpc: 1,
  },
  {
    size: "small",
    stack: "http1",
    cold: window(1, [196, 230], [0, 0]),
    warm: window(100, [19600, 23000], [0, 0]),
    causes: { headers: 27600, payload: 15000 },
    ratioToGrpc: 42600 / 13023,
  },
  {
    size: "medium",
    stack: "grpc",
    cold: window(1, [1256, 1270], [0, 0], [48, 18]),
    warm: window(100, [116800, 115600], [39, 39]),
    causes: { headers: 3500, framing: 5500, control: 78, payload: 223400 },
    ratioToGrpc: 1,
  },
];

const lineWith = (text: string, ...words: string[]) => {
  const line = text.split("\n").find((candidate) => words.every((word) => candidate.includes(word)));
  assert.ok(line !== undefined, `no line with ${words.join(", ")} in:\n${text}`);
  return line.trim().split(/\s{2,}/);
};

test("a row: request, response, both, ratio, exclusive, cold, cold exclusive", () => {
  const text = demoTable({ calls: 100, rows: ROWS });
  assert.deepEqual(lineWith(text, "gRPC", "71", "1.00×"), ["gRPC", "71", "59.23", "130.23", "1.00×", "130.23", "398", "332"]);
  assert.deepEqual(lineWith(text, "HTTP/1.1", "×"), ["JSON, HTTP/1.1", "196", "230", "426", "3.27×", "426", "426", "426"]);
  assert.deepEqual(lineWith(text, "2324.78"), ["gRPC", "1168.39", "1156.39", "2324.78", "1.00×", "2324", "2592", "2526"]);
});

test("causes are columns in the ledger's order, without the empty ones", () => {
  const text = demoTable({ calls: 100, rows: ROWS });
  assert.deepEqual(lineWith(text, "octets per call", "headers"), ["octets per call", "headers", "framing", "control", "payload"]);
  assert.deepEqual(lineWith(text, "0.78"), ["gRPC", "35", "55", "0.78", "2234"]);
});

test("the conclusion takes its numbers from the rows", () => {
  const one: DemoFigures = { calls: 100, rows: ROWS.slice(0, 2) };
  assert.match(demoTable(one), /^Against gRPC, JSON over HTTP\/1\.1 costs 3\.27× \(small\), /m);
});

test("open edges are said, closed ones are not", () => {
  const [first, ...others] = ROWS;
  assert.ok(first !== undefined, "there are rows");
  const open = { ...first, warm: { ...first.warm, edges: "open" as const } };
  assert.match(demoTable({ calls: 100, rows: [open, ...others] }), /too busy for a pause/);
  assert.doesNotMatch(demoTable({ calls: 100, rows: ROWS }), /too busy/);
});

test("the protocols of an item stand below its name", () => {
  const lines = demoTable({ calls: 100, rows: ROWS }).split("\n");
  assert.deepEqual(
    lines.filter((line) => /^(small|medium|gRPC .*×|JSON.*×)/.test(line)).map((line) => line.split(/\s{2,}/)[0]),
    ["small", "gRPC", "JSON, HTTP/1.1", "medium", "gRPC", "small", "medium"],
  );
});

/** The widest figures that the demo can have: the large item, and calls that no mean divides. */
const LARGE: DemoRowFigures[] = (["grpc", "http2", "http1"] as const).map((stack) => ({
  size: "large",
  stack,
  cold: window(1, [87718, 87750], [0, 0], [48, 18]),
  warm: window(7, [613747, 613763], [39, 39]),
  causes: { headers: 193, framing: 1029, control: 783, payload: 1225504 },
  ratioToGrpc: 1.3333,
}));

test("it fits in 80 columns, numbers to the right; sentences are as wide as the terminal", () => {
  const figures = { calls: 7, rows: [...ROWS, ...LARGE] };
  const widest = (columns?: number): number => Math.max(...demoTable(figures, createTheme(0), columns).split("\n").map(cells));
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
