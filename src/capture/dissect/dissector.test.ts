import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { TcpSegment } from "../tcp-segment.ts";
import { Dissector } from "./dissector.ts";
import { LINK_LAYERS } from "./registry.ts";

/** RFC 791 and RFC 9293 headers by hand: 10.0.0.1:40000 → 10.0.0.2:80, sequence 0x01020304, PSH and ACK, "hello". */
const TCP = "9c400050010203040506070850180400000000006865 6c6c6f";
const IPV4 = `4500002d000140004006 0000 0a000001 0a000002 ${TCP}`;
const V6_ADDRESSES = "20010db8000000000000000000000001 20010db8000000000000000000000002";
const IPV6 = `60000000 0019 06 40 ${V6_ADDRESSES} ${TCP}`;
const MAC = "020000000001 020000000002";

/** Name, link type, what stands below IP, what follows it. */
const BELOW_IPV4: readonly (readonly [name: string, linkType: number, before: string, after?: string])[] = [
  ["Ethernet", 1, `${MAC} 0800`],
  ["Ethernet, padded", 1, `${MAC} 0800`, "eeeeeeeeee"],
  ["802.3 with LLC and SNAP", 1, `${MAC} 0035 aaaa03 000000 0800`, "eeee"],
  ["802.3 with LLC and the SAP of IP", 1, `${MAC} 0030 060603`],
  ["SNAP with the bridge tunnel's organization", 1, `${MAC} 0035 aaaa03 0000f8 0800`],
  ["VLAN", 1, `${MAC} 8100 0064 0800`],
  ["VLAN over 802.3", 1, `${MAC} 8100 0064 0035 aaaa03 000000 0800`],
  ["802.1ad and VLAN", 1, `${MAC} 88a8 0001 8100 0002 0800`],
  ["QinQ of old, three tags", 1, `${MAC} 9100 0001 9200 0002 8100 0003 0800`],
  ["802.1ah", 1, `${MAC} 88e7 00000001 ${MAC} 0800`],
  ["MPLS, two labels", 1, `${MAC} 8847 00010040 00020140`],
  ["MPLS with Ethernet behind a control word", 1, `${MAC} 8847 00020140 00000000 ${MAC} 0800`],
  ["MPLS with Ethernet", 1, `${MAC} 8848 00020140 8${MAC.slice(1)} 0800`],
  ["PPPoE, padded", 1, `${MAC} 8864 1100 0001 002f 0021`, "eeee"],
  ["PPPoE in QinQ", 1, `${MAC} 88a8 0001 8100 0002 8864 1100 0001 002f 0021`],
  ["NULL, little-endian", 0, "02000000"],
  ["NULL, big-endian", 0, "00000002"],
  ["LOOP", 108, "00000002"],
  ["LOOP, little-endian", 108, "02000000"],
  ["RAW", 101, ""],
  ["RAW as 12", 12, ""],
  ["RAW as 14", 14, ""],
  ["IPV4", 228, ""],
  ["SLL", 113, "0000 0001 0006 020000000001 0000 0800"],
  ["SLL with a VLAN tag", 113, "0000 0001 0006 020000000001 0000 8100 0005 0800"],
  ["SLL with LLC", 113, "0000 0001 0006 020000000001 0000 0004 aaaa03 000000 0800"],
  ["SLL2", 276, "0800 0000 00000002 0001 00 06 0200000000010000"],
  ["PPP", 9, "0021"],
  ["PPP, compressed protocol", 9, "21"],
  ["PPP in HDLC-like framing", 50, "ff03 0021"],
  ["Cisco HDLC under PPP's number", 50, "0f00 0800"],
  ["PPP_ETHER", 51, "1100 0001 002f 0021"],
  ["PPP_PPPD", 166, "01 03 0021"],
  ["PPP_WITH_DIR, no address", 204, "00 0021"],
  ["PPP_WITH_DIR", 204, "00 ff03 0021"],
  ["Cisco HDLC", 104, "0f00 0800"],
  ["Cisco HDLC, multicast", 104, "8f00 0800"],
  ["NFLOG, little-endian", 239, "02000000 0800 0100 08000300 0500 0a00 00 000000 3100 0900", "000000"],
  ["NFLOG, big-endian", 239, "02000000 0008 0001 08000300 0005 000a 00 000000 0031 0009", "000000"],
  ["IP in IP", 101, "45000041 0001 0000 4004 0000 c0a80001 c0a80002"],
  ["IPv4 in IPv6", 101, `60000000 002d 04 40 ${V6_ADDRESSES}`],
  ["GRE", 101, "45000045 0001 0000 402f 0000 c0a80001 c0a80002 0000 0800"],
  [
    "GRE with checksum, key and sequence",
    101,
    "45000051 0001 0000 402f 0000 c0a80001 c0a80002 b000 0800 00000000 00000007 00000001",
  ],
  ["GRE of PPTP", 101, "45000055 0001 0000 402f 0000 c0a80001 c0a80002 3081 880b 00310001 00000001 00000001 ff03 0021"],
  ["GRE with Ethernet", 101, `45000053 0001 0000 402f 0000 c0a80001 c0a80002 0000 6558 ${MAC} 0800`],
  ["ERSPAN I", 101, `45000053 0001 0000 402f 0000 c0a80001 c0a80002 0000 88be ${MAC} 0800`],
  ["ERSPAN II", 101, `4500005f 0001 0000 402f 0000 c0a80001 c0a80002 1000 88be 00000001 1000000100000000 ${MAC} 0800`],
  ["ERSPAN III", 101, `45000063 0001 0000 402f 0000 c0a80001 c0a80002 1000 22eb 00000001 200000010000000000000000 ${MAC} 0800`],
  [
    "ERSPAN III with a platform's octets",
    101,
    `4500006b 0001 0000 402f 0000 c0a80001 c0a80002 1000 22eb 00000001 200000010000000000000001 0000000000000000 ${MAC} 0800`,
  ],
  ["VXLAN", 101, `4500005f 0001 0000 4011 0000 c0a80001 c0a80002 c000 12b5 004b 0000 08000000 00002a00 ${MAC} 0800`],
  ["Geneve", 101, `45000063 0001 0000 4011 0000 c0a80001 c0a80002 c000 17c1 004f 0000 01006558 00002a00 00000000 ${MAC} 0800`],
  ["GTP-U", 101, "45000051 0001 0000 4011 0000 c0a80001 c0a80002 0868 0868 003d 0000 30ff002d 00000001"],
  [
    "GTP-U with an extension",
    101,
    "45000059 0001 0000 4011 0000 c0a80001 c0a80002 0868 0868 0045 0000 34ff0035 00000001 00000085 01100900",
  ],
  ["MPLS in UDP", 101, "4500004d 0001 0000 4011 0000 c0a80001 c0a80002 c000 19eb 0039 0000 00020140"],
];

const BELOW_IPV6: readonly (readonly [name: string, linkType: number, before: string])[] = [
  ["Ethernet", 1, `${MAC} 86dd`],
  ["NULL, NetBSD", 0, "18000000"],
  ["NULL, FreeBSD", 0, "1c000000"],
  ["NULL, Darwin", 0, "1e000000"],
  ["NULL, Darwin, big-endian", 0, "0000001e"],
  ["LOOP, OpenBSD", 108, "00000018"],
  ["RAW", 101, ""],
  ["IPV6", 229, ""],
  ["SLL2", 276, "86dd 0000 00000002 0001 00 06 0200000000010000"],
  ["PPP", 9, "ff03 0057"],
  ["NFLOG", 239, "0a000000 4500 0900"],
  ["IPv6 in IPv4", 101, "45000055 0001 0000 4029 0000 c0a80001 c0a80002"],
];

test("IPv4 below every link layer, tag and tunnel", async (t) => {
  for (const [name, linkType, before, after = ""] of BELOW_IPV4) {
    await t.test(name, () => {
      const found = dissect(linkType, `${before} ${IPV4} ${after}`);
      const link = octetsOf(before).length;
      assert.deepEqual(found.segments, [{ ...HELLO, source: "0a000001", destination: "0a000002", link, ip: 20 }]);
    });
  }
});

test("IPv6 below every link layer", async (t) => {
  for (const [name, linkType, before] of BELOW_IPV6) {
    await t.test(name, () => {
      const found = dissect(linkType, `${before} ${IPV6}`);
      assert.deepEqual(found.segments, [{ ...HELLO, ...V6_ENDS, link: octetsOf(before).length, ip: 40 }]);
    });
  }
});

test("a packet that was cut has its headers and lengths, or is counted as cut", () => {
  for (const [name, linkType, before, after = ""] of BELOW_IPV4) {
    const whole = octetsOf(`${before} ${IPV4} ${after}`);
    const headers = octetsOf(before).length + 40;
    for (let kept = 0; kept < whole.length; kept++) {
      const { segments, counts } = dissectOctets(linkType, whole.subarray(0, kept), whole.length);
      if (kept < headers) {
        assert.deepEqual([segments.length, counts.cut], [0, 1], `${name} cut at ${kept}`);
      } else {
        assert.equal(segments[0]?.payload, "68656c6c6f".slice(0, 2 * (kept - headers)), `${name} cut at ${kept}`);
        assert.deepEqual([segments[0]?.payloadLength, segments[0]?.link], [5, headers - 40], `${name} cut at ${kept}`);
      }
    }
  }
});

test("IPv4 and TCP options count as header", () => {
  const tcp = `9c400050 01020304 05060708 8010 0400 0000 0000 0101080a 00000001 00000002 68656c6c6f`;
  const { segments } = dissect(228, `4600003d 0001 4000 4006 0000 0a000001 0a000002 01010100 ${tcp}`);
  const { ip, tcp: tcpOctets, payload, flags } = segments[0] ?? assert.fail("no segment");
  assert.deepEqual([ip, tcpOctets, payload, flags], [24, 32, "68656c6c6f", 0x10]);
});

test("TCP options that were cut leave their length known", () => {
  const whole = octetsOf(
    `45000039 0001 4000 4006 0000 0a000001 0a000002 9c400050 01020304 05060708 8018 0400 0000 0000 ${"01".repeat(12)} 68656c6c6f`,
  );
  const { segments } = dissectOctets(228, whole.subarray(0, 44), whole.length);
  assert.deepEqual([segments[0]?.tcp, segments[0]?.payload, segments[0]?.payloadLength], [32, "", 5]);
});

test("IPv6 extension headers count as IP", async (t) => {
  const final = "20010db80000000000000000000000ff";
  const rows: readonly (readonly [name: string, nextHeader: string, extensions: string, destination?: string])[] = [
    ["Hop-by-Hop and Destination Options", "00", "3c00 010400000000 0600 010400000000"],
    ["an atomic fragment", "2c", "06000000 00000001"],
    ["Mobility, HIP, Shim6", "87", "8b00 000000000000 8c00 000000000000 0600 000000000000"],
    ["Authentication Header", "33", "0604 0000 00000001 00000001 000102030405060708090a0b"],
    ["Routing, all visited", "2b", `0602 0000 00000000 ${final}`],
    ["Routing type 0: the last address", "2b", `0604 0001 00000000 ${"11".repeat(16)} ${final}`, final],
    ["Routing type 2: the home address", "2b", `0602 0201 00000000 ${final}`, final],
    ["Segment list: the first address", "2b", `0604 0401 00000000 ${final} ${"11".repeat(16)}`, final],
  ];
  for (const [name, nextHeader, extensions, destination] of rows) {
    await t.test(name, () => {
      const octets = octetsOf(extensions).length;
      const length = (25 + octets).toString(16).padStart(4, "0");
      const { segments } = dissect(229, `60000000 ${length} ${nextHeader} 40 ${V6_ADDRESSES} ${extensions} ${TCP} eeee`);
      const ends = destination === undefined ? V6_ENDS : { ...V6_ENDS, destination };
      assert.deepEqual(segments, [{ ...HELLO, ...ends, link: 0, ip: 40 + octets }]);
    });
  }
});

test("a length of 0 means the packet's own, less the frame check sequence", () => {
  const ipv4 = octetsOf(`${MAC} 0800 ${IPV4.replace("4500002d", "45000000")} fcfcfcfc`);
  const ipv6 = octetsOf(`${MAC} 86dd ${IPV6.replace("0019", "0000")} fcfcfcfc`);
  for (const whole of [ipv4, ipv6]) {
    const { segments } = dissectOctets(1, whole, whole.length, 4);
    assert.equal(segments[0]?.payload, "68656c6c6f");
  }
});

test("a frame check sequence that was not captured is taken off the length", () => {
  const whole = octetsOf(`${MAC} 0800 ${IPV4.replace("4500002d", "45000000")} fcfcfcfc`);
  const { segments } = dissectOctets(1, whole.subarray(0, -6), whole.length, 4);
  assert.deepEqual([segments[0]?.payload, segments[0]?.payloadLength], ["68656c", 5]);
});

test("a jumbogram's length is in its option", () => {
  const payload = 70_000;
  const length = (8 + 20 + payload).toString(16).padStart(8, "0");
  const head = octetsOf(`60000000 0000 00 40 ${V6_ADDRESSES} 0600 c204 ${length} ${TCP.replace("6865 6c6c6f", "")}`);
  const whole = new Uint8Array(head.length + payload + 9);
  whole.set(head);
  const { segments } = dissectOctets(229, whole, whole.length);
  assert.deepEqual([segments[0]?.payloadLength, segments[0]?.ip], [payload, 48]);
});

test("an IP length beyond the packet is not believed", () => {
  const { segments } = dissect(228, IPV4.replace("4500002d", "450005dc"));
  assert.deepEqual([segments[0]?.payloadLength, segments[0]?.payload], [5, "68656c6c6f"]);
});

test("what carries no TCP is counted for what it is", () => {
  const rows: readonly (readonly [name: string, linkType: number, hex: string, count: string])[] = [
    ["ARP", 1, `${MAC} 0806 0001080006040001`, "otherNetwork"],
    ["spanning tree", 1, `${MAC} 0026 424203 0000`, "otherNetwork"],
    ["SNAP of Cisco", 1, `${MAC} 0026 aaaa03 00000c 2000`, "otherNetwork"],
    ["netlink in SLL", 113, "0000 0338 0000 0000000000000000 0800", "otherNetwork"],
    ["PPP LCP", 9, "ff03 c021 01010004", "otherNetwork"],
    ["PPPoE discovery", 51, "1109 0000 0000", "otherNetwork"],
    ["NULL of another family", 0, "07000000 00", "otherNetwork"],
    ["IP version 5", 101, "55000014", "otherNetwork"],
    ["UDP", 228, "4500001c 0001 0000 4011 0000 0a000001 0a000002 0035 0035 0008 0000", "otherTransport"],
    [
      "ICMP with a TCP header in it",
      228,
      `45000049 0001 0000 4001 0000 0a000001 0a000002 0301 0000 00000000 ${IPV4}`,
      "otherTransport",
    ],
    [
      "VXLAN without an identifier",
      228,
      "45000024 0001 0000 4011 0000 0a000001 0a000002 c000 12b5 0010 0000 00000000 00002a00",
      "otherTransport",
    ],
    ["ESP", 229, `60000000 0008 32 40 ${V6_ADDRESSES} 0000000100000001`, "otherTransport"],
    ["IPv4 header below 20 octets", 228, IPV4.replace("45", "44"), "malformed"],
    ["IPv4 length below its header", 228, IPV4.replace("4500002d", "45000013"), "malformed"],
    ["IPv6 under IPV4", 228, IPV6, "malformed"],
    ["TCP data offset 4", 228, IPV4.replace("5018", "4018"), "malformed"],
    ["TCP data offset past the packet", 228, IPV4.replace("5018", "f018"), "malformed"],
    ["TCP header shorter than 20", 228, IPV4.replace("4500002d", "45000027"), "malformed"],
    ["nothing at all", 1, "", "malformed"],
    ["another link type", 147, IPV4, "unknownLinkType"],
  ];
  for (const [name, linkType, hex, count] of rows) {
    const { segments, counts } = dissect(linkType, hex);
    assert.deepEqual({ segments, counts }, { segments: [], counts: { ...NOTHING, packets: 1, [count]: 1 } }, name);
  }
});

test("an unknown link type is named once with its number, and only so many are", () => {
  const notes: string[] = [];
  const dissector = new Dissector({ segment: () => {}, note: (code, packet, text) => notes.push(`${code} ${packet} ${text}`) });
  for (let number = 1; number <= 200; number++) dissector.packet(packetOf(1000 + Math.floor(number / 4), octetsOf(IPV4), number));
  assert.equal(notes.length, 16);
  assert.match(notes[0] ?? "", /^unknown-link-type 1 link type 1000 /);
  assert.equal(dissector.counts.unknownLinkType, 200);
});

test("VLANs, labels and GRE keys do not split a conversation; the network identifiers of VXLAN and Geneve do", () => {
  const scoped: string[] = [];
  for (const [name, linkType, before] of BELOW_IPV4) {
    const dissector = new Dissector({ segment: ({ scope }) => scope !== "" && scoped.push(`${name}: ${scope}`), note: () => {} });
    dissector.packet(packetOf(linkType, octetsOf(before + IPV4), 1));
    dissector.packet(packetOf(228, octetsOf(IPV4), 2));
  }
  assert.deepEqual(scoped, ["VXLAN: vni 42", "Geneve: vni 42"]);
});

test("random octets never throw, and every packet is counted once", () => {
  const linkType = fc.constantFrom(...LINK_LAYERS.keys());
  fc.assert(
    fc.property(fc.array(fc.tuple(linkType, fc.uint8Array({ maxLength: 120 }), fc.nat(200)), { maxLength: 20 }), (packets) => {
      const dissector = new Dissector({ segment: assertSane, note: () => {} });
      packets.forEach(([type, octets, length], index) => {
        dissector.packet({ ...packetOf(type, octets, index + 1), length });
      });
      assertCountedOnce(dissector);
    }),
    { numRuns: 200 },
  );
});

test("packets with damaged octets never throw, and their parts stay inside them", () => {
  const damage = fc.array(fc.tuple(fc.nat(120), fc.nat(255)), { maxLength: 4 });
  fc.assert(
    fc.property(fc.constantFrom(...BELOW_IPV4), damage, fc.nat(140), ([, linkType, before, after = ""], changes, kept) => {
      const octets = octetsOf(`${before} ${IPV4} ${after}`);
      for (const [at, value] of changes) if (at < octets.length) octets[at] = value;
      let reached = false;
      const dissector = new Dissector({
        note: () => {},
        segment(segment) {
          reached = true;
          assertSane(segment);
          const sum = segment.linkOctets + segment.ipOctets + segment.tcpOctets + segment.payloadLength;
          assert.equal(sum <= octets.length, true, "headers and payload are part of the packet");
        },
      });
      dissector.packet({ ...packetOf(linkType, octets.subarray(0, kept), 1), length: octets.length });
      assert.equal(reached, dissector.counts.segments === 1);
      assertCountedOnce(dissector);
    }),
    { numRuns: 200 },
  );
});

interface Found {
  readonly source: string;
  readonly destination: string;
  readonly ports: readonly [number, number];
  readonly sequence: number;
  readonly acknowledgement: number;
  readonly flags: number;
  readonly payload: string;
  readonly payloadLength: number;
  readonly link: number;
  readonly ip: number;
  readonly tcp: number;
}

const HELLO: Omit<Found, "source" | "destination" | "link" | "ip"> = {
  ports: [40000, 80],
  sequence: 0x01020304,
  acknowledgement: 0x05060708,
  flags: 0x18,
  payload: "68656c6c6f",
  payloadLength: 5,
  tcp: 20,
};
const V6_ENDS = { source: "20010db8000000000000000000000001", destination: "20010db8000000000000000000000002" };
const NOTHING = {
  packets: 0,
  segments: 0,
  fragments: 0,
  otherNetwork: 0,
  otherTransport: 0,
  malformed: 0,
  cut: 0,
  unknownLinkType: 0,
  incompleteDatagrams: 0,
};

function dissect(linkType: number, hex: string) {
  const octets = octetsOf(hex);
  return dissectOctets(linkType, octets, octets.length);
}

function dissectOctets(linkType: number, octets: Uint8Array, length: number, fcsOctets = 0) {
  const segments: Found[] = [];
  const dissector = new Dissector({ segment: (segment) => segments.push(copyOf(segment)), note: () => {} });
  dissector.packet({ ...packetOf(linkType, octets, 7), length, fcsOctets });
  return { segments, counts: { ...dissector.counts } };
}

function packetOf(linkType: number, octets: Uint8Array, number: number) {
  return { number, timeNs: null, linkType, octets, length: octets.length, fcsOctets: 0 };
}

function copyOf(segment: TcpSegment): Found {
  return {
    source: hexOf(segment.source),
    destination: hexOf(segment.destination),
    ports: [segment.sourcePort, segment.destinationPort],
    sequence: segment.sequence,
    acknowledgement: segment.acknowledgement,
    flags: segment.flags,
    payload: hexOf(segment.payload),
    payloadLength: segment.payloadLength,
    link: segment.linkOctets,
    ip: segment.ipOctets,
    tcp: segment.tcpOctets,
  };
}

function assertSane(segment: TcpSegment): void {
  assert.equal(segment.payload.length <= segment.payloadLength, true, "no more payload than the headers say");
  assert.equal(segment.tcpOctets >= 20 && segment.tcpOctets <= 60, true, "a TCP header has 20 to 60 octets");
  assert.equal(segment.ipOctets >= 20 && segment.linkOctets >= 0, true, "there is an IP header");
}

function assertCountedOnce(dissector: Dissector): void {
  const { packets, incompleteDatagrams: _, ...outcomes } = dissector.counts;
  assert.equal(
    Object.values(outcomes).reduce((sum, count) => sum + count, 0),
    packets,
  );
}

function octetsOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
}

function hexOf(octets: Uint8Array): string {
  return Buffer.from(octets).toString("hex");
}
