import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checksumOf, sumOctets } from "./checksum.ts";

// RFC 1071 §3: the numerical example; its sum is 2ddf0, folded ddf2.
const EXAMPLE = Uint8Array.of(0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7);

test("the example of RFC 1071 §3", () => {
  assert.equal(sumOctets(EXAMPLE), 0x2ddf0);
  assert.equal(checksumOf(sumOctets(EXAMPLE)), ~0xddf2 & 0xffff);
});

test("an odd last octet is the upper half of a word, RFC 1071 §1 (1)", () => {
  assert.equal(sumOctets(Uint8Array.of(0x12)), 0x1200);
  assert.equal(sumOctets(Uint8Array.of(0x12, 0x34, 0x56)), 0x1234 + 0x5600);
  assert.equal(sumOctets(EXAMPLE.subarray(1)), 0x01f2 + 0x03f4 + 0xf5f6 + 0xf700);
});

test("carries are folded until there are none", () => {
  assert.equal(checksumOf(0), 0xffff);
  assert.equal(checksumOf(0xffff), 0);
  // ffff + ffff = 1fffe, folded ffff; ffff × 8000 (hexadecimal) folds to ffff as well.
  assert.equal(checksumOf(0x1fffe), 0);
  assert.equal(checksumOf(0xffff * 0x8000), 0);
  assert.equal(checksumOf(0x1_0000), ~1 & 0xffff);
});

test("the largest packet of ones sums without loss", () => {
  const octets = new Uint8Array(0xffff).fill(0xff);
  assert.equal(sumOctets(octets), 0x7fff * 0xffff + 0xff00);
});

test("data with its checksum sums to ffff, at any alignment, in any even parts", () => {
  const input = fc.record({ data: fc.uint8Array({ maxLength: 64 }), shift: fc.nat({ max: 3 }), cut: fc.nat({ max: 32 }) });
  fc.assert(
    fc.property(input, ({ data, shift, cut }) => {
      const even = new Uint8Array(shift + data.length + (data.length % 2) + 2).subarray(shift);
      even.set(data);
      const sum = checksumOf(sumOctets(even));
      even.set([sum >> 8, sum & 0xff], even.length - 2);
      const at = Math.min(2 * cut, even.length);
      assert.equal(checksumOf(sumOctets(even.subarray(at), sumOctets(even.subarray(0, at)))), 0);
    }),
    { numRuns: 200 },
  );
});
