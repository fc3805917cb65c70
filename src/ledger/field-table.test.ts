import assert from "node:assert/strict";
import { test } from "node:test";
import { REPRESENTATION } from "http2-frame-parser";
import { FieldTable } from "./field-table.ts";

const table = (limit = 1000) => {
  const omitted = { fieldNames: 0 };
  return { omitted, fields: new FieldTable(limit, omitted) };
};

test("RFC 7541 C.2.1: custom-key: custom-header stands unindexed in 26 octets and plain in 27", () => {
  const { fields } = table();
  fields.add("custom-key", 26, 10, 13, REPRESENTATION.literal_indexed, true, 0);
  fields.add("custom-key", 1, 10, 13, REPRESENTATION.indexed, false, 0);
  assert.deepEqual(fields.tally(), [
    {
      name: "custom-key",
      count: 2,
      octets: 27,
      plain_octets: 54,
      unindexed_octets: 52,
      base64_inflation: 0,
      representation: { indexed: 1, literal_indexed: 1, literal: 0, never: 0 },
      inserts: 1,
      evicts: 0,
    },
  ]);
  // The first line saved nothing, the second 25.
  assert.equal(fields.hpackSaving, 25);
});

test("RFC 7541 §5.1: a string of 127 octets needs a second length octet, one of 255 a third", () => {
  const lengths = [
    [126, 1 + 1 + 1 + 1 + 126],
    [127, 1 + 1 + 1 + 2 + 127],
    [254, 1 + 1 + 1 + 2 + 254],
    [255, 1 + 1 + 1 + 3 + 255],
  ] as const;
  for (const [length, octets] of lengths) {
    const { fields } = table();
    fields.add("a", 1, 1, length, REPRESENTATION.never, false, 0);
    assert.equal(fields.tally()[0]?.unindexed_octets, octets, `value of ${length} octets`);
  }
});

test("HTTP/1 names are one whatever their case, and have no representation", () => {
  const { fields } = table();
  // "Host: a" CRLF and "host:b" CRLF.
  fields.add("Host", 9, 4, 1, -1, false, 0);
  fields.add("host", 8, 4, 1, -1, false, 0);
  const [host, ...rest] = fields.tally();
  assert.deepEqual(rest, []);
  assert.deepEqual([host?.name, host?.count, host?.octets, host?.plain_octets], ["host", 2, 17, 18]);
  assert.equal(host?.representation, null);
  assert.equal(fields.hpackSaving, 0);
});

test("a placeholder of a late join counts under null, and its lengths are not guessed", () => {
  const { fields } = table();
  fields.add(null, 1, -1, -1, REPRESENTATION.indexed, false, 0);
  fields.add("a", 4, 1, -1, REPRESENTATION.literal, false, 2);
  const [unknown, a] = fields.tally();
  assert.deepEqual([unknown?.name, unknown?.octets, unknown?.plain_octets, unknown?.unindexed_octets], [null, 1, null, null]);
  assert.deepEqual([a?.plain_octets, a?.evicts], [null, 2]);
  assert.equal(fields.hpackSaving, null);
});

test("names past the bound, and overlong ones, count under (other)", () => {
  const { fields, omitted } = table(2);
  for (const name of ["a", "b", "c", "a", "d", "x".repeat(2000)]) fields.add(name, 5, name.length, 1, 2, false, 0);
  assert.deepEqual(
    fields.tally().map(({ name, count, octets }) => [name, count, octets]),
    [
      ["a", 2, 10],
      ["b", 1, 5],
      ["(other)", 3, 15],
    ],
  );
  assert.equal(omitted.fieldNames, 3);
});
