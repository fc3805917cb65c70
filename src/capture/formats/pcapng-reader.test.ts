import assert from "node:assert/strict";
import { test } from "node:test";
import { PcapngBlocks } from "../../../test/pcapng-blocks.ts";
import { readPackets } from "../../../test/read-packets.ts";

const OCTETS = Uint8Array.of(1, 2, 3, 4, 5);
const le = new PcapngBlocks(true);
const be = new PcapngBlocks(false);
const le1 = (value: number): Uint8Array => Uint8Array.of(value);

test("enhanced, obsolete and simple packets, in both byte orders", () => {
  for (const order of [le, be]) {
    const { packets, notes, facts } = readPackets(
      order.section(),
      order.interface(1, new Uint8Array(0), 3),
      order.interface(113),
      order.packet(1, 1_700_000_000_123_456n, OCTETS, 99),
      order.oldPacket(0, 1_700_000_000_123_457n, OCTETS),
      order.simplePacket(OCTETS.subarray(0, 3), 5),
    );
    assert.deepEqual(packets, [
      { number: 1, timeNs: 1_700_000_000_123_456_000n, linkType: 113, octets: OCTETS, length: 99, fcsOctets: 0 },
      { number: 2, timeNs: 1_700_000_000_123_457_000n, linkType: 1, octets: OCTETS, length: 5, fcsOctets: 0 },
      // Cut to its interface's snapshot length (§4.4); it has no time.
      { number: 3, timeNs: null, linkType: 1, octets: OCTETS.subarray(0, 3), length: 5, fcsOctets: 0 },
    ]);
    assert.deepEqual(notes, []);
    assert.equal(facts?.packets, 3);
  }
});

test("a simple packet's padding is not part of it", () => {
  const { packets } = readPackets(le.section(), le.interface(1), le.simplePacket(OCTETS));
  assert.deepEqual(packets[0]?.octets, OCTETS);
});

// §4.2 (if_tsresol, if_tsoffset), worked out by hand.
for (const [what, resolution, offset, ticks, timeNs] of [
  ["microseconds without options", undefined, undefined, 1_700_000_000_000_001n, 1_700_000_000_000_001_000n],
  ["seconds", 0, undefined, 1_700_000_000n, 1_700_000_000_000_000_000n],
  ["nanoseconds", 9, undefined, 1_700_000_000_000_000_001n, 1_700_000_000_000_000_001n],
  ["picoseconds, cut off", 12, undefined, 1_999n, 1n],
  ["10^-127", 127, undefined, 2n ** 64n - 1n, 0n],
  ["2^-1", 0x81, undefined, 3n, 1_500_000_000n],
  ["2^-32", 0xa0, undefined, (7n << 32n) + 1n, 7_000_000_000n],
  ["2^0", 0x80, undefined, 7n, 7_000_000_000n],
  ["an hour later", 9, 3600n, 5n, 3_600_000_000_005n],
  ["an hour earlier", 6, -3600n, 3_600_000_001n, 1000n],
  ["before 1970", 6, -3600n, 1n, null],
  ["after 9999", 0, undefined, 253_402_300_800n, null],
  ["the last second of 9999", 0, undefined, 253_402_300_799n, 253_402_300_799_000_000_000n],
] as const) {
  test(`time: ${what}`, () => {
    const options = [
      ...(resolution === undefined ? [] : [le.option(9, le1(resolution))]),
      ...(offset === undefined ? [] : [le.option(14, le.u64(offset))]),
      le.option(0, new Uint8Array(0)),
    ];
    const { packets, notes } = readPackets(le.section(), le.interface(1, Buffer.concat(options)), le.packet(0, ticks, OCTETS));
    assert.equal(packets[0]?.timeNs, timeNs);
    assert.deepEqual(
      notes.map(({ code }) => code),
      timeNs === null ? ["time-out-of-range"] : [],
    );
  });
}

test("FCS length: of the interface in octets (or bits, told by their size), else of the packet's flags", () => {
  const flags = le.option(2, le.u32(0b0000_0100_0000)); // bits 5 to 8: 2 octets
  const silent = le.option(2, le.u32(1));
  const { packets } = readPackets(
    le.section(),
    le.interface(1, le.option(13, le1(4))),
    le.interface(1, le.option(13, le1(32))),
    le.packet(0, 0n, OCTETS),
    le.packet(1, 0n, OCTETS),
    le.packet(0, 0n, OCTETS, 5, flags),
    le.packet(0, 0n, OCTETS, 5, silent),
  );
  assert.deepEqual(
    packets.map(({ fcsOctets }) => fcsOctets),
    [4, 4, 2, 4],
  );
});

test("comments are counted wherever options are, other options and damaged lists are passed by", () => {
  const comment = le.option(1, Buffer.from("hello"));
  const beyond = Buffer.concat([le.u16(1), le.u16(500)]);
  const { facts, packets } = readPackets(
    le.section(Buffer.concat([comment, le.option(4, Buffer.from("app"))])),
    le.interface(1, comment),
    le.packet(0, 0n, OCTETS, 5, Buffer.concat([comment, comment, beyond])),
    le.block(5, Buffer.concat([le.u32(0), le.u64(0n), comment])),
  );
  assert.equal(facts?.comments, 5);
  assert.equal(packets.length, 1);
});

test("blocks without packets are skipped; those that tshark numbers are counted on", () => {
  const { packets, facts } = readPackets(
    le.section(),
    le.interface(1),
    le.block(0x0bad, new Uint8Array(12)),
    le.block(0x40000bad, new Uint8Array(12)),
    le.block(9, new Uint8Array(40)),
    le.block(10, new Uint8Array(16)),
    le.block(4, new Uint8Array(4)),
    le.block(0x80000123, new Uint8Array(0)),
    le.packet(0, 0n, OCTETS),
  );
  assert.deepEqual([packets.length, packets[0]?.number, facts?.packets], [1, 4, 1]);
  assert.equal(facts?.blocks.get("unknown"), 1);
});

test("a section forgets the interfaces of the one before", () => {
  const { packets, notes, facts } = readPackets(le.section(), le.interface(1), be.section(), be.packet(0, 0n, OCTETS));
  assert.deepEqual(packets, []);
  assert.deepEqual([notes[0]?.code, notes[0]?.offset, facts?.packets], ["interface-unknown", 28 + 20 + 28, 1]);
});

test("a packet that claims more octets than its block has is passed over, the next one is read", () => {
  const lying = le.packet(0, 0n, OCTETS);
  lying.set(le.u32(100), 8 + 12);
  const { packets, notes } = readPackets(le.section(), le.interface(1), lying, le.packet(0, 0n, OCTETS));
  assert.deepEqual([packets.length, packets[0]?.number, notes[0]?.code], [1, 2, "packet-malformed"]);
});

// §3.1: a block has at least 12 octets, a multiple of 4, and says so at both ends.
for (const [what, damage] of [
  ["a length of 8", (block: Uint8Array) => block.set(le.u32(8), 4)],
  ["a length that is no multiple of 4", (block: Uint8Array) => block.set(le.u32(41), 4)],
  ["another length at its end", (block: Uint8Array) => block.set(le.u32(44), block.length - 4)],
  ["a section of unknown byte order", (block: Uint8Array) => block.set(le.u32(0x0a0d0d0a), 0)],
] as const) {
  test(`damage: ${what} ends the reading, and the note says where`, () => {
    const good = le.packet(0, 0n, OCTETS);
    const bad = Uint8Array.from(good);
    damage(bad);
    const { packets, notes, facts, refusal } = readPackets(le.section(), le.interface(1), good, bad, good);
    assert.equal(packets.length, 1);
    assert.deepEqual([notes.length, notes[0]?.code, notes[0]?.offset], [1, "capture-damaged", 28 + 20 + good.length]);
    assert.deepEqual([facts?.cut, refusal], [true, null]);
  });
}

test("a section of another major version: the first one is refused, a later one ends the reading", () => {
  const other = le.section(new Uint8Array(0), 2);
  assert.match(readPackets(other).refusal ?? "", /^begins like a capture/);
  const later = readPackets(le.section(), le.interface(1), le.packet(0, 0n, OCTETS), other);
  assert.deepEqual([later.packets.length, later.refusal, later.notes[0]?.code], [1, null, "capture-damaged"]);
});

test("a thousand bad packets make ten notes, and one that counts the others", () => {
  const bad = Array.from({ length: 1000 }, () => le.packet(7, 0n, OCTETS));
  const { notes, facts } = readPackets(le.section(), ...bad);
  assert.equal(notes.length, 11);
  assert.equal(notes[10]?.text, "990 more notes of this kind");
  assert.equal(facts?.packets, 1000);
});
