import assert from "node:assert/strict";
import { test } from "node:test";
import protobuf from "protobufjs";
import { everyCut } from "../../../test/cuts.ts";
import type { MessageType } from "./message-type.ts";
import { schemasOf } from "./schemas.ts";
import { type Reading, type Told, told } from "./testing/told.ts";

const SCHEMA = `
syntax = "proto2";
package t;
message M {
  optional int32 number = 1;
  optional fixed32 four = 2;
  optional double eight = 3;
  optional string text = 4;
  optional bytes raw = 5;
  optional M inner = 6;
  optional group Pair = 7 { optional int32 x = 1; optional string password = 2; optional M m = 3; }
  repeated int32 numbers = 8 [packed = true];
  repeated float floats = 9 [packed = true];
  map<string, M> labels = 10;
  repeated fixed64 longs = 11;
  optional int32 far = 1000;
}`;
const M = schemasOf(protobuf.parse(SCHEMA, { keepCase: true }).root).message("t.M");

type Row = readonly [name: string, hex: string, runs: string, notes?: string];

/** Each row at every cut, with parts and without. */
function check(type: MessageType | null, rows: readonly Row[], reading: Partial<Reading> = {}): void {
  for (const [name, hex, runs, notes = ""] of rows) {
    const octets = Buffer.from(hex.replaceAll(" ", ""), "hex");
    const expected = told(octets, { type, ...reading });
    assert.equal(expected.runs, runs, name);
    assert.equal(expected.notes.join(", "), notes, name);
    for (const chunks of everyCut(octets.length)) {
      const say = `${name}, cut at ${chunks}`;
      assert.deepEqual(told(octets, { type, ...reading, chunks }), expected, say);
      assert.deepEqual(
        sumsOnly(told(octets, { type, ...reading, chunks, parts: false })),
        sumsOnly(expected),
        `${say}, without parts`,
      );
    }
  }
}

const sumsOnly = ({ sums, notes }: Told) => ({ sums, notes });

test("values by declared kind", () => {
  check(M, [
    ["nothing", "", ""],
    ["varint", "08 96 01", "tag 1, varint 2"],
    ["varint of 10 octets", "08 ffffffffffffffffff 01", "tag 1, varint 10"],
    ["fixed32", "15 01020304", "tag 1, fixed 4"],
    ["fixed64", "19 0102030405060708", "tag 1, fixed 8"],
    ["string", "22 03 616263", "tag 1, length 1, string 3"],
    ["a string that is not printable is a string", "22 02 00ff", "tag 1, length 1, string 2"],
    ["bytes that are printable are bytes", "2a 02 6162", "tag 1, length 1, bytes 2"],
    ["message", "32 02 08 01", "tag 1, length 1, tag 1, varint 1"],
    ["message in a message", "32 04 32 02 08 01", "tag 1, length 1, tag 1, length 1, tag 1, varint 1"],
    ["group", "3b 08 01 3c 08 01", "group 1, tag 1, varint 1, group 1, tag 1, varint 1"],
    ["packed varints", "42 03 01 96 01", "tag 1, length 1, varint 3"],
    ["packed varints that are not packed", "40 01 40 96 01", "tag 1, varint 1, tag 1, varint 2"],
    ["packed fixed32", "4a 08 0102030405060708", "tag 1, length 1, fixed 8"],
    ["fixed32 that is not packed", "4d 01020304", "tag 1, fixed 4"],
    ["packed fixed64", "5a 08 0102030405060708", "tag 1, length 1, fixed 8"],
    ["a scalar that is not repeated, packed", "0a 02 01 02", "tag 1, length 1, varint 2"],
    ["map", "52 07 0a 01 61 12 02 08 01", "tag 1, length 1, tag 1, length 1, string 1, tag 1, length 1, tag 1, varint 1"],
    [
      "empty values",
      "22 00 2a 00 32 00 42 00 4a 00 3b 3c",
      "tag 1, length 1, tag 1, length 1, tag 1, length 1, tag 1, length 1, tag 1, length 1, group 2",
    ],
    ["number 1000", "c0 3e 05", "tag 2, varint 1"],
    ["number 2^29 - 1", "f8 ff ff ff 0f 00", "tag 5, varint 1"],
    ["tag and length longer than they need be", "88 00 01 22 81 00 61", "tag 2, varint 1, tag 1, length 2, string 1"],
  ]);
});

test("declared kind and wire type disagree, or the number is unknown: as without a schema", () => {
  check(M, [
    ["varint as fixed32", "0d 01020304", "tag 1, fixed 4"],
    ["fixed32 as fixed64", "11 0102030405060708", "tag 1, fixed 8"],
    ["string as varint", "20 05", "tag 1, varint 1"],
    ["message as group", "33 08 01 34", "group 1, tag 1, varint 1, group 1"],
    ["group as LEN", "3a 02 08 01", "tag 1, length 1, tag 1, varint 1"],
    ["unknown varint", "78 05", "tag 1, varint 1"],
    ["unknown text", "7a 03 616263", "tag 1, length 1, string 3"],
    ["unknown message", "7a 02 08 01", "tag 1, length 1, tag 1, varint 1"],
    ["unknown bytes", "7a 03 0001fe", "tag 1, length 1, bytes 3"],
    ["unknown empty", "7a 00", "tag 1, length 1"],
    ["unknown group", "7b 0a 01 61 7c", "group 1, tag 1, length 1, string 1, group 1"],
    ["unknown in a message", "32 04 7a 02 08 01", "tag 1, length 1, tag 1, length 1, tag 1, varint 1"],
  ]);
});

test("a malformed field, to the end of its region", () => {
  check(M, [
    ["field number 0", "08 01 00 01", "tag 1, varint 1, malformed 2", "protobuf-malformed@2"],
    ["wire type 6", "08 01 0e", "tag 1, varint 1, malformed 1", "protobuf-malformed@2"],
    ["wire type 7", "08 01 0f 00", "tag 1, varint 1, malformed 2", "protobuf-malformed@2"],
    ["tag over 32 bits", "08 01 f8 ff ff ff 1f 00", "tag 1, varint 1, malformed 6", "protobuf-malformed@6"],
    ["tag of 6 octets", "88 80 80 80 80 00", "malformed 6", "protobuf-malformed@4"],
    ["tag cut", "08 01 c0", "tag 1, varint 1, malformed 1", "protobuf-malformed@2"],
    ["no value", "08 01 08", "tag 1, varint 1, malformed 1", "protobuf-malformed@2"],
    ["varint over 10 octets", "08 ffffffffffffffffffff 01", "malformed 12", "protobuf-malformed@10"],
    ["varint cut", "08 80", "malformed 2", "protobuf-malformed@1"],
    ["fixed32 cut", "08 01 15 000000", "tag 1, varint 1, malformed 4", "protobuf-malformed@2"],
    ["fixed64 cut", "19 00000000000000", "malformed 8", "protobuf-malformed@0"],
    ["length cut", "22 80", "malformed 2", "protobuf-malformed@1"],
    ["length over 10 octets", "22 8080808080808080808001", "malformed 12", "protobuf-malformed@10"],
    ["length over 10 octets, of a small number", "22 80808080808080808080 00", "malformed 12", "protobuf-malformed@10"],
    ["length over what is left", "22 05 6162", "malformed 4", "protobuf-malformed@1"],
    ["end group without start", "08 01 3c 08 01", "tag 1, varint 1, malformed 3", "protobuf-malformed@2"],
    ["end group of another start", "3b 08 01 44 3c", "group 1, tag 1, varint 1, malformed 2", "protobuf-malformed@3"],
    ["group without end", "08 01 3b 08 01", "tag 1, varint 1, malformed 3", "protobuf-malformed@5"],
    ["groups without end", "08 01 3b 22 01 61 7b 08 01", "tag 1, varint 1, malformed 7", "protobuf-malformed@9"],
    ["start group last", "08 01 3b", "tag 1, varint 1, malformed 1", "protobuf-malformed@3"],
    [
      "in a group: to the end of what is around it",
      "3b 08 01 00 3c 08 01",
      "group 1, tag 1, varint 1, malformed 4",
      "protobuf-malformed@3",
    ],
    ["packed fixed32 of 3 octets", "4a 03 010203", "malformed 5", "protobuf-malformed@1"],
    ["packed fixed64 of 4 octets", "5a 04 01020304", "malformed 6", "protobuf-malformed@1"],
    ["packed varints end inside one", "42 02 01 80 08 01", "malformed 6", "protobuf-malformed@3"],
    ["packed varint over 10 octets", "42 0c ffffffffffffffffffff 01 01", "malformed 14", "protobuf-malformed@11"],
  ]);
});

test("behind a malformed region the walk goes on, and there is one note", () => {
  const inner = "32 04 22 05 61 62";
  check(M, [
    ["in a message", `${inner} 08 01`, "tag 1, length 1, malformed 4, tag 1, varint 1", "protobuf-malformed@3"],
    [
      "twice",
      `${inner} ${inner} 08 01`,
      "tag 1, length 1, malformed 4, tag 1, length 1, malformed 4, tag 1, varint 1",
      "protobuf-malformed@3",
    ],
    [
      "two levels down",
      `32 06 ${inner} 08 01`,
      "tag 1, length 1, tag 1, length 1, malformed 4, tag 1, varint 1",
      "protobuf-malformed@5",
    ],
    [
      "group without end in a message",
      "32 03 3b 08 01 08 02",
      "tag 1, length 1, malformed 3, tag 1, varint 1",
      "protobuf-malformed@5",
    ],
    [
      "a group that is taken back with what was malformed in it",
      "3b 1a 04 22 05 61 62 08 01",
      "malformed 9",
      "protobuf-malformed@4",
    ],
    ["an unknown field is taken back with its group", "3b 7a 04 08 01 1a 00", "malformed 7", "protobuf-malformed@7"],
  ]);
});

test("without a schema a value that holds no message is bytes, without a note; the message around it may be malformed", () => {
  check(null, [
    ["field number 0", "0a 02 00 01", "tag 1, length 1, bytes 2"],
    ["group without end", "0a 03 0b 08 01", "tag 1, length 1, bytes 3"],
    ["end group without start", "0a 03 08 01 0c", "tag 1, length 1, bytes 3"],
    ["good fields first", "0a 05 08 01 12 05 61 08 02", "tag 1, length 1, bytes 5, tag 1, varint 1"],
    ["bytes in a message", "0a 05 08 01 12 01 ff", "tag 1, length 1, tag 1, varint 1, tag 1, length 1, bytes 1"],
    ["a broken message in a message", "0a 06 12 04 08 01 00 01", "tag 1, length 1, tag 1, length 1, bytes 4"],
    ["text in a message", "0a 06 08 01 12 02 6f 6b", "tag 1, length 1, tag 1, varint 1, tag 1, length 1, string 2"],
    ["group in a message", "0a 06 0b 12 01 61 0c 00", "tag 1, length 1, bytes 6"],
    [
      "whole group in a message",
      "0a 07 0b 12 01 61 0c 08 01",
      "tag 1, length 1, group 1, tag 1, length 1, string 1, group 1, tag 1, varint 1",
    ],
    ["the top is malformed", "0a 01 61 00 01", "tag 1, length 1, string 1, malformed 2", "protobuf-malformed@3"],
    ["text that reads as a message", "0a 0b 62 09 414141414141414141", "tag 1, length 1, string 11"],
    ["… and then is none", "0a 0c 62 09 414141414141414141 00", "tag 1, length 1, bytes 12"],
    ["a length over 10 octets in a value", "0a 0c 0a 80808080808080808080 00", "tag 1, length 1, bytes 12"],
    ["a value that is cut", "0a 03 6161", "malformed 4", "protobuf-malformed@1"],
  ]);
});

test("the message ends inside a field", () => {
  const rows: readonly Row[] = [
    ["nothing", "", ""],
    ["at a field's end", "08 01", "tag 1, varint 1"],
    ["in a tag", "08 01 c0", "tag 1, varint 1, malformed 1", "protobuf-malformed@3"],
    ["before a value", "08", "malformed 1", "protobuf-malformed@1"],
    ["in a varint", "08 01 08 80", "tag 1, varint 1, malformed 2", "protobuf-malformed@4"],
    ["in a length", "22 80", "malformed 2", "protobuf-malformed@2"],
    ["in a string", "08 01 22 05 6162", "tag 1, varint 1, malformed 4", "protobuf-malformed@6"],
    ["in packed varints", "42 05 01 02", "malformed 4", "protobuf-malformed@4"],
    [
      "in a message: the outermost field",
      "08 01 32 09 08 01 32 05 08 01",
      "tag 1, varint 1, malformed 8",
      "protobuf-malformed@10",
    ],
    ["in an unknown value", "08 01 7a 09 08 01", "tag 1, varint 1, malformed 4", "protobuf-malformed@6"],
    ["in an unknown value in a message", "32 09 7a 02 08 01 7a 03 08", "malformed 9", "protobuf-malformed@9"],
    ["in a group", "08 01 3b 08 01", "tag 1, varint 1, malformed 3", "protobuf-malformed@5"],
    ["in malformed octets", "08 01 00 01", "tag 1, varint 1, malformed 2", "protobuf-malformed@2"],
    ["in malformed octets of a message", "32 09 00 01", "malformed 4", "protobuf-malformed@2"],
  ];
  check(M, rows, { length: null });
  check(M, rows.slice(0, 2), { length: 100 });
});

test("a message that is cut off keeps what it has", () => {
  check(
    M,
    [
      ["in a tag", "08 01 c0", "tag 1, varint 1, tag 1"],
      ["in a string", "22 05 6162", "tag 1, length 1, string 2"],
      ["in a message", "32 09 08 01 32 05 08", "tag 1, length 1, tag 1, varint 1, tag 1, length 1, tag 1"],
      ["in an unknown value", "7a 05 6162", "tag 1, length 1, bytes 2"],
      ["in a group", "3b 08 01", "group 1, tag 1, varint 1"],
    ],
    { length: null, cut: true },
  );
});

test("more octets than were said to come are malformed", () => {
  check(M, [["one field too many", "08 01 08 01", "tag 1, varint 1, malformed 2", "protobuf-malformed@2"]], { length: 2 });
});

test("paths: the field's for a value, the container's for tags and lengths, null where nobody knows", () => {
  const paths = (hex: string, type = M) => [...new Set(told(Buffer.from(hex.replaceAll(" ", ""), "hex"), { type }).paths)];
  const each = (hex: string, type = M) => told(Buffer.from(hex.replaceAll(" ", ""), "hex"), { type }).paths;
  assert.deepEqual(each("08 01 22 01 61"), ["", "number", "", "", "text"]);
  assert.deepEqual(each("32 05 08 01 22 01 61"), ["", "", "inner", "inner.number", "inner", "inner", "inner.text"]);
  assert.deepEqual(each("3b 12 01 61 3c"), ["", "pair", "pair", "pair.password", ""]);
  assert.deepEqual(each("52 07 0a 01 61 12 02 08 01"), [
    "",
    "",
    "labels",
    "labels",
    "labels.key",
    "labels",
    "labels",
    // What the map calls it: no name of the schema.
    null,
    null,
  ]);
  assert.deepEqual(each("42 01 05 4a 04 01020304"), ["", "", "numbers", "", "", "floats", "floats", "floats", "floats"]);
  assert.deepEqual(each("7a 03 0a 01 61 78 05"), ["", "", null, null, null, "", null]);
  assert.deepEqual(each("7b 08 01 7c"), ["", null, null, ""], "an unknown group has no name");
  assert.deepEqual(each("08 01 0a 01 61", null), ["", null, "", "", null]);
  assert.deepEqual(each("00 01"), [null, null]);

  const nested = (levels: number): string => {
    let hex = "0801";
    for (let level = 1; level < levels; level++) hex = `32${(hex.length / 2).toString(16).padStart(2, "0")}${hex}`;
    return hex;
  };
  assert.equal(paths(nested(32)).at(-1), `${"inner.".repeat(31)}number`);
  assert.equal(paths(nested(33)).at(-1), null, "33 names are too many");
});

test("a path is null when it would be longer than 256 octets", () => {
  const long = (length: number) => {
    const { root } = protobuf.parse(`syntax = "proto3"; message L { int32 ${"a".repeat(length)} = 1; L l = 2; }`);
    return told(Buffer.from("12020801", "hex"), { type: schemasOf(root).message("L") }).paths.at(-1);
  };
  assert.equal(long(254), `l.${"a".repeat(254)}`);
  assert.equal(long(255), null);
});
