import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { copyFieldLine, type FieldLine } from "./field-line.ts";
import type { FieldRun } from "./field-run.ts";
import { HpackDecoder } from "./hpack-decoder.ts";
import { HpackEncoder } from "./hpack-encoder.ts";

interface Told {
  readonly lines: FieldLine[];
  readonly faults: string[];
  readonly runs: number;
  readonly decoded: readonly number[];
}

/** Decodes blocks one after the other. @param takes whether runs are taken; null: the sink knows nothing of them. */
function decode(blocks: readonly Uint8Array[], takes: boolean | null, lateJoin = false): Told {
  const decoder = new HpackDecoder({ lateJoin });
  const lines: FieldLine[] = [];
  const faults: string[] = [];
  let runs = 0;
  const fieldRun = (run: FieldRun): boolean => {
    if (takes !== true) return false;
    runs += 1;
    assert.equal(run.octets, run.lines.length);
    lines.push(...run.lines.map(copyFieldLine));
    return true;
  };
  const sink = {
    fieldLine: (line: FieldLine) => void lines.push(copyFieldLine(line)),
    sizeUpdate: (size: number) => void faults.push(`size ${size}`),
    fault: ({ rule }: { rule: string }) => void faults.push(rule),
    ...(takes === null ? {} : { fieldRun }),
  };
  const decoded = blocks.map((block) => {
    const result = decoder.decode(block, 0, block.length, sink);
    if (result.fault !== null) faults.push(result.fault.rule);
    return result.decoded;
  });
  return { lines, faults, runs, decoded };
}

/** RFC 7541 appendix A: `:method GET`, `:scheme http`, `:path /`. */
const INDEXED = Uint8Array.of(0x82, 0x86, 0x84);

test("indexed lines that come again are told together from the third time on, and are the same lines", () => {
  const blocks = [INDEXED, INDEXED, INDEXED, INDEXED];
  const told = decode(blocks, true);
  assert.deepEqual(told.lines, decode(blocks, null).lines);
  assert.deepEqual(
    told.lines.slice(-3).map(({ name, value, index }) => [name, value, index]),
    [
      [":method", "GET", 2],
      [":scheme", "http", 6],
      [":path", "/", 4],
    ],
  );
  assert.equal(told.runs, 3);
});

test("what an insertion, an eviction or a size update changes is never told from before", () => {
  // Index 62 is the newest entry: another one after each insertion (RFC 7541 §2.3.3).
  const insert = (value: number) => Uint8Array.of(0x40, 1, 0x61, 1, value, 0xbe, 0xbe);
  const again = Uint8Array.of(0xbe, 0xbe);
  const blocks = [insert(0x31), again, again, again, insert(0x32), again, again, again, Uint8Array.of(0x20, 0x82), again];
  const told = decode(blocks, true);
  assert.deepEqual(
    [told.lines, told.faults, told.decoded],
    [decode(blocks, null).lines, decode(blocks, null).faults, decode(blocks, null).decoded],
  );
  assert.deepEqual([...new Set(told.lines.slice(3, 9).map(({ value }) => value))], ["1"]);
  assert.deepEqual([...new Set(told.lines.slice(12, 18).map(({ value }) => value))], ["2"]);
  assert.ok(told.runs > 0, "runs were told");
});

test("a run with long texts is read line by line: it would keep them when the table has given them up", () => {
  // RFC 7541 §6.2.1, §5.1: `a` with a value of as many octets as are asked for, inserted; then twice by its index.
  const blocks = (octets: number) => {
    const [rest, high] = [octets - 127, octets - 127 >= 128];
    const length = high ? [0x7f, (rest & 0x7f) | 0x80, rest >> 7] : [0x7f, rest];
    const insert = Uint8Array.from([0x40, 1, 0x61, ...length, ...new Array<number>(octets).fill(0x62)]);
    return [insert, ...Array.from({ length: 4 }, () => Uint8Array.of(0xbe, 0xbe))];
  };
  for (const [octets, runs] of [
    [2_000, 3],
    [2_100, 0],
  ] as const) {
    const told = decode(blocks(octets), true);
    assert.deepEqual([told.runs, told.lines.length, told.faults], [runs, 9, []]);
    assert.deepEqual(told.lines, decode(blocks(octets), null).lines);
  }
});

test("an index of several octets, and index 0, end a run (RFC 7541 §5.1, §6.1)", () => {
  // Index 127 + 0 is not in the table of one who joined late.
  const blocks = Array.from({ length: 5 }, () => Uint8Array.of(0xff, 0x00, 0x82, 0xff, 0x00));
  const told = decode(blocks, true, true);
  assert.deepEqual({ ...told, runs: 0 }, decode(blocks, null, true));
  assert.equal(told.lines.length, 15);
  const zero = Array.from({ length: 5 }, () => Uint8Array.of(0x80));
  assert.deepEqual(decode(zero, true), decode(zero, null));
});

const field = fc.record({
  name: fc.constantFrom(":method", ":path", "a", "b", "content-type"),
  value: fc.constantFrom("GET", "/", "1", "2", "x".repeat(40)),
  representation: fc.constantFrom(undefined, "literal" as const, "never" as const),
});
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ fields: fc.array(field, { maxLength: 6 }), times: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ size: fc.constantFrom(0, 60, 100, 4096) }) },
  {
    weight: 1,
    arbitrary: fc.record({ raw: fc.array(fc.constantFrom(0x82, 0xbe, 0xbf, 0xc0, 0xff, 0x00, 0x80), { maxLength: 6 }) }),
  },
);

test("with runs, without, and refused: any blocks give the same lines, faults and ends", () => {
  let runs = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.boolean(), (steps, lateJoin) => {
      const encoder = new HpackEncoder();
      const blocks = steps.flatMap((one) => {
        if ("size" in one) {
          encoder.setMaxTableSize(one.size);
          return [];
        }
        if ("raw" in one) return [Uint8Array.from(one.raw)];
        return Array.from({ length: one.times }, () =>
          encoder.encode(
            one.fields.map(({ representation, ...line }) => (representation === undefined ? line : { ...line, representation })),
          ),
        );
      });
      const plain = decode(blocks, null, lateJoin);
      for (const takes of [true, false]) {
        const told = decode(blocks, takes, lateJoin);
        runs += told.runs;
        assert.deepEqual({ ...told, runs: 0 }, plain);
      }
    }),
    { numRuns: 500 },
  );
  assert.ok(runs > 500, `${runs} runs were told`);
});
