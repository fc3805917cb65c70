import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { everyCut } from "../../../test/cuts.ts";
import { alphabetEnd, Base64Scan, base64Of } from "./base64-scan.ts";

const COLON = 0x3a;
const RUNS = { numRuns: 150 };
const whole = (bytes: Uint8Array) => base64Of(bytes, 0, bytes.length);

function inPieces(bytes: Uint8Array, cut: readonly number[]) {
  const scan = new Base64Scan();
  scan.begin();
  let from = 0;
  for (const end of cut) {
    scan.push(bytes, from, end);
    from = end;
  }
  return scan.end();
}

/** The same by `pushAlphabet`, as long as it takes what it is given. */
function byAlphabet(bytes: Uint8Array, cut: readonly number[]) {
  const scan = new Base64Scan();
  scan.begin();
  let from = 0;
  for (const end of cut) {
    const taken = scan.pushAlphabet(bytes, from, end);
    // The lead-in of a data: URI is for `push`.
    const mayTake = scan.alive && !bytes.subarray(0, from).includes(COLON);
    if (mayTake) assert.equal(taken, alphabetEnd(bytes, from, end));
    scan.push(bytes, taken, end);
    from = end;
  }
  return scan.end();
}

const SAMPLES = [
  "eyJ1c2VyIjoiZGVtbyIsInJvbGVzIjpbImEiLCJiIl19",
  "__57ImsiOiI_Pz4-In0=",
  "data:image/png;base64,iVBORw0KGgoAAAAAAAAAAA==",
  "eyJhbGciOiJub25lIn0.eyJzdWIiOiJkZW1vPz4ifQ.",
  "VGhpcyBpcyBhbiBlbmNvZGVkIHN0cmluZw==",
  "VGhpcyBpcyBhbiBlbmNvZGVkIHN0cmluZw=",
  "550e8400-e29b-41d4-a716-446655440000",
  "data:text/plain,hello",
  Buffer.alloc(300, "The quick brown fox ").toString("base64"),
  `${Buffer.alloc(150, "The quick brown fox ").toString("base64")}-+`,
];

test("how the string was cut does not matter", () => {
  for (const text of SAMPLES) {
    const bytes = Buffer.from(text);
    for (const cut of everyCut(bytes.length)) {
      assert.deepEqual(inPieces(bytes, cut), whole(bytes), text);
      assert.deepEqual(byAlphabet(bytes, cut), whole(bytes), text);
    }
  }
});

/** Strings near the alphabet, so that the interesting octets come often. */
const nearBase64 = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: fc.base64String({ maxLength: 90 }) },
      fc.constantFrom("=", "==", ".", ":", ",", "+", "-", " ", "é"),
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => Buffer.from(parts.join("")));

const cuts = fc.array(fc.nat(400), { maxLength: 6 });
const within = (cut: readonly number[], length: number) => [...cut.filter((at) => at < length).sort((a, b) => a - b), length];

test("whole and in pieces give the same of anything, and never throw", () => {
  const bytes = fc.oneof(
    nearBase64,
    fc.uint8Array({ maxLength: 300 }),
    fc.constantFrom(...SAMPLES.map((text) => Buffer.from(text))),
  );
  const holds = (octets: Uint8Array, cut: number[]) => {
    assert.deepEqual(inPieces(octets, within(cut, octets.length)), whole(octets));
    assert.deepEqual(byAlphabet(octets, within(cut, octets.length)), whole(octets));
  };
  fc.assert(fc.property(bytes, cuts, holds), RUNS);
});

test("a scan forgets the string before", () => {
  const scan = new Base64Scan();
  const holds = (first: Uint8Array, escaped: number, second: Uint8Array) => {
    scan.begin();
    scan.push(first, 0, first.length);
    scan.escape(escaped);
    if (escaped % 2 === 0) scan.end();
    scan.begin();
    scan.push(second, 0, second.length);
    assert.deepEqual(scan.end(), whole(second));
  };
  const string = fc.oneof(nearBase64, fc.constantFrom(...SAMPLES.map((text) => Buffer.from(text))));
  fc.assert(fc.property(string, fc.constantFrom(-1, 0x0a, 0x0d, 0x2f, 0x3d), string, holds), RUNS);
});

test("random octets are found in every spelling from 64 octets of text on, with as many as were encoded", () => {
  const holds = (seed: Uint8Array, times: number) => {
    const octets = Buffer.concat(Array.from({ length: times }, () => seed));
    const padded = octets.toString("base64");
    for (const text of [
      padded,
      padded.replace(/=+$/, ""),
      octets.toString("base64url"),
      padded.replace(/\+/g, "-").replace(/\//g, "_"),
    ]) {
      const found = whole(Buffer.from(text));
      // Text without one of the three classes is possible with so few octets, and no evidence.
      if (!/[A-Z]/.test(text) || !/[a-z]/.test(text) || !/\d/.test(text) || !/[g-z]/i.test(text)) return;
      assert.deepEqual(found, { text: text.length, decoded: octets.length, runs: [[0, text.length]], secret: false }, text);
    }
  };
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 56, maxLength: 400, size: "max" }).filter(isMixed),
      fc.integer({ min: 1, max: 9 }),
      holds,
    ),
    RUNS,
  );
});

/** Evenly mixed: fast-check likes arrays of few different octets, which encode to a few symbols again and again. */
function isMixed(octets: Uint8Array): boolean {
  return new Set(octets).size > 40;
}

test("random words are not found", () => {
  const word = fc.string({ unit: fc.constantFrom(..."etaoinshrdlucmfwypvbgk"), minLength: 2, maxLength: 9 });
  const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
  const words = fc.array(word, { minLength: 4, maxLength: 14 });
  const joins: readonly ((words: readonly string[]) => string)[] = [
    (parts) => parts.join("-"),
    (parts) => parts.join("_"),
    (parts) => `/${parts.join("/")}`,
    (parts) => parts.join("_").toUpperCase(),
    (parts) => `${parts.join("-")}-2024`,
    (parts) => parts.join("").toLowerCase(),
    (parts) => `${parts.map(capital).join("-")}-7`,
  ];
  const holds = (parts: readonly string[]) => {
    for (const join of joins) assert.equal(whole(Buffer.from(join(parts))), null, join(parts));
  };
  fc.assert(fc.property(words, holds), RUNS);
});

test("text of random characters is found once it encodes to 16 octets, both cases", () => {
  const holds = (text: string) => {
    const encoded = Buffer.from(text).toString("base64");
    if (!/[A-Z]/.test(encoded) || !/[a-z]/.test(encoded)) return;
    assert.equal(whole(Buffer.from(encoded))?.decoded, Buffer.byteLength(text), text);
  };
  const printable = fc.string({ unit: fc.constantFrom(..."ABCdef 0123,.!?äöüßéñЖя日本"), minLength: 24, maxLength: 300 });
  fc.assert(fc.property(printable, holds), RUNS);
});
