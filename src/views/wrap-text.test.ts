import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { wrapText } from "./wrap-text.ts";

test("lines are as full as they can be, and a long word stays whole", () => {
  assert.deepEqual(wrapText("one two three", 7), ["one two", "three"]);
  assert.deepEqual(wrapText("one two three", 6), ["one", "two", "three"]);
  assert.deepEqual(wrapText("a verylongword b", 5), ["a", "verylongword", "b"]);
  assert.deepEqual(wrapText("漢字 漢字", 5), ["漢字", "漢字"]);
  assert.deepEqual(wrapText("", 5), [""]);
});

test("no word is lost, and only single words are wider than asked", () => {
  const words = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 9 }), { minLength: 1 });
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 20 }), (list, width) => {
      const lines = wrapText(list.join(" "), width);
      assert.equal(lines.join(" "), list.join(" "));
      for (const line of lines) assert.ok(line.length <= width || !line.includes(" "), `${width}: ${line}`);
    }),
    { numRuns: 100 },
  );
});
