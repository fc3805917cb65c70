import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { detect, detectProxyHeader, type Verdict } from "./detect.ts";
import { C2S, type Direction, S2C } from "./direction.ts";

const latin1 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "latin1"));
const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(" ", ""), "hex"));

/** First octets, their verdict, and after how many octets it can be given (RFC or grammar says which octet decides). */
const CLIENTS: readonly (readonly [name: string, octets: Uint8Array, verdict: Verdict, decidedAt: number])[] = [
  ["RFC 9113 §3.4 preface", latin1("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "h2", 24],
  ["GET", latin1("GET / HTTP/1.1\r\n"), "http1", 4],
  ["POST is not the preface", latin1("POST /x HTTP/1.1\r\n"), "http1", 5],
  ["PROPFIND is no PROXY header", latin1("PROPFIND / HTTP/1.1\r\n"), "http1", 9],
  ["CONNECT", latin1("CONNECT a:1 HTTP/1.1\r\n"), "http1", 8],
  ["empty lines before the request (RFC 9112 §2.2)", latin1("\r\n\r\nGET / HTTP/1.1\r\n"), "http1", 8],
  ["an unregistered method needs its line", latin1("BREW /pot HTTP/1.1\r\n"), "http1", 20],
  ["an unregistered word without HTTP/1", latin1("HELO mail.example\r\n"), "opaque", 19],
  ["SMTP", latin1("EHLO mail.example\r\n"), "opaque", 19],
  ["ClientHello, TLS 1.0 record version (RFC 8446 §5.1)", hex("16 03 01 02 00 01 00 01 fc"), "tls", 5],
  ["TLS application data, seen late", hex("17 03 03 00 20 00"), "tls", 5],
  ["HTTP/2 HEADERS without preface", hex("00000e 01 04 00000009 83"), "h2-late", 9],
  ["DATA of 16 KiB + 1 is over the default frame size", hex("004001 00 00 00000001"), "opaque", 9],
  ["a frame on the wrong stream: PING on 1", hex("000008 06 00 00000001"), "opaque", 9],
  ["PostgreSQL SSLRequest", hex("00000008 04d2162f 00"), "opaque", 9],
  ["PostgreSQL startup", hex("0000005400030000 75"), "opaque", 4],
  ["MQTT CONNECT", hex("10 10 0004 4d515454 04"), "opaque", 1],
  ["SSH", latin1("SSH-2.0-OpenSSH_9.2\r\n"), "opaque", 20],
];

const SERVERS: typeof CLIENTS = [
  ["the server's preface: SETTINGS", hex("000006 04 00 00000000 0003 00000064"), "h2", 9],
  ["an empty SETTINGS", hex("000000 04 00 00000000"), "h2", 9],
  ["a SETTINGS acknowledgement: late", hex("000000 04 01 00000000"), "h2-late", 9],
  ["HTTP/1.1 408 before any request", latin1("HTTP/1.1 408 Request Timeout\r\n"), "http1", 7],
  ["SMTP greeting", latin1("220 mail.example ESMTP\r\n"), "opaque", 1],
  ["MySQL greeting", hex("4a 00 00 00 0a 38"), "opaque", 1],
  ["TLS ServerHello", hex("16 03 03 00 7a 02"), "tls", 5],
];

describe("detect", () => {
  for (const [direction, rows] of [
    [C2S, CLIENTS],
    [S2C, SERVERS],
  ] as const) {
    for (const [name, octets, verdict, decidedAt] of rows) {
      test(`${name}: ${verdict} after ${decidedAt}`, () => {
        for (let length = 1; length <= octets.length; length++) {
          const wanted = length < decidedAt ? "more" : verdict;
          assert.equal(detect(direction, octets, 0, length), wanted, `after ${length} octets`);
        }
      });
    }
  }

  test("a longer prefix never takes a verdict back", () => {
    const starts = fc.constantFrom(...CLIENTS, ...SERVERS).map(([, octets]) => octets);
    const input = fc
      .tuple(starts, fc.nat(24), fc.uint8Array({ maxLength: 40 }))
      .map(([start, keep, rest]) => Buffer.concat([start.subarray(0, keep), rest]));
    fc.assert(
      fc.property(fc.constantFrom<Direction>(C2S, S2C), input, (direction, octets) => {
        let last: Verdict = "more";
        for (let length = 1; length <= octets.length; length++) {
          const verdict = detect(direction, octets, 0, length);
          if (last !== "more") assert.equal(verdict, last);
          last = verdict;
        }
      }),
      { numRuns: 200 },
    );
  });

  test("a PROXY header is known by its signature", () => {
    for (const [octets, length] of [
      [latin1("PROXY TCP4"), 6],
      [hex("0d0a0d0a000d0a515549540a 21"), 12],
    ] as const) {
      for (let to = 1; to <= octets.length; to++) assert.equal(detectProxyHeader(octets, 0, to), to < length ? "more" : "yes");
    }
    for (const other of ["PRI *", "PROPFIND /", "\r\n\r\nG", "GET"])
      assert.equal(detectProxyHeader(latin1(other), 0, other.length), "no");
  });

  test("what never tells is opaque in the end", () => {
    assert.equal(detect(C2S, new Uint8Array(9000).fill(0x41), 0, 9000), "opaque");
    assert.equal(detect(C2S, latin1(`BREW /${"x".repeat(9000)}`), 0, 9006), "opaque");
  });
});
