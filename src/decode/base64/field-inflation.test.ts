import assert from "node:assert/strict";
import { test } from "node:test";
import { loadCase } from "../../../test/cases.ts";
import { replay } from "../../../test/replay.ts";
import { skipWithoutShared } from "../../../test/shared.ts";
import { fieldInflation } from "./field-inflation.ts";

/** 33 octets of JSON: 44 with base64. */
const JSON_33 = Buffer.from('{"user":"demo","roles":["a","b"]}').toString("base64");

const TABLE: readonly (readonly [why: string, name: string, value: string, inflation: number])[] = [
  ["JSON inside", "x-context", JSON_33, 11],
  ["behind an authentication scheme, RFC 9110 §11.4", "authorization", `Basic ${JSON_33}`, 11],
  ["gRPC metadata by its name, however short", "trace-bin", "AAE", 1],
  ["gRPC metadata with padding", "trace-bin", "AAE=", 2],
  ["gRPC metadata: several values", "trace-bin", "AAE=, AAEC", 3],
  ["gRPC metadata that is no base64", "trace-bin", "a b", 0],
  ["a UUID", "x-request-id", "550e8400-e29b-41d4-a716-446655440000", 0],
  ["a trace, hex between dashes", "traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", 0],
  ["a hex digest", "etag", "d41d8cd98f00b204e9800998ecf8427e", 0],
  ["a product name", "user-agent", "Go-http-client/1.1", 0],
  ["a media type", "content-type", "application/json", 0],
];

for (const [why, name, value, inflation] of TABLE) {
  test(`${name}: ${value}: ${why}`, () => assert.equal(fieldInflation(name, value), inflation));
}

test("V-GR-03: grpc-status-details-bin of 79 octets, padded and not", { skip: skipWithoutShared("cases") }, () => {
  const given = loadCase("V-GR-03");
  const { octets } = given.expected.expect.details;
  const told = replay(given).calls.filter(([name, , field]) => name === "fieldInflation" && field === "grpc-status-details-bin");
  const [padded, bare] = [Math.ceil(octets / 3) * 4, Math.ceil((octets * 4) / 3)];
  assert.deepEqual(new Set(told.map(([, , , added]) => added)), new Set([padded - octets, bare - octets]));
});
