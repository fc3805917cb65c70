import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RecordingSink } from "../../test/recording-sink.ts";
import { CATEGORIES, CATEGORY, type Category } from "./category.ts";
import { C2S } from "./direction.ts";
import { UnitBuilder } from "./unit-builder.ts";

type Said = readonly [category: Category, text: string, path?: string | null];
type Move = readonly [from: Category, to: Category, octets: number, back: number];

/** The parts of a unit, as category and first octets, after the moves. */
function partsAfter(said: readonly Said[], moves: readonly Move[], builder = new UnitBuilder()): unknown[] {
  const sink = new RecordingSink(3);
  let offset = 0;
  for (const [category, text, path = ""] of said) {
    const octets = Buffer.from(text, "latin1");
    builder.part(offset, CATEGORY[category], octets.length, octets, 0, false, true, path);
    offset += octets.length;
  }
  for (const [from, to, octets, back] of moves) builder.moved(CATEGORY[from], CATEGORY[to], octets, back);
  builder.finish(sink, C2S, { kind: "http1.body", framing: "content-length" }, null, false);
  return (sink.units[0]?.parts ?? []).map(({ category, octets, shown }) => [
    CATEGORIES[category],
    octets,
    Buffer.from(shown).toString("latin1"),
  ]);
}

const TEXT = "body.json.string.text";
const DATA = "body.json.base64.data";
const QUOTE = "body.json.string.quote";

describe("UnitBuilder.moved", () => {
  test("the middle of a part: what is around it stays", () => {
    assert.deepEqual(partsAfter([[TEXT, "abcdef"]], [[TEXT, DATA, 2, 3]]), [
      [TEXT, 1, "a"],
      [DATA, 2, "bc"],
      [TEXT, 3, "def"],
    ]);
  });

  test("pieces join neighbours of their kind", () => {
    assert.deepEqual(
      partsAfter(
        [
          [TEXT, "abcd"],
          [QUOTE, '"'],
        ],
        [
          [TEXT, DATA, 2, 3],
          [TEXT, DATA, 2, 1],
        ],
      ),
      [
        [DATA, 4, "abcd"],
        [QUOTE, 1, '"'],
      ],
    );
  });

  test("a run over several parts: only octets of the category move", () => {
    assert.deepEqual(
      partsAfter(
        [
          [TEXT, "ab"],
          [QUOTE, '"'],
          [TEXT, "cd"],
        ],
        [[TEXT, "body.json.malformed", 5, 0]],
      ),
      [
        ["body.json.malformed", 2, "ab"],
        [QUOTE, 1, '"'],
        ["body.json.malformed", 2, "cd"],
      ],
    );
  });

  test("octets of framing do not count: padding behind the content, a chunk's end within it", () => {
    assert.deepEqual(
      partsAfter(
        [
          ["h2.frame_header.data", "123456789"],
          [TEXT, "ab"],
          ["h2.padding", "\0\0\0"],
        ],
        [[TEXT, DATA, 1, 0]],
      ),
      [
        ["h2.frame_header.data", 9, "123456789"],
        [TEXT, 1, "a"],
        [DATA, 1, "b"],
        ["h2.padding", 3, "\0\0\0"],
      ],
    );
  });

  test("what lies in an earlier unit stays as it was told", () => {
    assert.deepEqual(partsAfter([[TEXT, "ab"]], [[TEXT, DATA, 100, 1]]), [
      [DATA, 1, "a"],
      [TEXT, 1, "b"],
    ]);
    assert.deepEqual(partsAfter([], [[TEXT, DATA, 100, 1]]), []);
  });

  test("parts past the cap are left out, and so are moves of them", () => {
    const said: Said[] = [
      [TEXT, "abcdef"],
      [QUOTE, '"'],
    ];
    const parts = partsAfter(
      said,
      [
        [TEXT, DATA, 2, 1],
        [TEXT, DATA, 3, 4],
      ],
      new UnitBuilder(4),
    );
    assert.deepEqual(parts, [
      [DATA, 3, "abc"],
      [TEXT, 1, "d"],
    ]);
  });

  test("only the first 32 octets of a part are kept: a piece behind them shows none", () => {
    const text = "x".repeat(40);
    assert.deepEqual(partsAfter([[TEXT, text]], [[TEXT, DATA, 4, 0]]), [
      [TEXT, 36, "x".repeat(32)],
      [DATA, 4, ""],
    ]);
  });
});
