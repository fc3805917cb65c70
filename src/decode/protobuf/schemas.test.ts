import assert from "node:assert/strict";
import { test } from "node:test";
import protobuf from "protobufjs";
import { FIELD_KIND, type MessageType } from "./message-type.ts";
import { schemasOf } from "./schemas.ts";

const read = (...sources: readonly string[]) => {
  const root = new protobuf.Root();
  for (const source of sources) protobuf.parse(source, root, { keepCase: true });
  return schemasOf(root);
};
const kinds = (type: MessageType | null, numbers: readonly number[]) => numbers.map((number) => type?.field(number)?.kind);

test("each scalar type has its kind", () => {
  const scalars = [
    ...["int32", "int64", "uint32", "uint64", "sint32", "sint64", "bool", "E"].map((type) => [type, FIELD_KIND.varint] as const),
    ...["fixed32", "sfixed32", "float"].map((type) => [type, FIELD_KIND.fixed32] as const),
    ...["fixed64", "sfixed64", "double"].map((type) => [type, FIELD_KIND.fixed64] as const),
    ["string", FIELD_KIND.string] as const,
    ["bytes", FIELD_KIND.bytes] as const,
    ["M", FIELD_KIND.message] as const,
  ];
  const lines = (rule: string) => scalars.map(([type], at) => `${rule} ${type} f${at} = ${at + 1};`).join("\n");
  for (const rule of ["", "repeated", "optional"]) {
    const type = read(`syntax = "proto3"; enum E { A = 0; } message M { ${lines(rule)} }`).message("M");
    assert.deepEqual(
      kinds(
        type,
        scalars.map((_, at) => at + 1),
      ),
      scalars.map(([, kind]) => kind),
      rule,
    );
  }
});

test("groups: proto2, and editions by feature", () => {
  const old = read(
    'syntax = "proto2"; package p; message M { repeated group Result = 1 { optional string url = 2; } optional M m = 3; }',
  );
  const result = old.message("p.M")?.field(1);
  assert.deepEqual([result?.name, result?.kind, result?.message?.name], ["result", FIELD_KIND.group, "p.M.Result"]);
  assert.equal(result?.message?.field(2)?.name, "url");
  assert.equal(old.message("p.M")?.field(3)?.kind, FIELD_KIND.message);
  const edition = read(`edition = "2023";
    message A { A a = 1 [features.message_encoding = DELIMITED]; A b = 2; }`).message("A");
  assert.deepEqual(kinds(edition, [1, 2]), [FIELD_KIND.group, FIELD_KIND.message]);
  const whole = read(`edition = "2023"; option features.message_encoding = DELIMITED;
    message A { A a = 1; map<string, A> b = 2; }`).message("A");
  assert.deepEqual(kinds(whole, [1, 2]), [FIELD_KIND.group, FIELD_KIND.message], "a map's entries are never groups");
  assert.equal(whole?.field(2)?.message?.field(2)?.kind, FIELD_KIND.message, "nor are its values");
});

test("maps are entries with a key and a value", () => {
  const type = read(
    'syntax = "proto3"; package p; message M { map<fixed64, M> by_id = 1; map<bool, E> on = 2; enum E { A = 0; } }',
  ).message("p.M");
  const byId = type?.field(1);
  assert.deepEqual([byId?.name, byId?.kind, byId?.message?.name], ["by_id", FIELD_KIND.message, "p.M.ByIdEntry"]);
  const [key, value] = [byId?.message?.field(1), byId?.message?.field(2)];
  assert.deepEqual([key?.name, key?.kind, value?.name, value?.kind], ["key", FIELD_KIND.fixed64, "value", FIELD_KIND.message]);
  assert.equal(value?.message, type, "types may hold themselves");
  assert.deepEqual(kinds(type?.field(2)?.message ?? null, [1, 2]), [FIELD_KIND.varint, FIELD_KIND.varint]);
});

test("names are as declared, numbers are sparse or dense, extensions are fields of what they extend", () => {
  const schemas = read(`syntax = "proto2"; package p;
    message M { optional string user_name = 1; optional string last = 255; optional string sparse = 256; optional string max = 536870911; extensions 300 to 400; }
    extend M { optional bytes api_key = 300; }`);
  const type = schemas.message("p.M");
  const name = (number: number) => type?.field(number)?.name;
  assert.deepEqual([0, 1, 2, 255, 256, 257, 300, 536870911].map(name), [
    undefined,
    "user_name",
    undefined,
    "last",
    "sparse",
    undefined,
    "p.api_key",
    "max",
  ]);
  // The same root with camel case, which is what protobufjs does unless told otherwise.
  const camel = schemasOf(protobuf.parse('syntax = "proto3"; message M { string user_name = 1; }').root);
  assert.equal(camel.message("M")?.field(1)?.name, "user_name");
});

test("methods by gRPC path, messages by full name", () => {
  const schemas = read(
    `syntax = "proto3"; package p.v1; service S { rpc Do(In) returns (stream Out.Inner); } message In {} message Out { message Inner {} }`,
  );
  const method = schemas.method("/p.v1.S/Do");
  assert.deepEqual([method?.request.name, method?.response.name], ["p.v1.In", "p.v1.Out.Inner"]);
  assert.equal(method?.response, schemas.message("p.v1.Out.Inner"));
  for (const path of ["", "/", "p.v1.S/Do", "/p.v1.S/Dont", "/S/Do", "/p.v1.S/Do/", "/toString/constructor"])
    assert.equal(schemas.method(path), null);
  for (const name of ["", ".p.v1.In", "In", "p.v1", "p.v1.S", "__proto__"]) assert.equal(schemas.message(name), null);
});

test("a root that refers to what it does not have is an error", () => {
  assert.throws(() => read('syntax = "proto3"; message M { Missing m = 1; }'), /Missing/);
});
