import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { loadCase } from "../../../test/cases.ts";
import { skipWithoutShared } from "../../../test/shared.ts";
import { alphabetEnd, type Base64Found, Base64Scan, base64Of } from "./base64-scan.ts";

/** `value` as a JSON writer without needless escapes has it: CR and LF are escape sequences, all else is text. */
function scanValue(value: string): Base64Found | null {
  const scan = new Base64Scan();
  scan.begin();
  for (const piece of value.split(/([\r\n])/)) {
    if (piece === "\r" || piece === "\n") scan.escape(piece.charCodeAt(0));
    else scan.push(Buffer.from(piece, "latin1"), 0, piece.length);
  }
  return scan.end();
}

const of = (text: string) => base64Of(Buffer.from(text, "latin1"), 0, text.length);
const isFound = (text: string) => of(text) !== null;

const cases = { skip: skipWithoutShared("cases") };

test("V-B6-01: ordinary values that decode as base64 are not base64", cases, () => {
  const { folder, expected } = loadCase("V-B6-01");
  const values = JSON.parse(readFileSync(join(folder, "values.json"), "utf8")) as string[];
  assert.deepEqual(values, expected.expect.must_not_mark_as_base64);
  for (const value of values) assert.equal(scanValue(value), null, value);
});

test("V-B6-02: padded, url-safe, in lines, data: URI, JWT", cases, () => {
  const { folder, expected } = loadCase("V-B6-02");
  const values = JSON.parse(readFileSync(join(folder, "values.json"), "utf8")) as string[];
  for (const [index, value] of expected.expect.values.entries()) {
    const text = values[index] ?? "";
    const found = scanValue(text);
    assert.ok(found !== null, `${text} is base64`);
    // The case counts the whole string: our text leaves out the lead-in and the line ends, which are escape sequences in JSON.
    const leadIn = text.startsWith("data:") ? text.indexOf(",") + 1 : 0;
    assert.equal(found.text + leadIn + text.replace(/[^\r\n]/g, "").length, value.text_octets);
    assert.equal(found.decoded, value.decoded_octets);
    assert.deepEqual(found.runs, [[leadIn, found.text]]);
    assert.equal(found.secret, false);
    const decoded = Buffer.from(text.slice(leadIn), "base64");
    assert.equal(createHash("sha256").update(decoded).digest("hex"), value.decoded_sha256);
    assert.equal(decoded.length, found.decoded);
  }
  const { header, payload, signature_octets: signature } = expected.expect.jwt;
  const decoded = header.length + payload.length + signature;
  assert.deepEqual(scanValue(values[5] ?? ""), { text: 41, decoded, runs: [[0, 19], [1, 22]], secret: true }); // biome-ignore format: pairs
});

/** Decodes to ASCII text, 24 octets: evidence enough wherever the rest is legal. */
const TEXT = "VGhlIHF1aWNrIGJyb3duIGZveCBqdW1w";

test("length, padding, trailing bits and alphabet", () => {
  const table: readonly (readonly [text: string, decoded: number | null, why: string])[] = [
    [TEXT, 24, "whole groups"],
    [`${TEXT}cw==`, 25, "two of padding"],
    [`${TEXT}cw`, 25, "none of them"],
    [`${TEXT}c3M=`, 26, "one of padding"],
    [`${TEXT}c3M`, 26, "without it"],
    [`${TEXT}c`, null, "length mod 4 is 1"],
    [`${TEXT}=`, null, "one of padding too many"],
    [`${TEXT}====`, null, "a group of padding"],
    [`${TEXT}c===`, null, "three of padding"],
    [`${TEXT}cw=`, null, "one of padding too few"],
    [`${TEXT}c3M==`, null, "one of padding too many after three symbols"],
    [`${TEXT}cw==c3Nz`, null, "padding inside"],
    [`${TEXT}=w==`, null, "padding inside the last group"],
    [`=${TEXT}`, null, "padding first"],
    [`${TEXT}cx==`, null, "trailing bits of two symbols"],
    [`${TEXT}ck==`, null, "trailing bits of two symbols, only the upper two"],
    [`${TEXT}cx`, null, "trailing bits of two symbols, no padding"],
    [`${TEXT}c3N=`, null, "trailing bits of three symbols"],
    [`${TEXT}ICA+ICA/`, 30, "the alphabet of §4"],
    [`${TEXT}ICA-ICA_`, 30, "the alphabet of §5"],
    [`${TEXT}ICA+ICA_`, null, "both"],
    [`${TEXT}ICA-ICA/`, null, "both, the other way round"],
    [`${TEXT} `, null, "a space"],
    [`${TEXT}\n`, null, "a raw line end, which JSON does not have"],
    [`${TEXT}\xe9AAA`, null, "an octet beyond ASCII"],
    ["", null, "nothing"],
  ];
  for (const [text, decoded, why] of table) {
    assert.equal(of(text)?.decoded ?? null, decoded, why);
    if (decoded !== null) assert.equal(Buffer.from(text, "base64").length, decoded, why);
  }
});

test("fewer than 16 octets are not enough, whatever they decode to", () => {
  const encode = (text: string) => Buffer.from(text).toString("base64");
  assert.equal(isFound(encode('{"a":12345}')), true, "16 octets with padding");
  assert.equal(isFound(encode('{"a":12345}').replace("=", "")), false, "15 without");
  assert.equal(isFound(encode('{"a":123}')), false, "12 octets of JSON");
  assert.equal(isFound(encode("twelve octet")), true, "12 octets of text");
  assert.equal(isFound(encode("eleven octe")), false, "11 octets of text");
});

test("64 octets with upper, lower and digit, not hex, are evidence by themselves", () => {
  const symbols = `${"Zq7Xk2Lw9Rv4".repeat(5)}Zq7X`;
  assert.equal(symbols.length, 64);
  assert.equal(isFound(symbols), true, "64");
  assert.equal(isFound(symbols.slice(0, 60)), false, "60");
  assert.equal(isFound(`${symbols.slice(0, 60)}Zg==`), true, "64 with padding");
  assert.equal(isFound(symbols.toUpperCase()), false, "no lower");
  assert.equal(isFound(symbols.toLowerCase()), false, "no upper");
  assert.equal(isFound(symbols.replace(/\d/g, "m")), false, "no digit");
  assert.equal(isFound("0aB1cD2eF3Aa4Bb5".repeat(4)), false, "hexadecimal");
});

test("the evidence is what the first 96 octets decode to", () => {
  const noise = Buffer.from("9c0f".repeat(20), "hex");
  const words = (text: string) =>
    isFound(
      Buffer.concat([Buffer.from(text), noise])
        .toString("base64")
        .slice(0, 60),
    );
  assert.equal(words("%PDF-1.7"), true, "PDF");
  assert.equal(words("%PDX-1.7"), false, "not PDF");
  const long = Buffer.from("Grüße, Жизнь, 日本語 und 🎈! ".repeat(8));
  assert.equal(isFound(long.toString("base64")), true, "UTF-8 of all lengths");
  for (let cut = 12; cut < 40; cut++) {
    // A character cut by the end of the whole string is no UTF-8; strings of 64 octets have other evidence.
    const whole = !long.toString("utf8", 0, cut).includes("\ufffd");
    assert.equal(isFound(long.subarray(0, cut).toString("base64")), whole, `${cut} octets`);
  }
});

test("at least nine tenths are printable", () => {
  const withControls = (count: number) => Buffer.from(`${"\u0001".repeat(count)}${"lorem ipsum dolor ".repeat(3)}`.slice(0, 40));
  assert.equal(isFound(withControls(4).toString("base64")), true, "36 of 40");
  assert.equal(isFound(withControls(5).toString("base64")), false, "35 of 40");
});

test("text is UTF-8 as RFC 3629 has it", () => {
  const table: readonly (readonly [hex: string, found: boolean, why: string])[] = [
    ["e0a080", true, "U+0800, the first of three octets"],
    ["e09fbf", false, "U+07FF in three octets"],
    ["ed9fbf", true, "U+D7FF"],
    ["eda080", false, "U+D800, a surrogate"],
    ["f0908080", true, "U+10000, the first of four octets"],
    ["f08fbfbd", false, "U+FFFD in four octets"],
    ["f4908080", false, "beyond U+10FFFF"],
    ["f5808080", false, "no lead octet"],
    ["c2a0", true, "U+00A0, the first printable one of two octets"],
    ["c1bf", false, "U+007F in two octets"],
    ["80", false, "a continuation by itself"],
  ];
  for (const [hex, found, why] of table) {
    const octets = Buffer.concat([Buffer.from("Fourteen words"), Buffer.from(hex, "hex"), Buffer.from("and more.")]);
    assert.equal(isFound(octets.toString("base64")), found, why);
  }
});

test("JSON counts from its first bracket on", () => {
  const table: readonly (readonly [json: string, found: boolean])[] = [
    ['{"a":[12]}', true],
    [' {"a":null', false],
    [' {"a":nul}', false],
    ["[-1,2.5e3]", true],
    ["[true,{}]\t", true],
    ["[1]\n[2]\n[]", true],
    ["[1,2,3,,4]", false],
    ["[1,2,3]4,5", false],
    ['{"a" 1234}', false],
    ['{"a":[1,2]', false],
    ['["a":"bcd"]', false],
    ["[01,2,3,4]", false],
    ['["\\"]",[]]', true],
    ['["\\"]","]]]', false],
  ];
  // Less than 12 octets are not looked at as text.
  for (const [json, found] of table) {
    assert.ok(json.length >= 10 && json.length < 12, `${json} has 10 or 11 octets`);
    assert.equal(isFound(Buffer.from(json).toString("base64")), found, json);
  }
});

test("a byte order mark alone is no evidence", () => {
  const encode = (mark: string, rest: Buffer) => Buffer.concat([Buffer.from(mark, "hex"), rest]).toString("base64");
  const swapped = (text: string) => Buffer.from(text, "utf16le").swap16();
  assert.equal(isFound(encode("fffe", Buffer.from("Grüße", "utf16le"))), true, "UTF-16LE");
  assert.equal(isFound(encode("feff", swapped("Grüße"))), true, "UTF-16BE");
  assert.equal(isFound(encode("fffe", swapped("Grüße"))), false, "the wrong mark");
  assert.equal(isFound(encode("fffe", Buffer.from('{"k":123}'))), true, "before JSON");
  assert.equal(isFound(encode("efbbbf", Buffer.from("[1,2,3]"))), true, "UTF-8 before JSON");
  assert.equal(isFound(encode("fffe", Buffer.from("9c0f31d8c60742e19a", "hex"))), false, "before anything");
});

test("alive is false from the first octet on that rules it out", () => {
  const deadAfter = (text: string) => {
    const scan = new Base64Scan();
    scan.begin();
    for (let at = 0; at < text.length; at++) {
      scan.push(Buffer.from(text), at, at + 1);
      if (!scan.alive) return at + 1;
    }
    return 0;
  };
  assert.equal(deadAfter("hello world"), 6);
  assert.equal(deadAfter("https://example.com"), 6);
  assert.equal(deadAfter("www.example.com"), 4);
  assert.equal(deadAfter("data:text/html,<p>"), 15);
  assert.equal(deadAfter("a+b-c"), 4);
  assert.equal(deadAfter("a=b"), 3);
  assert.equal(deadAfter("aa==="), 5);
  assert.equal(deadAfter(TEXT), 0);
});

test("alphabetEnd stops at each octet that is of neither alphabet nor padding, wherever it is", () => {
  const alphabet = Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=");
  for (let octet = 0; octet < 256; octet++) {
    const bytes = Buffer.from([0x41, octet, 0x41]);
    assert.equal(alphabetEnd(bytes, 0, 3), alphabet.includes(octet) ? 3 : 1, `octet ${octet}`);
  }
  const backing = Buffer.alloc(400, "Ab3+/_-=");
  for (let offset = 0; offset < 4; offset++) {
    const bytes = backing.subarray(offset);
    for (let at = 0; at < 200; at++) {
      const kept = bytes[at] ?? 0;
      bytes[at] = 0x22;
      for (const from of [0, 1, 2, 3]) if (from <= at) assert.equal(alphabetEnd(bytes, from, 390), at, `${at} from ${from}`);
      assert.equal(alphabetEnd(bytes, 0, at), at, "not past the end");
      bytes[at] = kept;
    }
  }
});
