import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { loadCase } from "../../../test/cases.ts";
import { everyCut } from "../../../test/cuts.ts";
import { shared, skipWithoutShared } from "../../../test/shared.ts";
import type { ContentLeaf } from "../content/content-leaf.ts";
import { figures, type Recorded, record } from "./testing/json-recorder.ts";
import { tokenSums } from "./testing/token-sums.ts";

/** Octets by the token classes of the cases: a key or string with its quotes and escapes. */
function tokenOctets({ recorder: { sums } }: Recorded): Record<string, number> {
  const total = (...leaves: ContentLeaf[]) => leaves.reduce((sum, leaf) => sum + (sums[leaf] ?? 0), 0);
  return {
    punctuation: total("json.punctuation"),
    key: total("json.key.quote", "json.key.text", "json.key.escape"),
    string: total("json.string.quote", "json.string.text", "json.string.escape", "json.base64.data", "json.base64.inflation"),
    number: total("json.number"),
    literal: total("json.literal"),
    whitespace: total("json.whitespace"),
    bom: total("json.bom"),
  };
}

/** Octets that stand in a row with these letters. */
function pieces(input: Buffer, letters: readonly string[], wanted: string): string[] {
  const found: string[] = [];
  for (const [at, letter] of letters.entries()) {
    if (!wanted.includes(letter)) continue;
    if (at > 0 && wanted.includes(letters[at - 1] ?? "")) found[found.length - 1] += input.toString("latin1", at, at + 1);
    else found.push(input.toString("latin1", at, at + 1));
  }
  return found;
}

function sameAtEveryCut(input: Uint8Array, whole: Recorded): void {
  for (const cut of everyCut(input.length)) assert.deepEqual(figures(record(input, true, cut)), figures(whole));
}

describe("cases", { skip: skipWithoutShared("cases") }, () => {
  test("V-JS-01: numbers are kept as written, octet for octet at every cut", () => {
    const { folder, expected } = loadCase("V-JS-01");
    const input = readFileSync(join(folder, "body.json"));
    const whole = record(input);
    assert.deepEqual(tokenOctets(whole), expected.expect.token_octets);
    assert.deepEqual(whole.recorder.notes, []);
    const numbers = pieces(input, whole.recorder.letters, "n");
    for (const number of expected.expect.pretty_contains as string[]) {
      assert.ok(
        numbers.some((written) => written.includes(number)),
        `${number} is among ${numbers}`,
      );
    }
    sameAtEveryCut(input, whole);
  });

  test("V-JS-02: all members in wire order, octet for octet at every cut", () => {
    const { folder, expected } = loadCase("V-JS-02");
    const input = readFileSync(join(folder, "body.json"));
    const whole = record(input);
    assert.deepEqual(tokenOctets(whole), expected.expect.token_octets);
    const { letters, paths } = whole.recorder;
    // Keys have the path of their object: "" is the outermost one.
    const keys = pieces(
      input,
      letters.map((letter, at) => (paths[at] === "" ? letter : ".")),
      "kKe",
    );
    assert.deepEqual(
      keys.map((quoted) => JSON.parse(quoted) as string),
      expected.expect.keys_in_order,
    );
    assert.equal(keys.length, expected.expect.member_count);
    // The value behind each has its name as path.
    const values = [...letters.join("").matchAll(/k[Ke]*kp/g)].filter((key) => paths[key.index] === "");
    assert.deepEqual(
      values.map((key) => paths[key.index + key[0].length]),
      expected.expect.keys_in_order,
    );
    assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
    sameAtEveryCut(input, whole);
  });

  test("V-JS-03: valid is exactly one complete text with nothing malformed; all octets are told of", () => {
    const { expected } = loadCase("V-JS-03");
    for (const { hex, what, valid } of expected.expect.inputs as { hex: string; what: string; valid: boolean }[]) {
      const input = Buffer.from(hex, "hex");
      const whole = record(input);
      const { decoder, recorder } = whole;
      const isValid =
        decoder.documents === 1 && !decoder.malformed && !decoder.open && recorder.sums["json.prefix"] === undefined;
      assert.equal(isValid, valid, what);
      assert.equal(recorder.letters.length, input.length, what);
      sameAtEveryCut(input, whole);
    }
  });

  test("V-JS-04: several texts, the last one cut", () => {
    const { folder, expected } = loadCase("V-JS-04");
    const input = readFileSync(join(folder, "body.ndjson"));
    const whole = record(input);
    const { decoder, recorder } = whole;
    const documents = expected.expect.documents as string[];
    const rest = expected.expect.rest as string;
    assert.equal(decoder.documents, documents.length);
    assert.equal(decoder.open, true);
    assert.equal(input.toString("latin1", expected.expect.rest_offset), rest);
    const tokens = [...documents, rest].join("").length;
    assert.deepEqual(tokenOctets(whole)["whitespace"], input.length - tokens);
    const second = input.indexOf(documents[1] ?? "");
    assert.deepEqual(recorder.notes, [
      ["json-several", second],
      ["json-cut", input.length],
    ]);
    sameAtEveryCut(input, whole);
  });
});

describe("JSONTestSuite", { skip: skipWithoutShared("corpora", "JSONTestSuite") }, () => {
  const folder = shared("corpora", "JSONTestSuite", "test_parsing");
  const flags = new Set(["json-malformed", "json-cut", "json-empty", "json-several", "limit-json-depth"]);

  test("every file tiles; y_ is accepted, n_ is flagged", () => {
    const files = readdirSync(folder);
    assert.ok(files.length > 100, `${files.length} files`);
    for (const file of files) {
      const input = readFileSync(join(folder, file));
      const { recorder, decoder } = record(input);
      assert.equal(recorder.letters.length, input.length, file);
      assert.deepEqual(record(input, false).recorder.sums, recorder.sums, file);
      if (file.startsWith("y_")) assert.deepEqual([decoder.documents, recorder.notes], [1, []], file);
      if (file.startsWith("n_"))
        assert.ok(
          recorder.notes.some(([note]) => flags.has(note)),
          `${file} has no note`,
        );
      if (input.length > 500) continue;
      for (const cut of everyCut(input.length)) assert.deepEqual(record(input, false, cut).recorder.sums, recorder.sums, file);
    }
  });
});

describe("json-documents", { skip: skipWithoutShared("corpora", "json-documents") }, () => {
  const folder = shared("corpora", "json-documents");
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
    test(`${file}: sums are those of another tokenizer and make the file's size`, () => {
      const input = readFileSync(join(folder, file));
      const { recorder, decoder } = record(input, false);
      assert.deepEqual([decoder.documents, recorder.notes], [1, []]);
      assert.equal(
        Object.values(recorder.sums).reduce((sum, octets) => sum + octets, 0),
        input.length,
      );
      assert.deepEqual(tokenSums(recorder.sums), tokenSums(input));
      assert.deepEqual(record(input).recorder.sums, recorder.sums);
      for (const size of [1460, 7]) {
        const cut = Array.from({ length: Math.ceil(input.length / size) }, (_, at) => Math.min(input.length, (at + 1) * size));
        assert.deepEqual(record(input, false, cut).recorder.sums, recorder.sums);
      }
    });
  }
});
