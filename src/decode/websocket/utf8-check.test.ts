import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Utf8Check } from "./utf8-check.ts";

function isWellFormed(octets: Uint8Array, cuts: readonly number[]): boolean {
  const check = new Utf8Check();
  check.begin();
  let from = 0;
  for (const to of [...cuts, octets.length]) {
    check.push(octets, from, to);
    from = to;
  }
  return check.end();
}

/** The runtime's own decoder, another implementation of the same table. */
function decodes(octets: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(octets);
    return true;
  } catch {
    return false;
  }
}

const octet = fc.oneof(
  fc.constantFrom(0x00, 0x41, 0x7f, 0x80, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff),
  fc.integer({ min: 0, max: 255 }),
);

test("agrees with the runtime's decoder on any octets, however they are cut", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(octet, { maxLength: 12 }),
        fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => [...Buffer.from(text)]),
      ),
      fc.array(fc.nat(12), { maxLength: 3 }),
      (list, cuts) => {
        const octets = Uint8Array.from(list);
        const sorted = cuts.filter((cut) => cut <= octets.length).sort((a, b) => a - b);
        assert.equal(isWellFormed(octets, sorted), decodes(octets));
      },
    ),
    { numRuns: 2000 },
  );
});
