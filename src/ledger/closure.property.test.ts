import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { caseIds, loadCase } from "../../test/cases.ts";
import { feed, type Transcript } from "../../test/replay.ts";
import { skipWithoutShared } from "../../test/shared.ts";
import { cutsFor, mutate, mutation, validTranscript } from "../../test/transcripts.ts";
import { CATEGORIES } from "../decode/category.ts";
import { DIRECTIONS } from "../decode/direction.ts";
import { loadSchemas } from "../decode/protobuf/load-schemas.ts";
import { Ledger } from "./ledger.ts";
import type { LedgerListener } from "./listener.ts";
import type { Tally } from "./tally.ts";

/** Every category that some run reached. */
const reached = new Set<string>();
/** At least this share of all categories must be reached, or the transcripts no longer try what decoders do. */
const WANTED = 0.9;

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

describe("the ledger closes", () => {
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
    const missing = CATEGORIES.filter((category) => !reached.has(category));
    console.log(
      `categories reached: ${reached.size} of ${CATEGORIES.length}${missing.length > 0 ? `; not: ${missing.join(" ")}` : ""}`,
    );
    assert.ok(reached.size >= WANTED * CATEGORIES.length, `only ${reached.size} of ${CATEGORIES.length} categories reached`);
  });
});

/** The tally and everything that was told on the way, less what cuts may change: times and deltas. */
function run(transcript: Transcript, cuts: readonly [readonly number[], readonly number[]]): [unknown, unknown[]] {
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
  const connection = ledger.open({ listener: "test", client: "client", server: "server" }, 0);
  let time = 0;
  feed(transcript, cuts, (direction, bytes) => {
    time += 1000;
    connection.delta(direction, Uint8Array.from(bytes), time);
    closes(ledger.tally(time));
  });
  connection.close({ by: "client", how: "fin", code: null, order: [] }, time);
  const tally = ledger.tally(time);
  closes(tally);
  assert.equal(ledger.broken, 0);
  for (const direction of ["c2s", "s2c"] as const) {
    assert.equal(tally.totals[direction].octets, transcript.octets[direction === "c2s" ? 0 : 1].length);
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
