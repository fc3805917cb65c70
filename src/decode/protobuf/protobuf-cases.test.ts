import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import protobuf from "protobufjs";
import { loadCase } from "../../../test/cases.ts";
import { everyCut } from "../../../test/cuts.ts";
import { skipWithoutShared } from "../../../test/shared.ts";
import { loadSchemas } from "./load-schemas.ts";
import type { MessageType } from "./message-type.ts";
import { countByReader } from "./testing/reader-count.ts";
import { type Told, told } from "./testing/told.ts";

suite("shared cases", { skip: skipWithoutShared("cases") }, () => {
  test("V-PB-01: printable text wins over a message, a message over bytes", () => {
    const octets = messageOf("V-PB-01");
    const found = everywhere(octets, null);
    // image.png · invoice#7 · {1: 5, 2: "ok"} · 00 01 fe · empty
    const message = "tag 1, varint 1, tag 1, length 1, string 2";
    assert.equal(
      found.runs,
      `tag 1, length 1, string 9, tag 1, length 1, string 9, tag 1, length 1, ${message}, tag 1, length 1, bytes 3, tag 1, length 1`,
    );
    assert.deepEqual(found.notes, []);
    const { total, tags, lengths } = loadCase("V-PB-01").expected.expect.octets;
    assert.equal(octets.length, total);
    // One tag of each kind more: the message's own two fields.
    assert.equal(found.sums["protobuf.tag"], tags + 2);
    assert.equal(found.sums["protobuf.length"], lengths + 1);
  });

  test("V-PB-03: nested groups, with and without a schema", async () => {
    const octets = messageOf("V-PB-03");
    const { total, group_tags } = loadCase("V-PB-03").expected.expect.octets;
    const inner = "group 1, tag 1, varint 2, tag 1, length 1, string 2, group 1";
    for (const type of [null, await typeOf("V-PB-03")]) {
      const found = everywhere(octets, type);
      assert.equal(found.runs, `group 1, tag 1, varint 1, ${inner.replace(/1$/, "2")}, tag 1, varint 1`);
      assert.equal(sumOf(found), total);
      assert.equal(found.sums["protobuf.group"], group_tags);
    }
  });

  for (const id of ["V-PB-02", "V-PB-04", "V-PB-05"]) {
    test(`${id}: the octets sum, with and without a schema`, async () => {
      const octets = messageOf(id);
      const type = await typeOf(id);
      for (const reading of [type, null]) {
        const found = everywhere(octets, reading);
        assert.equal(sumOf(found), loadCase(id).expected.expect.octets);
        assert.deepEqual(found.notes, []);
      }
    });
  }

  test("V-PB-02, V-PB-05: protobufjs' Reader counts the same", async () => {
    for (const id of ["V-PB-02", "V-PB-05"]) {
      const { folder, expected } = loadCase(id);
      const type = protobuf.loadSync(join(folder, "demo.proto")).lookupType(expected.expect.type);
      assert.deepEqual(told(messageOf(id), { type: await typeOf(id) }).sums, countByReader(type, messageOf(id)));
    }
  });

  test("V-PB-04: map entries without a key, without a value, with an unknown field", async () => {
    const found = told(messageOf("V-PB-04"), { type: await typeOf("V-PB-04") });
    // By hand: 7 entries with their tags and lengths; 6 keys (the first of 10 octets), 6 values, the unknown field's value.
    assert.deepEqual(found.sums, {
      "protobuf.tag": 7 + 6 + 6 + 1,
      "protobuf.length": 7 + 6,
      "protobuf.varint": 10 + 5 + 1,
      "protobuf.string": "max".length + "no key".length + "swapped".length + "old".length + "new".length + "extra".length,
    });
    assert.deepEqual([...new Set(found.paths)], ["", "m", "m.key", "m.value", null]);
  });

  test("V-PB-06: malformed from the broken field's tag, good fields stay", () => {
    const inputs: readonly { readonly hex: string; readonly error_at: number; readonly why: string }[] =
      loadCase("V-PB-06").expected.expect.inputs;
    assert.equal(inputs.length, 7);
    for (const { hex, error_at, why } of inputs) {
      const octets = Buffer.from(hex, "hex");
      const found = everywhere(octets, null);
      const good = hex.startsWith("0801") ? 2 : 0;
      assert.equal(found.sums["protobuf.malformed"], octets.length - good, why);
      if (good > 0) assert.match(found.runs, /^tag 1, varint 1, malformed \d+$/, why);
      // "error_at pointing at the tag of the broken field instead of its value" is accepted.
      assert.ok(good === error_at || good === error_at - 1, `${why}: broken at ${good}`);
      assert.equal(found.notes.length, 1, why);
    }
  });
});

/** What is told at every cut, with parts and without: always the same. */
function everywhere(octets: Uint8Array, type: MessageType | null): Told {
  const expected = told(octets, { type });
  for (const length of [octets.length, null]) {
    for (const chunks of everyCut(octets.length)) {
      const parts = told(octets, { type, length, chunks });
      if (length !== null) assert.deepEqual(parts, expected, `cut at ${chunks}`);
      assert.equal(parts.runs, expected.runs, `cut at ${chunks}`);
      const { sums } = told(octets, { type, length, chunks, parts: false });
      assert.deepEqual(sums, expected.sums, `cut at ${chunks}, without parts`);
    }
  }
  return expected;
}

const sumOf = ({ sums }: Told): number => Object.values(sums).reduce((sum, octets) => sum + octets, 0);

const messageOf = (id: string): Uint8Array => readFileSync(join(loadCase(id).folder, "message.bin"));

async function typeOf(id: string): Promise<MessageType> {
  const { folder, expected } = loadCase(id);
  const type = (await loadSchemas({ files: [join(folder, "demo.proto")], includeDirs: [] })).message(expected.expect.type);
  assert.ok(type !== null, `${id} has its type`);
  return type;
}
