import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { shared, skipWithoutShared } from "../../test/shared.ts";
import { DIRECTION_NAMES } from "../decode/direction.ts";
import type { ByCategory } from "../ledger/tally.ts";
import { FIXTURE_NAMES, type FixtureName } from "../servers/fixtures.ts";
import { type DemoProgress, type DemoResult, type DemoRow, runDemo } from "./demo.ts";
import { octetsOf, STACKS, type Stack } from "./demo-figures.ts";

const CALLS = 100;
const progress: DemoProgress[] = [];
let result: DemoResult;

before(async () => {
  result = await runDemo({ onProgress: (step) => progress.push(step) });
});

const skip = skipWithoutShared("corpora", "stacks", "reference-per-call.json");
const REFERENCE_NAMES = { grpc: "grpc-js", http2: "h2c-json-node", http1: "http1-node" } as const satisfies Record<Stack, string>;
type FrameMean = { readonly perCall: number; readonly bytesPerCall: number };
type Frames = { readonly [kind: string]: FrameMean };

/** HEADERS and DATA of one call without the nine octets of frame header, and the frames; HTTP/1.1: all of it. */
function reference(stack: Stack, size: FixtureName, direction: "c2s" | "s2c"): { octets: number; frames: number } {
  const stacks = JSON.parse(readFileSync(shared("corpora", "stacks", "reference-per-call.json"), "utf8")).stacks;
  const of = stacks[REFERENCE_NAMES[stack]][size];
  if (stack === "http1") return { octets: direction === "c2s" ? of.up : of.down, frames: 0 };
  const kinds: Frames = direction === "c2s" ? of.upFrames : of.downFrames;
  const means = Object.entries(kinds).flatMap(([kind, mean]) => (/^(HEADERS|DATA)/.test(kind) ? [mean] : []));
  const frames = means.reduce((sum, { perCall }) => sum + perCall, 0);
  // Rounded down: the means hold the changes of date of the reference's own run. 0.005: they have two decimals.
  const octets = Math.floor(means.reduce((sum, { bytesPerCall, perCall }) => sum + bytesPerCall - 9 * perCall, 0) + 0.005);
  return { octets, frames };
}

const rowOf = (stack: Stack, size: FixtureName): DemoRow => {
  const row = result.rows.find((candidate) => candidate.stack === stack && candidate.size === size);
  assert.ok(row !== undefined);
  return row;
};

const sumOf = (counts: ByCategory) => Object.values(counts).reduce((sum, octets) => sum + octets, 0);
const frameHeaders = (counts: ByCategory) => (counts["h2.frame_header.data"] ?? 0) + (counts["h2.frame_header.headers"] ?? 0);

/** An inserted date is 1 + 1 + 22 octets (23 with some days' digits) in place of a single one. */
const dateExtra = ({ dates }: DemoRow) => dates.octets - dates.lines;

for (const stack of STACKS) {
  for (const size of FIXTURE_NAMES) {
    test(`${stack} ${size}: warm exclusive is ${CALLS} times the reference, and the dates`, { skip }, () => {
      const row = rowOf(stack, size);
      assert.deepEqual([row.warm.calls, row.cold.calls, row.warm.edges, row.cold.edges], [CALLS, 1, "closed", "closed"]);
      const [up, down] = [reference(stack, size, "c2s"), reference(stack, size, "s2c")];
      const extra = stack === "http1" ? 0 : dateExtra(row);
      if (stack !== "http1") {
        assert.equal(row.dates.lines, CALLS);
        assert.ok(
          extra >= 23 * row.dates.inserts && extra <= 24 * row.dates.inserts,
          `${extra} octets for ${row.dates.inserts} dates`,
        );
      }
      if (Number.isInteger(up.frames)) {
        assert.equal(row.warm.c2s.exclusive, CALLS * (up.octets + 9 * up.frames));
        assert.equal(row.warm.s2c.exclusive, CALLS * (down.octets + 9 * down.frames) + extra);
      } else {
        // A large body's cut into DATA frames depends on the flow-control windows: count the frame headers as they were.
        const headers = frameHeaders(row.categories.c2s) + frameHeaders(row.categories.s2c);
        assert.equal(row.warm.c2s.exclusive + row.warm.s2c.exclusive, CALLS * (up.octets + down.octets) + headers + extra);
        assert.ok(headers % 9 === 0 && headers > 0, `${headers} octets of frame headers`);
      }
    });

    test(`${stack} ${size}: categories sum to the warm octets each way, and the ratio is theirs`, () => {
      const row = rowOf(stack, size);
      for (const direction of DIRECTION_NAMES) {
        const { exclusive, streamFlow, connection, setup } = row.warm[direction];
        assert.equal(sumOf(row.categories[direction]), exclusive + streamFlow + connection);
        assert.equal(setup, 0);
      }
      assert.equal(row.ratioToGrpc, octetsOf(row.warm) / octetsOf(rowOf("grpc", size).warm));
    });
  }
}

test("small items, as the reference's table has them", () => {
  const octetsPerCall = (stack: Stack) => {
    const { warm } = rowOf(stack, "small");
    return [
      warm.c2s.exclusive / CALLS,
      (warm.s2c.exclusive - (stack === "http1" ? 0 : dateExtra(rowOf(stack, "small")))) / CALLS,
    ];
  };
  assert.deepEqual(octetsPerCall("grpc"), [71, 59]);
  assert.deepEqual(octetsPerCall("http1"), [196, 230]);
  assert.deepEqual(octetsPerCall("http2"), [108, 110]);
});

/** Of the small items: they are sent first. */
function connectionOf(stack: Stack) {
  assert.equal(FIXTURE_NAMES[0], "small");
  const connection = result.tally.connections.find(({ listener }) => listener === stack);
  assert.ok(connection !== undefined, `${stack} was spoken`);
  return connection;
}

test("a first call over HTTP/2 and HTTP/1.1, set-up included, is the reference's", () => {
  const cold = (stack: Stack) =>
    (["c2s", "s2c"] as const).map((direction) => {
      const { exclusive, streamFlow, connection, setup } = rowOf(stack, "small").cold[direction];
      return exclusive + streamFlow + connection + setup;
    });
  const [up, down = 0] = cold("http2");
  assert.equal(up, 173);
  // RFC 7541 appendix B: digits have 5 or 6 bits, so a date has 21 to 23 octets; the reference's has 22. With one new date on its
  // connection, its octets are those of all lines but one octet for each of the others, and two before its text.
  const date = connectionOf("http2").fields.s2c.find(({ name }) => name === "date");
  assert.ok(date !== undefined, "responses have a date");
  if (date.inserts === 1) assert.equal(down, 163 + (date.octets - (date.count - 1) - 2) - 22);
  else assert.ok(Math.abs(down - 163) <= 1, `${down} octets, not 163, and ${date.inserts} dates`);
  assert.deepEqual(cold("http1"), [196, 230]);
});

test("the tally closes: a connection per size and stack, all of them over, nothing left unattributed", () => {
  const { tally, unattributed, broken } = result;
  assert.deepEqual([unattributed, broken], [0, 0]);
  assert.equal(tally.connections.length, FIXTURE_NAMES.length * STACKS.length);
  for (const { close, listener, c2s, s2c, exchanges } of tally.connections) {
    assert.ok(close !== null, `${listener} is still open`);
    assert.deepEqual([c2s.pending, s2c.pending, exchanges.length], [0, 0, 10 + CALLS]);
  }
  assert.deepEqual(tally.routes.map(({ protocol, route, calls }) => [protocol, route, calls]).sort(), [
    ["grpc", "/item.v1.ItemService/Echo", 3 * (10 + CALLS)],
    ["h2", "POST /item", 3 * (10 + CALLS)],
    ["http1", "POST /item", 3 * (10 + CALLS)],
  ]);
});

test("gRPC messages are read by the demo's own schema", () => {
  const messages = result.tally.connections.flatMap(({ exchanges }) => exchanges.flatMap((exchange) => exchange.messages));
  const types = new Set(messages.map(({ type }) => type));
  assert.equal(messages.length, FIXTURE_NAMES.length * 2 * (10 + CALLS));
  assert.deepEqual([...types], ["item.v1.Item"]);
});

test("progress is told from the first step on and ends before the total", () => {
  assert.deepEqual(
    progress.map(({ done }) => done),
    [0, 1, 2, 3, 4, 5, 6, 7, 8],
  );
  assert.ok(progress.every(({ total }) => total === 9));
});

test("a size alone, few calls", async () => {
  const { rows, tally } = await runDemo({ sizes: ["medium"], calls: 3, warmUp: 1 });
  assert.deepEqual(
    rows.map(({ stack, size, warm }) => [stack, size, warm.calls]),
    [
      ["grpc", "medium", 3],
      ["http2", "medium", 3],
      ["http1", "medium", 3],
    ],
  );
  assert.equal(tally.connections.length, 3);
});

test("no call to warm up with is the caller's mistake", async () => {
  await assert.rejects(runDemo({ warmUp: 0 }), TypeError);
});
