import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import jsep from "jsep";
import { parseFilter } from "./filter.ts";
import { FilterError } from "./filter-error.ts";
import { FILTER_NAMES } from "./names.ts";
import { CALL_TALLY, CONNECTION } from "./testing/items.ts";

const word = fc.constantFrom(
  ...FILTER_NAMES.map((row) => row.name),
  ...[
    "header",
    '("x")',
    '"GET"',
    "'a\\'",
    '"(a+)+$"',
    '"[b-a]"',
    '"c2s"',
    "1",
    "0x4",
    "200",
    "==",
    "!=",
    "<",
    "<=",
    "~",
    "contains",
  ],
  ...["&&", "||", "!", "(", ")", "this", "null", "?", ":", "[", "]", ".", ",", ";", "`", "\\", "\u0000", "$1", "constructor"],
);

function parses(text: string): void {
  try {
    parseFilter(text);
  } catch (error) {
    assert.ok(error instanceof FilterError, `${JSON.stringify(text)}: ${error}`);
    assert.ok(error.column >= 1 && error.column <= [...text].length + 1, `column ${error.column} of ${JSON.stringify(text)}`);
  }
}

test("any text is a filter or a FilterError", () => {
  const words = fc.array(word, { maxLength: 12 });
  fc.assert(
    fc.property(fc.tuple(words, fc.constantFrom("", " ")), ([list, gap]) => parses(list.join(gap))),
    { numRuns: 200 },
  );
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 60 }), parses), { numRuns: 200 });
});

/** Random conditions; where operators bind without parentheses is left to the parser. */
const condition = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    fc.constantFrom("stream == 3", "stream == 4", "octets >= 200", "octets < 200", "status != 200"),
    fc.tuple(tie("node"), fc.constantFrom("&&", "||"), tie("node")).map((parts) => parts.join(" ")),
    tie("node").map((inner) => `(${inner})`),
    tie("node").map((inner) => `!(${inner})`),
  ),
})).node;

test("conditions bind as they do in JavaScript", () => {
  fc.assert(
    fc.property(condition, (text) => {
      fc.pre(text.length < 2000);
      const witness: unknown = runInNewContext(text, { stream: 3, octets: 200, status: 200 });
      assert.equal(parseFilter(text).exchange(CONNECTION, CALL_TALLY), witness, text);
    }),
    { numRuns: 150 },
  );
});

test("reading a filter leaves the parser's tables as they are", () => {
  const before = JSON.stringify([jsep("a ~ b"), jsep("1 + this"), jsep.binary_ops, jsep.unary_ops]);
  parseFilter('path ~ "x" && !(path contains "y")');
  assert.equal(JSON.stringify([jsep("a ~ b"), jsep("1 + this"), jsep.binary_ops, jsep.unary_ops]), before);
});
