import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import fc from "fast-check";
import { loadCase } from "../../../test/cases.ts";
import { chunksOf, everyCut } from "../../../test/cuts.ts";
import { skipWithoutShared } from "../../../test/shared.ts";
import { JsonDecoder } from "./json-decoder.ts";
import { BASE, figures, JsonRecorder, record } from "./testing/json-recorder.ts";

/** 33 octets of JSON, from V-B6-02; 44 octets of base64. */
const JSON_44 = "eyJ1c2VyIjoiZGVtbyIsInJvbGVzIjpbImEiLCJiIl19";
const PNG = "iVBORw0KGgoAAAAAAAAAAA==";

function check(text: string, letters: string): void {
  const input = Buffer.from(text);
  const whole = record(input);
  assert.equal(whole.recorder.letters.join(""), letters);
  const counted = record(input, false);
  assert.deepEqual(counted.recorder.sums, whole.recorder.sums);
  for (const cut of everyCut(input.length)) {
    assert.deepEqual(figures(record(input, true, cut)), figures(whole));
    assert.deepEqual(figures(record(input, false, cut)), figures(counted));
  }
}

const times = (letter: string, count: number) => letter.repeat(count);

describe("base64 strings are moved when they end", () => {
  const rows: readonly (readonly [name: string, text: string, letters: string])[] = [
    ["a value: data first, then inflation", `["${JSON_44}"]`, `ps${times("D", 33)}${times("I", 11)}sp`],
    ["at the top", `"${JSON_44}"`, `s${times("D", 33)}${times("I", 11)}s`],
    ["a key never", `{"${JSON_44}":1}`, `pk${times("K", 44)}kpnp`],
    [
      "two in a row",
      `["${JSON_44}","${JSON_44}"]`,
      `ps${times("D", 33)}${times("I", 11)}sps${times("D", 33)}${times("I", 11)}sp`,
    ],
    [
      "a data: URI's lead-in stays text",
      `["data:image/png;base64,${PNG}"]`,
      `ps${times("S", 22)}${times("D", 16)}${times("I", 8)}sp`,
    ],
    ["upper case, too", `["DATA:;BASE64,${PNG}"]`, `ps${times("S", 13)}${times("D", 16)}${times("I", 8)}sp`],
    [
      "a JWT's dots stay text",
      '["eyJhbGciOiJub25lIn0.eyJzdWIiOiJkZW1vPz4ifQ."]',
      `ps${times("D", 19)}S${times("D", 11)}${times("I", 11)}Ssp`,
    ],
    ["shorter than sixteen octets", '["__57ImsiOiI"]', `ps${times("S", 11)}sp`],
    ["words", '["a text of words, longer than sixteen"]', `ps${times("S", 36)}sp`],
    ["a control octet in it", `["${JSON_44.slice(0, 20)}\x01"]`, `ps${times("S", 20)}mmm`],
    ["a string that does not end", `["${JSON_44}`, `ps${times("S", 44)}`],
    ["foreign text behind it", `["${JSON_44} and more"]`, `ps${times("S", 53)}sp`],
    ["an escape that stands for no symbol", `["${JSON_44}\\u00e9"]`, `ps${times("S", 44)}EEEEEEsp`],
  ];
  for (const [name, text, letters] of rows) test(name, () => check(text, letters));

  test("escaped symbols: the decoded octets are more than the text can be", () => {
    // 16 symbols that are `/` decode to 12 octets; each stands as `\/`, and 4 unescaped symbols follow.
    const decoded = Buffer.from('{"a":"???>>>???>>>"}');
    const encoded = decoded.toString("base64");
    const text = encoded.replaceAll("/", "\\/");
    assert.match(text, /\\\//, "has an escaped solidus");
    const unescaped = encoded.replaceAll("/", "").length;
    const data = Math.min(decoded.length, unescaped);
    let left = data;
    const letters = [...encoded].map((symbol) => (symbol === "/" ? "EE" : left-- > 0 ? "D" : "I")).join("");
    check(`["${text}"]`, `ps${letters}sp`);
  });

  test("lines: breaks stay escape", () => {
    const decoded = Buffer.from(Uint8Array.from({ length: 256 }, (_, octet) => octet));
    const lines = decoded.toString("base64").match(/.{1,76}/g) ?? [];
    let left = decoded.length;
    const letters = lines.map((line) => [...line].map(() => (left-- > 0 ? "D" : "I")).join("")).join("EEEE");
    check(`["${lines.join("\\r\\n")}"]`, `ps${letters}sp`);
  });

  test("escaped padding, as Gson writes it", () => {
    check(
      `["${PNG.replaceAll("=", "\\u003d")}"]`.replace('["', '["data:image/png;base64,'),
      `ps${times("S", 22)}${times("D", 16)}${times("I", 6)}${times("E", 12)}sp`,
    );
  });
});

test("a string whose first octet comes with the next push is new there, not in the middle", () => {
  const pieces = ['["', ".", JSON_44, '"]'];
  const input = Buffer.from(pieces.join(""));
  const recorder = new JsonRecorder(false, input);
  const decoder = new JsonDecoder(recorder, BASE);
  decoder.begin();
  let from = 0;
  for (const { length } of pieces) {
    decoder.push(input, from, from + length);
    from += length;
  }
  decoder.end(false);
  assert.deepEqual(recorder.sums, { "json.punctuation": 2, "json.string.quote": 2, "json.string.text": 45 });
});

test("behind 1,000 runs of text the sums stay right", () => {
  const decoded = Buffer.alloc(3 * 19 * 1500, "x");
  decoded.write('{"a":"');
  decoded.write('"}', decoded.length - 2);
  const lines = decoded.toString("base64").match(/.{76}/g) ?? [];
  const input = Buffer.from(`["${lines.join("\\n")}"]`);
  const expected = {
    "json.punctuation": 2,
    "json.string.quote": 2,
    "json.string.escape": 2 * 1499,
    "json.base64.data": decoded.length,
    "json.base64.inflation": decoded.length / 3,
  };
  assert.deepEqual(record(input, false).recorder.sums, expected);
  const { recorder, decoder } = partly(input);
  assert.deepEqual(recorder.sums, expected);
  // The first 1,000 lines are in place.
  assert.equal(recorder.moves.filter(([, , , end]) => end <= 2 + 1000 * 78).length, 1000);
  assert.equal(decoder.documents, 1);
});

test("every JSON string is judged as Base64Scan judges it, whole and cut", async () => {
  const { base64Of } = await import("../base64/base64-scan.ts");
  const octets = fc.uint8Array({ minLength: 1, maxLength: 80 });
  const text = fc.oneof(
    octets.map((value) => Buffer.from(value).toString("base64")),
    octets.map((value) => Buffer.from(value).toString("base64url")),
    fc.json().map((value) => Buffer.from(value).toString("base64")),
    octets.map((value) => `data:a/b;base64,${Buffer.from(value).toString("base64")}`),
    fc
      .json()
      .map((value) => `${Buffer.from('{"typ":"JWT"}').toString("base64url")}.${Buffer.from(value).toString("base64url")}.`),
    fc.stringMatching(/^[a-zA-Z0-9+/=_.:-]{0,40}$/),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 40 }), (value, size) => {
      const input = Buffer.from(JSON.stringify([value]));
      const found = value.length < 16 ? null : base64Of(input, 2, input.length - 2);
      const data = found === null ? 0 : Math.min(found.decoded, found.text);
      for (const cut of [[input.length], chunksOf(input.length, size)]) {
        const { sums } = record(input, false, cut).recorder;
        assert.equal(sums["json.base64.data"] ?? 0, data);
        assert.equal(sums["json.base64.inflation"] ?? 0, (found?.text ?? 0) - data);
      }
    }),
    { numRuns: 200 },
  );
});

test("V-B6-01: ordinary values stay strings", { skip: skipWithoutShared("cases") }, () => {
  const { folder } = loadCase("V-B6-01");
  const { sums } = record(readFileSync(join(folder, "values.json"))).recorder;
  assert.equal(sums["json.base64.data"], undefined);
});

test("V-B6-02: base64 values", { skip: skipWithoutShared("cases") }, () => {
  const { folder, expected } = loadCase("V-B6-02");
  const input = readFileSync(join(folder, "values.json"));
  const { sums } = record(input).recorder;
  const values = expected.expect.values as { text_octets: number; decoded_octets: number }[];
  // The JWT comes last and is not among them: `{"alg":"none"}` and `{"sub":"demo?>"}`.
  const jwt = [expected.expect.jwt.header, expected.expect.jwt.payload] as string[];
  const decoded = values.reduce((sum, value) => sum + value.decoded_octets, 0) + jwt.join("").length;
  assert.equal(sums["json.base64.data"], decoded);
  for (const cut of everyCut(input.length)) assert.deepEqual(record(input, false, cut).recorder.sums, sums);
});

/** A recorder that keeps moves and does not look at where the text beyond the kept runs is said to stand. */
function partly(input: Uint8Array) {
  const moves: (readonly [from: number, to: number, octets: number, end: number])[] = [];
  class Moves extends JsonRecorder {
    readonly moves = moves;
    override moved(from: number, to: number, octets: number, back: number): void {
      moves.push([from, to, octets, this.offset - back]);
      super.sum(from, to, octets);
    }
  }
  const recorder = new Moves(true, input);
  const decoder = new JsonDecoder(recorder, BASE);
  decoder.begin();
  decoder.push(input, 0, input.length);
  decoder.end(false);
  return { recorder, decoder };
}
