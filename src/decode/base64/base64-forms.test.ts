import assert from "node:assert/strict";
import { test } from "node:test";
import { type Base64Found, Base64Scan, base64Of } from "./base64-scan.ts";

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

/** Decodes to ASCII text, 24 octets: evidence enough wherever the rest is legal. */
const TEXT = "VGhlIHF1aWNrIGJyb3duIGZveCBqdW1w";

test("data: URIs need no evidence and have a lead-in", () => {
  const table: readonly (readonly [text: string, decoded: number | null, leadIn: number])[] = [
    ["data:;base64,QQ==", 1, 13],
    ["data:;base64,QUI", 2, 13],
    ["data:text/plain;charset=utf-8;base64,QQ", 1, 37],
    ["DATA:image/svg+xml;BASE64,PHN2Zy8+", 6, 26],
    ["data:text/plain,QUJD", null, 0],
    ["data:text/plain;base64;x,QUJD", null, 0],
    ["data:text/plain;base6;base64,QUJD", 3, 29],
    ["data:text/plain;;base64,QUJD", 3, 24],
    ["data:;base64,", null, 0],
    ["data:;base64,Q", null, 0],
    ["data:;base64,QR==", null, 0],
    ["data:;base64,QQ==#x", null, 0],
    ["data:;base64,Q+-A", null, 0],
    ["data: the words that follow;base64,QUJD", null, 0],
    ["date:;base64,QUJD", null, 0],
    ["xdata:;base64,QUJD", null, 0],
    [`data:${"x".repeat(249)};base64,QUJD`, 3, 262],
    [`data:${"x".repeat(250)};base64,QUJD`, null, 0],
  ];
  for (const [text, decoded, leadIn] of table) {
    const found = of(text);
    assert.equal(found?.decoded ?? null, decoded, text);
    if (found !== null) assert.deepEqual(found.runs, [[leadIn, text.length - leadIn]], text);
  }
});

test("a JWT is three segments of which the first is its header", () => {
  // RFC 7515 appendix A.1.1 and RFC 7519 §6.1.
  const hs256 = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9";
  const none = "eyJhbGciOiJub25lIn0";
  const claims = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
  const signature = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
  const octets = (segment: string) => Buffer.from(segment, "base64url").length;
  const runs = [[0, hs256.length], [1, claims.length], [1, signature.length]]; // biome-ignore format: pairs
  const text = hs256.length + claims.length + signature.length;
  const decoded = octets(hs256) + octets(claims) + octets(signature);
  assert.deepEqual(of(`${hs256}.${claims}.${signature}`), { text, decoded, runs, secret: true });
  // RFC 7515 appendix F: the payload is sent elsewhere.
  assert.deepEqual(of(`${hs256}..${signature}`)?.runs, [[0, hs256.length], [2, signature.length]]); // biome-ignore format: pairs
  assert.equal(of(`${none}.${claims}.`)?.secret, true);
  const long = Buffer.from(JSON.stringify({ kid: "k".repeat(120), alg: "RS256" })).toString("base64url");
  assert.equal(of(`${long}.${claims}.${signature}`)?.secret, true, "a header longer than the part looked at");

  const noJwt = [
    `${hs256}.${claims}`,
    `${hs256}.${claims}.${signature}.${signature}`,
    `${claims}.${claims}.${signature}`,
    `.${claims}.${signature}`,
    `${hs256}.${claims}AAA.${signature}`,
    `${hs256}.${claims}.${signature.slice(0, -1)}l`,
    `${hs256}.${claims.replace("Q", "+")}.${signature}`,
    `${none}=.${claims}.`,
    `${hs256}.${claims}.${signature}=`,
    "example.com.example",
    "eyJ.package.name.of.something",
  ];
  for (const other of noJwt) assert.equal(of(other), null, other);
});

test("lines are equally long, of whole groups, and at most 76 octets", () => {
  const symbols = Buffer.from("The quick brown fox jumps over the lazy dog. ".repeat(9)).toString("base64");
  const lines = (length: number, end: string, last = "") =>
    (symbols.match(new RegExp(`.{1,${length}}`, "g")) ?? []).join(end) + last;
  for (const [text, why] of [
    [lines(76, "\r\n"), "RFC 2045"],
    [lines(76, "\r\n", "\r\n"), "and an end after the last"],
    [lines(64, "\n"), "as in PEM, RFC 7468"],
    [lines(4, "\n", "\n"), "one group a line"],
    [`${symbols}\n`, "one line of any length and its end"],
  ] as const) {
    const found = scanValue(text);
    assert.equal(found?.decoded, 405, why);
    assert.deepEqual(found.runs, [[0, 540]], why);
  }
  for (const [text, why] of [
    [lines(80, "\n"), "80 octets"],
    [lines(74, "\n"), "no whole groups"],
    [lines(76, "\n\n"), "empty lines"],
    [lines(76, "\n", "\n\n"), "an empty line at the end"],
    [`\n${symbols}`, "an empty line first"],
    [lines(76, "\r"), "CR alone"],
    [lines(76, "\r", "\r"), "CR alone at the end"],
    [`${symbols}\r`, "CR alone at the end of one line"],
    [lines(76, "\r\r\n"), "CR twice"],
    [`${symbols.slice(0, 40)}\n${symbols.slice(40, 100)}`, "a last line longer than the others"],
    [`${symbols.slice(0, 40)}\n${symbols.slice(40, 60)}\n${symbols.slice(60, 100)}`, "a short line between"],
    [`${TEXT}cw\n==`, "padding on a line of its own after no whole group"],
    [`${TEXT}cw==\nQUJD`, "text after padding"],
  ] as const) {
    assert.equal(scanValue(text), null, why);
  }
});

test("escaped symbols are of the base64, not of its text", () => {
  const feed = (...parts: (string | number)[]) => {
    const scan = new Base64Scan();
    scan.begin();
    for (const part of parts) {
      if (typeof part === "number") scan.escape(part);
      else scan.push(Buffer.from(part), 0, part.length);
    }
    return { found: scan.end(), alive: scan.alive };
  };
  const slash = 0x2f;
  // "…Pz8/Pz8/" decodes to "??????"; PHP writes "\/".
  assert.deepEqual(feed(TEXT, "Pz8", slash, "Pz8", slash).found, { text: 38, decoded: 30, runs: [[0, 38]], secret: false });
  assert.deepEqual(feed(TEXT, "ICA-", "Pz8", slash), { found: null, alive: false }, "both alphabets");
  assert.deepEqual(feed(TEXT, "cw", 0x3d, 0x3d).found, { text: 34, decoded: 25, runs: [[0, 34]], secret: false });
  const leadIn = feed("data:image", slash, "png;base64,", "QUJD").found;
  assert.deepEqual(leadIn, { text: 4, decoded: 3, runs: [[21, 4]], secret: false });
  assert.deepEqual(feed(TEXT, -1), { found: null, alive: false });
  assert.deepEqual(feed(TEXT, 0x09), { found: null, alive: false }, "TAB");
  assert.deepEqual(feed(TEXT, 0xe9), { found: null, alive: false }, "beyond ASCII");
});
