import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { labelOf } from "../../../test/cases.ts";
import { pieces } from "../../../test/cuts.ts";
import { CATEGORIES, CONTENT_BASE } from "../category.ts";
import { Content } from "../content/content.ts";
import { contentTypeOf } from "../content/content-kind.ts";
import { GrpcMessages, type GrpcSink } from "./grpc-messages.ts";

/** Owner of every octet, and what else was said. */
class Recorder implements GrpcSink {
  readonly owners: string[] = [];
  readonly said: (readonly (string | number | boolean)[])[] = [];
  readonly parts = false;
  content(category: number, octets: number): void {
    for (let n = 0; n < octets; n++) this.owners.push(labelOf(CATEGORIES[category] ?? "?"));
  }
  moved(): void {}
  contentNote(): void {}
  message(payload: number, compressed: boolean): void {
    this.said.push(["message", payload, compressed, this.owners.length]);
  }
  badFlag(flag: number): void {
    this.said.push(["flag", flag, this.owners.length]);
  }
}

function decode(chunks: readonly Uint8Array[]): Recorder & { missing: number } {
  const recorder = new Recorder();
  const messages = new GrpcMessages(recorder, new Content(recorder, CONTENT_BASE.message), "binary", null);
  for (const chunk of chunks) messages.push(chunk, 0, chunk.length);
  return Object.assign(recorder, { missing: messages.missing });
}

/** gRPC PROTOCOL-HTTP2: Length-Prefixed-Message → Compressed-Flag Message-Length Message. */
const TABLE: readonly (readonly [
  name: string,
  hex: string,
  said: (readonly (string | number | boolean)[])[],
  missing: number,
])[] = [
  ["an empty message", "00 00000000", [["message", 0, false, 5]], 0],
  ["one octet", "00 00000001 aa", [["message", 1, false, 6]], 0],
  ["compressed", "01 00000002 aabb", [["message", 2, true, 7]], 0],
  [
    "two messages",
    "00 00000001 aa 00 00000000",
    [
      ["message", 1, false, 6],
      ["message", 0, false, 11],
    ],
    0,
  ],
  ["a prefix cut short", "00 000000", [], 1],
  ["a message cut short", "00 00000005 aabb", [], 3],
  ["the largest length is only a claim", "00 ffffffff aa", [], 0xfffffffe],
  [
    "a flag that gRPC does not have",
    "80 00000001 aa",
    [
      ["flag", 128, 5],
      ["message", 1, false, 6],
    ],
    0,
  ],
];

describe("GrpcMessages", () => {
  for (const [name, hex, said, missing] of TABLE) {
    test(name, () => {
      const octets = Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
      for (let cut = 0; cut <= octets.length; cut++) {
        const recorder = decode([octets.subarray(0, cut), octets.subarray(cut)]);
        assert.deepEqual(recorder.said, said);
        assert.equal(recorder.missing, missing);
      }
    });
  }

  test("random octets: every octet has one owner at every cut", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.array(fc.nat(60), { maxLength: 6 }), (octets, at) => {
        const ends = [...new Set([...at.filter((end) => end < octets.length), octets.length])].sort((a, b) => a - b);
        const cut = decode(pieces(octets, ends));
        const whole = decode([octets]);
        assert.equal(whole.owners.length, octets.length);
        assert.deepEqual(cut.owners, whole.owners);
        assert.deepEqual(cut.said, whole.said);
      }),
      { numRuns: 200 },
    );
  });

  test("content types", () => {
    for (const value of ["application/grpc", "application/grpc+proto", "application/grpc;charset=utf-8", "Application/gRPC"])
      assert.equal(contentTypeOf(value).grpc, "protobuf", value);
    for (const value of ["application/grpc-web", "application/grpc-web+proto", "application/json", "text/application/grpc", ""])
      assert.equal(contentTypeOf(value).grpc, null, value);
    for (const [value, codec] of [
      ["application/connect+proto", "protobuf"],
      ["Application/Connect+JSON; charset=utf-8", "json"],
      ["application/connect+thrift", "binary"],
    ] as const)
      assert.deepEqual([contentTypeOf(value).envelope, contentTypeOf(value).grpc], ["connect", codec], value);
    for (const value of ["application/connect", "application/proto", "application/x-connect+proto"])
      assert.deepEqual([contentTypeOf(value).envelope, contentTypeOf(value).grpc], ["grpc", null], value);
  });
});
