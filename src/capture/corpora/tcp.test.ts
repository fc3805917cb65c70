import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { shared, skipWithoutShared } from "../../../test/shared.ts";
import type { PacketCounts } from "../conversation.ts";
import type { PaintedSide } from "../tcp/testing/painted-side.ts";
import { readConversations } from "../tcp/testing/read-conversations.ts";

type PerDirection<T> = Readonly<Record<"ab" | "ba", T>>;

/** The part of a truth file that is about TCP. `a` sent the stream's first packet. */
interface TruthStream {
  readonly stream: number;
  readonly a: string;
  readonly b: string;
  readonly packets: PerDirection<number>;
  readonly payloadBytes: PerDirection<number>;
  readonly uniquePayloadBytes: PerDirection<number>;
  readonly missingBytesBetweenSegments: PerDirection<number>;
  readonly reassembled?: PerDirection<{
    readonly bytes: number;
    readonly sha256: string;
    readonly gapMarkers: readonly number[];
  }>;
}

const DIRECTIONS = ["ab", "ba"] as const;

/** Captures that hold none for us: the README of the corpora calls them format variants that are named, not read. */
const NOT_READ = ["pcapplusplus/solaris.snoop"];

const NO_HEADER =
  "RFC 9293 §3.1: the data offset is below 5 or reaches beyond the packet, so no payload can be found; tshark counts the packet";
const FOLLOW_DROPS = "README: `follow` drops data that was never acknowledged before a reset";
const FOLLOW_STOPS =
  "README: `reassembled.bytes` = `uniquePayloadBytes` for a stream without gaps; this one has a hole, and follow stops before it";
const FUZZED =
  "README: fuzzed file; tshark takes the damaged sequence number of a bare acknowledgement for the beginning and follows nothing";
const FIRST_COPY = "README: overlapping segments with different content; here the first copy counts, as the model confirms";
const ANONYMIZED = "README: ndpi/reasm_crash_anon has anonymized sequence numbers; one is before the first octet that was seen";
const AT_SYN = "RFC 9293 §3.4: SYN takes the first sequence number; the octet there is none of the stream, and follow has none";

const FUZZ = "ndpi/fuzz-2006-09-29-28586.pcap";
const CRASH = "ndpi/reasm_crash_anon.pcapng";
const URGENT = "suricata-verify/issue-3341-tcphdr-01__urgent11_cve_2019_12260.pcap";

/** What differs from the truth files or from the model, and why: each must differ, and nothing else may. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  [`${FUZZ} streams`]: NO_HEADER,
  [`${FUZZ} 1 ab packets`]: NO_HEADER,
  [`${FUZZ} 1 ba packets`]: NO_HEADER,
  [`${FUZZ} 8 none`]: NO_HEADER,
  [`${FUZZ} 23 none`]: NO_HEADER,
  [`${FUZZ} 28 ab sha256`]: FOLLOW_STOPS,
  [`${FUZZ} 33 ba sha256`]: FUZZED,
  [`${CRASH} 0 ab packets`]: NO_HEADER,
  [`${CRASH} 0 ab payload`]: NO_HEADER,
  [`${CRASH} 0 ab retransmitted`]: NO_HEADER,
  [`${CRASH} 0 ab octets`]: NO_HEADER,
  [`${CRASH} 0 ab missing`]: ANONYMIZED,
  [`${CRASH} 0 ab sha256`]: FOLLOW_STOPS,
  [`${CRASH} 0 ab model`]: ANONYMIZED,
  [`${CRASH} 0 ab model holes`]: ANONYMIZED,
  [`${CRASH} 0 ba sha256`]: FOLLOW_STOPS,
  "pcapplusplus/tcp-malformed.pcap streams": NO_HEADER,
  "pcapplusplus/tcp-malformed.pcap 0 none": NO_HEADER,
  "pcapplusplus/unidirectional_tcp_stream_with_missing_packet.pcap 0 ab sha256": FOLLOW_STOPS,
  "suricata-verify/drop-protocol-change.pcap streams": NO_HEADER,
  "suricata-verify/drop-protocol-change.pcap 1 none": NO_HEADER,
  [`${URGENT} 1 ab octets`]: AT_SYN,
  [`${URGENT} 1 ab model`]: AT_SYN,
  "suricata-verify/tcp-rst-unacked-stream-07-http.pcap 0 ab sha256": FOLLOW_DROPS,
  "zeek-traces/tcp__reassembly.pcap 0 ab sha256": FIRST_COPY,
};

const skip = skipWithoutShared("corpora");

test("every capture with TCP streams: streams, octets, holes, copies and SHA-256", { skip }, async (t) => {
  const found: string[] = [];
  const total = { captures: 0, streams: 0, directions: 0, hashes: 0 };
  for (const capture of truthCaptures()) {
    if (NOT_READ.includes(capture)) continue;
    const [corpus, file] = capture.split("/") as [string, string];
    const truth = JSON.parse(readFileSync(shared("corpora", corpus, "truth", `${file}.json`), "utf8"));
    const streams = truth.tcpStreams as readonly TruthStream[];
    if (streams.length === 0) continue;
    const { recorder, painted } = await readConversations(shared("corpora", corpus, "captures", file));
    total.captures++;
    if (recorder.conversations.length !== streams.length) {
      found.push(`${capture} streams`);
    }
    assert.ok(
      recorder.conversations.every(({ closed }) => closed),
      `${capture}: all conversations are closed`,
    );
    const used = new Set<number>();
    for (const stream of streams) {
      const ours = recorder.conversations.find(({ facts }) => !used.has(facts.ordinal) && isPair(facts.endpoints, stream));
      const model = painted.filter(({ endpoints }) => isPair(endpoints, stream));
      if (ours === undefined) {
        found.push(`${capture} ${stream.stream} none`);
        continue;
      }
      used.add(ours.facts.ordinal);
      total.streams++;
      const nth = [...used].filter((ordinal) => isPair(recorder.conversations[ordinal - 1]!.facts.endpoints, stream)).length - 1;
      for (const direction of DIRECTIONS) {
        const side = direction === "ab" ? 0 : 1;
        const octets = recorder.octets(ours.facts.ordinal, side);
        const place = `${capture} ${stream.stream} ${direction}`;
        found.push(
          ...differences(stream, direction, ours.facts.counts[side], octets, model[nth]!.sides[side]).map(
            (fact) => `${place} ${fact}`,
          ),
        );
        total.directions++;
        if (stream.reassembled !== undefined) total.hashes++;
      }
    }
  }
  assert.deepEqual(found, Object.keys(EXCEPTIONS));
  assert.ok(total.captures > 150 && total.streams > 350, `${total.captures} captures with ${total.streams} streams were found`);
  t.diagnostic(`${total.captures} captures, ${total.streams} streams, ${total.hashes} SHA-256; ${found.length} exceptions`);
});

interface StackConnection {
  readonly client: string;
  readonly tcp: Readonly<Record<"c2s" | "s2c", Readonly<Record<string, number>>>>;
}

test("stacks: packets, payload, header octets, acknowledgements and flags of each side", { skip }, async () => {
  const names = readdirSync(shared("corpora", "stacks")).filter((name) => name.endsWith(".truth.json"));
  assert.ok(names.length > 20, "the truth files of the stacks were found");
  for (const name of names) {
    const truth = JSON.parse(readFileSync(shared("corpora", "stacks", name), "utf8"));
    const { recorder } = await readConversations(shared("corpora", "stacks", name.replace(".truth.json", ".pcapng")));
    const connections = truth.connections as readonly StackConnection[];
    assert.equal(recorder.conversations.length, connections.length, `${name}: connections`);
    for (const [index, { client, tcp }] of connections.entries()) {
      const { facts } = recorder.conversations[index]!;
      assert.equal(facts.endpoints[facts.client!], client, `${name}: the client`);
      for (const [direction, side] of [
        ["c2s", facts.client!],
        ["s2c", facts.client === 0 ? 1 : 0],
      ] as const) {
        const counts = facts.counts[side];
        const octets = recorder.octets(index + 1, side).length;
        assert.deepEqual(
          {
            packets: counts.packets,
            payloadPackets: counts.payload_packets,
            payloadBytes: octets,
            retransmittedBytes: counts.retransmitted_octets,
            pureAcks: counts.acks,
            syn: counts.syn,
            fin: counts.fin,
            rst: counts.rst,
            ipBytes: counts.header_octets.ip + counts.header_octets.tcp + counts.payload_octets,
            frameBytes: counts.header_octets.link + counts.header_octets.ip + counts.header_octets.tcp + counts.payload_octets,
            tcpHeaderBytes: counts.header_octets.tcp,
          },
          tcp[direction],
          `${name} ${client} ${direction}`,
        );
        assert.deepEqual(recorder.conversations[index]!.sides[side].gaps, [], `${name} ${client} ${direction}: no gap`);
      }
    }
  }
});

/** Which figures of one direction are not as the truth has them, or not as the model has them. */
function differences(
  truth: TruthStream,
  direction: "ab" | "ba",
  counts: PacketCounts,
  octets: Buffer,
  model: PaintedSide,
): string[] {
  const unique = truth.uniquePayloadBytes[direction];
  const reassembled = truth.reassembled?.[direction];
  const sha256 = createHash("sha256").update(octets).digest("hex");
  const facts: readonly [string, number | string, number | string][] = [
    ["packets", counts.packets, truth.packets[direction]],
    ["payload", counts.payload_octets, truth.payloadBytes[direction]],
    ["retransmitted", counts.retransmitted_octets, truth.payloadBytes[direction] - unique],
    ["octets", octets.length + model.cut, unique],
    ["missing", counts.missing_octets - model.cut - model.outside, truth.missingBytesBetweenSegments[direction]],
    ["sha256", sha256, reassembled?.sha256 ?? sha256],
    ["model", sha256, createHash("sha256").update(model.octets()).digest("hex")],
    ["model holes", counts.missing_octets, model.between + model.outside + model.cut],
  ];
  return facts.flatMap(([name, ours, expected]) => (ours === expected ? [] : [name]));
}

function isPair([one, other]: readonly [string, string], { a, b }: TruthStream): boolean {
  return plain(one) === a && plain(other) === b;
}

/** The truth files put no brackets around IPv6 addresses. */
function plain(endpoint: string): string {
  return endpoint.replace(/[[\]]/g, "");
}

/** `corpus/file` of all captures that have a truth file with TCP streams. */
function truthCaptures(): string[] {
  return readdirSync(shared("corpora")).flatMap((corpus) => {
    const folder = shared("corpora", corpus, "captures");
    if (!existsSync(folder)) return [];
    const files = readdirSync(folder).filter((file) => existsSync(shared("corpora", corpus, "truth", `${file}.json`)));
    return files.map((file) => join(corpus, file));
  });
}
