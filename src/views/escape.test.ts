import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { shared, skipWithoutShared } from "../../test/shared.ts";
import { escapeOctets, escapeText, safeJson, utf8Text } from "./escape.ts";

/** What V-SE-05 forbids in text output: ESC, BEL, BS, DEL, CSI as C1, bidi controls; and what else moves a cursor or hides text. */
const FORBIDDEN = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
const VALUES = "V-SE-05-terminal-escapes/values.json";

test("text from the wire, table", () => {
  const table: [string, string][] = [
    ["plain text, ~", "plain text, ~"],
    ["caf\u00e9 \u6f22\u5b57 \u{1f600}", "caf\u00e9 \u6f22\u5b57 \u{1f600}"],
    ["\u001b[2J", "\\x1b[2J"],
    ["a\tb\r\n\0\x7f", "a\\x09b\\x0d\\x0a\\x00\\x7f"],
    ["a\u009b31m", "a\\u009b31m"],
    ["\u202egnp.exe\u2066\u200e\u2028\ufeff", "\\u202egnp.exe\\u2066\\u200e\\u2028\\ufeff"],
    ["\u{e0041}", "\\u{e0041}"],
    ["C:\\dir", "C:\\dir"],
    ["\\x1b is text", "\\x5cx1b is text"],
  ];
  for (const [text, shown] of table) assert.equal(escapeText(text), shown);
});

test("octets that are no UTF-8 are shown one by one", () => {
  const table: [string, string][] = [
    ["caf\xc3\xa9", "caf\u00e9"],
    ["\xe4\xb8 tail", "\\xe4\\xb8 tail"],
    ["\xff\xfe", "\\xff\\xfe"],
    // U+009B as UTF-8 and the octet 9b are different things on the wire.
    ["\xc2\x9b\x9b", "\\u009b\\x9b"],
    // Overlong slash, a surrogate, and above U+10FFFF: RFC 3629 §4.
    ["\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80", "\\xc0\\xaf\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80"],
  ];
  for (const [octets, shown] of table) assert.equal(escapeOctets(octets), shown);
});

test("V-SE-05: no value reaches a terminal as it is", { skip: skipWithoutShared("cases", VALUES) }, () => {
  const values = JSON.parse(readFileSync(shared("cases", VALUES), "utf8")) as string[];
  for (const value of values) {
    assert.doesNotMatch(escapeText(value), FORBIDDEN);
    assert.doesNotMatch(escapeOctets(Buffer.from(value, "utf8").toString("latin1")), FORBIDDEN);
    assert.doesNotMatch(safeJson(value), FORBIDDEN);
    assert.equal(JSON.parse(safeJson(value)), value);
  }
});

test("any text is shown safely, and different texts differently", () => {
  const text = fc.string({
    unit: fc.constantFrom("\\", "x", "1", "b", "u", "\u001b", "\u009b", "\u202e", "\u00e9", "{", "}", "\0"),
  });
  fc.assert(
    fc.property(text, text, (a, b) => {
      assert.doesNotMatch(escapeText(a), FORBIDDEN);
      assert.equal(escapeText(a) === escapeText(b), a === b);
    }),
  );
});

test("any octets are shown safely; UTF-8 is told from other octets as a decoder does", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
      const octets = Buffer.from(bytes).toString("latin1");
      assert.doesNotMatch(escapeOctets(octets), FORBIDDEN);
      let text: string | null;
      try {
        text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
      } catch {
        text = null;
      }
      assert.equal(utf8Text(octets), text);
    }),
  );
});

test("JSON keeps every value and an indented document its line ends", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => assert.deepEqual(JSON.parse(safeJson(value, 2)), JSON.parse(JSON.stringify(value)))),
  );
  assert.equal(safeJson({ a: "\u009b" }, 2), '{\n  "a": "\\u009b"\n}');
});
