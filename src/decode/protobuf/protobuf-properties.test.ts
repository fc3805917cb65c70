import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import protobuf from "protobufjs";
import { shared, skipWithoutShared } from "../../../test/shared.ts";
import type { MessageType } from "./message-type.ts";
import { schemasOf } from "./schemas.ts";
import { randomMessage } from "./testing/random-message.ts";
import { countByReader } from "./testing/reader-count.ts";
import { type Told, told } from "./testing/told.ts";

/** Ends of chunks for any length: fractions of it. */
const fractions = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });
const chunksAt = (parts: readonly number[], length: number): number[] =>
  [...new Set([...parts.map((part) => Math.ceil(part * length)), length])].filter((end) => end > 0).sort((a, b) => a - b);

const sumOf = ({ sums }: Told): number => Object.values(sums).reduce((sum, octets) => sum + octets, 0);

/** Both modes at a cut tell the same as whole and in parts. @returns that. */
function agreed(
  octets: Uint8Array,
  type: MessageType | null,
  parts: readonly number[],
  length: number | null = octets.length,
): Told {
  const expected = told(octets, { type, length });
  const chunks = chunksAt(parts, octets.length);
  assert.deepEqual(told(octets, { type, length, chunks }), expected);
  const { sums, notes } = told(octets, { type, length, chunks, parts: false });
  assert.deepEqual([sums, notes], [expected.sums, expected.notes]);
  assert.equal(sumOf(expected), octets.length);
  return expected;
}

const RULES = protobuf.parse(
  `syntax = "proto2"; message M { optional int32 a = 1; optional fixed32 b = 2; optional double c = 3; optional string d = 4;
   optional bytes e = 5; optional M f = 6; optional group G = 7 { optional M m = 1; repeated G g = 7; } repeated int32 h = 8; }`,
).root;
const M = schemasOf(RULES).message("M");

test("random octets: no throw, the parts tile, cuts and modes agree", () => {
  const octets = fc.uint8Array({ maxLength: 60 });
  fc.assert(
    fc.property(octets, fractions, fc.boolean(), fc.boolean(), (bytes, parts, schema, known) => {
      agreed(bytes, schema ? M : null, parts, known ? bytes.length : null);
    }),
    { numRuns: 200 },
  );
});

test("nearly well-formed octets, too", () => {
  fc.assert(
    fc.property(fc.integer(), fractions, fc.nat(), fc.nat(255), (seed, parts, place, octet) => {
      const bytes = encoded(RULES.lookupType("M"), seed);
      if (bytes.length > 0) bytes[place % bytes.length] = octet;
      for (const type of [M, null]) agreed(bytes, type, parts, octet % 2 === 0 ? bytes.length : null);
    }),
    { numRuns: 200 },
  );
});

test("without a schema: printable text is a string, as TextDecoder and Unicode's properties say", () => {
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const printable = (bytes: Uint8Array): boolean => {
    try {
      return !/\p{Cc}/u.test(strict.decode(bytes).replace(/[\t\n\r]/g, ""));
    } catch {
      return false;
    }
  };
  const character = fc.constantFrom(
    "a",
    "é",
    "\u0085",
    "\u00a0",
    "€",
    "\u0800",
    "\ud7ff",
    "\ue000",
    "\ufeff",
    "😀",
    "\u{10ffff}",
    "\t",
    "\u007f",
  );
  const broken = fc.constantFrom(
    "c080",
    "c1bf",
    "e09fbf",
    "eda080",
    "f08fbfbf",
    "f4908080",
    "f5",
    "80",
    "c3",
    "e282",
    "f09f98",
    "ff",
    "00",
    "1b",
  );
  const piece = fc.oneof(
    { weight: 6, arbitrary: character.map((text) => Buffer.from(text)) },
    broken.map((hex) => Buffer.from(hex, "hex")),
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), fractions, (pieces, parts) => {
      const content = Buffer.concat(pieces);
      const found = agreed(Buffer.concat([Buffer.from([0x0a, content.length]), content]), null, parts);
      assert.equal(found.runs === `tag 1, length 1, string ${content.length}`, printable(content));
    }),
    { numRuns: 200 },
  );
});

test("messages of the demo's schemas count as protobufjs' Reader counts them", () => {
  const proto = (name: string) => readFileSync(fileURLToPath(new URL(`../../../proto/item/v1/${name}`, import.meta.url)), "utf8");
  const root = new protobuf.Root();
  for (const name of ["item.proto", "item_streams.proto"]) protobuf.parse(proto(name), root, { keepCase: true });
  countAlike(root, ["item.v1.Item", "item.v1.RepeatRequest", "item.v1.Collected", "item.v1.FailRequest"], 100);
});

suite("messages of the shared proto files", { skip: skipWithoutShared("corpora", "protos") }, () => {
  const folder = (set: string) => shared("corpora", "protos", set);
  const rows = () =>
    readFileSync(shared("corpora", "protos", "truth", "protoc-results.tsv"), "utf8")
      .trim()
      .split("\n")
      .slice(1);
  for (const set of ["envoy", "googleapis", "grpc", "opentelemetry", "protoc-gen-validate"]) {
    test(`${set} count as protobufjs' Reader counts them`, () => {
      const files = rows()
        .map((row) => row.split("\t"))
        .filter(([of]) => of === set);
      const root = new protobuf.Root();
      root.resolvePath = (_origin, target) => `${folder(set)}/${target}`;
      root.loadSync(
        files.map(([, file]) => file as string),
        { keepCase: true },
      );
      const types = typesOf(root);
      assert.ok(types.length >= 8, `${set} has message types`);
      countAlike(root, types, 120);
    });
  }
});

function countAlike(root: protobuf.Root, names: readonly string[], numRuns: number): void {
  const schemas = schemasOf(root);
  let octets = 0;
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.integer(), fractions, (name, seed, parts) => {
      const type = root.lookupType(name);
      const bytes = encoded(type, seed);
      octets += bytes.length;
      const found = agreed(bytes, schemas.message(name), parts);
      assert.deepEqual(found.sums, countByReader(type, bytes));
      assert.deepEqual(found.notes, []);
      agreed(bytes, null, parts);
    }),
    { numRuns },
  );
  assert.ok(octets > numRuns, `${octets} octets in ${numRuns} messages are worth a test`);
}

function encoded(type: protobuf.Type, seed: number): Uint8Array {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return Uint8Array.from(type.encode(type.fromObject(randomMessage(type, below))).finish());
}

/** Full names of the message types below a namespace. */
function typesOf(namespace: protobuf.NamespaceBase): string[] {
  return namespace.nestedArray.flatMap((object) => {
    if (!(object instanceof protobuf.Namespace)) return [];
    return [...(object instanceof protobuf.Type ? [object.fullName.slice(1)] : []), ...typesOf(object)];
  });
}
