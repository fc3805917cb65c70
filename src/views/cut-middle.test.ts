import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cells } from "./columns.ts";
import { cutMiddle } from "./cut-middle.ts";

test("what does not fit is cut in the middle", () => {
  assert.equal(cutMiddle("abcdefgh", 8), "abcdefgh");
  assert.equal(cutMiddle("abcdefghi", 8), "abcd…ghi");
  assert.equal(cutMiddle("abcdefghi", 5), "ab…hi");
  assert.equal(cutMiddle("abcdefghi", 1), "…");
  assert.equal(cutMiddle("漢字漢字", 5), "漢…字");
});

test("never wider than asked, and short texts stay", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", "/", "漢", "é", "🙂") });
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 12 }), (text, width) => {
      const short = cutMiddle(text, width);
      assert.ok(cells(short) <= width, `${width}: ${short}`);
      if (cells(text) <= width) assert.equal(short, text);
    }),
    { numRuns: 200 },
  );
});
