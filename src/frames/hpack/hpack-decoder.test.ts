import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { DecodedBlock } from "./hpack-decoder.ts";
import { HpackDecoder, TABLE_CAP } from "./hpack-decoder.ts";
import { HpackEncoder } from "./hpack-encoder.ts";

const octets = (hex: string) => Buffer.from(hex.replaceAll(" ", ""), "hex");
const rules = (block: DecodedBlock) => block.violations.map(({ rule }) => rule);
const values = (block: DecodedBlock) => block.lines.map(({ name, value }) => `${name}=${value}`);
/** Two literals with incremental indexing: x-a: 1 and x-b: 2. Each entry is 36 octets. */
const TWO_ENTRIES = "40 03782d61 0131 40 03782d62 0132";

test("an error stops the block where the representation began, and says which rule", () => {
  const cases: readonly (readonly [hex: string, decoded: number, rule: string])[] = [
    ["82 80", 1, "hpack-index-zero"],
    ["82 be", 1, "hpack-index-beyond-table"],
    ["7e 0131", 0, "hpack-index-beyond-table"],
    ["82 ff", 1, "hpack-truncated"],
    ["82 ff 80", 1, "hpack-truncated"],
    ["40", 0, "hpack-truncated"],
    ["40 03 782d", 0, "hpack-truncated"],
    ["40 03782d61", 0, "hpack-truncated"],
    ["40 03782d61 05 31", 0, "hpack-truncated"],
    ["04 81", 0, "hpack-truncated"],
    // 2^32 - 1 + 0 fits, 2^32 does not: 127 + 0xffffff80 and 127 + 0xffffff81.
    ["00 ff 80ffffff0f", 0, "hpack-truncated"],
    ["00 ff 81ffffff1f", 0, "hpack-integer-overflow"],
    ["ff 8080808080808000", 0, "hpack-integer-overflow"],
    ["3f ffffffff7f", 0, "hpack-integer-overflow"],
    ["82 00 03782d61 82 1fff", 1, "hpack-huffman-long-padding"],
    ["00 8118 0131", 0, "hpack-huffman-bad-padding"],
    ["00 84ffffffff 0131", 0, "hpack-huffman-eos"],
  ];
  for (const [hex, decoded, rule] of cases) {
    const block = new HpackDecoder().decodeBlock(octets(hex));
    assert.deepEqual([block.undecoded, rules(block)], [octets(hex).length - decoded, [rule]], hex);
    assert.equal(block.violations[0]?.errorCode, "COMPRESSION_ERROR");
  }
});

test("the octets of each line's parts, in wire order", () => {
  const { lines } = new HpackDecoder().decodeBlock(octets("40 8825a849e95ba97d7f 8925a849e95bb8e8b4bf 0f 20 81 1f"));
  const [first, second] = lines;
  assert.deepEqual(
    [first?.prefixOctets, first?.nameLengthOctets, first?.nameOctets, first?.valueLengthOctets, first?.valueOctets],
    [3, 1, 8, 1, 9],
  );
  assert.deepEqual([first?.nameHuffman, first?.valueHuffman, first?.nameLength, first?.valueLength], [true, true, 10, 12]);
  // Static index 47 = 15 + 32 needs two octets with a 4-bit prefix: max-forwards.
  assert.deepEqual(
    [second?.name, second?.value, second?.index, second?.prefixOctets, second?.valueOctets],
    ["max-forwards", "a", 47, 3, 1],
  );
});

test("insertions and evictions are counted on the line that caused them", () => {
  const decoder = new HpackDecoder({ maxTableSize: 80 });
  const { lines } = decoder.decodeBlock(
    octets(`${TWO_ENTRIES} 40 03782d63 0133 00 03782d64 0134 40 03782d65 2a ${"31".repeat(42)}`),
  );
  assert.deepEqual(
    lines.map(({ name, inserted, evicted }) => [name, inserted, evicted]),
    [
      ["x-a", true, 0],
      ["x-b", true, 0],
      ["x-c", true, 1],
      ["x-d", false, 0],
      // 3 + 42 + 32 = 77 fits in 80, but nothing beside it.
      ["x-e", true, 2],
    ],
  );
  const { lines: more } = decoder.decodeBlock(octets(`40 03782d66 2e ${"31".repeat(46)}`));
  // RFC 7541 §4.4: 81 octets are larger than the table, which is then empty.
  assert.deepEqual([more[0]?.inserted, more[0]?.evicted, decoder.table.length], [false, 1, 0]);
});

test("size updates: their octets, and what they evict", () => {
  const decoder = new HpackDecoder();
  decoder.decodeBlock(octets(TWO_ENTRIES));
  const block = decoder.decodeBlock(octets("20 3f e11f 82"));
  assert.deepEqual(block.sizeUpdates, [
    { size: 0, octets: 1, evicted: 2 },
    { size: 4096, octets: 3, evicted: 0 },
  ]);
  assert.deepEqual([rules(block), decoder.table.length, decoder.table.maxSize], [[], 0, 4096]);
});

test("a size update above the limit or after a field line is reported and honoured", () => {
  const above = new HpackDecoder();
  assert.deepEqual(rules(above.decodeBlock(octets("3f e21f 82"))), ["hpack-size-update-above-limit"]);
  assert.equal(above.table.maxSize, 4097);
  const late = new HpackDecoder();
  const block = late.decodeBlock(octets(`82 ${TWO_ENTRIES} 3f0d be`));
  assert.deepEqual(rules(block), ["hpack-size-update-late"]);
  assert.deepEqual([late.table.maxSize, block.lines.length, block.undecoded], [44, 4, 0]);
  assert.equal(block.sizeUpdates[0]?.evicted, 1);
});

test("a lowered limit obliges the next block to begin with a size update", () => {
  const lowered = () => {
    const decoder = new HpackDecoder();
    decoder.decodeBlock(octets(TWO_ENTRIES));
    decoder.setMaxTableSize(100);
    return decoder;
  };
  assert.deepEqual(rules(lowered().decodeBlock(octets("3f45 be"))), []);
  const silent = lowered();
  assert.deepEqual(rules(silent.decodeBlock(octets("be"))), ["hpack-size-update-missing"]);
  assert.deepEqual(rules(silent.decodeBlock(octets("be"))), [], "said once");
  // RFC 7541 §4.2: lowered and raised between two blocks, the smallest must be signalled.
  const twice = lowered();
  twice.setMaxTableSize(4096);
  assert.deepEqual(rules(twice.decodeBlock(octets("3f e11f 82"))), ["hpack-size-update-missing"]);
  const right = lowered();
  right.setMaxTableSize(4096);
  assert.deepEqual(rules(right.decodeBlock(octets("3f45 3fe11f 82"))), []);
  const raised = new HpackDecoder();
  raised.setMaxTableSize(8192);
  assert.deepEqual(rules(raised.decodeBlock(octets("82"))), []);
  assert.deepEqual(rules(raised.decodeBlock(octets("3f e13f 82"))), []);
});

test("late join: what cannot be known is null, and index arithmetic stays right", () => {
  const decoder = new HpackDecoder({ lateJoin: true });
  const first = decoder.decodeBlock(octets(`82 be 7e 0131 ${TWO_ENTRIES}`));
  assert.deepEqual(rules(first), []);
  assert.deepEqual(values(first), [":method=GET", "null=null", "null=1", "x-a=1", "x-b=2"]);
  assert.deepEqual([first.lines[1]?.index, first.lines[1]?.nameLength, first.lines[2]?.valueLength], [62, -1, 1]);
  // Newest first: x-b 62, x-a 63, the literal with the unknown name 64, then older unknown entries.
  assert.deepEqual(values(decoder.decodeBlock(octets("be bf c0 c1"))), ["x-b=2", "x-a=1", "null=1", "null=null"]);
});

test("late join: the limit is unknown until SETTINGS say it", () => {
  const decoder = new HpackDecoder({ lateJoin: true });
  assert.deepEqual(rules(decoder.decodeBlock(octets("3f e2ff03 82"))), []);
  decoder.setMaxTableSize(4096);
  const known = decoder.decodeBlock(octets("3f e2ff03 82"));
  assert.deepEqual(rules(known), ["hpack-size-update-above-limit", "hpack-size-update-missing"]);
});

test("after an error the table is unknown, and decoding goes on", () => {
  const decoder = new HpackDecoder();
  decoder.decodeBlock(octets(TWO_ENTRIES));
  assert.deepEqual(rules(decoder.decodeBlock(octets("82 80 40 03782d63 0133"))), ["hpack-index-zero"]);
  assert.equal(decoder.lateJoin, true);
  assert.deepEqual(values(decoder.decodeBlock(octets("82 be"))), [":method=GET", "null=null"]);
  assert.deepEqual(values(decoder.decodeBlock(octets("40 03782d63 0133 be bf"))), ["x-c=3", "x-c=3", "null=null"]);
});

test("the table never holds more than its cap, whatever the peer says", () => {
  const decoder = new HpackDecoder({ maxTableSize: 0xffffffff });
  const encoder = new HpackEncoder({ maxTableSize: 0xffffffff, huffman: false });
  for (let index = 0; index < 40; index++) {
    const block = decoder.decodeBlock(encoder.encode([{ name: `x-${index}`, value: "v".repeat(60_000) }]));
    assert.deepEqual(rules(block), []);
  }
  assert.ok(decoder.table.size <= TABLE_CAP && decoder.table.size > TABLE_CAP - 61_000);
});

test("sixteen thousand references to one entry share its string", () => {
  const decoder = new HpackDecoder();
  decoder.decodeBlock(new HpackEncoder({ huffman: false }).encode([{ name: "a", value: "v".repeat(4000) }]));
  let lines = 0;
  let decoded = 0;
  const strings = new Set<string | null>();
  const result = decoder.decode(new Uint8Array(16_000).fill(0xbe), 0, 16_000, {
    fieldLine(line) {
      lines++;
      decoded += line.valueLength;
      strings.add(line.value);
    },
    sizeUpdate: () => assert.fail("no size update here"),
    fault: () => assert.fail("no fault here"),
  });
  assert.deepEqual([lines, decoded, strings.size, result.fault], [16_000, 64_000_000, 1, null]);
});

test("random octets never throw, and every octet has an owner", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 4 }), fc.boolean(), (blocks, lateJoin) => {
      const decoder = new HpackDecoder({ lateJoin });
      for (const bytes of blocks) {
        const block = decoder.decodeBlock(bytes);
        const lines = block.lines.reduce((sum, line) => sum + line.prefixOctets + line.nameOctets + line.valueOctets, 0);
        const updates = block.sizeUpdates.reduce((sum, update) => sum + update.octets, 0);
        assert.equal(lines + updates + block.undecoded, bytes.length);
        assert.ok(decoder.table.size <= Math.max(decoder.table.maxSize, 0));
      }
    }),
    { numRuns: 200 },
  );
});
