import assert from "node:assert/strict";
import { test } from "node:test";
import { CATEGORIES, type Category } from "../decode/category.ts";
import { categoryLabels } from "./category-labels.ts";

const labelsOf = (...categories: Category[]) =>
  [...categoryLabels(categories).values()].flatMap((labels) => [...labels.values()]);

test("a label is the longest end of the path that fits into 20 cells", () => {
  assert.deepEqual(labelsOf("h2.frame_header.headers", "h2.field_block.indexed", "http1.field_line.separator"), [
    "frame_header.headers",
    "field_block.indexed",
    "field_line.separator",
  ]);
  assert.deepEqual(labelsOf("h2.frame_header.window_update", "h2.window_update"), ["…header.window_update", "window_update"]);
  assert.deepEqual(labelsOf("grpc.prefix"), ["grpc.prefix"]);
});

test("two categories of one cause never have the same label", () => {
  assert.deepEqual(labelsOf("h2.malformed", "http1.malformed"), ["h2.malformed", "http1.malformed"]);
  const every = categoryLabels(CATEGORIES);
  const listed = [...every.values()].flatMap((labels) => [...labels.keys()]);
  assert.deepEqual([...listed].sort(), [...CATEGORIES].sort());
  for (const [cause, labels] of every) {
    assert.equal(new Set(labels.values()).size, labels.size, cause);
    for (const [category, label] of labels)
      assert.ok(category.endsWith(label.replace("…", "")), `${label} is no end of ${category}`);
  }
});

test("the categories of a cause come in the registry's order, however they were given", () => {
  for (const labels of categoryLabels([...CATEGORIES].reverse()).values()) {
    assert.deepEqual(
      [...labels.keys()],
      CATEGORIES.filter((category) => labels.has(category)),
    );
  }
});
