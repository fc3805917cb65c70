import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readItemJson, writeItemJson } from "./item-json.ts";

test("read(write(item)) is the item", () => {
  const items = fc.record({
    id: fc.maxSafeInteger(),
    name: fc.string({ unit: "grapheme" }),
    count: fc.maxSafeInteger(),
    tags: fc.array(fc.string()),
    payload: fc.uint8Array({ maxLength: 64 }),
  });
  const holds = (item: Parameters<typeof writeItemJson>[0]) => {
    const reading = readItemJson(writeItemJson(item));
    assert.ok("item" in reading);
    assert.deepEqual({ ...reading.item, payload: [...reading.item.payload] }, { ...item, payload: [...item.payload] });
  };
  fc.assert(fc.property(items, holds), { numRuns: 100 });
});

test("keys that are missing have zero values", () => {
  assert.deepEqual(readItemJson("{}"), { item: { id: 0, name: "", count: 0, tags: [], payload: Buffer.alloc(0) } });
});

const bad: readonly (readonly [text: string, problem: RegExp])[] = [
  ["", /not JSON/],
  ["{", /not JSON/],
  ["[]", /not a JSON object/],
  ["null", /not a JSON object/],
  ['{"id":"7"}', /^id /],
  ['{"id":1.5}', /^id /],
  ['{"id":9007199254740992}', /^id /],
  ['{"name":1}', /^name /],
  ['{"count":null}', /^count /],
  ['{"tags":"a"}', /^tags /],
  ['{"tags":[1]}', /^tags /],
  ['{"payload":1}', /^payload /],
  ['{"payload":"AA"}', /^payload /],
  ['{"payload":"AA-_"}', /^payload /],
  ['{"payload":"AB=="}', /^payload /],
];
for (const [text, problem] of bad) {
  test(`refused: ${text === "" ? "nothing" : text}`, () => {
    const reading = readItemJson(text);
    assert.ok("problem" in reading);
    assert.match(reading.problem, problem);
  });
}
