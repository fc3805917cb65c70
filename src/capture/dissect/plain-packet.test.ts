import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Dissector } from "./dissector.ts";

/** RFC 791 and RFC 9293 headers by hand: 10.0.0.1:40000 → 10.0.0.2:80, PSH and ACK, a no-operation option, "hello". */
const IPV4 = "45000031 00014000 40060000 0a000001 0a000002 9c400050 01020304 05060708 6018040000000000 01010101 68656c6c6f";
const ADDRESSES = "020000000001020000000002";
const TAGGED_OCTETS = 18;

/** Name, link type, what stands before IPv4. A tag is never read in one go: it is what the others are held against. */
const BELOW = [
  ["Ethernet", 1, `${ADDRESSES}0800`],
  ["RAW", 101, ""],
  ["IPV4", 228, ""],
] as const;

test("a packet that is read in one go says what it says layer by layer, damaged, cut and padded ones too", () => {
  const damage = fc.array(fc.tuple(fc.nat(48), fc.nat(255)), { maxLength: 2 });
  const sizes = fc.record({ kept: fc.nat(60), padding: fc.nat(4), fcsOctets: fc.constantFrom(0, 4) });
  let [segments, others] = [0, 0];
  fc.assert(
    fc.property(fc.constantFrom(...BELOW), damage, sizes, ([name, linkType, before], changes, { kept, padding, fcsOctets }) => {
      const ip = Buffer.concat([Buffer.from(IPV4.replaceAll(" ", ""), "hex"), new Uint8Array(padding)]);
      for (const [at, value] of changes) ip[at] = value;
      const packet = (link: string) => {
        const octets = Buffer.concat([Buffer.from(link, "hex"), ip]);
        return { octets: octets.subarray(0, link.length / 2 + kept), length: octets.length, fcsOctets };
      };
      const found = dissect(linkType, packet(before));
      const layered = dissect(1, packet(`${ADDRESSES}8100000a0800`));
      const link = before.length / 2 - TAGGED_OCTETS;
      // Under RAW a version of 6 is IPv6, and everything else is no IP at all.
      if (linkType === 101 && ip[0]! >>> 4 !== 4) return;
      assert.deepEqual(found, { ...layered, told: layered.told.map((one) => ({ ...one, link: one.link + link })) }, name);
      if (found.told.length > 0) segments++;
      else others++;
    }),
    { numRuns: 1_000 },
  );
  assert.ok(segments > 50 && others > 50, `${segments} packets gave a segment, ${others} did not: too few of one of them`);
});

function dissect(linkType: number, packet: { octets: Uint8Array; length: number; fcsOctets: number }) {
  const told: (Record<string, unknown> & { readonly link: number })[] = [];
  const dissector = new Dissector({
    segment: ({ source, destination, payload, linkOctets, packetNumber: _, timeNs: _time, ...rest }) => {
      const addresses = [source.join("."), destination.join(".")];
      told.push({ ...rest, addresses, payload: Buffer.from(payload).toString("hex"), link: linkOctets });
    },
    note: () => {},
  });
  dissector.packet({ ...packet, linkType, number: 1, timeNs: null });
  return { told, counts: { ...dissector.counts } };
}
