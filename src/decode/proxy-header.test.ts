import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { chunksOf, everyCut, pieces } from "../../test/cuts.ts";
import { RecordingSink } from "../../test/recording-sink.ts";
import { C2S } from "./direction.ts";
import { PROXY_V1_SIGNATURE, PROXY_V2_SIGNATURE, ProxyHeaderLayer } from "./proxy-header.ts";

interface Result {
  readonly sink: RecordingSink;
  readonly layer: ProxyHeaderLayer;
  /** Octets taken. */
  readonly taken: number;
}

function read(bytes: Uint8Array, cut: readonly number[] = chunksOf(bytes.length, bytes.length)): Result {
  const sink = new RecordingSink(3);
  const layer = new ProxyHeaderLayer(sink, C2S);
  let taken = 0;
  for (const piece of pieces(bytes, cut)) {
    const borrowed = Uint8Array.from(piece);
    const next = layer.push(borrowed, 0, borrowed.length);
    borrowed.fill(0xee);
    taken += next;
    assert.equal(sink.offset(C2S) + layer.held, taken, "announced + held = taken");
    if (next < piece.length) break;
  }
  layer.end();
  assert.equal(sink.offset(C2S), taken);
  return { sink, layer, taken };
}

const ascii = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));
const v2 = (rest: string) => Uint8Array.from([...PROXY_V2_SIGNATURE, ...Buffer.from(rest.replaceAll(" ", ""), "hex")]);

/** Headers by the examples and tables of haproxy's "The PROXY protocol", sections 2.1 and 2.2. */
const HEADERS: readonly (readonly [bytes: Uint8Array, version: number, text: string])[] = [
  [ascii("PROXY TCP4 192.168.0.1 192.168.0.11 56324 443\r\n"), 1, "TCP4 192.168.0.1 192.168.0.11 56324 443"],
  [ascii("PROXY TCP6 2001:db8::1 ::1 1 65535\r\n"), 1, "TCP6 2001:db8::1 ::1 1 65535"],
  [ascii("PROXY UNKNOWN\r\n"), 1, "UNKNOWN"],
  // The longest line there can be: 107 octets.
  [
    ascii("PROXY UNKNOWN ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535\r\n"),
    1,
    "UNKNOWN",
  ],
  [v2("20 00 0000"), 2, "LOCAL"],
  [v2("21 11 000c c0a80001 c0a8000b dc04 01bb"), 2, "TCP4 192.168.0.1 192.168.0.11 56324 443"],
  [v2("21 12 000c 7f000001 7f000002 0035 0036"), 2, "UDP4 127.0.0.1 127.0.0.2 53 54"],
  [
    v2(`21 21 0024 20010db8${"00".repeat(11)}01 ${"00".repeat(15)}01 0001 ffff`),
    2,
    "TCP6 2001:db8:0:0:0:0:0:1 0:0:0:0:0:0:0:1 1 65535",
  ],
  [v2("21 00 0003 aabbcc"), 2, "UNKNOWN"],
  // A TLV after the addresses: PP2_TYPE_NOOP.
  [v2("21 11 0011 c0a80001 c0a8000b dc04 01bb 04 0002 0000"), 2, "TCP4 192.168.0.1 192.168.0.11 56324 443"],
  [v2(`21 31 00d8 2f61201b${"00".repeat(104)} ${"00".repeat(108)}`), 2, "UNIX STREAM /a\\x20\\x1b -"],
];

test("headers of both versions: octets, level, text; nothing behind them is taken", () => {
  for (const [bytes, version, text] of HEADERS) {
    const { sink, layer, taken } = read(Uint8Array.from([...bytes, 0x47, 0x45, 0x54]));
    assert.equal(taken, bytes.length, text);
    assert.equal(layer.done, true);
    assert.deepEqual(sink.runs[C2S], [
      { offset: 0, length: bytes.length, category: "proxy.header", level: "setup", exchange: null },
    ]);
    assert.deepEqual(
      sink.units.map(({ detail }) => detail),
      [{ kind: "proxy.header", version, text }],
    );
    assert.deepEqual(
      sink.notes.map(({ code, severity, offset, text: said }) => [code, severity, offset, said]),
      [["proxy-protocol", "info", 0, `PROXY ${text}`]],
    );
  }
});

test("at every cut", () => {
  for (const [bytes] of HEADERS) {
    const whole = read(bytes);
    for (const cut of everyCut(bytes.length)) assert.deepEqual(read(bytes, cut).sink.figures(), whole.sink.figures());
  }
});

test("what is no header is counted, with all that follows", () => {
  const broken = [
    ascii("PROXY TCP4 1.2.3.4\r\nGET / HTTP/1.1\r\n"),
    ascii("PROXY TCP4 1.2.3.4 5.6.7.8 1 2\nx"),
    ascii(`PROXY UNKNOWN ${"x".repeat(100)}\r\n`),
    ascii("PROXY UNKNOWN \x1b[2J\r\n"),
    ascii("PROXX"),
    v2("31 11 000c c0a80001 c0a8000b dc04 01bb"),
    v2("22 11 000c c0a80001 c0a8000b dc04 01bb"),
    v2("21 11 000b c0a80001 c0a8000b dc04 01"),
  ];
  for (const bytes of broken) {
    const { sink, layer } = read(bytes);
    assert.equal(layer.done, false);
    assert.deepEqual(sink.byCategory(C2S), { "unattributed.after_error": bytes.length });
    assert.deepEqual(
      sink.notes.map(({ code, offset }) => [code, offset]),
      [["proxy-protocol-malformed", 0]],
    );
    assert.deepEqual(
      sink.units.map(({ detail, octets }) => [detail.kind, octets]),
      [["unattributed", bytes.length]],
    );
  }
});

test("a hex view shows what was read, and nothing else", () => {
  const shown = (bytes: Uint8Array) =>
    read(bytes).sink.units.flatMap(({ parts }) => parts.filter(({ secret }) => !secret).map(({ octets }) => octets));
  const [v1 = new Uint8Array(0)] = HEADERS.map(([bytes]) => bytes);
  assert.deepEqual(shown(v1), [v1.length]);
  // What follows UNKNOWN is to be ignored (section 2.1), and so are the addresses of LOCAL (section 2.2); TLVs are not read.
  assert.deepEqual(shown(ascii("PROXY UNKNOWN Cookie: s3cr3t\r\n")), [13]);
  assert.deepEqual(shown(v2("20 11 000c c0a80001 c0a8000b dc04 01bb")), [16]);
  assert.deepEqual(shown(v2("21 11 0011 c0a80001 c0a8000b dc04 01bb 04 0002 0000")), [28]);
  for (const broken of [ascii("PROXY TCP4 s3cr3t\r\nGET /s3cr3t"), ascii("PROXY TCP4 1.2"), v2("31 11 000c c0a80001")]) {
    assert.deepEqual(shown(broken), []);
  }
});

test("the end inside a header", () => {
  for (const [bytes] of HEADERS) {
    for (const length of [1, bytes.length - 1]) {
      const { sink } = read(bytes.subarray(0, length));
      assert.deepEqual(sink.notes.at(-1)?.code, "truncated");
      assert.equal(sink.units[0]?.truncated, true);
    }
  }
  assert.deepEqual(read(PROXY_V1_SIGNATURE).sink.byCategory(C2S), { "unattributed.truncated": 6 });
});

test("random octets: nothing throws, everything is announced", () => {
  const begins = fc.constantFrom(PROXY_V1_SIGNATURE, PROXY_V2_SIGNATURE, v2("21 11 000c"), new Uint8Array(0));
  fc.assert(
    fc.property(begins, fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 40 }), (begin, noise, size) => {
      const bytes = Uint8Array.from([...begin, ...noise]);
      assert.deepEqual(read(bytes, chunksOf(bytes.length, size)).sink.figures(), read(bytes).sink.figures());
    }),
    { numRuns: 200 },
  );
});
