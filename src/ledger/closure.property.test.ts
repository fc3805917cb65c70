import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { caseIds, loadCase } from "../../test/cases.ts";
import { feedWithHoles, type Hole, type Transcript } from "../../test/replay.ts";
import { skipWithoutShared } from "../../test/shared.ts";
import { cutsFor, mutate, mutation, validTranscript } from "../../test/transcripts.ts";
import { CATEGORIES } from "../decode/category.ts";
import { C2S, DIRECTIONS, type Direction, S2C } from "../decode/direction.ts";
import { loadSchemas } from "../decode/protobuf/load-schemas.ts";
import { Ledger, type OpenOptions } from "./ledger.ts";
import type { LedgerListener } from "./listener.ts";
import type { Tally } from "./tally.ts";

/** Every category that some run reached. */
const reached = new Set<string>();
/** At least this share of all categories must be reached, or the transcripts no longer try what decoders do. */
const WANTED = 0.95;
/** Nothing says of a WebSocket's messages that they are protobuf, and what does not begin with its brace is taken for text, not for JSON. */
const NEVER = /^ws\.payload\.(?:protobuf\.|json\.(?:bom|prefix)$)/;

const cases: fc.Arbitrary<Transcript>[] = skipWithoutShared("cases")
  ? []
  : ["V-H1", "V-H2", "V-HP", "V-GR"]
      .flatMap(caseIds)
      .map((id) => loadCase(id))
      .filter(({ octets }) => octets[0].length > 0 && octets[0].length + octets[1].length <= 4096)
      .map((given) => fc.constant(given));
const transcripts = fc.oneof(
  { weight: 3, arbitrary: validTranscript },
  ...cases.map((arbitrary) => ({ weight: 3 / cases.length, arbitrary })).map(({ arbitrary }) => arbitrary),
);
/** Half of the gRPC calls have a path that this knows. */
const schemas = await loadSchemas({
  files: [fileURLToPath(new URL("../../proto/item/v1/item.proto", import.meta.url))],
  includeDirs: [],
});
const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

/** A hole: where and how large, as shares of the direction's octets and of 60 octets. */
const hole = fc.record({
  direction: fc.constantFrom(C2S, S2C),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  size: fc.integer({ min: 1, max: 60 }),
  known: fc.boolean(),
});
const late = fc.tuple(fc.boolean(), fc.boolean());
const decodeAs = fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, fc.constantFrom("h2", "http1", "tls", "opaque"));

describe("the ledger closes", () => {
  test("over holes and late starts, too; and cuts around the holes change nothing", () => {
    fc.assert(
      fc.property(
        transcripts,
        fc.array(mutation, { maxLength: 1 }),
        fc.array(hole, { maxLength: 3 }),
        late,
        decodeAs,
        shares,
        shares,
        (valid, damages, wanted, begunLate, protocol, c2s, s2c) => {
          const given = damages.reduce(mutate, valid);
          const holes = holesIn(given, wanted);
          const known: OpenOptions = { late: begunLate, decodeAs: protocol };
          const [whole, lines] = run(given, [[], []], holes, known);
          const cuts = [cutsFor(given.octets[0].length, c2s), cutsFor(given.octets[1].length, s2c)] as const;
          const [cut, cutLines] = run(given, cuts, holes, known);
          assert.deepEqual(cut, whole);
          assert.deepEqual(cutLines, lines);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("over valid transcripts with mutations and cuts: nothing throws, sums close, cuts change nothing", () => {
    fc.assert(
      fc.property(transcripts, fc.array(mutation, { maxLength: 3 }), shares, shares, (valid, damages, c2s, s2c) => {
        const given = damages.reduce(mutate, valid);
        const [whole, lines] = run(given, [[], []]);
        const [cut, cutLines] = run(given, [cutsFor(given.octets[0].length, c2s), cutsFor(given.octets[1].length, s2c)]);
        assert.deepEqual(cut, whole);
        assert.deepEqual(cutLines, lines);
      }),
      { numRuns: 2000 },
    );
  });

  after(() => {
    const possible = CATEGORIES.filter((category) => !NEVER.test(category));
    const missing = possible.filter((category) => !reached.has(category));
    console.log(
      `categories reached: ${reached.size} of ${possible.length}${missing.length > 0 ? `; not: ${missing.join(" ")}` : ""}`,
    );
    assert.deepEqual(
      [...reached].filter((category) => NEVER.test(category)),
      [],
    );
    assert.ok(reached.size >= WANTED * possible.length, `only ${reached.size} of ${possible.length} categories reached`);
  });
});

/** The holes in the order of their octets, without those that overlap an earlier one. */
function holesIn(
  { octets }: Transcript,
  wanted: readonly { direction: Direction; at: number; size: number; known: boolean }[],
): Hole[] {
  const holes: Hole[] = [];
  for (const { direction, at, size, known } of wanted) {
    const { length } = octets[direction];
    const from = Math.floor(at * length);
    const to = Math.min(length, from + size);
    const free = holes.every((other) => other.direction !== direction || to <= other.from || other.to <= from);
    if (free && from < to) holes.push({ direction, from, to, known });
  }
  return holes;
}

/** The tally and everything that was told on the way, less what cuts may change: times and deltas. */
function run(
  transcript: Transcript,
  cuts: readonly [readonly number[], readonly number[]],
  holes: readonly Hole[] = [],
  known: OpenOptions = {},
): [unknown, unknown[]] {
  const told: unknown[] = [];
  const tell =
    (name: string) =>
    (...args: unknown[]) =>
      void told.push(withoutTimes([name, ...args.slice(0, -1)]));
  const listener: LedgerListener = {
    detail: 3,
    messages: true,
    connection: tell("connection"),
    unit: tell("unit"),
    message: tell("message"),
    exchange: tell("exchange"),
    note: tell("note"),
    close: tell("close"),
  };
  const ledger = new Ledger({ kind: "proxy", generator: { name: "wiretally", version: "0" }, startedNs: 0n, listener, schemas });
  const connection = ledger.open({ listener: "test", client: "client", server: "server" }, 0, known);
  let time = 0;
  const gap = (direction: Direction, octets: number | null): void => {
    connection.gap(direction, octets, time);
    closes(ledger.tally(time));
  };
  feedWithHoles(
    transcript,
    cuts,
    holes,
    (direction, bytes) => {
      time += 1000;
      connection.delta(direction, Uint8Array.from(bytes), time);
      closes(ledger.tally(time));
    },
    gap,
  );
  connection.close({ by: "client", how: "fin", code: null, order: [] }, time);
  const tally = ledger.tally(time);
  closes(tally);
  assert.equal(ledger.broken, 0);
  for (const direction of ["c2s", "s2c"] as const) {
    const side = direction === "c2s" ? C2S : S2C;
    const missing = holes.reduce((sum, one) => sum + (one.direction === side ? one.to - one.from : 0), 0);
    assert.equal(tally.totals[direction].octets, transcript.octets[side].length - missing);
    assert.equal(tally.totals[direction].pending, 0);
    for (const category of Object.keys(tally.totals[direction].by_category)) reached.add(category);
  }
  assert.ok(
    !tally.connections[0]?.notes.some((note) => note.code === "decoder-fault"),
    JSON.stringify(tally.connections[0]?.notes),
  );
  return [withoutTimes(tally), told];
}

function closes(tally: Tally): void {
  for (const direction of DIRECTIONS.map((id) => (["c2s", "s2c"] as const)[id])) {
    for (const owner of [tally.totals, ...tally.connections]) {
      const { octets, pending, by_category, by_cause } = owner[direction];
      assert.equal(sum(by_category) + pending, octets);
      assert.equal(sum(by_cause) + pending, octets);
    }
    for (const connection of tally.connections)
      assert.equal(sum(connection.levels[direction]) + connection[direction].pending, connection[direction].octets);
  }
}

function sum(counts: object): number {
  return Object.values(counts).reduce((total: number, count: number) => total + count, 0);
}

const VARIES = new Set([
  "deltas",
  "started",
  "ended",
  "opened",
  "closed",
  "first_octet_us",
  "duration_us",
  "ping_rtt_us",
  "blocked_us",
]);

function withoutTimes(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document, (key, value: unknown) => (VARIES.has(key) ? undefined : value)));
}
