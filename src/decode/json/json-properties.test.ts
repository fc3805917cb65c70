import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { chunksOf } from "../../../test/cuts.ts";
import { JsonDecoder } from "./json-decoder.ts";
import { BASE, figures, JsonRecorder, record } from "./testing/json-recorder.ts";
import { tokenSums } from "./testing/token-sums.ts";

/** Ends of random chunks of `length` octets. */
const cutOf = (length: number, at: readonly number[]) =>
  [...new Set([...at.map((share) => Math.floor(share * length)), length])].filter((end) => end > 0).sort((a, b) => a - b);
const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

/** A document as its writer chose to write it: white space anywhere, any octet of a string escaped or not. */
function written(value: unknown, choice: () => number): string {
  const space = () => ["", "", "", " ", "\n", "\r\n\t", "        "][choice() % 7] ?? "";
  const text = (name: string) => {
    let quoted = "";
    for (const unit of name.split("")) {
      const code = unit.charCodeAt(0).toString(16).padStart(4, "0");
      const plain = JSON.stringify(unit).slice(1, -1);
      const way = choice() % 8;
      quoted += way === 0 ? `\\u${way % 2 === 0 ? code : code.toUpperCase()}` : unit === "/" && way === 1 ? "\\/" : plain;
    }
    return `"${quoted}"`;
  };
  const write = (item: unknown): string => {
    if (typeof item === "string") return text(item);
    if (typeof item === "number")
      return [String(item), item.toExponential(), item.toExponential().toUpperCase()][choice() % 3] ?? "0";
    if (Array.isArray(item)) return `[${space()}${item.map((one) => `${write(one)}${space()}`).join(`,${space()}`)}]`;
    if (typeof item === "object" && item !== null) {
      const members = Object.entries(item).map(([key, one]) => `${text(key)}${space()}:${space()}${write(one)}${space()}`);
      return `{${space()}${members.join(`,${space()}`)}}`;
    }
    return String(item);
  };
  return `${space()}${write(value)}${space()}`;
}

const document = fc
  .tuple(fc.jsonValue({ depthSize: "medium" }), fc.infiniteStream(fc.nat(1000)))
  .map(([value, choices]) => written(value, () => choices.next().value as number));

test("any JSON document: parts sum to the body and are those of another tokenizer", () => {
  fc.assert(
    fc.property(fc.oneof(document, fc.json()), shares, (text, at) => {
      assert.doesNotThrow(() => JSON.parse(text), "the writer above writes JSON");
      const input = Buffer.from(text);
      const { recorder, decoder } = record(input, false, cutOf(input.length, at));
      assert.deepEqual([decoder.documents, decoder.malformed, decoder.open, recorder.notes], [1, false, false, []]);
      assert.deepEqual(tokenSums(recorder.sums), tokenSums(input));
      assert.equal(recorder.offset, input.length);
    }),
    { numRuns: 200 },
  );
});

/** Octets that are often nearly JSON. */
const nearly = fc
  .array(
    fc.oneof(
      fc.constantFrom(..."{}[]:,\"\\ \n\t0123456789-+.eEtfnu/'()"),
      fc.constantFrom(
        "true",
        "false",
        "null",
        '"a"',
        '"k":',
        "\\u00e9",
        "\xef\xbb\xbf",
        ")]}'\n",
        "for(;;);",
        "while (1);",
        "\xff",
        "\x00",
      ),
      fc.constantFrom("eyJ1c2VyIjoiZGVtbyJ9", "data:a/b;base64,", "AAAAAAAAAAAAAAAAAAAAAA=="),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => Buffer.from(pieces.join(""), "latin1"));

test("any octets tile, whatever the cut and the mode, and JSON.parse agrees on what is one valid text", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        nearly,
        fc.uint8Array({ maxLength: 60 }),
        document.map((text) => Buffer.from(text)),
      ),
      shares,
      (input, at) => {
        const whole = record(input);
        const cut = cutOf(input.length, at);
        assert.deepEqual(figures(record(input, true, cut)), figures(whole));
        const counted = record(input, false, cut);
        assert.deepEqual(counted.recorder.sums, whole.recorder.sums);
        assert.deepEqual(counted.recorder.notes, whole.recorder.notes);
        assert.equal(whole.recorder.letters.length, input.length);
        // As Latin-1 every octet is a character, so that the two differ in nothing but the opening.
        const isOneText = whole.decoder.documents === 1 && whole.recorder.notes.length === 0;
        assert.equal(isOneText, parses(Buffer.from(input).toString("latin1")));
      },
    ),
    { numRuns: 200 },
  );
});

test("random octets never throw and take no time", { timeout: 20_000 }, () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 4000, size: "max" }),
      fc.constantFrom("", '["', '{"', '["\\u', "[1"),
      (octets, start) => {
        const input = Buffer.concat([Buffer.from(start), octets]);
        assert.equal(record(input, false, chunksOf(input.length, 97)).recorder.offset, input.length);
      },
    ),
    { numRuns: 100 },
  );
});

test("a string over 16 MiB is told of at the octet that passes the limit, once, and nothing of it is held", () => {
  const limit = 16 * 1024 * 1024;
  const chunk = Buffer.alloc(65_536, "The quick brown fox jumps over the lazy dog. ");
  const recorder = new JsonRecorder(false, null);
  const decoder = new JsonDecoder(recorder, BASE);
  decoder.begin();
  decoder.push(Buffer.from('["a","'), 0, 6);
  const before = process.memoryUsage.rss();
  for (let sent = 0; sent < 64 * 1024 * 1024; sent += chunk.length) decoder.push(chunk, 0, chunk.length);
  const grown = process.memoryUsage.rss() - before;
  decoder.push(Buffer.from('","b"]'), 0, 6);
  decoder.end(false);
  assert.deepEqual(recorder.notes, [["limit-json-string", 6 + limit]]);
  assert.equal(recorder.sums["json.string.text"], 2 + 4 * limit);
  assert.equal(decoder.documents, 1);
  assert.ok(grown < 48 * 1024 * 1024, `resident set grew by ${grown}`);
});

test("where exactly the limit on strings is passed", () => {
  const limit = 16 * 1024 * 1024;
  for (const [octets, tail, notes] of [
    [limit, '"', []],
    [limit + 1, '"', [["limit-json-string", 1 + limit]]],
    [limit - 1, '\\n"', [["limit-json-string", 1 + limit]]],
    [limit - 2, '\\n"', []],
    [limit, "\x01", [["json-malformed", 1 + limit]]],
  ] as const) {
    const input = Buffer.concat([Buffer.from('"'), Buffer.alloc(octets, "a"), Buffer.from(tail)]);
    for (const cut of [[input.length], [1 + limit, input.length]]) {
      assert.deepEqual(
        record(
          input,
          false,
          cut.filter((end, at) => end > (cut[at - 1] ?? 0)),
        ).recorder.notes,
        notes,
        `${octets} ${tail}`,
      );
    }
  }
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
