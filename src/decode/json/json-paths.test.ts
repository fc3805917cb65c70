import assert from "node:assert/strict";
import { test } from "node:test";
import { everyCut } from "../../../test/cuts.ts";
import { figures, record } from "./testing/json-recorder.ts";

/** Octets in a row with one path, as text. */
function spans(text: string): [string, string | null][] {
  const input = Buffer.from(text);
  const whole = record(input);
  for (const cut of everyCut(input.length)) assert.deepEqual(figures(record(input, true, cut)), figures(whole));
  const found: [string, string | null][] = [];
  for (const [at, path] of whole.recorder.paths.entries()) {
    const last = found.at(-1);
    const octet = input.toString("latin1", at, at + 1);
    if (last !== undefined && last[1] === path) last[0] += octet;
    else found.push([octet, path]);
  }
  return found;
}

test("a value has the keys to it, everything around it those of its container", () => {
  assert.deepEqual(
    spans('{"a":1, "b":{"c": "x"}, "d":[true,{"e":null}]}'),
    [
      ['{"a":', ""],
      ["1", "a"],
      [', "b":', ""],
      ['{"c": ', "b"],
      ['"x"', "b.c"],
      ["}", "b"],
      [', "d":', ""],
      ["[true,", "d"],
      ['{"e":', "d"],
      ["null", "d.e"],
      ["}]", "d"],
      ["}", ""],
    ].reduce<[string, string | null][]>((merged, [octets, path]) => {
      const last = merged.at(-1);
      if (last !== undefined && last[1] === path) last[0] += octets;
      else merged.push([octets ?? "", path ?? null]);
      return merged;
    }, []),
  );
});

test("keys are unescaped and may be anything", () => {
  const rows: readonly (readonly [text: string, path: string | null])[] = [
    ['{"\\u0061\\n\\"":1}', 'a\n"'],
    ['{"":1}', ""],
    ['{"":{"":1}}', "."],
    ['{"":{"x":1}}', ".x"],
    ['{"a.b":1}', "a.b"],
    ['{"__proto__":{"constructor":1}}', "__proto__.constructor"],
    ['{"\u00e9\ufeff":1}', "\u00e9\ufeff"],
    ['{"\ufeffx":1}', "\ufeffx"],
    ['{"\\ud83d\\ude00":1}', "\u{1f600}"],
    ['{"a":0,"a":1}', "a"],
    ['[[[{"a":[[1]]}]]]', "a"],
    ['{"x":2}{"y":1}', "y"],
  ];
  for (const [text, path] of rows) {
    const input = Buffer.from(text);
    assert.equal(record(input).recorder.paths[input.lastIndexOf("1")], path, text);
  }
  // Not UTF-8: a replacement character stands in the path.
  assert.equal(record(Buffer.from('{"\xff":1}', "latin1")).recorder.paths[5], "\ufffd");
});

test("a key over 128 octets, a path over 256 octets or below 32 levels: null from there on, and known again beside it", () => {
  const pathOf = (text: string, at = text.lastIndexOf("1")) => record(Buffer.from(text)).recorder.paths[at];
  const key = (octets: number) => "k".repeat(octets);
  assert.equal(pathOf(`{"${key(128)}":1}`), key(128));
  assert.equal(pathOf(`{"${key(129)}":1}`), null);
  assert.equal(pathOf(`{"${key(129)}":[{"a":1}]}`), null);
  assert.equal(pathOf(`{"${key(129)}":[{"a":0}],"b":1}`), "b");
  assert.equal(pathOf(`{"${key(129)}":1}`, 3), "", "the key itself has its container's path");
  assert.equal(pathOf(`{"${key(128)}":{"${key(127)}":1}}`), `${key(128)}.${key(127)}`);
  assert.equal(pathOf(`{"${key(128)}":{"${key(128)}":1}}`), null);
  // 64 characters of two octets of UTF-8 each.
  assert.equal(pathOf(`{"${key(128)}":{"${"\\u00e9".repeat(21)}":1}}`), `${key(128)}.${"\u00e9".repeat(21)}`);
  const nested = (levels: number, inner: string) => `${'{"a":'.repeat(levels)}${inner}${"}".repeat(levels)}`;
  assert.equal(pathOf(nested(32, "1")), Array(32).fill("a").join("."));
  assert.equal(pathOf(nested(33, "1")), null);
  assert.equal(pathOf(nested(40, "0").replace(/}$/, ',"z":1}')), "z");
});

test("nobody knows the path of what is malformed or not decoded", () => {
  const { paths } = record(Buffer.from('{"password":"x\x01secret"}')).recorder;
  assert.deepEqual(paths.slice(12, 16), ["password", "password", null, null]);
  const deep = record(Buffer.from(`${"[".repeat(10_001)}1`)).recorder;
  assert.deepEqual(deep.paths.slice(9_999), [null, null, null]);
  assert.deepEqual(record(Buffer.from(")]}'\n{}")).recorder.paths, Array(7).fill(""));
});
