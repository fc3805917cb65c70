import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { test } from "node:test";
import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { isDerSequence, isZlib, magicOf } from "./base64-magic.ts";
import { base64Of } from "./base64-scan.ts";

/** Neither text nor JSON, and short enough that only its beginning can be evidence. */
const NOISE = "9cf7c0b1d88e";
const isFound = (octets: Uint8Array) => {
  const text = Buffer.from(octets).toString("base64");
  return base64Of(Buffer.from(text), 0, text.length) !== null;
};

test("magic numbers as their formats' own documents write them", () => {
  const table: readonly (readonly [hex: string, format: string])[] = [
    ["1f8b08", "gzip"],
    ["504b0304", "zip"],
    ["504b0506", "zip"],
    ["89504e470d0a1a0a", "png"],
    ["ffd8ff", "jpeg"],
    ["474946383961", "gif"],
    ["474946383761", "gif"],
    ["52494646", "riff"],
    ["255044462d", "pdf"],
    ["7f454c46", "elf"],
    ["28b52ffd", "zstd"],
    ["502a4d18", "zstd"],
    ["5f2a4d18", "zstd"],
    ["fd377a585a00", "xz"],
    ["425a6839314159265359", "bzip2"],
    ["377abcaf271c", "7z"],
    ["4f67675300", "ogg"],
    ["0000001c66747970", "mp4"],
    ["0061736d", "wasm"],
    ["cafebabe", "java-class"],
    ["53514c69746520666f726d6174203300", "sqlite"],
    ["664c6143", "flac"],
    ["774f4632", "woff2"],
    ["774f4646", "woff"],
    ["4f54544f", "opentype"],
    ["1a45dfa3", "ebml"],
    ["04224d18", "lz4"],
    ["49492a00", "tiff"],
    ["4d4d002a", "tiff"],
    ["49443303", "id3"],
    ["49443304", "id3"],
    ["526172211a07", "rar"],
    ["d0cf11e0a1b11ae1", "ole"],
    ["0a0d0d0a", "pcapng"],
    ["d4c3b2a1", "pcap"],
    ["a1b2c3d4", "pcap"],
    ["aced0005", "java-serialized"],
    ["cffaedfe", "mach-o"],
    ["d9d9f7", "cbor"],
  ];
  for (const [hex, format] of table) {
    const octets = Buffer.from(hex + NOISE + NOISE, "hex");
    assert.equal(magicOf(octets, octets.length), format, hex);
    assert.equal(isFound(octets), true, format);
    const last = hex.length / 2 - 1;
    assert.equal(magicOf(octets, last), null, `${format} cut`);
    octets[last] = (octets[last] ?? 0) ^ 0x20;
    assert.equal(isFound(octets), false, `${format}, the last octet of ${hex} changed`);
  }
});

test("what an encoder wrote is found", () => {
  for (const text of ["hello, hello, hello", "a", "The quick brown fox", "0".repeat(2000)]) {
    assert.equal(isFound(gzipSync(text)), true, `gzip of ${text.slice(0, 20)}`);
  }
  const spki = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "der" });
  assert.equal(spki.length, 44);
  assert.equal(isFound(spki), true, "a DER key of 60 octets in base64");
});

test("two octets of zlib want a block of deflate after them", () => {
  for (const level of [1, 6, 9]) {
    for (const text of ["hello, hello, hello", "a", "The quick brown fox", "0123456789".repeat(300)]) {
      const octets = deflateSync(text, { level });
      assert.equal(isZlib(octets, octets.length), true, `level ${level} of ${text.slice(0, 20)}`);
    }
  }
  const stored = deflateSync("stored as it is", { level: 0 });
  assert.equal(isZlib(stored, stored.length), true, "stored");
  stored[3] = (stored[3] ?? 0) ^ 1;
  assert.equal(isZlib(stored, stored.length), false, "LEN is not the complement of NLEN");
  const raw = deflateRawSync("raw");
  assert.equal(isZlib(raw, raw.length), false, "no header");
  assert.equal(isZlib(Buffer.from("789c07000000000000", "hex"), 9), false, "RFC 1951 §3.2.3: block type 3 is reserved");
  assert.equal(isZlib(Buffer.from("789cf5000000000000", "hex"), 9), false, "more literal codes than there are");
});

test("DER is a SEQUENCE as long as it says", () => {
  const sequence = (length: number) => {
    const inner = Buffer.concat([Buffer.from([0x02, 0x01, 0x00]), randomBytes(length - 3)]);
    if (length < 0x80) return Buffer.concat([Buffer.from([0x30, length]), inner]);
    if (length < 0x100) return Buffer.concat([Buffer.from([0x30, 0x81, length]), inner]);
    return Buffer.concat([Buffer.from([0x30, 0x82, length >> 8, length & 0xff]), inner]);
  };
  for (const length of [16, 127, 128, 255, 256, 1000]) {
    const octets = sequence(length);
    const held = Math.min(96, octets.length);
    assert.equal(isDerSequence(octets, held, octets.length), true, `${length}`);
    assert.equal(isDerSequence(octets, held, octets.length + 1), false, `${length} and one more`);
  }
  const other = sequence(16);
  other[2] = 0x7f;
  assert.equal(isDerSequence(other, other.length, other.length), false, "a first element of no common type");
});
