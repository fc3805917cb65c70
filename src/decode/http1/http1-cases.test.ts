import assert from "node:assert/strict";
import { test } from "node:test";
import { type Case, loadCase } from "../../../test/cases.ts";
import { everyCut, pieces } from "../../../test/cuts.ts";
import { Http1Driver } from "../../../test/http1-driver.ts";
import { skipWithoutShared } from "../../../test/shared.ts";
import { C2S, DIRECTION_NAMES, DIRECTIONS, S2C } from "../direction.ts";
import type { Detail } from "../sink.ts";

const CASES = ["01", "02", "03", "04", "05", "06", "07", "08"].map((number) => `V-H1-${number}`).concat("V-SE-05");

/** The conversation in its turns; a cut applies to one turn, or to all with one chunk size. */
function play(from: Case, cutOf: (turn: number, length: number) => readonly number[], detail: Detail): Http1Driver {
  const driver = new Http1Driver(detail);
  from.turns.forEach(({ direction, start, end }, turn) => {
    const bytes = from.octets[direction].subarray(start, end);
    for (const piece of pieces(bytes, cutOf(turn, bytes.length))) driver.push(direction, piece);
  });
  for (const direction of DIRECTIONS) driver.end(direction);
  return driver;
}

function checkRanges(from: Case, driver: Http1Driver): void {
  for (const direction of DIRECTIONS) {
    const owners = driver.sink.runs[direction].flatMap(({ length, category }) => Array<string>(length).fill(category));
    const expected = from.expected.byte_ranges?.[DIRECTION_NAMES[direction]] ?? [];
    for (const [offset, length, label] of expected) {
      for (let at = offset; at < offset + length; at++) {
        assert.ok(
          `${owners[at]}.`.startsWith(`${label}.`),
          `${DIRECTION_NAMES[direction]} octet ${at}: ${owners[at]}, not ${label}`,
        );
      }
    }
    assert.equal(owners.length, from.octets[direction].length);
    assert.equal(
      expected.reduce((sum, [, length]) => sum + length, 0),
      owners.length,
    );
  }
}

for (const id of CASES) {
  test(`${id}: every octet, at every cut`, { skip: skipWithoutShared("cases") }, () => {
    const from = loadCase(id);
    const whole = play(from, (_turn, length) => [length], 3);
    checkRanges(from, whole);
    checkRanges(
      from,
      play(from, (_turn, length) => [length], 0),
    );
    const expected = whole.sink.figures();
    from.turns.forEach(({ start, end }, cutTurn) => {
      for (const cut of everyCut(end - start)) {
        const driver = play(from, (turn, length) => (turn === cutTurn ? cut : [length]), 3);
        assert.deepEqual(driver.sink.figures(), expected, `turn ${cutTurn} cut at ${cut.slice(0, 20).join()}`);
      }
    });
  });
}

test("the cases' messages: pairs, body octets, completeness", { skip: skipWithoutShared("cases") }, () => {
  for (const id of CASES.filter((name) => name !== "V-SE-05")) {
    const from = loadCase(id);
    const { sink } = play(from, (_turn, length) => [length], 1);
    const messages = from.expected.expect.messages as { dir: string; line: string; body_octets: number; complete?: boolean }[];
    for (const direction of DIRECTIONS) {
      const wanted = messages.filter(({ dir }) => dir === DIRECTION_NAMES[direction]);
      const lines = sink.units.flatMap(({ detail, direction: of }) =>
        of === direction && "startLine" in detail ? [detail.startLine] : [],
      );
      assert.deepEqual(
        lines,
        wanted.map(({ line }) => line),
        id,
      );
      const body = wanted.reduce((sum, message) => sum + message.body_octets, 0);
      assert.equal(sink.byLabel(direction)["body"] ?? 0, body, id);
    }
    assert.deepEqual(
      sink.exchanges.map(({ complete }) => complete),
      requests(messages),
      id,
    );
    assert.deepEqual(
      [...sink.done].sort(),
      sink.exchanges.map((exchange) => exchange.id),
      id,
    );
  }
});

function requests(messages: readonly { dir: string; complete?: boolean }[]): boolean[] {
  return messages.filter(({ dir }) => dir === "c2s").map(({ complete }) => complete ?? true);
}

test("flags of the cases are notes", { skip: skipWithoutShared("cases") }, () => {
  const codes = (id: string, direction: 0 | 1) =>
    play(loadCase(id), (_turn, length) => [length], 0)
      .sink.notes.filter((note) => note.direction === direction)
      .map(({ code }) => code);
  assert.deepEqual(codes("V-H1-01", S2C), []);
  assert.deepEqual(codes("V-H1-04", C2S), ["te-and-cl"]);
  assert.deepEqual(codes("V-H1-04", S2C), ["te-and-cl"]);
  assert.deepEqual(codes("V-H1-05", C2S), ["obs-fold", "obs-fold"]);
  assert.deepEqual(codes("V-H1-05", S2C), ["obs-fold"]);
  assert.deepEqual(codes("V-H1-06", C2S), ["ambiguous"]);
  assert.deepEqual(codes("V-H1-07", C2S), ["truncated"]);
});
