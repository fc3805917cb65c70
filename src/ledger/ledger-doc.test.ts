import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { CATEGORIES } from "../decode/category.ts";
import { LEVELS } from "../decode/level.ts";
import { CAUSE_OF, CAUSES } from "./causes.ts";

const TEXT = readFileSync(new URL("../../docs/ledger.md", import.meta.url), "utf8");

test("docs/ledger.md names every category, every cause in use and every level", () => {
  const words = new Set([...TEXT.matchAll(/`([^`]+)`/g)].map(([, word]) => word));
  // Of content the leaves are named once for all roots, the first of a line whole and others by their ends.
  const isLeaf = (path: string) => {
    const leaf = path.replace(/^(?:grpc\.message|body|ws\.payload)\./, "");
    return leaf !== path && (words.has(leaf) || words.has(leaf.slice(leaf.lastIndexOf("."))));
  };
  const missing = CATEGORIES.filter((path) => {
    const dot = path.lastIndexOf(".");
    if (isLeaf(path)) return false;
    return (
      !words.has(path) && !words.has(path.slice(dot)) && !(path.startsWith("h2.frame_header.") && words.has(path.slice(dot + 1)))
    );
  });
  assert.deepEqual(missing, []);
  const causes = [...new Set(CAUSE_OF)].map((id) => CAUSES[id] ?? "");
  assert.deepEqual(
    [...causes, ...LEVELS].filter((name) => !words.has(name)),
    [],
  );
});
