import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CATEGORIES, type Category } from "../decode/category.ts";
import { DIRECTION_NAMES } from "../decode/direction.ts";
import { type Bridge, type BridgeLine, type BridgeSide, bridge } from "./bridge.ts";
import { CAUSES, causeOf } from "./causes.ts";
import type { ByCategory } from "./tally.ts";

const octets = fc.dictionary(fc.constantFrom(...CATEGORIES), fc.nat({ max: 1e9 }), { maxKeys: 12 }) as fc.Arbitrary<ByCategory>;
const sides = fc.record({ calls: fc.integer({ min: 1, max: 1000 }), c2s: octets, s2c: octets });

const KEYS = ["from", "to", "difference"] as const;
const sumOf = (lines: readonly BridgeLine[]): BridgeLine => {
  const [from = 0, to = 0, difference = 0] = KEYS.map((key) => lines.reduce((sum, line) => sum + line[key], 0));
  return { from, to, difference };
};
const figuresOf = ({ from, to, difference }: BridgeLine): BridgeLine => ({ from, to, difference });
const total = (side: ByCategory) => Object.values(side).reduce((sum, count) => sum + count, 0);

test("categories sum to their cause, causes to the direction, directions to the sides' octets", () => {
  fc.assert(
    fc.property(sides, sides, (from, to) => {
      const found = bridge(from, to);
      for (const direction of DIRECTION_NAMES) {
        const { causes, ...all } = found[direction];
        assert.deepEqual(sumOf(causes), all);
        for (const cause of causes) assert.deepEqual(sumOf(cause.categories), figuresOf(cause));
        assert.deepEqual([all.from, all.to], [total(from[direction]), total(to[direction])]);
      }
    }),
    { numRuns: 200 },
  );
});

test("a difference is that of the means, each line's, without a rounding", () => {
  fc.assert(
    fc.property(sides, sides, (from, to) => {
      const { calls, ...directions } = bridge(from, to);
      assert.deepEqual([calls.from, calls.to], [from.calls, to.calls]);
      for (const { causes, ...all } of Object.values(directions)) {
        for (const line of [all, ...causes, ...causes.flatMap(({ categories }) => categories)]) {
          // difference / calls.difference = to / calls.to - from / calls.from, cross-multiplied.
          const [left, right] = [
            BigInt(line.difference) * BigInt(calls.from) * BigInt(calls.to),
            (BigInt(line.to) * BigInt(calls.from) - BigInt(line.from) * BigInt(calls.to)) * BigInt(calls.difference),
          ];
          assert.equal(left, right);
        }
      }
    }),
    { numRuns: 200 },
  );
});

/** Sides swapped and every difference negated, by hand. */
function negated({ calls, c2s, s2c }: Bridge): Bridge {
  const flip = <T extends BridgeLine>(line: T): T => ({ ...line, from: line.to, to: line.from, difference: 0 - line.difference });
  const direction = (of: Bridge["c2s"]): Bridge["c2s"] => ({
    ...flip(of),
    causes: of.causes.map((cause) => ({ ...flip(cause), categories: cause.categories.map(flip) })),
  });
  const swapped = { ...calls, from: calls.to, to: calls.from };
  return { calls: swapped, c2s: direction(c2s), s2c: direction(s2c) };
}

test("the other way round negates each line", () => {
  fc.assert(
    fc.property(sides, sides, (from, to) => {
      assert.deepEqual(bridge(to, from), negated(bridge(from, to)));
    }),
    { numRuns: 200 },
  );
});

test("a side against itself: every difference is 0, and nothing is left out", () => {
  fc.assert(
    fc.property(sides, (side) => {
      const { calls, c2s, s2c } = bridge(side, side);
      assert.equal(calls.difference, side.calls);
      for (const line of [...c2s.causes, ...s2c.causes].flatMap(({ categories }) => categories)) {
        assert.equal(line.difference, 0);
        assert.ok(line.from > 0, "a category without octets has no line");
      }
    }),
    { numRuns: 100 },
  );
});

test("lines come in the registries' order, each under its cause, with what one side alone has", () => {
  fc.assert(
    fc.property(sides, sides, (from, to) => {
      for (const direction of DIRECTION_NAMES) {
        const { causes } = bridge(from, to)[direction];
        const seen: Category[] = [];
        for (const { cause, categories } of causes) {
          for (const { category } of categories) {
            assert.equal(causeOf(category), cause);
            seen.push(category);
          }
          assert.deepEqual(
            categories.map(({ category }) => category),
            CATEGORIES.filter((path) => categories.some(({ category }) => category === path)),
          );
        }
        assert.deepEqual(
          causes.map(({ cause }) => cause),
          CAUSES.filter((name) => causes.some(({ cause }) => cause === name)),
        );
        const expected = CATEGORIES.filter((path) => (from[direction][path] ?? 0) + (to[direction][path] ?? 0) > 0);
        assert.deepEqual(seen.sort(), [...expected].sort());
      }
    }),
    { numRuns: 100 },
  );
});

// The small item's request over gRPC and over HTTP/1.1, as Go sends it: WIRE-TRUTH sections 3 and 4, the shared field lines folded.
const GRPC: BridgeSide = {
  calls: 100,
  c2s: { "h2.field_block.indexed": 700, "h2.frame_header.headers": 900, "h2.frame_header.data": 900, "grpc.prefix": 500 },
  s2c: {},
};
const HTTP1: BridgeSide = {
  calls: 50,
  c2s: { "http1.start_line": 1050, "http1.field_line.value": 6450, "http1.head_end": 100 },
  s2c: {},
};

test("sides of different numbers of calls meet at their least common multiple", () => {
  const { calls, c2s, s2c } = bridge(GRPC, HTTP1);
  assert.deepEqual(calls, { from: 100, to: 50, difference: 100 });
  assert.deepEqual(s2c, { from: 0, to: 0, difference: 0, causes: [] });
  assert.deepEqual(c2s, {
    from: 3000,
    to: 7600,
    // 152 - 30 octets a call.
    difference: 12200,
    causes: [
      {
        cause: "headers",
        from: 700,
        to: 7600,
        difference: 14500,
        categories: [
          { category: "h2.field_block.indexed", from: 700, to: 0, difference: -700 },
          { category: "http1.start_line", from: 0, to: 1050, difference: 2100 },
          { category: "http1.field_line.value", from: 0, to: 6450, difference: 12900 },
          { category: "http1.head_end", from: 0, to: 100, difference: 200 },
        ],
      },
      {
        cause: "framing",
        from: 2300,
        to: 0,
        difference: -2300,
        categories: [
          { category: "h2.frame_header.data", from: 900, to: 0, difference: -900 },
          { category: "h2.frame_header.headers", from: 900, to: 0, difference: -900 },
          { category: "grpc.prefix", from: 500, to: 0, difference: -500 },
        ],
      },
    ],
  });
});

test("no calls, or what is no count, is the caller's mistake; a sum that would not be exact is refused", () => {
  const side = (calls: number, value: number): BridgeSide => ({ calls, c2s: { "h2.ping": value }, s2c: {} });
  for (const wrong of [side(0, 1), side(1.5, 1), side(-1, 1), side(Number.NaN, 1), side(1, -1), side(1, 0.5)]) {
    assert.throws(() => bridge(wrong, side(1, 1)), TypeError);
    assert.throws(() => bridge(side(1, 1), wrong), TypeError);
  }
  const most = Number.MAX_SAFE_INTEGER;
  assert.equal(bridge(side(1, most), side(1, 0)).c2s.difference, -most);
  assert.throws(() => bridge(side(2, most), side(3, 0)), RangeError);
  assert.throws(() => bridge(side(most, 1), side(most - 1, 1)), RangeError);
});
