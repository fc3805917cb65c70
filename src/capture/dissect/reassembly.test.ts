import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Dissector } from "./dissector.ts";

/** A TCP header and 52 octets of payload that count upwards: 72 octets, nine units of a fragment. */
const PAYLOAD = Uint8Array.from({ length: 52 }, (_, i) => i);
const DATAGRAM = Buffer.concat([Buffer.from("9c40005001020304050607085018040000000000", "hex"), PAYLOAD]);

/** A piece of a datagram, offsets in octets; `octets` defaults to the datagram's own. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly more?: boolean;
  readonly octets?: Uint8Array;
  readonly id?: number;
  readonly timeNs?: bigint;
}

test("fragments in any order make one datagram; headers of all of them count", () => {
  const pieces: Piece[] = [
    { start: 0, end: 24 },
    { start: 24, end: 32 },
    { start: 32, end: 72 },
  ];
  for (const order of [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ]) {
    const sent = order.map((i) => pieces[i] ?? assert.fail("no such piece"));
    for (const [packets, ip] of [
      [sent.map((piece) => ipv4(piece)), 60],
      [sent.map((piece) => ipv6(piece)), 144],
    ] as const) {
      const { found, counts } = dissect(packets);
      assert.deepEqual(found, [{ packet: 3, payload: hexOf(PAYLOAD), link: 0, ip, tcp: 20 }], order.join());
      assert.deepEqual([counts.fragments, counts.segments, counts.incompleteDatagrams], [2, 1, 0]);
    }
  }
});

test("the octets that a datagram is cut into do not matter", () => {
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { maxLength: 8 });
  const copies = fc.array(fc.nat(8), { maxLength: 4 });
  fc.assert(
    fc.property(cuts, copies, fc.infiniteStream(fc.nat(1000)), (units, repeats, random) => {
      const edges = [0, ...units.toSorted((a, b) => a - b).map((unit) => unit * 8), 72];
      const pieces = edges.slice(1).map((end, i): Piece => ({ start: edges[i] ?? 0, end }));
      if (pieces.length === 1) return;
      const shuffled = pieces.map((piece) => ({ piece, key: random.next().value ?? 0 })).toSorted((a, b) => a.key - b.key);
      const sent = shuffled.map(({ piece }) => piece);
      // A copy of what has come already, while the datagram still waits for its last piece.
      for (const repeat of repeats) sent.splice(1, 0, sent[repeat % (sent.length - 1)] ?? assert.fail("no such piece"));
      for (const packets of [sent.map((piece) => ipv4(piece)), sent.map((piece) => ipv6(piece))]) {
        assert.deepEqual(
          dissect(packets).found.map(({ payload }) => payload),
          [hexOf(PAYLOAD)],
        );
      }
    }),
    { numRuns: 100 },
  );
});

test("the first copy of an octet wins", () => {
  const other = new Uint8Array(32).fill(0xee);
  const { found } = dissect([
    ipv4({ start: 0, end: 24 }),
    ipv4({ start: 16, end: 48, octets: other }),
    ipv4({ start: 24, end: 72 }),
  ]);
  // Octets 24 to 47 of the datagram are 4 to 27 of the payload.
  assert.equal(found[0]?.payload, hexOf(Uint8Array.from(PAYLOAD, (octet, i) => (i >= 4 && i < 28 ? 0xee : octet))));
});

test("a second end of a datagram is not believed", () => {
  const { found, counts } = dissect([
    ipv4({ start: 48, end: 72, more: false }),
    ipv4({ start: 48, end: 64, more: false }),
    ipv4({ start: 72, end: 80, more: true, octets: new Uint8Array(8) }),
    ipv4({ start: 0, end: 48 }),
  ]);
  assert.equal(found[0]?.payload, hexOf(PAYLOAD));
  assert.deepEqual([counts.segments, counts.fragments], [1, 3]);
});

test("protocols and identifications keep datagrams apart", () => {
  const { found, counts } = dissect([
    ipv4({ start: 0, end: 24, id: 1 }),
    ipv4({ start: 24, end: 72, id: 2 }),
    ipv6({ start: 24, end: 72, id: 1 }),
    ipv4({ start: 0, end: 24, id: 2 }),
  ]);
  assert.deepEqual(
    found.map(({ packet }) => packet),
    [4],
  );
  assert.equal(counts.incompleteDatagrams, 2);
});

test("an identification means another datagram after a minute", () => {
  const second = 1_000_000_000n;
  const [early, late] = [ipv4({ start: 0, end: 24, timeNs: 0n }), ipv4({ start: 24, end: 72, timeNs: 61n * second })];
  assert.equal(dissect([early, late]).found.length, 0);
  assert.equal(dissect([early, { ...late, timeNs: 59n * second }]).found.length, 1);
});

test("impossible fragments are malformed, cut ones are cut", () => {
  const past = ipv4({ start: 65_528, end: 65_544, more: false, octets: new Uint8Array(16) });
  const odd = ipv4({ start: 0, end: 20, more: true });
  const whole = ipv4({ start: 0, end: 24 });
  const cut = { ...whole, octets: whole.octets.subarray(0, 30) };
  const { counts } = dissect([past, odd, cut]);
  assert.deepEqual([counts.malformed, counts.cut, counts.incompleteDatagrams], [2, 1, 0]);
});

test("of too many incomplete datagrams the oldest go, and it is told once", () => {
  const firsts = Array.from({ length: 1030 }, (_, id) => ipv4({ start: 0, end: 24, id }));
  const lasts = [5, 6].map((id) => ipv4({ start: 24, end: 72, id }));
  const { found, notes, counts } = dissect([...firsts, ...lasts]);
  // Datagrams 0 to 5 were dropped; the last fragment of 5 begins another one, which drops 6: only then its own last fragment comes.
  assert.equal(found.length, 0);
  assert.deepEqual(notes, ["fragments-dropped 1025"]);
  assert.equal(counts.incompleteDatagrams, 1032);
  assert.equal(dissect([...firsts, ipv4({ start: 24, end: 72, id: 6 })]).found.length, 1);
});

test("a tunnel's datagram is put together, and the one inside it", () => {
  const inner = [
    { start: 0, end: 24 },
    { start: 24, end: 72 },
  ].map((piece) => ipv4(piece).octets);
  const packets = inner.flatMap((datagram, id) => {
    const half = 24;
    const rest = { start: half, end: datagram.length, more: false, id, octets: datagram.subarray(half) };
    return [ipv4({ start: 0, end: half, more: true, id, octets: datagram.subarray(0, half) }, 4), ipv4(rest, 4)];
  });
  const { found } = dissect(packets);
  // Four outer headers of 20 octets are below the inner IP, whose two headers are 40.
  assert.deepEqual(found, [{ packet: 4, payload: hexOf(PAYLOAD), link: 80, ip: 40, tcp: 20 }]);
});

interface Sent {
  readonly linkType: number;
  readonly octets: Uint8Array;
  readonly length: number;
  readonly timeNs: bigint | null;
}

function ipv4(
  { start, end, more = end < 72, octets = DATAGRAM.subarray(start, end), id = 7, timeNs }: Piece,
  protocol = 6,
): Sent {
  const header = Buffer.from("450000000000000040000000 0a000001 0a000002".replaceAll(" ", ""), "hex");
  header.writeUInt16BE(20 + octets.length, 2);
  header.writeUInt16BE(id, 4);
  header.writeUInt16BE((more ? 0x2000 : 0) | (start / 8), 6);
  header[9] = protocol;
  return sent(228, Buffer.concat([header, octets]), timeNs);
}

function ipv6({ start, end, more = end < 72, octets = DATAGRAM.subarray(start, end), id = 7, timeNs }: Piece): Sent {
  const header = Buffer.alloc(48);
  header[0] = 0x60;
  header.writeUInt16BE(8 + octets.length, 4);
  header[6] = 44;
  header[23] = 1;
  header[39] = 2;
  header[40] = 6;
  header.writeUInt16BE(start | (more ? 1 : 0), 42);
  header.writeUInt32BE(id, 44);
  return sent(229, Buffer.concat([header, octets]), timeNs);
}

function sent(linkType: number, octets: Uint8Array, timeNs: bigint | undefined): Sent {
  return { linkType, octets, length: octets.length, timeNs: timeNs ?? null };
}

function dissect(packets: readonly Sent[]) {
  const found: { packet: number; payload: string; link: number; ip: number; tcp: number }[] = [];
  const notes: string[] = [];
  const dissector = new Dissector({
    segment({ packetNumber: packet, payload, linkOctets: link, ipOctets: ip, tcpOctets: tcp }) {
      found.push({ packet, payload: hexOf(payload), link, ip, tcp });
    },
    note: (code, packet) => notes.push(`${code} ${packet}`),
  });
  packets.forEach((packet, index) => {
    dissector.packet({ ...packet, number: index + 1, fcsOctets: 0 });
  });
  return { found, notes, counts: dissector.counts };
}

function hexOf(octets: Uint8Array): string {
  return Buffer.from(octets).toString("hex");
}
