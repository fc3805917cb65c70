import assert from "node:assert/strict";
import { describe, test } from "node:test";
import protobuf from "protobufjs";
import { everyCut, pieces } from "../../../test/cuts.ts";
import { Http1Driver, octets } from "../../../test/http1-driver.ts";
import { RecordingSink } from "../../../test/recording-sink.ts";
import { C2S, S2C } from "../direction.ts";
import { schemasOf } from "../protobuf/schemas.ts";
import type { Detail } from "../sink.ts";
import type { WireUnit } from "../wire-unit.ts";
import { Http1Session } from "./http1-session.ts";

const HOST = { switched() {}, unparked() {}, requestsUnseen: false };
const PROTO = "application/connect+proto";
/** Connect protocol, "Streaming-Request": flags (1 octet), length (4, big-endian), then so many octets. */
const envelope = (flags: number, payload: string): string =>
  `${String.fromCharCode(flags, 0, 0, payload.length >> 8, payload.length & 0xff)}${payload}`;
const chunk = (data: string): string => `${data.length.toString(16)}\r\n${data}\r\n`;
const byLength = (type: string, body: string, more = ""): string =>
  `POST /a.B/C HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;
const chunked = (type: string, chunks: readonly string[]): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n${chunks.map(chunk).join("")}0\r\n\r\n`;

function talk(request: string, response: string, detail: Detail = 3): Http1Driver {
  const driver = new Http1Driver(detail);
  driver.push(C2S, octets(request));
  driver.push(S2C, octets(response));
  driver.end(C2S);
  driver.end(S2C);
  return driver;
}

const messages = ({ sink }: Http1Driver) => sink.calls.filter(([name]) => name === "message").map(([, , ...rest]) => rest);
const content = (driver: Http1Driver, direction: 0 | 1) =>
  Object.fromEntries(Object.entries(driver.sink.byCategory(direction)).filter(([name]) => !name.startsWith("http1.")));
const codes = ({ sink }: Http1Driver) => sink.notes.filter(({ severity }) => severity !== "info").map(({ code }) => code);

/** Field 1, varint 1; field 1, varint 150: Protocol Buffers, "Encoding". */
const ONE = "\x08\x01";
const TWO = "\x08\x96\x01";

describe("Connect streaming over HTTP/1.1", () => {
  test("the octets of V-GR-08 in a body by its length and in chunks that care for no envelope", () => {
    const end = '{"metadata":{"x-a":["1","2"]}}';
    const answer = envelope(0, TWO) + envelope(2, end);
    const request = byLength(PROTO, envelope(0, ONE));
    const response = chunked(PROTO, [answer.slice(0, 3), answer.slice(3, 12), answer.slice(12)]);
    const driver = talk(request, response);
    assert.deepEqual(content(driver, C2S), {
      "grpc.prefix": 5,
      "grpc.message.protobuf.tag": 1,
      "grpc.message.protobuf.varint": 1,
    });
    assert.deepEqual(content(driver, S2C), {
      "grpc.prefix": 10,
      "grpc.message.protobuf.tag": 1,
      "grpc.message.protobuf.varint": 2,
      "grpc.message.trailers": end.length,
    });
    // One response message, not two.
    assert.deepEqual(messages(driver), [
      [C2S, 2, false, null],
      [S2C, 3, false, null],
    ]);
    assert.equal(driver.sink.exchanges[0]?.protocol, "connect");
    assert.deepEqual(codes(driver), []);
    for (const cut of everyCut(response.length)) {
      const other = new Http1Driver(3);
      other.push(C2S, octets(request));
      for (const piece of pieces(octets(response), cut)) other.push(S2C, piece);
      other.end(C2S);
      other.end(S2C);
      assert.deepEqual(other.sink.figures(), driver.sink.figures());
    }
  });

  test("JSON, and a message that is compressed", () => {
    const body = envelope(0, "[1]") + envelope(1, "\x1f\x8b") + envelope(3, "\x1f\x8b\x08");
    const driver = talk(byLength("application/connect+json", body), "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    assert.deepEqual(content(driver, C2S), {
      "grpc.prefix": 15,
      "grpc.message.json.punctuation": 2,
      "grpc.message.json.number": 1,
      "grpc.message.compressed": 2,
      "grpc.message.trailers": 3,
    });
    assert.deepEqual(messages(driver), [
      [C2S, 3, false, null],
      [C2S, 2, true, null],
    ]);
    assert.deepEqual(codes(driver), []);
  });

  test("whoever is told of units is told of the chunk first, then of the messages that ended in it", () => {
    const told: string[] = [];
    class OrderSink extends RecordingSink {
      override unit(unit: WireUnit): void {
        if (unit.detail.kind === "http1.chunk") told.push(unit.detail.kind);
      }
      override message(): void {
        told.push("message");
      }
    }
    const session = new Http1Session(new OrderSink(1), HOST);
    const response = octets(chunked(PROTO, [envelope(0, ONE) + envelope(0, ONE), envelope(0, ONE)]));
    session.response.push(response, 0, response.length);
    assert.deepEqual(told, ["http1.chunk", "message", "message", "http1.chunk", "message"]);
  });

  test("flags that Connect does not have, and a body that ends inside an envelope", () => {
    const none = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    assert.deepEqual(codes(talk(byLength(PROTO, envelope(4, ONE)), none)), ["connect-flags"]);
    assert.deepEqual(codes(talk(byLength(PROTO, envelope(0, ONE).slice(0, 6)), none)), ["connect-message-cut"]);
    assert.deepEqual(codes(talk(byLength(PROTO, envelope(0, ONE).slice(0, 3)), none)), ["connect-message-cut"]);
  });

  test("what a coding lies over, a range, and Connect unary are bodies", () => {
    const none = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    const body = envelope(0, ONE);
    assert.deepEqual(content(talk(byLength(PROTO, body, "Content-Encoding: gzip\r\n"), none), C2S), { "body.compressed": 7 });
    assert.deepEqual(content(talk(byLength(PROTO, body, "Content-Range: bytes 5-11/20\r\n"), none), C2S), { "body.binary": 7 });
    const unary = talk(byLength("application/proto", body), none);
    assert.ok(!("grpc.prefix" in content(unary, C2S)), "unary has no envelopes");
    assert.equal(unary.sink.exchanges[0]?.protocol, "http1");
  });

  test("a hole within a message leaves the next one known, one over its end does not", () => {
    const body = envelope(0, "\x0a\x06abcdef") + envelope(0, ONE);
    const head = byLength(PROTO, body).slice(0, -body.length);
    const table: readonly (readonly [lost: number, behind: Record<string, number>, messages: number])[] = [
      [2, { "grpc.prefix": 10, "grpc.message.protobuf.tag": 2, "grpc.message.protobuf.varint": 1 }, 2],
      [6, { "grpc.prefix": 5, "grpc.message.undecoded": 5 }, 0],
    ];
    for (const [lost, behind, count] of table) {
      const driver = new Http1Driver(3);
      const came = 9;
      driver.push(C2S, octets(head + body.slice(0, came)));
      driver.session.request.gap(lost, "after_gap");
      driver.push(C2S, octets(body.slice(came + lost)));
      driver.end(C2S);
      const found = content(driver, C2S);
      for (const [name, octetCount] of Object.entries(behind)) assert.equal(found[name], octetCount, `${lost} lost: ${name}`);
      assert.equal(messages(driver).length, count, `${lost} lost`);
      assert.deepEqual(
        codes(driver).filter((code) => code.startsWith("connect")),
        [],
        `${lost} lost`,
      );
    }
  });

  test("with a schema the method says what its messages are", () => {
    const { root } = protobuf.parse(
      `syntax = "proto3"; package a; message I { uint32 n = 1; } message O { string s = 1; }
       service B { rpc C (stream I) returns (stream O); }`,
      { keepCase: true },
    );
    const sink = new RecordingSink(3);
    const session = new Http1Session(sink, HOST, schemasOf(root));
    const request = octets(byLength(PROTO, envelope(0, ONE)));
    session.request.push(request, 0, request.length);
    const response = octets(chunked(PROTO, [envelope(0, "\x0a\x01x")]));
    session.response.push(response, 0, response.length);
    assert.deepEqual(
      sink.calls.filter(([name]) => name === "message").map((call) => call.at(-1)),
      ["a.I", "a.O"],
    );
    assert.equal(sink.byCategory(S2C)["grpc.message.protobuf.string"], 1);
  });
});
