import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import fc from "fast-check";
import { REPRESENTATION_NAMES } from "./field-line.ts";
import { HpackDecoder } from "./hpack-decoder.ts";
import { type FieldToEncode, HpackEncoder } from "./hpack-encoder.ts";

interface OtherDecompressor {
  updateTableSize(octets: number): void;
  write(octets: Buffer): void;
  execute(): void;
  read(): { name: string; value: string; neverIndex: boolean } | null;
}
/** A second opinion that nobody of this project wrote: hpack.js. It has no types. */
const otherHpack = createRequire(import.meta.url)("hpack.js") as {
  decompressor: { create(options: { table: { maxSize: number } }): OtherDecompressor };
};

const name = fc.stringMatching(/^[a-z-]{1,12}$/);
const value = fc.stringMatching(/^[ -~]{0,40}$/);
const field: fc.Arbitrary<FieldToEncode> = fc.record({
  name: fc.oneof(name, fc.constantFrom(":method", ":path", "cookie", "x-a")),
  value: fc.oneof(value, fc.constantFrom("GET", "/", "1")),
  representation: fc.constantFrom(...REPRESENTATION_NAMES),
  newName: fc.boolean(),
});
const blocks = fc.array(fc.array(field, { maxLength: 8 }), { maxLength: 5 });
const huffman = fc.constantFrom<boolean | "auto">(true, false, "auto");

test("what was encoded decodes to the same lines and the same table", () => {
  fc.assert(
    fc.property(blocks, huffman, fc.constantFrom(64, 200, 4096), (input, coding, maxTableSize) => {
      const encoder = new HpackEncoder({ huffman: coding, maxTableSize });
      const decoder = new HpackDecoder({ maxTableSize });
      for (const fields of input) {
        const { lines, violations } = decoder.decodeBlock(encoder.encode(fields));
        assert.deepEqual(violations, []);
        assert.deepEqual(
          lines.map((line) => [line.name, line.value]),
          fields.map((line) => [line.name, line.value]),
        );
        for (const [index, line] of lines.entries()) {
          const asked = fields[index]?.representation ?? "indexed";
          const got = REPRESENTATION_NAMES[line.representation];
          assert.ok(got === asked || (asked === "indexed" && got === "literal_indexed"));
        }
        assert.deepEqual(decoder.table.entries(), encoder.table.entries());
      }
    }),
    { numRuns: 150 },
  );
});

test("hpack.js reads the same from our encoder", () => {
  fc.assert(
    fc.property(blocks, huffman, (input, coding) => {
      const encoder = new HpackEncoder({ huffman: coding });
      const other = otherHpack.decompressor.create({ table: { maxSize: 4096 } });
      for (const fields of input) {
        other.write(Buffer.from(encoder.encode(fields)));
        other.execute();
        for (const { name: wanted, value: text, representation } of fields) {
          const read = other.read();
          assert.deepEqual([read?.name, read?.value], [wanted, text]);
          if (representation === "never") assert.equal(read?.neverIndex, true);
        }
        assert.equal(other.read(), null);
      }
    }),
    { numRuns: 60 },
  );
});

test("size updates: the smallest, then the final one, at the next block's start", () => {
  const encoder = new HpackEncoder();
  const decoder = new HpackDecoder();
  decoder.decodeBlock(encoder.encode([{ name: "x-a", value: "1" }]));
  encoder.setMaxTableSize(0);
  encoder.setMaxTableSize(100);
  const block = encoder.encode([{ name: "x-b", value: "2" }]);
  const { sizeUpdates, violations } = decoder.decodeBlock(block);
  assert.deepEqual(violations, []);
  assert.deepEqual(
    sizeUpdates.map(({ size, evicted }) => [size, evicted]),
    [
      [0, 1],
      [100, 0],
    ],
  );
  assert.deepEqual(decoder.decodeBlock(encoder.encode([])).sizeUpdates, []);
});

test("text that is no octet string is the caller's mistake", () => {
  assert.throws(() => new HpackEncoder().encode([{ name: "x", value: "\u20ac" }]), TypeError);
});
