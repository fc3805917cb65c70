import assert from "node:assert/strict";
import { test } from "node:test";
import { atColumn, cells, octetCount, padTo } from "./columns.ts";
import { createTheme } from "./theme.ts";

test("wide characters take two cells, escape sequences none", () => {
  assert.equal(cells("\u6f22\u5b57"), 4);
  assert.equal(cells(createTheme(1).bad("abc")), 3);
  assert.equal(padTo("\u6f22", 4), "\u6f22  ");
  assert.equal(padTo("too long", 4), "too long");
});

test("a column begins where it is told, or two cells after a long text", () => {
  assert.equal(atColumn("ab", 6, "1"), "ab    1");
  assert.equal(atColumn("abcdef", 6, "1"), "abcdef  1");
});

test("one octet is one octet", () => {
  assert.deepEqual([0, 1, 2].map(octetCount), ["0 octets", "1 octet", "2 octets"]);
});
