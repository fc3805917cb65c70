import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { after, suite, test } from "node:test";
import descriptor, { type IDescriptorProto, type IFieldDescriptorProto } from "protobufjs/ext/descriptor.js";
import { shared, skipWithoutShared } from "../../../test/shared.ts";
import { loadSchemas, SchemaError } from "./load-schemas.ts";
import { FIELD_KIND, type FieldKind, type MessageType, type Schemas } from "./message-type.ts";

const folder = mkdtempSync(join(tmpdir(), "wiretally-schemas-"));
after(() => rmSync(folder, { recursive: true }));

/** Write files by name. @returns the path of the first one. */
function files(sources: Readonly<Record<string, string>>): string {
  const paths = Object.entries(sources).map(([name, source]) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, source);
    return path;
  });
  return paths[0] as string;
}

const PROTO3 = 'syntax = "proto3";\n';

test("imports: the include folders in order, then the importing file's folder", async () => {
  const main = files({
    "order/main.proto": `${PROTO3}import "a.proto"; message M { A a = 1; }`,
    "order/a.proto": `${PROTO3}message A { int32 own = 1; }`,
    "order/one/a.proto": `${PROTO3}message A { int32 one = 1; }`,
    "order/two/a.proto": `${PROTO3}message A { int32 two = 1; }`,
  });
  const one = join(folder, "order/one");
  const two = join(folder, "order/two");
  const name = async (includeDirs: string[]) => (await loadSchemas({ files: [main], includeDirs })).message("A")?.field(1)?.name;
  assert.equal(await name([]), "own");
  assert.equal(await name([one, two]), "one");
  assert.equal(await name([two, one]), "two");
});

test("a file is read once, by whatever path; a file may be named below an include folder; imports may go round in a circle", async () => {
  const a = files({
    "round/x/a.proto": `${PROTO3}import "x/b.proto"; message A { B b = 1; }`,
    "round/x/b.proto": `${PROTO3}import public "x/a.proto"; message B { A a = 1; }`,
  });
  const round = join(folder, "round");
  const schemas = await loadSchemas({
    files: [a, "x/b.proto", relative(process.cwd(), a)],
    includeDirs: [round, `${round}/x/..`],
  });
  assert.equal(schemas.message("A")?.field(1)?.message?.field(1)?.message, schemas.message("A"));
});

test("well-known types need no file, and one copy of them is enough", async () => {
  const all = [
    "any",
    "api",
    "descriptor",
    "duration",
    "empty",
    "field_mask",
    "source_context",
    "struct",
    "timestamp",
    "type",
    "wrappers",
  ];
  const imports = all.map((name) => `import "google/protobuf/${name}.proto";`).join("\n");
  const main = files({
    "known/main.proto": `syntax = "proto2";\n${imports}\nimport "copy/other.proto";\nextend google.protobuf.FieldOptions { optional string secret = 50001; }`,
    "known/copy/other.proto": `${PROTO3}import "google/protobuf/any.proto"; message Other { google.protobuf.Any any = 1; }`,
    "known/copy/google/protobuf/any.proto": `${PROTO3}package google.protobuf; message Any { string type_url = 1; bytes value = 2; }`,
  });
  const schemas = await loadSchemas({ files: [main, join(folder, "known/copy/google/protobuf/any.proto")], includeDirs: [] });
  const any = schemas.message("google.protobuf.Any");
  assert.deepEqual([any?.field(1)?.name, any?.field(2)?.kind], ["type_url", FIELD_KIND.bytes]);
  assert.equal(schemas.message("google.protobuf.Struct")?.field(1)?.message?.field(2)?.message?.name, "google.protobuf.Value");
  assert.equal(schemas.message("google.protobuf.Type")?.field(1)?.name, "name");
  assert.equal(schemas.message("google.protobuf.FieldOptions")?.field(50001)?.name, "secret");
});

test("a weak import may be missing; a byte order mark, editions and an empty file are read", async () => {
  const paths = [
    files({ "odd/weak.proto": 'syntax = "proto2"; import weak "nowhere.proto"; message Weak {}' }),
    files({ "odd/bom.proto": `\ufeff${PROTO3}message Bom {}` }),
    files({
      "odd/edition.proto":
        'edition = "2023"; message Edition { repeated int32 n = 1 [features.repeated_field_encoding = EXPANDED]; }',
    }),
    files({ "odd/empty.proto": "" }),
  ];
  const schemas = await loadSchemas({ files: paths, includeDirs: [] });
  for (const name of ["Weak", "Bom", "Edition"]) assert.equal(schemas.message(name)?.name, name);
});

suite("what is wrong is said in one line", () => {
  const wrong = (name: string, sources: Readonly<Record<string, string>>, expected: RegExp, includeDirs: string[] = []) => {
    test(name, async () => {
      await fails({ files: [files(sources)], includeDirs }, expected);
    });
  };

  test("no such file", async () => {
    await fails({ files: ["nowhere.proto"], includeDirs: [] }, /^nowhere\.proto: no such file; check the path, or add -I DIR/);
    await fails(
      { files: ["nowhere.proto"], includeDirs: [folder] },
      /^nowhere\.proto: no such file, nor below \S*wiretally-schemas-\w+; /,
    );
    await fails({ files: ["nowhere.proto"], includeDirs: ["nodir"] }, /^nodir: no such folder to look for imports in$/);
    await fails(
      { files: [folder], includeDirs: [] },
      /wiretally-schemas-\w+ is a folder: name a \.proto file, and give folders with -I$/,
    );
  });
  wrong(
    "an import that is nowhere",
    { "bad/nowhere.proto": `${PROTO3}\n// import "gogoproto/gogo.proto";\nimport "gogoproto/gogo.proto";` },
    /nowhere\.proto:4: import "gogoproto\/gogo\.proto" is not found; add -I DIR for the folder that has gogoproto\/gogo\.proto below it$/,
  );
  wrong(
    "an import that is above",
    { "bad/up/v1/main.proto": `${PROTO3}import "up/v1/b.proto";`, "bad/up/v1/b.proto": PROTO3 },
    new RegExp(`main\\.proto:2: import "up/v1/b\\.proto" is not found; add -I ${join(folder, "bad")}$`),
  );
  wrong(
    "an import of an import",
    { "bad/one.proto": `${PROTO3}import "two.proto";`, "bad/two.proto": 'import "three.proto";' },
    /two\.proto:1: import "three\.proto"/,
  );
  wrong(
    "a syntax error",
    { "bad/syntax.proto": `${PROTO3}message A {\n  int32 x = 1\n}\n` },
    /syntax\.proto:4: illegal token '}', ';' expected$/,
  );
  wrong(
    "a file that ends early",
    { "bad/early.proto": `${PROTO3}message A {\n` },
    /early\.proto:3: the file ends before its definitions do$/,
  );
  wrong("no protobuf at all", { "bad/text.proto": "hello" }, /text\.proto:1: illegal token 'hello'$/);
  wrong("an open comment", { "bad/comment.proto": "/* hello" }, /comment\.proto:1: illegal comment$/);
  wrong(
    "a name twice in a file",
    { "bad/twice.proto": `${PROTO3}message A {}\n\nmessage A {}` },
    /twice\.proto:4: A is defined twice$/,
  );
  wrong(
    "a field twice",
    { "bad/field.proto": `${PROTO3}message A {\n  int32 a = 1;\n  int32 a = 2;\n}` },
    /field\.proto:4: a is defined twice$/,
  );
  wrong(
    "a number twice",
    { "bad/number.proto": `${PROTO3}message A { int32 a = 1; int32 b = 1; }` },
    /number\.proto: duplicate id 1 in Type A$/,
  );
  wrong(
    "a name in two files",
    {
      "bad/first.proto": `${PROTO3}package p;\nimport "second.proto";\nmessage A {}`,
      "bad/second.proto": `${PROTO3}package p;\n\nmessage A {}`,
    },
    /second\.proto:4: A is already defined, in .*first\.proto; name only one of the two files$/,
  );
  wrong(
    "a type that is nowhere",
    { "bad/type.proto": `${PROTO3}// Foo\nmessage A {\n  Foo foo = 1;\n}` },
    /type\.proto:4: Foo is not defined; import the file/,
  );
  wrong(
    "a method's type that is nowhere",
    { "bad/rpc.proto": `${PROTO3}service S {\n  rpc Do(x.In) returns (x.In);\n}` },
    /rpc\.proto:3: x\.In is not defined; import/,
  );
  wrong(
    "an extension of nothing",
    { "bad/extend.proto": 'syntax = "proto2";\nextend x.Foo { optional int32 a = 1; }' },
    /extend\.proto:2: x\.Foo is not defined; import/,
  );
});

suite("the shared proto files", { skip: skipWithoutShared("corpora", "protos") }, () => {
  const protos = (...parts: string[]) => shared("corpora", "protos", ...parts);
  const accepted = (set: string) =>
    readFileSync(protos("truth", "protoc-results.tsv"), "utf8")
      .split("\n")
      .map((row) => row.split("\t"))
      .filter(([of, , result]) => of === set && result === "ok")
      .map(([, file]) => file as string);

  for (const set of ["envoy", "googleapis", "grpc", "opentelemetry", "protoc-gen-validate"]) {
    test(`${set}: each file that protoc accepts loads; messages, fields, numbers and methods equal protoc's`, async () => {
      const names = accepted(set);
      assert.ok(names.length > 0, `${set} has files`);
      for (const name of names) await loadSchemas({ files: [protos(set, name)], includeDirs: [protos(set)] });
      const schemas = await loadSchemas({ files: names, includeDirs: [protos(set)] });
      const truth = descriptor.FileDescriptorSet.decode(readFileSync(protos("truth", `${set}.descriptors.pb`)));
      const { file = [] } = descriptor.FileDescriptorSet.toObject(truth) as protobufSet;
      let fields = 0;
      for (const { package: name = "", messageType = [], extension = [], service = [] } of file) {
        for (const message of messageType) fields += compareMessage(schemas, name, message);
        for (const field of extension) compareExtension(schemas, name, field);
        for (const { name: of, method = [] } of service) {
          for (const { name: what, inputType, outputType } of method) {
            const found = schemas.method(`/${name}.${of}/${what}`);
            assert.deepEqual(
              [`.${found?.request.name}`, `.${found?.response.name}`],
              [inputType, outputType],
              `${name}.${of}/${what}`,
            );
          }
        }
      }
      assert.ok(fields > names.length, `${fields} fields of ${set} were compared`);
    });
  }

  test("without -I a file whose imports are elsewhere says so, and what to add", async () => {
    const importing = accepted("opentelemetry").filter((name) => name.includes("service"));
    assert.equal(importing.length, 2);
    for (const name of importing) {
      await fails(
        { files: [protos("opentelemetry", name)], includeDirs: [] },
        /:\d+: import "opentelemetry\/[^"]+" is not found; add -I .*opentelemetry$/,
      );
    }
  });
});

type protobufSet = { readonly file?: readonly descriptor.IFileDescriptorProto[] };

async function fails(options: { files: string[]; includeDirs: string[] }, expected: RegExp): Promise<void> {
  await assert.rejects(loadSchemas(options), (error) => {
    assert.ok(error instanceof SchemaError, `${error} is a SchemaError`);
    assert.match(error.message, expected);
    assert.doesNotMatch(error.message, /\n/, "one line");
    return true;
  });
}

/** FieldDescriptorProto.Type, descriptor.proto. */
const KIND_OF: readonly (FieldKind | null)[] = [
  null,
  FIELD_KIND.fixed64,
  FIELD_KIND.fixed32,
  FIELD_KIND.varint,
  FIELD_KIND.varint,
  FIELD_KIND.varint,
  FIELD_KIND.fixed64,
  FIELD_KIND.fixed32,
  FIELD_KIND.varint,
  FIELD_KIND.string,
  FIELD_KIND.group,
  FIELD_KIND.message,
  FIELD_KIND.bytes,
  FIELD_KIND.varint,
  FIELD_KIND.varint,
  FIELD_KIND.fixed32,
  FIELD_KIND.fixed64,
  FIELD_KIND.varint,
  FIELD_KIND.varint,
];

/** @returns how many fields were compared. */
function compareMessage(schemas: Schemas, scope: string, message: IDescriptorProto): number {
  const name = `${scope}.${message.name}`;
  // protoc lists a map's entry type as a nested message; ours has no name to look it up by.
  const type = message.options?.mapEntry === true ? null : schemas.message(name);
  let fields = 0;
  if (message.options?.mapEntry !== true) {
    assert.ok(type !== null, `${name} is there`);
    for (const field of message.field ?? []) {
      compareField(type, field, field.name ?? "");
      fields++;
    }
    for (const field of message.extension ?? []) compareExtension(schemas, name, field);
  }
  for (const nested of message.nestedType ?? []) fields += compareMessage(schemas, name, nested);
  return fields;
}

function compareExtension(schemas: Schemas, scope: string, field: IFieldDescriptorProto): void {
  const extendee = schemas.message((field.extendee ?? "").slice(1));
  assert.ok(extendee !== null, `${field.extendee} is there`);
  compareField(extendee, field, `${scope}.${field.name}`);
}

function compareField(type: MessageType, field: IFieldDescriptorProto, name: string): void {
  const found = type.field(field.number ?? 0);
  assert.equal(found?.name, name, `${type.name}: field ${field.number}`);
  assert.equal(found?.kind, KIND_OF[Number(field.type)], `${type.name}.${name}`);
  const isMessage = found?.kind === FIELD_KIND.message || found?.kind === FIELD_KIND.group;
  assert.equal(
    isMessage ? `.${found?.message?.name}` : undefined,
    isMessage ? field.typeName : undefined,
    `${type.name}.${name}`,
  );
}
