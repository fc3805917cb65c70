import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { shared, skipWithoutShared } from "../../test/shared.ts";
import { FIXTURE_NAMES, fixture } from "./fixtures.ts";
import { readItemJson, writeItemJson } from "./item-json.ts";
import { loadItemSchema } from "./item-schema.ts";

const { item: itemType } = loadItemSchema();
const asProtobuf = (name: (typeof FIXTURE_NAMES)[number]) => Buffer.from(itemType.encode({ ...fixture(name) }).finish());
const sha256 = (octets: Uint8Array) => createHash("sha256").update(octets).digest("hex");

/** Two of the reference's hashes, so that something holds without the shared folder. */
const LARGE_BIN = "3cb8a569c575d7b4344ae015f6d76363556702e45df6903882c570091e1f8ad5";
const LARGE_JSON = "be23686cc57031c9565d343f5ac4e28162ba8356fde3e8dacdd30f80dc3590ad";

test("the fixtures weigh what the reference says", () => {
  assert.deepEqual(
    FIXTURE_NAMES.map((name) => [name, asProtobuf(name).length, Buffer.byteLength(writeItemJson(fixture(name)))]),
    [
      ["small", 20, 75],
      ["medium", 1117, 1520],
      ["large", 65630, 87536],
    ],
  );
});

test("the large fixture has the reference's hashes", () => {
  assert.equal(sha256(asProtobuf("large")), LARGE_BIN);
  assert.equal(sha256(Buffer.from(writeItemJson(fixture("large")))), LARGE_JSON);
});

for (const name of FIXTURE_NAMES) {
  test(`${name}: both encodings are the reference's octets`, { skip: skipWithoutShared("corpora", "stacks", "items") }, () => {
    const reference = (extension: string) => readFileSync(shared("corpora", "stacks", "items", `${name}.${extension}`));
    assert.deepEqual(asProtobuf(name), reference("bin"));
    assert.equal(writeItemJson(fixture(name)), reference("json").toString("utf8"));
  });

  test(`${name}: reading the reference's JSON gives the item`, { skip: skipWithoutShared("corpora", "stacks", "items") }, () => {
    const reading = readItemJson(readFileSync(shared("corpora", "stacks", "items", `${name}.json`), "utf8"));
    assert.ok("item" in reading);
    assert.deepEqual(
      { ...reading.item, payload: Buffer.from(reading.item.payload) },
      { ...fixture(name), payload: Buffer.from(fixture(name).payload) },
    );
  });
}

test("the generator's first octets", () => {
  // x1 = 1103515245 + 12345 = 0x41c67ea6, octet 0xc6; x2 = 0x167eb0e7, octet 0x7e.
  assert.deepEqual([...fixture("medium").payload.subarray(0, 2)], [0xc6, 0x7e]);
});
