import assert from "node:assert/strict";
import { test } from "node:test";
import { detachValues } from "./command-line.ts";

test("a value that is written onto its letter is a word of its own", () => {
  assert.deepEqual(detachValues(["proxy", "-Iproto", "-L9000:127.0.0.1:80", "-otally.json", "-c1"]), [
    "proxy",
    "-I",
    "proto",
    "-L",
    "9000:127.0.0.1:80",
    "-o",
    "tally.json",
    "-c",
    "1",
  ]);
  assert.deepEqual(detachValues(["-vvotally.json"]), ["-vvo", "tally.json"]);
});

test("everything else stays as it is", () => {
  const words = ["proxy", "-v", "-vv", "-o", "-Iproto", "-o=x", "--trace=off", "--json", "-", "--", "-Iproto"];
  assert.deepEqual(detachValues(words), words);
});
