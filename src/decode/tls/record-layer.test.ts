import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { loadCase } from "../../../test/cases.ts";
import { chunksOf, everyCut, pieces } from "../../../test/cuts.ts";
import { RecordingSink } from "../../../test/recording-sink.ts";
import { shared, skipWithoutShared } from "../../../test/shared.ts";
import { tcpPayloads } from "../../../test/tcp-payloads.ts";
import { C2S, DIRECTION_NAMES, DIRECTIONS } from "../direction.ts";
import { TlsRecordLayer } from "./record-layer.ts";

interface Result {
  readonly sink: RecordingSink;
  readonly layer: TlsRecordLayer;
}

function read(bytes: Uint8Array, cut: readonly number[] = chunksOf(bytes.length, bytes.length)): Result {
  const sink = new RecordingSink(3);
  const layer = new TlsRecordLayer(sink, C2S);
  let pushed = 0;
  for (const piece of pieces(bytes, cut)) {
    const borrowed = Uint8Array.from(piece);
    assert.equal(layer.push(borrowed, 0, borrowed.length), borrowed.length);
    borrowed.fill(0xee);
    pushed += piece.length;
    assert.equal(sink.offset(C2S) + layer.held, pushed, "announced + held = pushed");
  }
  layer.end();
  assert.equal(sink.offset(C2S), bytes.length);
  return { sink, layer };
}

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(" ", ""), "hex"));
const runs = ({ sink }: Result) => sink.runs[C2S].map(({ length, category, level }) => [category, length, level]);
const codes = ({ sink }: Result) => sink.notes.map(({ code, offset }) => [code, offset]);

test("one record of each content type, RFC 8446 §5.1", () => {
  const table = [
    ["14 0303 0001 01", "tls.change_cipher_spec", "setup"],
    ["15 0303 0002 0100", "tls.alert", "close"],
    ["16 0301 0004 01000000", "tls.handshake", "setup"],
    ["17 0303 0003 abcdef", "tls.encrypted", "unowned"],
    ["18 0303 0003 010000", "tls.encrypted", "unowned"],
  ] as const;
  for (const [text, category, level] of table) {
    const bytes = hex(text);
    const result = read(bytes);
    assert.deepEqual(runs(result), [
      ["tls.record_header", 5, level],
      [category, bytes.length - 5, level],
    ]);
    assert.deepEqual(
      result.sink.units.map(({ detail, octets }) => [detail, octets]),
      [
        [
          { kind: "tls.record", contentType: bytes[0], version: 0x0300 + (bytes[2] ?? 0), length: bytes.length - 5 },
          bytes.length,
        ],
      ],
    );
    assert.equal(result.layer.records[bytes[0] ?? 0], 1);
    assert.equal(
      result.layer.records.reduce((sum, count) => sum + count, 0),
      1,
    );
    assert.deepEqual(codes(result), []);
  }
});

test("empty records: application data may be, others may not, RFC 8446 §5.1", () => {
  assert.deepEqual(runs(read(hex("17 0303 0000"))), [["tls.record_header", 5, "unowned"]]);
  for (const type of ["14", "15", "16", "18"]) {
    const result = read(hex(`${type} 0303 0000 00`));
    assert.deepEqual(runs(result), [["unattributed.after_error", 6, "unowned"]]);
    assert.deepEqual(codes(result), [["tls-record", 0]]);
  }
});

test("no record header: content type, major version, length", () => {
  const good = "17 0303 0001 00";
  for (const bad of ["13 0303 0001 00", "19 0303 0001 00", "16 0203 0001 00", "16 0303 4801 00"]) {
    const result = read(hex(`${good} ${bad}`));
    assert.deepEqual(runs(result).slice(2), [["unattributed.after_error", 6, "unowned"]], bad);
    assert.deepEqual(codes(result), [["tls-record", 6]]);
  }
  const longest = read(Uint8Array.from([...hex("17 0303 4800"), ...new Uint8Array(0x4800)]));
  assert.deepEqual(codes(longest), []);
});

test("a hex view shows no octet that is encrypted, or that no grammar has read", () => {
  const shown = (text: string) =>
    read(hex(text)).sink.units.map(({ parts }) => parts.filter(({ secret }) => !secret).map(({ octets }) => octets));
  assert.deepEqual(shown("16 0301 0004 01000000 15 0303 0002 0100 14 0303 0001 01"), [
    [5, 4],
    [5, 2],
    [5, 1],
  ]);
  assert.deepEqual(shown("17 0303 0003 abcdef 18 0303 0003 010000"), [[5], [5]]);
  assert.deepEqual(shown("ff 0303 0003 abcdef"), [[]]);
  assert.deepEqual(shown("16 03"), [[]]);
});

test("the end inside a record", () => {
  assert.deepEqual(runs(read(hex("16 0303"))), [["unattributed.truncated", 3, "unowned"]]);
  const inside = read(hex("16 0303 0004 01"));
  assert.deepEqual(runs(inside), [
    ["tls.record_header", 5, "setup"],
    ["tls.handshake", 1, "setup"],
  ]);
  assert.deepEqual(codes(inside), [["truncated", 6]]);
  assert.equal(inside.sink.units[0]?.truncated, true);
  assert.equal(read(hex("16 0303")).sink.units[0]?.truncated, true);
});

test("V-TLS-03: records and octets of a capture that starts late", { skip: skipWithoutShared("cases") }, () => {
  const { folder, expected } = loadCase("V-TLS-03");
  const octets = tcpPayloads(`${folder}/capture.pcap`, expected.port ?? 443);
  for (const direction of DIRECTIONS) {
    const wanted = expected.expect.tls_records[DIRECTION_NAMES[direction]];
    const { sink, layer } = read(octets[direction]);
    assert.equal(layer.records[23], wanted.application_data_records);
    assert.equal(
      layer.records.reduce((sum, count) => sum + count, 0),
      wanted.records,
    );
    assert.equal(sink.offset(C2S), wanted.octets);
    assert.deepEqual(sink.byCategory(C2S), {
      "tls.record_header": 5 * wanted.records,
      "tls.encrypted": wanted.octets - 5 * wanted.records,
    });
  }
});

test("captures of real stacks: records and header octets as tshark counts them", {
  skip: skipWithoutShared("corpora", "stacks"),
}, () => {
  let connections = 0;
  for (const file of readdirSync(shared("corpora", "stacks")).filter((name) => /^tls.*\.truth\.json$/.test(name))) {
    const truth = JSON.parse(readFileSync(shared("corpora", "stacks", file), "utf8"));
    const octets = tcpPayloads(shared("corpora", "stacks", truth.capture.file), truth.serverPort);
    const [connection] = truth.connections;
    for (const direction of DIRECTIONS) {
      const wanted = connection.tls[DIRECTION_NAMES[direction]];
      const result = read(octets[direction]);
      assert.deepEqual(codes(result), [], file);
      assert.equal(
        result.layer.records.reduce((sum, count) => sum + count, 0),
        wanted.records,
        file,
      );
      assert.equal(result.sink.byCategory(C2S)["tls.record_header"], wanted.recordHeader, file);
      assert.equal(result.sink.offset(C2S), wanted.bytes, file);
    }
    connections += 1;
  }
  assert.ok(connections > 0);
});

test("rustls-fuzz: every octet has its owner, what it calls invalid is refused", {
  skip: skipWithoutShared("corpora", "rustls-fuzz"),
}, () => {
  let files = 0;
  for (const folder of ["client", "message", "records", "server", "unbuffered"]) {
    for (const file of readdirSync(shared("corpora", "rustls-fuzz", folder))) {
      const all = readFileSync(shared("corpora", "rustls-fuzz", folder, file));
      // ORIGIN.md: there the first octet is a switch of the fuzz target.
      const bytes = folder === "server" || folder === "unbuffered" ? all.subarray(1) : all;
      const whole = read(bytes);
      for (const size of [1, 2, 3, 5, 7])
        assert.deepEqual(read(bytes, chunksOf(bytes.length, size)).sink.figures(), whole.sink.figures(), file);
      assert.equal(
        codes(whole).some(([code]) => code === "tls-record"),
        file.includes("invalid"),
        `${folder}/${file}`,
      );
      files += 1;
    }
  }
  assert.ok(files > 100, `${files} files`);
});

test("how the octets were cut does not matter", () => {
  const bytes = hex("16 0301 0004 01000000 14 0303 0001 01 17 0303 0000 17 0303 0003 abcdef 15 0303 0002 0100 ff 0303 0001 00");
  const whole = read(bytes);
  for (const cut of everyCut(bytes.length)) assert.deepEqual(read(bytes, cut).sink.figures(), whole.sink.figures());
});

test("random octets: nothing throws, everything is announced, whatever the cut", () => {
  const header = fc.tuple(fc.integer({ min: 19, max: 25 }), fc.constantFrom(2, 3, 3, 3), fc.nat(4), fc.constant(0), fc.nat(12));
  const noise = fc
    .array(fc.oneof(header, fc.array(fc.nat(255), { maxLength: 12 })), { maxLength: 12 })
    .map((list) => Uint8Array.from(list.flat()));
  fc.assert(
    fc.property(noise, fc.integer({ min: 1, max: 20 }), (bytes, size) => {
      assert.deepEqual(read(bytes, chunksOf(bytes.length, size)).sink.figures(), read(bytes).sink.figures());
    }),
    { numRuns: 200 },
  );
});
