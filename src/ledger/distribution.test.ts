import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Distribution } from "./distribution.ts";

function distributionOf(values: readonly number[], limit: number): Distribution {
  const distribution = new Distribution(limit);
  for (const value of values) distribution.add(value);
  return distribution;
}

test("the median is the lower one of an even count", () => {
  assert.deepEqual(distributionOf([40, 10, 30, 20], 1000).summary(), { min: 10, median: 20, max: 40 });
  assert.deepEqual(distributionOf([5, 1, 5, 9, 5], 1000).summary(), { min: 1, median: 5, max: 9 });
  assert.deepEqual(distributionOf([7], 1000).summary(), { min: 7, median: 7, max: 7 });
  assert.deepEqual(distributionOf([], 1000).summary(), { min: 0, median: 0, max: 0 });
});

test("exact within the bound, moves included", () => {
  const values = fc.array(fc.nat(50), { minLength: 1 });
  const moves = fc.array(fc.tuple(fc.nat(), fc.nat(50)));
  fc.assert(
    fc.property(values, moves, (initial, changes) => {
      const distribution = distributionOf(initial, 51);
      const all = [...initial];
      for (const [pick, to] of changes) {
        const at = pick % all.length;
        distribution.move(all[at] ?? 0, to);
        all[at] = to;
      }
      const sorted = all.sort((a, b) => a - b);
      const median = sorted[Math.ceil(sorted.length / 2) - 1];
      assert.deepEqual(distribution.summary(), { min: sorted[0], median, max: sorted.at(-1) });
      assert.equal(distribution.total, all.length);
    }),
    { numRuns: 200 },
  );
});

test("past the bound minimum, maximum and number stay exact, and the median is one of the range", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { minLength: 1 }), (values) => {
      const distribution = distributionOf(values, 4);
      const { min, median, max } = distribution.summary();
      assert.deepEqual([min, max, distribution.total], [Math.min(...values), Math.max(...values), values.length]);
      assert.ok(min <= median && median <= max);
    }),
    { numRuns: 200 },
  );
});
