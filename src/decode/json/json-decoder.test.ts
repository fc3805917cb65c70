import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { everyCut } from "../../../test/cuts.ts";
import type { ContentNote } from "../content/content-note.ts";
import { JsonDecoder } from "./json-decoder.ts";
import { BASE, figures, JsonRecorder, record } from "./testing/json-recorder.ts";

/** `octets` is an octet string; `letters` stand under it, one per octet: see LETTERS. */
type Row = readonly [octets: string, letters: string, ...notes: (readonly [ContentNote, number])[]];

const TOKENS: readonly Row[] = [
  ["{}", "pp"],
  ["[]", "pp"],
  ['""', "ss"],
  ['{"":""}', "pkkpssp"],
  ['{"a":1}', "pkKkpnp"],
  [' { "a" :\t1 ,\r\n"b":[ ] } ', "_p_kKk_p_n_p__kKkpp_p_p_"],
  ["[true,false,null]", "pllllplllllpllllp"],
  ["[0,-0,10,-12.50,1e5,1E+05,2.5e-10]", "pnpnnpnnpnnnnnnpnnnpnnnnnpnnnnnnnp"],
  ['{"k\\n\\u00e9":"s\\"\\\\\\/\\b\\f\\n\\r\\t\\uD83D\\uDE00x"}', `pkK${"e".repeat(8)}kpsS${"E".repeat(16 + 12)}Ssp`],
  // UTF-8 is not checked in strings.
  ['{"\xc3\xa9":"\xff\x80\x7f"}', "pkKKkpsSSSsp"],
  ['{"a":{"b":[1,{"c":[]}]}}', "pkKkppkKkppnppkKkppppppp"],
  ["12", "nn"],
  ["-1.5e+7", "nnnnnnn"],
  ["null", "llll"],
  ['"x"', "sSs"],
];

const BREAKS: readonly Row[] = [
  ["[1.]", "pnnm", ["json-malformed", 3]],
  ["[01]", "pnmm", ["json-malformed", 2]],
  ["[-]", "pnm", ["json-malformed", 2]],
  ["[-x1]", "pnmmm", ["json-malformed", 2]],
  ["[1e]", "pnnm", ["json-malformed", 3]],
  ["[1e+]", "pnnnm", ["json-malformed", 4]],
  ["[1.5.5]", "pnnnmmm", ["json-malformed", 4]],
  ["[+1]", "pmmm", ["json-malformed", 1]],
  ["[.5]", "pmmm", ["json-malformed", 1]],
  ['["\\x"]', "psEmmm", ["json-malformed", 3]],
  ['["\\u12g4"]', "psEEEEmmmm", ["json-malformed", 6]],
  ['{"\\U0041":1}', "pkemmmmmmmmm", ["json-malformed", 3]],
  ['["a\tb"]', "psSmmmm", ["json-malformed", 3]],
  ['{"a\x00":1}', "pkKmmmmm", ["json-malformed", 3]],
  ["[\x80]", "pmm", ["json-malformed", 1]],
  ["[1,]", "pnpm", ["json-malformed", 3]],
  ["[,1]", "pmmm", ["json-malformed", 1]],
  ["[1 2]", "pn_mm", ["json-malformed", 3]],
  ["[1:2]", "pnmmm", ["json-malformed", 2]],
  ["[1}", "pnm", ["json-malformed", 2]],
  ['{"a":1]', "pkKkpnm", ["json-malformed", 6]],
  ['{"a":1,}', "pkKkpnpm", ["json-malformed", 7]],
  ['{"a" 1}', "pkKk_mm", ["json-malformed", 5]],
  ['{"a"::1}', "pkKkpmmm", ["json-malformed", 5]],
  ["{'a':1}", "pmmmmmm", ["json-malformed", 1]],
  ["{1:1}", "pmmmm", ["json-malformed", 1]],
  ["{,}", "pmm", ["json-malformed", 1]],
  ["[NaN]", "pmmmm", ["json-malformed", 1]],
  ["[nul]", "plllm", ["json-malformed", 4]],
  ["[nan]", "plmmm", ["json-malformed", 2]],
  ["[truE]", "plllmm", ["json-malformed", 4]],
  ["[nulll]", "pllllmm", ["json-malformed", 5]],
  ["]", "m", ["json-malformed", 0]],
  ["x", "m", ["json-malformed", 0]],
  // What is malformed stays so, whatever it looks like.
  ['x{"a":1}', "mmmmmmmm", ["json-malformed", 0]],
];

const SEVERAL: readonly Row[] = [
  ["[][]", "pppp", ["json-several", 2]],
  ["{}\r\n{}\n[]\n", "pp__pp_pp_", ["json-several", 4]],
  ["1 2", "n_n", ["json-several", 2]],
  ['"a""b"', "sSssSs", ["json-several", 3]],
  ['1"a"', "nsSs", ["json-several", 1]],
  ['"a"1', "sSsn", ["json-several", 3]],
  ["true[]", "llllpp", ["json-several", 4]],
  ["[]null", "ppllll", ["json-several", 2]],
  ["truefalse", "llllmmmmm", ["json-malformed", 4]],
  ["1true", "nmmmm", ["json-malformed", 1]],
  ["null1", "llllm", ["json-malformed", 4]],
  ["01", "nm", ["json-malformed", 1]],
  ["1-2", "nmm", ["json-malformed", 1]],
  ["[1]x", "pnpm", ["json-malformed", 3]],
  ["[],[]", "ppmmm", ["json-malformed", 2]],
  ["[]]", "ppm", ["json-malformed", 2]],
  ["[] [] x", "pp_pp_m", ["json-several", 3], ["json-malformed", 6]],
];

const OPENINGS: readonly Row[] = [
  ["\xef\xbb\xbf{}", "bbbpp", ["json-bom", 2]],
  ["\xef\xbb\xbf 1", "bbb_n", ["json-bom", 2]],
  ["\xef\xbb\xbf\xef\xbb\xbf{}", "bbbmmmmm", ["json-bom", 2], ["json-malformed", 3]],
  ["{}\xef\xbb\xbf", "ppmmm", ["json-malformed", 2]],
  [" \xef\xbb\xbf{}", "_mmmmm", ["json-malformed", 1]],
  ["\xef\xbb{}", "mmmm", ["json-malformed", 2]],
  ["\xefx", "mm", ["json-malformed", 1]],
  [")]}'\n{}", "xxxxxpp", ["json-prefix", 3]],
  [")]}',\n{}", "xxxxxxpp", ["json-prefix", 3]],
  [")]}',\r\n{}", "xxxxxxxpp", ["json-prefix", 3]],
  [")]}'\r{}", "xxxxxpp", ["json-prefix", 3]],
  // Only one line end is the guard's, and Spring writes a space in its place.
  [")]}'\n\n{}", "xxxxx_pp", ["json-prefix", 3]],
  [")]}', {}", "xxxxx_pp", ["json-prefix", 3]],
  [")]}'{}", "xxxxpp", ["json-prefix", 3]],
  ["for(;;);[]", "xxxxxxxxpp", ["json-prefix", 7]],
  ["for (;;);[]", "xxxxxxxxxpp", ["json-prefix", 8]],
  ["while(1);[]", "xxxxxxxxxpp", ["json-prefix", 8]],
  ["while (1); []", "xxxxxxxxxx_pp", ["json-prefix", 9]],
  ["\xef\xbb\xbf)]}'\n{}", "bbbxxxxxpp", ["json-bom", 2], ["json-prefix", 6]],
  ["\xef\xbb\xbffor(;;);1", "bbbxxxxxxxxn", ["json-bom", 2], ["json-prefix", 10]],
  [")]}x{}", "mmmmmm", ["json-malformed", 3]],
  ["for(;x{}", "mmmmmmmm", ["json-malformed", 5]],
  ["fox", "mmm", ["json-malformed", 2]],
  ["while(2);", "mmmmmmmmm", ["json-malformed", 6]],
  [")]}'\n)]}'\n", "xxxxxmmmmm", ["json-prefix", 3], ["json-malformed", 5]],
  ["for(;;);while(1);", "xxxxxxxxmmmmmmmmm", ["json-prefix", 7], ["json-malformed", 8]],
  // Only at the very start.
  [" )]}'\n{}", "_mmmmmmm", ["json-malformed", 1]],
  ["false", "lllll"],
  ["fx", "lm", ["json-malformed", 1]],
  ["[]for(;;);", "pplmmmmmmm", ["json-several", 2], ["json-malformed", 3]],
];

const ENDS: readonly Row[] = [
  ["", ""],
  [" \n", "__", ["json-empty", 2]],
  ["\xef\xbb\xbf", "bbb", ["json-bom", 2], ["json-empty", 3]],
  [")]}'\n", "xxxxx", ["json-prefix", 3], ["json-empty", 5]],
  ["[", "p", ["json-cut", 1]],
  ['{"a', "pkK", ["json-cut", 3]],
  ['{"a"', "pkKk", ["json-cut", 4]],
  ['{"a":', "pkKkp", ["json-cut", 5]],
  ['{"a":1', "pkKkpn", ["json-cut", 6]],
  ["[1", "pn", ["json-cut", 2]],
  ["[1,", "pnp", ["json-cut", 3]],
  ['"a', "sS", ["json-cut", 2]],
  ['"a\\', "sSE", ["json-cut", 3]],
  ['"\\u00', "sEEEE", ["json-cut", 5]],
  ["-", "n", ["json-cut", 1]],
  ["1.", "nn", ["json-cut", 2]],
  ["1e", "nn", ["json-cut", 2]],
  ["1e-", "nnn", ["json-cut", 3]],
  ["tru", "lll", ["json-cut", 3]],
  ["f", "l", ["json-cut", 1]],
  ["0", "n"],
  ["1.5", "nnn"],
  ["1e9", "nnn"],
  ['{} {"a', "pp_pkK", ["json-several", 3], ["json-cut", 6]],
  ["\xef\xbb", "mm", ["json-malformed", 2]],
  [")]}", "mmm", ["json-malformed", 3]],
  ["fo", "mm", ["json-malformed", 2]],
  // Never a note after json-malformed.
  ["[1x", "pnm", ["json-malformed", 2]],
];

for (const [name, rows] of Object.entries({ TOKENS, BREAKS, SEVERAL, OPENINGS, ENDS })) {
  describe(name.toLowerCase(), () => {
    for (const [octets, letters, ...notes] of rows) {
      test(JSON.stringify(octets), () => {
        const input = Buffer.from(octets, "latin1");
        const whole = record(input);
        assert.equal(whole.recorder.letters.join(""), letters);
        assert.deepEqual(whole.recorder.notes, notes);
        const counted = record(input, false);
        assert.deepEqual(counted.recorder.sums, whole.recorder.sums);
        assert.deepEqual(counted.recorder.notes, notes);
        for (const cut of everyCut(input.length)) {
          assert.deepEqual(figures(record(input, true, cut)), figures(whole));
          assert.deepEqual(figures(record(input, false, cut)), figures(counted));
        }
      });
    }
  });
}

test("a body that was cut off has no notes about its end and keeps its categories", () => {
  for (const [octets, letters] of [
    ["", ""],
    [" ", "_"],
    ['{"a":', "pkKkp"],
    ["12", "nn"],
    ["\xef\xbb", "bb"],
    [")]}", "xxx"],
    ["fo", "xx"],
  ] as const) {
    const { recorder } = record(Buffer.from(octets, "latin1"), true, undefined, true);
    assert.deepEqual([recorder.letters.join(""), recorder.notes], [letters, []]);
  }
});

test("facts: complete texts, malformed, open", () => {
  for (const [octets, lost, documents, malformed, open] of [
    ["", false, 0, false, false],
    ["[]", false, 1, false, false],
    ["[", false, 0, false, true],
    ["12", false, 1, false, false],
    // More digits may have been lost.
    ["12", true, 0, false, true],
    ["12 ", true, 1, false, false],
    ["1.", false, 0, false, true],
    ["[][]", false, 2, false, false],
    ["[][", false, 1, false, true],
    ["[]x", false, 1, true, false],
    ["[x", false, 0, true, false],
    ["false", false, 1, false, false],
    ["for(;;);", false, 0, false, false],
    ["for(;x", false, 0, true, false],
  ] as const) {
    const { decoder } = record(Buffer.from(octets), true, undefined, lost);
    assert.deepEqual([decoder.documents, decoder.malformed, decoder.open], [documents, malformed, open], JSON.stringify(octets));
  }
});

test("a decoder is used again after any body", () => {
  const bodies = ["", '{"a', "[[[", "x", "\xef\xbb", "for", "f", "1e", "[[]] []", '"\\u00', `[${"[".repeat(40)}`];
  for (const first of bodies) {
    const recorder = new JsonRecorder(true, null);
    const decoder = new JsonDecoder(recorder, BASE);
    decoder.begin();
    decoder.push(Buffer.from(first, "latin1"), 0, first.length);
    const before = recorder.letters.length;
    decoder.begin();
    const octets = Buffer.from('\xef\xbb\xbf[{"a":"b"}]', "latin1");
    decoder.push(octets, 0, octets.length);
    decoder.end(false);
    assert.equal(recorder.letters.slice(before).join(""), "bbbppkKkpsSspp", JSON.stringify(first));
    assert.deepEqual([decoder.documents, decoder.malformed, decoder.open], [1, false, false]);
  }
});

test("without parts, a push makes one call per leaf", () => {
  const { recorder, decoder } = record(new Uint8Array(0), false);
  const octets = Buffer.from(JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id, name: `n${id}`, ok: true }))));
  recorder.calls = 0;
  decoder.push(octets, 0, octets.length);
  assert.equal(recorder.calls, 7, "punctuation, number, literal, key quote and text, string quote and text");
});

describe("nesting", () => {
  test("kinds are kept at every level", () => {
    for (const depth of [31, 32, 33, 63, 64, 65, 300]) {
      // Every third level an object, so that words of 32 levels differ.
      const isObject = (level: number) => level % 3 === 0;
      let text = "1";
      for (let level = depth; level > 0; level--) text = isObject(level) ? `{"k":${text}}` : `[0,${text},0]`;
      const whole = record(Buffer.from(text));
      assert.deepEqual([whole.decoder.documents, whole.recorder.notes], [1, []]);
      for (let level = 1; level <= depth; level++) {
        // The wrong bracket in place of the one that closes the level.
        const tail = text.slice(text.lastIndexOf("1") + 1);
        const closers = [...tail.matchAll(/[\]}]/g)];
        const at = text.length - tail.length + (closers[depth - level]?.index ?? 0);
        const wrong = text.slice(0, at) + (isObject(level) ? "]" : "}") + text.slice(at + 1);
        assert.deepEqual(record(Buffer.from(wrong), false).recorder.notes, [["json-malformed", at]]);
      }
    }
  });

  test("10,000 levels are followed, not more", () => {
    const legal = "[".repeat(10_000) + "]".repeat(10_000);
    assert.deepEqual(record(Buffer.from(legal), false).recorder.notes, []);
    const deep = `${'{"a":'.repeat(10_000)}{"a":1`;
    const { recorder, decoder } = record(Buffer.from(deep), false);
    assert.deepEqual(recorder.notes, [["limit-json-depth", 50_000]]);
    assert.equal(recorder.sums.undecoded, 6);
    assert.deepEqual([decoder.malformed, decoder.open], [false, false]);
  });

  test("100,000 brackets", () => {
    const octets = Buffer.alloc(100_000, "[");
    for (const parts of [true, false]) {
      const { recorder } = record(octets, parts, [1, 9_999, 10_001, 100_000]);
      assert.deepEqual(recorder.sums, { "json.punctuation": 10_000, undecoded: 90_000 });
      assert.deepEqual(recorder.notes, [["limit-json-depth", 10_000]]);
    }
  });
});
