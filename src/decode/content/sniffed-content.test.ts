import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { pieces } from "../../../test/cuts.ts";
import { cutsFor } from "../../../test/transcripts.ts";
import { CATEGORIES, CONTENT_BASE } from "../category.ts";
import { SniffedContent } from "./sniffed-content.ts";

/** Octets by category after all moves, and what was announced, octet by octet. */
function sniffed(chunks: readonly Uint8Array[]): { sums: Record<string, number>; first: string[] } {
  const sums: Record<string, number> = {};
  const first: string[] = [];
  const add = (category: number, octets: number): void => {
    const path = CATEGORIES[category] ?? "?";
    sums[path] = (sums[path] ?? 0) + octets;
    if (sums[path] === 0) delete sums[path];
  };
  const content = new SniffedContent(
    {
      parts: true,
      content: (category, octets) => {
        add(category, octets);
        for (let n = 0; n < octets; n++) first.push(CATEGORIES[category] ?? "?");
      },
      moved: (from, to, octets) => {
        add(from, -octets);
        add(to, octets);
      },
      contentNote: () => {},
    },
    CONTENT_BASE.body,
  );
  content.begin();
  for (const chunk of chunks) content.push(chunk, 0, chunk.length);
  content.end(false);
  return { sums, first };
}

const latin1 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "latin1"));

test("text, UTF-8 and line ends included; binary by one octet among the first 512", () => {
  assert.deepEqual(sniffed([latin1("a=1&b=2\r\n\t\xc3\xa9")]).sums, { "body.text": 12 });
  assert.deepEqual(sniffed([latin1("%PDF-1.4\n\0")]).sums, { "body.binary": 10 });
  assert.deepEqual(sniffed([latin1("\x7fELF")]).sums, { "body.binary": 4 });
  assert.deepEqual(sniffed([latin1(`${"a".repeat(511)}\0b`)]).sums, { "body.binary": 513 });
  assert.deepEqual(sniffed([latin1(`${"a".repeat(512)}\0b`)]).sums, { "body.text": 514 });
  assert.deepEqual(sniffed([]).sums, {});
});

test("the cut does not matter, and every octet is announced at once", () => {
  const octets = fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.string({ maxLength: 40 }).map(latin1));
  fc.assert(
    fc.property(octets, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }), (content, shares) => {
      const cut = sniffed(pieces(content, cutsFor(content.length, shares)));
      assert.deepEqual(cut, sniffed([content]));
      assert.equal(cut.first.length, content.length);
    }),
    { numRuns: 200 },
  );
});
