import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Case, loadCase } from "../../../test/cases.ts";
import { everyCut, pieces } from "../../../test/cuts.ts";
import { readPackets } from "../../../test/read-packets.ts";
import { skipWithoutShared } from "../../../test/shared.ts";

const skip = skipWithoutShared("cases");
const times = (bytes: Uint8Array): (string | undefined)[] => readPackets(bytes).packets.map(({ timeNs }) => timeNs?.toString());
const octetsOf = ({ folder }: Case, name = "capture.pcapng"): Uint8Array => readFileSync(join(folder, name));

test("V-PCAP-01: each packet's time comes from its own interface", { skip }, () => {
  const found = loadCase("V-PCAP-01");
  assert.deepEqual(times(octetsOf(found)), found.expected.expect.timestamps_ns);
});

test("V-PCAP-02: resolutions that are powers of two, and a second, are exact", { skip }, () => {
  const found = loadCase("V-PCAP-02");
  assert.deepEqual(times(octetsOf(found)), found.expected.expect.timestamps_ns);
});

test("V-PCAP-03: byte order and interfaces begin anew with each section", { skip }, () => {
  const found = loadCase("V-PCAP-03");
  const { expect } = found.expected;
  const { packets, facts, notes } = readPackets(octetsOf(found));
  assert.equal(facts?.blocks.get("section-header"), expect.sections);
  assert.equal(packets.length, expect.packets);
  const half = packets.length / expect.sections;
  assert.deepEqual(
    [packets[0], packets[half]].map((packet) => packet?.timeNs?.toString()),
    expect.first_timestamps_ns,
  );
  // "made by hand" on the big-endian section, found only when its options are read in its own order, and one on each of its packets.
  assert.equal(facts?.comments, 1 + half);
  assert.deepEqual(notes, []);
});

test("V-PCAP-04: classic pcap in both orders and resolutions, and pcapng under another's name", { skip }, () => {
  const found = loadCase("V-PCAP-04");
  const { expect } = found.expected;
  for (const name of ["ns_be.pcap", "ns_le.pcap", "us_be.pcap", "really_pcapng.pcap"]) {
    const { packets, facts } = readPackets(octetsOf(found, name));
    assert.equal(packets.length, expect.packets_each, name);
    const first = name === "us_be.pcap" ? expect.us_file_first_timestamp_ns : expect.first_timestamp_ns;
    assert.equal(packets[0]?.timeNs?.toString(), first, name);
    assert.equal(facts?.format, name === "really_pcapng.pcap" ? "pcapng" : "pcap", name);
  }
});

test("how a capture is cut into pieces changes nothing", { skip }, () => {
  const pcapng = loadCase("V-PCAP-03");
  const pcap = loadCase("V-PCAP-04");
  const damaged = Uint8Array.from(octetsOf(pcapng));
  damaged[1500] = 0xff;
  for (const bytes of [octetsOf(pcapng), octetsOf(pcap, "us_be.pcap"), octetsOf(pcapng).subarray(0, 1777), damaged]) {
    const { facts: whole, ...delivered } = readPackets(bytes);
    for (const cut of everyCut(bytes.length)) {
      const { facts, ...again } = readPackets(...pieces(bytes, cut));
      assert.deepEqual(again, delivered, `cut at ${cut.slice(0, 3)}…`);
      assert.deepEqual(facts, whole, `cut at ${cut.slice(0, 3)}…`);
    }
  }
});
