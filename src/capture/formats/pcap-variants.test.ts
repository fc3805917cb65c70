import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { chunksOf, pieces } from "../../../test/cuts.ts";
import { readPackets, skipWithoutProgram } from "../../../test/read-packets.ts";
import { shared, skipWithoutShared } from "../../../test/shared.ts";

const CAPTURE = ["corpora", "deepflow", "captures", "httpv1.pcap"];
const skip = skipWithoutShared(...CAPTURE) || skipWithoutProgram("editcap");

/** The capture as editcap writes it in another format, its first `count` packets only. */
function converted(format: string, count: number): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), "wiretally-editcap-"));
  try {
    execFileSync("editcap", ["-F", format, "-r", shared(...CAPTURE), join(folder, "out"), `1-${count}`], { stdio: "ignore" });
    return readFileSync(join(folder, "out"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

for (const format of ["pcap", "nsecpcap", "modpcap", "suse6_3pcap", "rh6_1pcap", "nokiapcap", "pcapng"]) {
  test(`${format}: the same packets as in the capture that editcap made it of`, { skip }, () => {
    const original = readPackets(readFileSync(shared(...CAPTURE)));
    for (const count of [1, 2, original.packets.length]) {
      const bytes = converted(format, count);
      for (const size of [1, 7, 64, bytes.length]) {
        const { packets, notes } = readPackets(...pieces(bytes, chunksOf(bytes.length, size)));
        assert.deepEqual(packets, original.packets.slice(0, count), `${count} packets in pieces of ${size}`);
        assert.deepEqual(notes, []);
      }
    }
  });
}

/** A little-endian pcap of one packet. */
function pcap({ link = 1, minor = 4, lengths = [4, 4], magic = 0xa1b2c3d4, extra = 0 } = {}): Uint8Array {
  const file = Buffer.alloc(24 + extra + 16 + 4);
  file.writeUInt32LE(magic, 0);
  file.writeUInt16LE(2, 4);
  file.writeUInt16LE(minor, 6);
  file.writeUInt32LE(65_535, 16);
  file.writeUInt32LE(link, 20);
  const at = 24 + extra;
  file.writeUInt32LE(1_700_000_000, at);
  file.writeUInt32LE(999_999, at + 4);
  file.writeUInt32LE(lengths[0] ?? 0, at + 8);
  file.writeUInt32LE(lengths[1] ?? 0, at + 12);
  file.set([1, 2, 3, 4], at + 16);
  return file;
}

// draft-ietf-opsawg-pcap §4: FCS len (4 bits, in units of two octets), R, P (it is there), 10 reserved bits, the link type.
for (const [link, linkType, fcsOctets] of [
  [0x24000001, 1, 4],
  [0x14000069, 105, 2],
  [0x04000001, 1, 0],
  [0x20000001, 1, 0],
  [0x00000114, 276, 0],
  [0xf400ffff, 0xffff, 30],
] as const) {
  test(`link type field 0x${link.toString(16)}: link type ${linkType}, ${fcsOctets} octets of FCS`, () => {
    const [packet] = readPackets(pcap({ link })).packets;
    assert.deepEqual([packet?.linkType, packet?.fcsOctets], [linkType, fcsOctets]);
  });
}

// libpcap, sf-pcap.c: the two lengths were swapped before 2.3; in 2.3, where that makes sense of them.
for (const [minor, lengths, length] of [
  [4, [4, 60], 60],
  [3, [60, 4], 60],
  [3, [4, 60], 60],
  [2, [60, 4], 60],
] as const) {
  test(`version 2.${minor}, lengths ${lengths.join(" and ")}: 4 of ${length} octets were captured`, () => {
    const [packet] = readPackets(pcap({ minor, lengths: [...lengths] })).packets;
    assert.deepEqual([packet?.octets.length, packet?.length], [4, length]);
  });
}

test("Ixia's magic numbers: four more octets in the file header, nanoseconds with 0x1c0001ac", () => {
  const software = readPackets(pcap({ magic: 0x1c0001ab, extra: 4 })).packets;
  const hardware = readPackets(pcap({ magic: 0x1c0001ac, extra: 4 })).packets;
  assert.deepEqual([software[0]?.timeNs, hardware[0]?.timeNs], [1_700_000_000_999_999_000n, 1_700_000_000_000_999_999n]);
  assert.deepEqual([...(software[0]?.octets ?? [])], [1, 2, 3, 4]);
});

test("a version that nobody knows is refused", () => {
  const bytes = pcap();
  bytes[4] = 3;
  assert.match(readPackets(bytes).refusal ?? "", /^begins like a capture/);
});

test("an original length below the captured one is raised to it", () => {
  assert.equal(readPackets(pcap({ lengths: [4, 2] })).packets[0]?.length, 4);
});
