import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { StreamTable } from "./stream-table.ts";

const step = fc.record({ id: fc.oneof(fc.nat(300), fc.nat(20_000), fc.nat(2 ** 31 - 1)), keep: fc.boolean() });

test("is a map, whatever identifiers come", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const table = new StreamTable<number>();
      const map = new Map<number, number>();
      for (const [value, { id, keep }] of steps.entries()) {
        if (keep) {
          table.set(id, value);
          map.set(id, value);
        } else {
          table.delete(id);
          map.delete(id);
        }
        assert.equal(table.size, map.size);
      }
      for (const { id } of steps) assert.equal(table.get(id), map.get(id));
    }),
    { numRuns: 200 },
  );
});

test("a window of streams that moves on stays one", () => {
  const table = new StreamTable<number>();
  for (let id = 1; id < 200_000; id += 2) {
    table.set(id, id);
    if (id > 2_000) table.delete(id - 2_000);
    assert.equal(table.get(id), id);
    assert.equal(table.get(id - 2_000), undefined);
  }
  assert.equal(table.size, 1_000);
});
