import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Pattern } from "./pattern.ts";
import { PatternError } from "./pattern-error.ts";
import { PATTERN_CAP } from "./pattern-syntax.ts";

/** What the language's own engine says is the witness. */
function agrees(source: string, text: string): void {
  assert.equal(new Pattern(source).test(text), new RegExp(source).test(text), `/${source}/ on ${JSON.stringify(text)}`);
}

test("patterns match as the language's own do", () => {
  const texts = [
    "",
    "a",
    "ab",
    "aab",
    "abc abc",
    "/item.v1.ItemService/Echo",
    "/items/{id}",
    "GET /items/12?x=1",
    "a\nb",
    "é",
    "a-b",
    "]",
    "\\",
    "x_1",
    "\0",
  ];
  const patterns = [
    "",
    "a",
    "^a$",
    "^$",
    "a|b",
    "^(?:a|ab)c",
    "(a|b)*c",
    "a+b",
    "a?b",
    "a{2}",
    "^a{1,2}b",
    "a{2,}",
    "a{0}b",
    "(?:){3}",
    "(a*)*$",
    "^(a|)+$",
    "a*?b",
    "a+?$",
    "a??b",
    "a{1,2}?b",
    ".",
    "^.$",
    "^..$",
    "[ab]c",
    "[^a]",
    "^[^a-z]+$",
    "[a-c-]",
    "[-a]",
    "[\\]]",
    "[\\d-]",
    "[]",
    "[^]",
    "[.]",
    "\\d+",
    "\\D",
    "\\w+\\W",
    "\\s",
    "\\S$",
    "\\bItem",
    "\\bService\\b",
    "a\\B",
    "\\B",
    "\\/",
    "\\.v1\\.",
    "\\x61",
    "\\u0061",
    "\\n",
    "[\\n]",
    "\\0",
    "[\\b]",
    "{id}",
    "a{",
    "a{,2}",
    "}",
    "]",
    "/{id}$",
    "é",
    "[à-ü]",
    "|",
    "a||b",
    "()",
    "^|x",
  ];
  for (const source of patterns) for (const text of texts) agrees(source, text);
});

test("code points count, not their halves", () => {
  const table: [string, string, boolean][] = [
    ["^.$", "😀", true],
    ["^[😀😁]$", "😁", true],
    ["^[^a]$", "😀", true],
    ["^\\u{1f600}$", "😀", true],
    ["^😀+$", "😀😀", true],
    ["\ud83d", "😀", false],
  ];
  for (const [source, text, expected] of table) assert.equal(new Pattern(source).test(text), expected, source);
});

test("case can be left out of account", () => {
  const table: [Pattern, string, boolean][] = [
    [new Pattern("(?i)echo$"), "/Item/ECHO", true],
    [new Pattern("echo$"), "/Item/ECHO", false],
    [new Pattern("^headers$", true), "HEADERS", true],
    [new Pattern("(?i)[a-f]"), "E", true],
    [new Pattern("(?i)^[^a-f]$"), "E", false],
    [new Pattern("(?i)É"), "é", true],
    // ß has an upper case of two characters, and is none of them.
    [new Pattern("(?i)^S"), "ß", false],
  ];
  for (const [pattern, text, expected] of table) assert.equal(pattern.test(text), expected, text);
});

const atom = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\w", "\\W", "\\b", "\\B", "^", "$", "-", "\\d", "()");
const pattern = fc.letrec<{ node: string; item: string }>((tie) => ({
  node: fc.array(tie("item"), { maxLength: 4 }).map((items) => items.join("")),
  item: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    atom,
    fc
      .tuple(tie("node"), fc.constantFrom("", "*", "+", "?", "{2}", "{0,2}", "{1,}", "*?"))
      .map(([node, times]) => `(${node})${times}`),
    fc.tuple(tie("node"), tie("node")).map(([one, other]) => `(?:${one}|${other})`),
  ),
})).node;
const text = fc.array(fc.constantFrom("a", "b", "-", "1", "\n"), { maxLength: 8 }).map((units) => units.join(""));

test("any pattern on any text: as the language's own", () => {
  fc.assert(fc.property(pattern, text, agrees), { numRuns: 200 });
});

test("what is refused, and where", () => {
  const table: [string, number, RegExp][] = [
    ["(a", 0, /not closed/],
    ["ab(c(d)", 2, /not closed/],
    ["a)", 1, /not opened/],
    ["[ab", 0, /not closed/],
    ["a[\\", 2, /escapes nothing/],
    ["*a", 0, /nothing to repeat/],
    ["a**", 2, /nothing to repeat/],
    ["a|+", 2, /nothing to repeat/],
    ["^*", 1, /nothing to repeat/],
    ["a{2,1}", 1, /wrong way/],
    ["[b-a]", 1, /wrong way/],
    ["[\\d-z]", 1, /wrong way/],
    ["(a)\\1", 3, /back references/],
    ["(?<n>a)\\k<n>", 0, /kind of group/],
    ["a(?=b)", 1, /look-around/],
    ["(?<!a)b", 0, /look-around/],
    ["a(?i)b", 1, /kind of group/],
    ["a\\", 1, /escapes nothing/],
    ["\\p{L}", 0, /\\p is not known/],
    ["\\01", 0, /octal/],
    ["\\u{110000}", 0, /code point/],
    ["a".repeat(PATTERN_CAP + 1), PATTERN_CAP, /longer than 1000/],
    ["a{1001}", 0, /too large/],
    ["((a{100}){100}){100}", 0, /too large/],
    ["((((){999}){999}){999}){999}", 0, /too large/],
    ["a{999999999}", 0, /too large/],
    [`${"(".repeat(101)}${")".repeat(101)}`, 100, /groups within groups/],
  ];
  for (const [source, at, message] of table) {
    assert.throws(
      () => new Pattern(source),
      (error) => error instanceof PatternError && error.at === at && message.test(error.message),
      source,
    );
  }
});

test("patterns that stall an engine that goes back take time in proportion to the text", () => {
  const long = "a".repeat(65_536);
  const table: [string, string, boolean][] = [
    ["(a+)+$", `${long}!`, false],
    ["(a|a)*b", long, false],
    ["(a*)*b", long, false],
    ["^(a?){40}a{40}b", long, false],
    [".*.*.*.*=.*x", long, false],
    ["(?:a|b|ab)*c", "ab".repeat(32_768), false],
    ["(.*)(.*)(.*)(.*)[^a]$", `${long}b`, true],
  ];
  const before = performance.now();
  for (const [source, input, expected] of table) assert.equal(new Pattern(source).test(input), expected, source);
  const took = performance.now() - before;
  assert.ok(took < 5_000, `${took} ms`);
});
