import assert from "node:assert/strict";
import { test } from "node:test";
import { type ContentKind, contentTypeOf, isCoded } from "./content-kind.ts";

/** By the media type registry and what is in use; parameters and case do not matter (RFC 9110 §8.3.1). */
const KINDS: readonly (readonly [value: string, kind: ContentKind])[] = [
  ["application/json", "json"],
  ["Application/JSON; charset=utf-8", "json"],
  ["text/json", "json"],
  ["application/problem+json", "json"],
  ["application/vnd.api+json;version=1", "json"],
  ["application/csp-report", "json"],
  ["application/x-amz-json-1.1", "json"],
  ["application/x-ndjson", "json-lines"],
  ["application/jsonl", "json-lines"],
  ["application/protobuf", "protobuf"],
  ["application/x-protobuf", "protobuf"],
  ["application/vnd.google.protobuf", "protobuf"],
  ["application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited", "binary"],
  ["text/plain", "text"],
  ["text/html; charset=utf-8", "text"],
  ["application/xml", "text"],
  ["application/atom+xml", "text"],
  ["image/svg+xml", "text"],
  ["application/x-www-form-urlencoded", "text"],
  ["application/octet-stream", "binary"],
  ["image/png", "binary"],
  ["application/grpc-web+proto", "binary"],
  ["application/grpc-web+json", "binary"],
  ["multipart/form-data; boundary=x", "binary"],
  ["application/jsonp", "unknown"],
  ["application/x-unheard-of", "unknown"],
  ["", "unknown"],
];

for (const [value, kind] of KINDS) {
  test(`Content-Type ${JSON.stringify(value)} is ${kind}`, () => {
    assert.equal(contentTypeOf(value).kind, kind);
    assert.equal(contentTypeOf(value).grpc, null);
  });
}

test("gRPC names its codec, gRPC PROTOCOL-HTTP2", () => {
  assert.equal(contentTypeOf("application/grpc").grpc, "protobuf");
  assert.equal(contentTypeOf("application/grpc+proto").grpc, "protobuf");
  assert.equal(contentTypeOf("application/grpc+json").grpc, "json");
  assert.equal(contentTypeOf("application/grpc+thrift").grpc, "binary");
});

test("a parameter may name the message", () => {
  assert.equal(contentTypeOf('application/x-protobuf; messageType="a.b.C"').messageType, "a.b.C");
  assert.equal(
    contentTypeOf("application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily").messageType,
    "io.prometheus.client.MetricFamily",
  );
  assert.equal(contentTypeOf("application/json; messageType=a.B").messageType, null);
});

test("codings, RFC 9110 §8.4", () => {
  for (const coded of ["gzip", "br, gzip", "identity, deflate", "x-unknown"]) assert.equal(isCoded(coded), true, coded);
  for (const plain of [null, "", "identity", " Identity "]) assert.equal(isCoded(plain), false, String(plain));
});

test("a long value takes no long time", () => {
  const started = performance.now();
  isCoded(`${" ".repeat(60_000)}x`);
  contentTypeOf(`application/${"+".repeat(60_000)}x;${" ".repeat(60_000)}proto=;`);
  assert.ok(performance.now() - started < 500, "over half a second");
});

test("types from the wire do not pile up", () => {
  for (let n = 0; n < 1000; n++) assert.equal(contentTypeOf(`application/vnd.x${n}+json`).kind, "json");
});
