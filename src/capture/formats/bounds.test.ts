import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { PcapngBlocks } from "../../../test/pcapng-blocks.ts";
import { capturesOf, readPackets } from "../../../test/read-packets.ts";
import { shared, skipWithoutShared } from "../../../test/shared.ts";
import { openCaptureReader } from "./open-capture-reader.ts";

const MIB = 1024 * 1024;
const OCTETS = Uint8Array.of(1, 2, 3, 4);
const le = new PcapngBlocks(true);
const PCAP_HEADER = Buffer.from("d4c3b2a1020004000000000000000000ffffff0001000000", "hex");

/** A pcap packet header. */
function header(captured: number, original: number): Uint8Array {
  return Buffer.concat([le.u32(1_700_000_000), le.u32(0), le.u32(captured), le.u32(original)]);
}

test("a pcap packet over 16 MiB is passed over as it streams, the next one is read", () => {
  const length = 16 * MIB + 1;
  const zeros = new Uint8Array(MIB);
  const first = [PCAP_HEADER, header(4, 4), OCTETS, header(4, 4), OCTETS];
  const long = [header(length, length), ...Array.from({ length: 16 }, () => zeros), Uint8Array.of(0)];
  const { packets, notes } = readPackets(...first, ...long, header(4, 4), OCTETS);
  assert.deepEqual(
    packets.map(({ number }) => number),
    [1, 2, 4],
  );
  assert.deepEqual([notes.length, notes[0]?.code, notes[0]?.offset], [1, "packet-too-long", 24 + 2 * 20]);
});

test("a pcapng block that claims 4 GiB costs no memory, and its missing end is told", () => {
  const claim = Buffer.concat([le.u32(0x12345678), le.u32(0xfffffff0), new Uint8Array(1000)]);
  const before = process.memoryUsage().arrayBuffers;
  const { packets, notes } = readPackets(le.section(), le.interface(1), le.packet(0, 0n, OCTETS), claim, claim);
  assert.ok(process.memoryUsage().arrayBuffers - before < MIB, "nothing was allocated from the claim");
  assert.equal(packets.length, 1);
  assert.deepEqual(
    notes.map(({ code }) => code),
    ["block-too-long", "capture-truncated"],
  );
});

test("a packet that claims 15 MiB and ends after 1 KiB holds what came, not what it claimed", () => {
  const bytes = Buffer.concat([PCAP_HEADER, header(15 * MIB, 15 * MIB), new Uint8Array(1024)]);
  const before = process.memoryUsage().arrayBuffers;
  const reader = openCaptureReader({ packet: () => {}, note: () => {} });
  for (const octet of bytes) reader.push(Uint8Array.of(octet));
  assert.ok(process.memoryUsage().arrayBuffers - before < MIB, "nothing was allocated from the claim");
  reader.end();
  assert.equal(reader.facts?.cut, true);
});

test("more captured than there was, beyond any snapshot length, is damage", () => {
  const { packets, notes } = readPackets(PCAP_HEADER, header(4, 4), OCTETS, header(4, 4), OCTETS, header(300_000, 60), OCTETS);
  assert.equal(packets.length, 2);
  assert.deepEqual([notes[0]?.code, notes[0]?.offset], ["capture-damaged", 24 + 2 * 20]);
});

test("wherever a capture is cut short, all packets before the cut are delivered and the end is told", () => {
  const pcapng = [le.section(), le.interface(1), le.packet(0, 0n, OCTETS), le.simplePacket(OCTETS), le.packet(0, 0n, OCTETS)];
  const pcap = [PCAP_HEADER, ...[1, 2, 3].flatMap(() => [Buffer.concat([header(4, 4), OCTETS])])];
  for (const [units, headers] of [
    [pcapng, 1],
    [pcap, 1],
  ] as const) {
    const bytes = Buffer.concat(units);
    const borders = units.map((_, index) => Buffer.concat(units.slice(0, index + 1)).length);
    for (let length = borders[headers - 1] ?? 0; length <= bytes.length; length++) {
      const { packets, notes, refusal } = readPackets(bytes.subarray(0, length));
      const whole = borders.filter((border) => border <= length).length;
      assert.equal(packets.length, Math.max(0, whole - (units === pcapng ? 2 : 1)), `cut at ${length}`);
      assert.equal(refusal, null);
      const expected = borders.includes(length) ? [] : [["capture-truncated", length]];
      assert.deepEqual(
        notes.map(({ code, offset }) => [code, offset]),
        expected,
        `cut at ${length}`,
      );
    }
  }
});

const heads = fc.constantFrom<Uint8Array>(
  new Uint8Array(0),
  PCAP_HEADER,
  Buffer.from("a1b2cd34", "hex"),
  Buffer.from("4d3cb2a1", "hex"),
  Buffer.concat([le.section(), le.interface(1)]),
  new PcapngBlocks(false).section(),
);

test("random octets never throw, however they are cut", () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 12 });
  fc.assert(
    fc.property(heads, chunks, (head, rest) => {
      const { facts: _, ...cut } = readPackets(head, ...rest);
      const { facts: __, ...whole } = readPackets(Buffer.concat([head, ...rest]));
      assert.deepEqual(cut, whole);
    }),
    { numRuns: 200 },
  );
});

test("captures with random octets changed never throw, and deliver what comes before the change", {
  skip: skipWithoutShared("corpora", "pcapng-test-generator"),
}, () => {
  const paths = [...capturesOf("pcapng-test-generator"), shared("corpora", "ndpi", "captures", "http-manipulated.pcap")];
  const captures = paths.map((path) => readFileSync(path));
  const change = fc.tuple(fc.constantFrom(...captures), fc.nat(), fc.integer({ min: 1, max: 255 }));
  fc.assert(
    fc.property(change, ([capture, where, flip]) => {
      const at = where % capture.length;
      const changed = Buffer.from(capture);
      changed[at] = (changed[at] ?? 0) ^ flip;
      const { packets } = readPackets(changed);
      const before = readPackets(capture.subarray(0, at)).packets;
      // A file header that was changed changes all packets; the one before the last may wait for the next one's header.
      if (at >= 64)
        assert.ok(packets.length >= before.length - 1, `${before.length} packets before octet ${at}, ${packets.length} read`);
    }),
    { numRuns: 200 },
  );
});
