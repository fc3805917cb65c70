import assert from "node:assert/strict";
import { test } from "node:test";
import { didYouMean } from "./suggest.ts";

const WORDS = ["trace", "time", "notes", "format", "max-connections", "json"];

test("a word that is close is suggested, another is not", () => {
  const table: [string, string][] = [
    ["trac", " (did you mean --trace?)"],
    ["tarce", " (did you mean --trace?)"],
    ["jsn", " (did you mean --json?)"],
    ["max-connection", " (did you mean --max-connections?)"],
    ["form", " (did you mean --format?)"],
    ["x", ""],
    ["verbosity", ""],
  ];
  for (const [word, hint] of table) assert.equal(didYouMean(word, WORDS, "--"), hint, word);
});
