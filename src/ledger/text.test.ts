import assert from "node:assert/strict";
import { test } from "node:test";
import { cutText, textOf } from "./text.ts";

test("valid UTF-8 is decoded, anything else keeps one character an octet", () => {
  assert.equal(textOf("/plain"), "/plain");
  assert.equal(textOf("/caf\u00c3\u00a9"), "/café");
  assert.equal(textOf("\u00e2\u0082\u00ac"), "€");
  assert.equal(textOf("/caf\u00e9"), "/caf\u00e9");
  // An overlong slash, RFC 3629 §3: not valid.
  assert.equal(textOf("\u00c0\u00af"), "\u00c0\u00af");
  // A byte order mark stays.
  assert.equal(textOf("\u00ef\u00bb\u00bfa"), "\ufeffa");
});

test("what is no octet string stays as it is", () => {
  assert.equal(textOf("§ and €"), "§ and €");
});

test("a cut text has the first units", () => {
  assert.equal(cutText("abcdef", 4), "abcd");
  assert.equal(cutText("abcd", 4), "abcd");
});
