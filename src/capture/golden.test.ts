import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { CAPTURE_FOLDER, CAPTURES, type CaptureEntry, capturePaths } from "../../test/captures/catalogue.ts";
import { itemSchemas, readGolden, tallyText } from "../../test/captures/golden.ts";
import { readRows, rowOf } from "../../test/captures/readme-table.ts";
import { everyRecut } from "../../test/captures/recut.ts";
import { replay, segmentsOf, unitBorders } from "../../test/captures/replay-capture.ts";
import { openSums } from "../../test/scripted-wire.ts";
import type { Tally } from "../ledger/tally.ts";

const schemas = await itemSchemas();
const MIB = 1024 * 1024;

test("every capture has its golden files and its row, and nothing else is there", () => {
  const expected = CAPTURES.flatMap(({ name }) => Object.values(capturePaths(name)));
  const found = readdirSync(CAPTURE_FOLDER).map((name) => `${CAPTURE_FOLDER}${name}`);
  assert.deepEqual(found.sort(), [...expected, `${CAPTURE_FOLDER}README.md`].sort());
  assert.deepEqual(
    [...readRows().keys()],
    CAPTURES.map(({ name }) => name),
  );
  const octets = found.reduce((sum, path) => sum + readFileSync(path).length, 0);
  assert.ok(octets < MIB, `captures/ has ${octets} octets: it is for small ones`);
});

test("golden files hold no credential, where the captures do", () => {
  const secret = "not-a-secret";
  const hex = Buffer.from(secret)
    .toString("hex")
    .replaceAll(/..(?=.)/g, "$& ");
  let held = 0;
  for (const { name } of CAPTURES) {
    if (readFileSync(capturePaths(name).capture, "latin1").includes(secret)) held += 1;
    for (const text of Object.values(readGolden(name))) {
      assert.ok(!text.includes(secret) && !text.includes(hex), `a golden file of ${name} holds a credential`);
    }
  }
  assert.ok(held > 0, "a capture holds one to hide");
});

for (const entry of CAPTURES) test(`${entry.name}: trace and tally are the golden ones at every cut`, () => assertGolden(entry));

async function assertGolden(entry: CaptureEntry): Promise<void> {
  const octets = readFileSync(capturePaths(entry.name).capture);
  const golden = readGolden(entry.name);
  const segments = await segmentsOf(octets);
  assert.deepEqual(await segmentsOf(octets, 1), segments, "the reader does not mind pieces of one octet");

  const { trace, tally } = replay(entry, segments, schemas);
  assert.deepEqual(openSums(tally), []);
  assert.equal(trace, golden.trace);
  assert.equal(tallyText(tally), golden.tally);
  const row = readRows().get(entry.name);
  assert.deepEqual(row, rowOf(entry, row?.peers ?? "", tally), "its row in captures/README.md");

  const uncut = withoutSegments(tally);
  for (const pieces of everyRecut(segments, unitBorders(entry, segments, schemas))) {
    // Patience with a hole is counted in packets, and cuts make more of them.
    const again = replay(entry, pieces, schemas, { patiencePackets: Number.POSITIVE_INFINITY });
    const where = `cut into ${pieces.map(({ payload }) => payload.length).slice(0, 40)}`;
    assert.equal(again.trace, golden.trace, `trace, ${where}`);
    assert.equal(withoutSegments(again.tally), uncut, `tally, ${where}`);
  }
}

/** How many segments octets came in is all that a cut changes. */
function withoutSegments(tally: Tally): string {
  const connections = tally.connections.map((connection) => ({ ...connection, packets: null }));
  return JSON.stringify({ ...tally, connections }).replaceAll(/"deltas":\d+/g, '"deltas":0');
}
