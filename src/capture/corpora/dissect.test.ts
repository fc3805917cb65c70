import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { SocketAddress } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { decompress } from "fzstd";
import { shared, skipWithoutShared } from "../../../test/shared.ts";
import { Dissector } from "../dissect/dissector.ts";
import { openCaptureReader } from "../formats/open-capture-reader.ts";
import type { Packet } from "../packet.ts";
import type { TcpSegment } from "../tcp-segment.ts";

const CORPORA = [
  "deepflow",
  "local-thirdparty",
  "ndpi",
  "pcapng-test-generator",
  "pcapplusplus",
  "suricata-verify",
  "zeek-traces",
];

/** One direction, or several added up. */
interface Sum {
  packets: number;
  payload: number;
  captured: number;
}

/** What our segments come to by addresses and ports; the direction of the first segment is `ab`. */
interface Stream {
  readonly ab: Sum;
  readonly ba: Sum;
  /** Octets of the packets that the segments were in, as `-z conv,tcp` counts them. */
  frames: number;
}

/** Octets of the packets that a segment was in, of the last of them, and of its headers and payload. */
interface SegmentSize {
  readonly lastOctets: number;
  readonly packetOctets: number;
  readonly segmentOctets: number;
}

/** What tshark counts and we do not: `streams` that have no other segment, and sums over both directions. */
interface Difference extends Sum {
  readonly streams: number;
  readonly because: string;
}

const DATA_OFFSET = "RFC 9293 §3.1: a data offset below 5 is no header; tshark counts the segment";

const EXCEPTIONS: Readonly<Record<string, Difference>> = {
  "deepflow/grpc-unknown.pcap": {
    ...{ streams: 0, packets: 0, payload: 0, captured: -43 },
    because: 'README: capturedPayloadBytes is "the same less what snaplen cut off": here that was Ethernet trailers, no payload',
  },
  "ndpi/fuzz-2006-09-29-28586.pcap": { streams: 1, packets: 2, payload: 0, captured: 0, because: DATA_OFFSET },
  "ndpi/reasm_crash_anon.pcapng": { streams: 0, packets: 2, payload: 77, captured: 77, because: DATA_OFFSET },
  "pcapplusplus/tcp-malformed.pcap": {
    streams: 1,
    packets: 2,
    payload: 0,
    captured: 0,
    because: "RFC 9293 §3.1: 20 octets are a header, these have 13",
  },
  "suricata-verify/drop-protocol-change.pcap": { streams: 0, packets: 1, payload: 37, captured: 37, because: DATA_OFFSET },
  "pcapplusplus/solaris.snoop": { streams: 1, packets: 15, payload: 624, captured: 624, because: "README: snoop is no pcap" },
};

/** Octets of packets that conv,tcp leaves out: README names this capture as cut by snaplen, here inside a header of 40 octets. */
const CUT_HEADERS: Readonly<Record<string, number>> = { "zeek-traces/tcp__truncated-header.pcap": 74 };

/** Packets above Ethernet's minimum size with octets behind IP: how many octets, as tshark shows them, and what they are. */
const TRAILERS: Readonly<Record<string, readonly [octets: readonly number[], what: string]>> = {
  "deepflow/grpc-unknown.pcap": [[16], "the trailer that snaplen cut"],
  "ndpi/fuzz-2006-09-29-28586.pcap": [[124], "eth.trailer 120 and eth.fcs 4: a damaged total length"],
  "ndpi/mpeg.pcap": [[2], "eth.trailer"],
  "pcapplusplus/one_http_stream_fin.pcap": [[4], "eth.fcs"],
  "zeek-traces/erspan.pcap": [[6], "eth.trailer of the mirrored frame, padded before it was mirrored"],
  "zeek-traces/http__byteranges.pcap": [[4], "eth.fcs"],
  "zeek-traces/http__pipelined-requests.pcap": [[4], "eth.fcs"],
  "zeek-traces/http__version-mismatch.pcap": [[4], "eth.fcs"],
  "zeek-traces/nflog-http.pcap": [[1], "an attribute's padding"],
  "zeek-traces/pbb.pcap": [[6], "vlan.trailer of the customer's frame"],
  "zeek-traces/pppoe-over-qinq.pcap": [[6], "padding of the frame before it was tagged"],
  "zeek-traces/tcp-http-with-padding.pcap": [[2], "eth.trailer"],
  "zeek-traces/tcp__options.pcap": [[4], "eth.fcs"],
  "zeek-traces/tls__hrr.pcap": [[8], "eth.trailer 4 and eth.fcs 4"],
  "zeek-traces/tls__tls13_psk_succesfull.pcap": [[8], "eth.trailer 4 and eth.fcs 4"],
};

test("streams, payload and captured payload of every capture equal tshark's", { skip: skipWithoutShared("corpora") }, (t) => {
  let streams = 0;
  let exceptions = 0;
  const captures = capturesWithTruth();
  for (const { name, path, truth } of captures) {
    const found = streamsOf(path).byPorts;
    const wanted = truthByPorts(truth);
    const exception = EXCEPTIONS[name];
    if (exception === undefined) {
      assert.deepEqual(withoutFrames(found), wanted, name);
    } else {
      exceptions += 1;
      const { because, ...difference } = exception;
      assert.deepEqual(differenceOf(wanted, found), difference, `${name}: ${because}`);
    }
    streams += found.size;
  }
  t.diagnostic(
    `${captures.length} captures, ${streams} streams, ${exceptions} exceptions: ${Object.keys(EXCEPTIONS).join(", ")}`,
  );
  assert.equal(exceptions, Object.keys(EXCEPTIONS).length, "every exception is still needed to be looked at");
});

test("packets of every conversation are as many octets as tshark's conv,tcp says", {
  skip: skipWithoutShared("corpora"),
}, (t) => {
  let compared = 0;
  for (const { name, path, truth } of capturesWithTruth()) {
    // 200 lines at most, and above a certain size they are rounded.
    if (EXCEPTIONS[name] !== undefined || truth.convTcp.length >= 200 || truth.convTcp.some((line) => / [kMG]B /.test(line)))
      continue;
    const found = streamsOf(path).byPorts;
    for (const [ports, octets] of conversationOctets(truth.convTcp)) {
      assert.equal(found.get(ports)?.frames, octets + (CUT_HEADERS[name] ?? 0), `${name} ${ports}`);
      compared += 1;
    }
  }
  t.diagnostic(`${compared} conversations`);
  assert.ok(compared > 100, "most captures have exact lines");
});

test("headers and payload are the whole packet, save padding and trailers", { skip: skipWithoutShared("corpora") }, () => {
  /** 60 octets and a frame check sequence. */
  const ETHERNET_MINIMUM = 64;
  const trailers = new Map<string, Set<number>>();
  for (const { name, path } of capturesWithTruth()) {
    for (const { lastOctets, packetOctets, segmentOctets } of streamsOf(path).sizes) {
      assert.ok(segmentOctets <= packetOctets, `${name}: ${segmentOctets} octets of headers and payload in ${packetOctets}`);
      if (segmentOctets === packetOctets || lastOctets <= ETHERNET_MINIMUM) continue;
      entry(trailers, name, () => new Set()).add(packetOctets - segmentOctets);
    }
  }
  const found = Object.fromEntries([...trailers].map(([name, octets]) => [name, [...octets].toSorted((a, b) => a - b)]));
  assert.deepEqual(found, Object.fromEntries(Object.entries(TRAILERS).map(([name, [octets]]) => [name, octets])));
});

test("header octets by layer equal those of the stacks' truth", { skip: skipWithoutShared("corpora", "stacks") }, (t) => {
  let directions = 0;
  for (const file of readdirSync(shared("corpora", "stacks"))) {
    if (!file.endsWith(".truth.json")) continue;
    const truth: StacksTruth = JSON.parse(readFileSync(shared("corpora", "stacks", file), "utf8"));
    const segments: { from: string; to: string; link: number; ip: number; tcp: number }[] = [];
    dissect(shared("corpora", "stacks", truth.capture.file), (segment) => {
      const { linkOctets: link, ipOctets: ip, tcpOctets: tcp } = segment;
      segments.push({ from: sourceOf(segment), to: destinationOf(segment), link, ip, tcp });
    });
    for (const { client, server, tcp } of truth.connections) {
      for (const [from, to, wanted] of [
        [client, server, tcp.c2s],
        [server, client, tcp.s2c],
      ] as const) {
        const sent = segments.filter((segment) => segment.from === from && segment.to === to);
        const sum = (layer: "link" | "ip" | "tcp") => sent.reduce((octets, segment) => octets + segment[layer], 0);
        assert.deepEqual(
          { packets: sent.length, link: sum("link"), ip: sum("ip"), tcp: sum("tcp") },
          {
            packets: wanted.packets,
            link: wanted.frameBytes - wanted.ipBytes,
            ip: wanted.ipBytes - wanted.tcpHeaderBytes - wanted.payloadBytes,
            tcp: wanted.tcpHeaderBytes,
          },
          `${file} ${from} → ${to}`,
        );
        directions += 1;
      }
    }
  }
  t.diagnostic(`${directions} directions`);
  assert.ok(directions >= 50, "two directions for each of 25 captures at least");
});

test("V-PCAP-05: total length 0 is the packet's own length", { skip: skipWithoutShared("cases") }, () => {
  const payload = payloadBySource(casePath("V-PCAP-05", "capture.pcap"));
  const s2c = payload.find(({ octets }) => octets.length > 1000)?.octets ?? assert.fail("no long answer");
  assert.equal(s2c.length, 6041);
  assert.equal(
    createHash("sha256").update(s2c).digest("hex"),
    "bc4fcfef8e4204159f3255c9b11b9e90bc17de77c6b1fb1ff510a69e67650a38",
  );
});

test("V-PCAP-06: nine link layers", { skip: skipWithoutShared("cases") }, () => {
  const payload = payloadBySource(casePath("V-PCAP-06", "capture.pcapng"));
  const texts = payload.map(({ octets }) => octets.toString("latin1"));
  const requests = texts.flatMap((text) => /^GET \S+/.exec(text) ?? []);
  assert.deepEqual(
    requests,
    ["/l0", "/l1", "/l2", "/l3", "/l4", "/l5", "/l6", "/l7", "/l8"].map((path) => `GET ${path}`),
  );
  const answers = texts.filter((text) => /^HTTP\/1\.1 200 [\s\S]*\r\n\r\nok$/.test(text));
  assert.equal(answers.length, 9);
});

test("V-PCAP-07: padding and frame check sequences are no payload", { skip: skipWithoutShared("cases") }, () => {
  const payload = payloadBySource(casePath("V-PCAP-07", "capture.pcap"));
  assert.deepEqual(
    payload.map(({ octets }) => octets.length),
    [40, 40],
  );
  for (const { octets } of payload) assert.deepEqual([octets.includes(0xee), octets.includes(0xfc)], [false, false]);
});

/** The parts of a truth file that are compared. */
interface Truth {
  readonly tcpStreams: readonly {
    readonly a: string;
    readonly b: string;
    readonly packets: { readonly ab: number; readonly ba: number };
    readonly payloadBytes: { readonly ab: number; readonly ba: number };
    readonly capturedPayloadBytes: { readonly ab: number; readonly ba: number };
  }[];
  readonly convTcp: readonly string[];
}

interface StacksTraffic {
  readonly packets: number;
  readonly payloadBytes: number;
  readonly ipBytes: number;
  readonly frameBytes: number;
  readonly tcpHeaderBytes: number;
}

interface StacksTruth {
  readonly capture: { readonly file: string };
  readonly connections: readonly {
    readonly client: string;
    readonly server: string;
    readonly tcp: { readonly c2s: StacksTraffic; readonly s2c: StacksTraffic };
  }[];
}

function capturesWithTruth(): { name: string; path: string; truth: Truth }[] {
  return CORPORA.flatMap((corpus) =>
    readdirSync(shared("corpora", corpus, "captures")).flatMap((file) => {
      const truth = shared("corpora", corpus, "truth", `${file}.json`);
      if (!existsSync(truth)) return [];
      const path = shared("corpora", corpus, "captures", file);
      return [{ name: `${corpus}/${file}`, path, truth: JSON.parse(readFileSync(truth, "utf8")) as Truth }];
    }),
  );
}

function casePath(id: string, file: string): string {
  const folder = readdirSync(shared("cases")).find((name) => name.startsWith(id)) ?? assert.fail(`no case ${id}`);
  return join(shared("cases"), folder, file);
}

/** Reads a capture whole; `fragments` are the octets of the packets before this one that a fragmented segment was in. */
function dissect(path: string, told: (segment: TcpSegment, packet: Packet, fragments: number) => void): void {
  let current: Packet | undefined;
  let waiting = 0;
  const dissector = new Dissector({
    segment(segment) {
      const packet = current ?? assert.fail("a segment outside a packet");
      const ownPacket = segment.payload.length === 0 || segment.payload.buffer === packet.octets.buffer;
      told(segment, packet, ownPacket ? 0 : waiting);
      if (!ownPacket) waiting = 0;
    },
    note: () => {},
  });
  const reader = openCaptureReader({
    packet(packet) {
      current = packet;
      const { fragments } = dissector.counts;
      dissector.packet(packet);
      if (dissector.counts.fragments > fragments) waiting += packet.length;
    },
    note: () => {},
  });
  reader.push(contentOf(path));
  reader.end();
}

function contentOf(path: string): Uint8Array {
  const octets = readFileSync(path);
  if (octets[0] === 0x1f && octets[1] === 0x8b) return gunzipSync(octets);
  return octets.length > 4 && octets.readUInt32LE(0) === 0xfd2fb528 ? decompress(octets) : octets;
}

function streamsOf(path: string): {
  byPorts: Map<string, Stream>;
  sizes: SegmentSize[];
} {
  const byPorts = new Map<string, Stream>();
  const sizes: SegmentSize[] = [];
  dissect(path, (segment, packet, fragments) => {
    const [from, to] = [sourceOf(segment), destinationOf(segment)];
    const stream = entry(byPorts, portsKey(from, to), emptyStream);
    add(from < to ? stream.ab : stream.ba, { packets: 1, payload: segment.payloadLength, captured: segment.payload.length });
    stream.frames += packet.length;
    const segmentOctets = segment.linkOctets + segment.ipOctets + segment.tcpOctets + segment.payloadLength;
    sizes.push({ lastOctets: packet.length, packetOctets: packet.length + fragments, segmentOctets });
  });
  return { byPorts, sizes };
}

/** Streams of the same ports are one here: telling them apart is reassembly's. */
function truthByPorts(truth: Truth): Map<string, Omit<Stream, "frames">> {
  const byPorts = new Map<string, Omit<Stream, "frames">>();
  for (const { a, b, packets, payloadBytes, capturedPayloadBytes } of truth.tcpStreams) {
    const { ab, ba } = entry(byPorts, portsKey(a, b), () => ({ ab: emptySum(), ba: emptySum() }));
    const [forward, back] = a < b ? [ab, ba] : [ba, ab];
    add(forward, { packets: packets.ab, payload: payloadBytes.ab, captured: capturedPayloadBytes.ab });
    add(back, { packets: packets.ba, payload: payloadBytes.ba, captured: capturedPayloadBytes.ba });
  }
  return byPorts;
}

/** `A <-> B frames N bytes frames N bytes frames N bytes start duration`: the last pair is both directions. */
function conversationOctets(lines: readonly string[]): Map<string, number> {
  const octets = new Map<string, number>();
  for (const line of lines) {
    const [, a, b, sum] = /^(\S+) <-> (\S+) .* (\d+) bytes -?[\d.]+ [\d.]+$/.exec(line) ?? assert.fail(line);
    const key = portsKey(a ?? "", b ?? "");
    octets.set(key, (octets.get(key) ?? 0) + Number(sum));
  }
  return octets;
}

function withoutFrames(streams: ReadonlyMap<string, Stream>): Map<string, Omit<Stream, "frames">> {
  return new Map([...streams].map(([ports, { ab, ba }]) => [ports, { ab, ba }]));
}

function differenceOf(wanted: ReadonlyMap<string, Omit<Stream, "frames">>, found: ReadonlyMap<string, Stream>) {
  const [a, b] = [wanted, found].map((streams) => {
    const sum = emptySum();
    for (const { ab, ba } of streams.values()) {
      add(sum, ab);
      add(sum, ba);
    }
    return sum;
  }) as [Sum, Sum];
  return {
    streams: wanted.size - found.size,
    packets: a.packets - b.packets,
    payload: a.payload - b.payload,
    captured: a.captured - b.captured,
  };
}

/** The payload by sender and receiver, in order of their first octet; a retransmission comes twice. */
function payloadBySource(path: string): { octets: Buffer }[] {
  const parts = new Map<string, Buffer[]>();
  dissect(path, (segment) => {
    if (segment.payload.length === 0) return;
    entry(parts, `${sourceOf(segment)} ${destinationOf(segment)}`, () => []).push(Buffer.from(segment.payload));
  });
  return [...parts.values()].map((octets) => ({ octets: Buffer.concat(octets) }));
}

function sourceOf({ source, sourcePort }: TcpSegment): string {
  return `${addressText(source)}:${sourcePort}`;
}

function destinationOf({ destination, destinationPort }: TcpSegment): string {
  return `${addressText(destination)}:${destinationPort}`;
}

function addressText(octets: Uint8Array): string {
  if (octets.length === 4) return octets.join(".");
  const groups = Buffer.from(octets).toString("hex").match(/.{4}/g) ?? [];
  return new SocketAddress({ address: groups.join(":"), family: "ipv6" }).address;
}

function portsKey(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

function entry<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function emptySum(): Sum {
  return { packets: 0, payload: 0, captured: 0 };
}

function emptyStream(): Stream {
  return { ab: emptySum(), ba: emptySum(), frames: 0 };
}

function add(sum: Sum, more: Sum): void {
  sum.packets += more.packets;
  sum.payload += more.payload;
  sum.captured += more.captured;
}
