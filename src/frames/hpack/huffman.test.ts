import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HUFFMAN_ERROR, huffmanDecode, huffmanEncode, huffmanLength, maxDecodedLength } from "./huffman.ts";

const decode = (hex: string): string | number => {
  const coded = Buffer.from(hex, "hex");
  const out = new Uint8Array(maxDecodedLength(coded.length));
  const length = huffmanDecode(coded, 0, coded.length, out);
  return length < 0 ? length : Buffer.from(out.subarray(0, length)).toString("latin1");
};

// RFC 7541 C.4 and C.6.
const VECTORS: readonly (readonly [hex: string, text: string])[] = [
  ["f1e3c2e5f23a6ba0ab90f4ff", "www.example.com"],
  ["a8eb10649cbf", "no-cache"],
  ["25a849e95ba97d7f", "custom-key"],
  ["25a849e95bb8e8b4bf", "custom-value"],
  ["6402", "302"],
  ["aec3771a4b", "private"],
  ["d07abe941054d444a8200595040b8166e082a62d1bff", "Mon, 21 Oct 2013 20:13:21 GMT"],
  ["9bd9ab", "gzip"],
  ["", ""],
];

test("RFC 7541's own strings, both ways", () => {
  for (const [hex, text] of VECTORS) {
    assert.equal(decode(hex), text);
    assert.equal(Buffer.from(huffmanEncode(text)).toString("hex"), hex);
    assert.equal(huffmanLength(text), hex.length / 2);
  }
});

test("padding: 7 ones at most, nothing but ones, and no EOS", () => {
  // "a" is 00011 (RFC 7541 appendix B), so 0x1f is "a" and three ones.
  assert.equal(decode("1f"), "a");
  assert.equal(decode("1fff"), HUFFMAN_ERROR.longPadding);
  assert.equal(decode("ff"), HUFFMAN_ERROR.longPadding);
  assert.equal(decode("18"), HUFFMAN_ERROR.badPadding);
  assert.equal(decode("1e"), HUFFMAN_ERROR.badPadding);
  // EOS is 30 ones.
  assert.equal(decode("ffffffff"), HUFFMAN_ERROR.eos);
  assert.equal(decode("1fffffffff"), HUFFMAN_ERROR.eos);
  // "0" and "\n" with the 30-bit code 0x3ffffffc (appendix B), 35 bits, then five ones.
  assert.equal(decode("07ffffff9f"), "0\n");
});

test("every octet goes round", () => {
  for (let octet = 0; octet < 256; octet++) {
    const text = String.fromCharCode(octet);
    assert.equal(decode(Buffer.from(huffmanEncode(text)).toString("hex")), text);
  }
});

test("every string goes round", () => {
  const octets = fc.uint8Array({ maxLength: 300 });
  fc.assert(
    fc.property(octets, (bytes) => {
      const text = Buffer.from(bytes).toString("latin1");
      assert.equal(decode(Buffer.from(huffmanEncode(text)).toString("hex")), text);
    }),
    { numRuns: 150 },
  );
});
