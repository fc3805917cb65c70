import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFilter } from "./filter.ts";
import type { ItemKind } from "./possible-match.ts";

const KINDS: readonly ItemKind[] = ["unit", "message", "exchange", "note"];
const possible = (text: string): ItemKind[] => KINDS.filter((kind) => parseFilter(text).couldMatch(kind));

test("what a filter asks for decides which kinds it can match", () => {
  const table: [string, ItemKind[]][] = [
    ['type == "DATA"', ["unit"]],
    ["flags != 1", ["unit"]],
    ["duration_us > 1000", ["exchange"]],
    ['note ~ "gap"', ["note"]],
    ["status >= 500", ["unit", "message", "exchange"]],
    ['dir == "c2s"', ["unit", "message", "note"]],
    ['conn == "c1"', ["unit", "message", "exchange", "note"]],
    ['header("x") == "y"', ["unit", "message", "exchange"]],
    ['type == "DATA" && duration_us > 1', []],
    ['type == "DATA" || duration_us > 1', ["unit", "exchange"]],
    ['!(type == "DATA")', ["unit", "message", "exchange", "note"]],
    ['!(type == "DATA" || !(note == "x"))', ["note"]],
    ['!(!(type == "DATA"))', ["unit"]],
  ];
  for (const [text, kinds] of table) assert.deepEqual(possible(text), kinds, text);
});
