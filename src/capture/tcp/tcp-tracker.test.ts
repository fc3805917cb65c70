import assert from "node:assert/strict";
import { test } from "node:test";
import type { TcpLimits } from "./limits.ts";
import { TcpTracker } from "./tcp-tracker.ts";
import { ConversationRecorder } from "./testing/conversation-recorder.ts";
import { type SegmentSketch, segmentOf } from "./testing/scene.ts";

const CLIENT = 1_000;
const SERVER = 5_000;

/** The handshake of client 1001 and server 5001. */
const HANDSHAKE: readonly SegmentSketch[] = [
  { from: 0, flags: "S", seq: CLIENT },
  { from: 1, flags: "SA", seq: SERVER, ack: CLIENT + 1 },
  { from: 0, seq: CLIENT + 1, ack: SERVER + 1 },
];

/** An acknowledgement of the client, again and again: what makes patience end. */
function idle(count: number, ack: number, seq = CLIENT + 1): SegmentSketch[] {
  return Array.from({ length: count }, () => ({ from: 0, seq, ack }));
}

function play(sketches: readonly SegmentSketch[], limits: Partial<TcpLimits> = {}): ConversationRecorder {
  const recorder = new ConversationRecorder();
  const tracker = new TcpTracker(recorder, limits);
  for (const [index, sketch] of sketches.entries()) tracker.segment(segmentOf(sketch, index + 1));
  tracker.end();
  return recorder;
}

test("a whole conversation: octets at once, FINs when they are acknowledged, closed with the last acknowledgement", () => {
  const recorder = play([
    ...HANDSHAKE,
    { from: 0, flags: "PA", seq: 1_001, ack: 5_001, payload: "GET" },
    { from: 1, flags: "PA", seq: 5_001, ack: 1_004, payload: "200 OK" },
    { from: 0, flags: "FA", seq: 1_004, ack: 5_007 },
    { from: 1, flags: "FA", seq: 5_007, ack: 1_005 },
    { from: 0, seq: 1_005, ack: 5_008 },
    // The ports are quiet afterwards: this is the retransmission of what is known.
    { from: 1, flags: "FA", seq: 5_007, ack: 1_005 },
  ]);
  assert.deepEqual(recorder.calls, ["1 open", '1 data 0 "GET"', '1 data 1 "200 OK"', "1 fin 0", "1 fin 1", "1 close"]);
  const { facts } = recorder.conversations[0]!;
  assert.deepEqual([facts.client, facts.endpoints, facts.ports], [0, ["192.0.2.1:40001", "198.51.100.2:80"], [40_001, 80]]);
  assert.deepEqual(facts.counts[0], {
    packets: 5,
    payload_packets: 1,
    payload_octets: 3,
    retransmitted_octets: 0,
    missing_octets: 0,
    out_of_order: 0,
    header_octets: { link: 70, ip: 100, tcp: 100 },
    acks: 2,
    syn: 1,
    fin: 1,
    rst: 0,
  });
  assert.equal(facts.counts[1].fin, 2, "a packet after the close is still counted");
});

const ORDER: readonly [name: string, sketches: readonly SegmentSketch[], calls: readonly string[]][] = [
  [
    "out of order: what waits is passed on with the packet that was missing",
    [
      { from: 0, seq: 1_004, payload: "def" },
      { from: 0, seq: 1_007, payload: "ghi" },
      { from: 0, seq: 1_001, payload: "abc" },
    ],
    ['data 0 "abc"', 'data 0 "def"', 'data 0 "ghi"'],
  ],
  [
    "a copy, and a copy that goes on",
    [
      { from: 0, seq: 1_001, payload: "abc" },
      { from: 0, seq: 1_001, payload: "abc" },
      { from: 0, seq: 1_002, payload: "bcd" },
    ],
    ['data 0 "abc"', 'data 0 "d"'],
  ],
  [
    "a late segment that covers what waits",
    [
      { from: 0, seq: 1_003, payload: "cd" },
      { from: 0, seq: 1_001, payload: "abcdef" },
    ],
    ['data 0 "ab"', 'data 0 "cd"', 'data 0 "ef"'],
  ],
  [
    "FIN before the octets that precede it",
    [
      { from: 0, flags: "FA", seq: 1_004, payload: "def" },
      { from: 1, seq: 5_001, ack: 1_008 },
      { from: 0, seq: 1_001, payload: "abc" },
    ],
    ['data 0 "abc"', 'data 0 "def"', "fin 0"],
  ],
  [
    "a hole that nobody acknowledged is open until the end",
    [
      { from: 0, seq: 1_001, payload: "abc" },
      { from: 0, seq: 1_014, payload: "xyz" },
      ...Array.from({ length: 40 }, (_, index): SegmentSketch => ({ from: 1, seq: 5_001 + index, ack: 1_004, payload: "." })),
    ],
    ['data 0 "abc"', ...Array.from({ length: 40 }, () => 'data 1 "."'), "gap 0 10", 'data 0 "xyz"'],
  ],
  [
    "octets that only FIN tells of",
    [
      { from: 0, seq: 1_001, payload: "abc" },
      { from: 0, flags: "FA", seq: 1_014 },
    ],
    ['data 0 "abc"', "gap 0 10", "fin 0"],
  ],
  [
    "a cut packet is a hole of the cut length at once, and its octets do not come again",
    [
      { from: 0, seq: 1_001, payload: "abc", length: 10 },
      { from: 0, seq: 1_011, payload: "k" },
      { from: 0, seq: 1_001, payload: "abcdefghij" },
    ],
    ['data 0 "abc"', "gap 0 7", 'data 0 "k"'],
  ],
  [
    "a cut packet behind a hole",
    [
      { from: 0, seq: 1_004, payload: "", length: 4 },
      { from: 0, seq: 1_001, payload: "abc" },
    ],
    ['data 0 "abc"', "gap 0 4"],
  ],
  [
    "a keep-alive with an octet of garbage says nothing",
    [
      { from: 0, seq: 1_000, payload: "?" },
      { from: 0, seq: 1_001, payload: "abc" },
      { from: 0, seq: 1_003, payload: "?" },
      { from: 0, flags: "FA", seq: 1_004 },
      { from: 0, seq: 1_004, payload: "?" },
      { from: 1, seq: 5_001, ack: 1_005 },
    ],
    ['data 0 "abc"', "fin 0"],
  ],
  [
    "a zero-window probe's octet counts once",
    [
      { from: 0, seq: 1_001, payload: "abc" },
      { from: 0, seq: 1_004, payload: "d" },
      { from: 1, seq: 5_001, ack: 1_004 },
      { from: 0, seq: 1_004, payload: "def" },
    ],
    ['data 0 "abc"', 'data 0 "d"', 'data 0 "ef"'],
  ],
  [
    "octets behind a FIN that nobody acknowledged show that it was none",
    [
      { from: 0, flags: "FA", seq: 1_001, payload: "abc" },
      { from: 0, seq: 1_004, payload: "def" },
      { from: 0, flags: "FA", seq: 1_007 },
      { from: 1, seq: 5_001, ack: 1_008 },
    ],
    ['data 0 "abc"', "note 0 data-after-fin", 'data 0 "def"', "fin 0"],
  ],
  [
    "a FIN before octets that wait is none",
    [
      { from: 0, seq: 1_007, payload: "ghi" },
      { from: 0, flags: "FA", seq: 1_004 },
      { from: 0, seq: 1_001, payload: "abcdef" },
    ],
    ['data 0 "abcdef"', 'data 0 "ghi"'],
  ],
  [
    "octets behind an acknowledged FIN do not count",
    [
      { from: 0, flags: "FA", seq: 1_001, payload: "abc" },
      { from: 1, seq: 5_001, ack: 1_005 },
      { from: 0, seq: 1_004, payload: "def" },
    ],
    ['data 0 "abc"', "fin 0", "note 0 data-after-fin"],
  ],
];

for (const [name, sketches, calls] of ORDER) {
  test(name, () => {
    const recorder = play([...HANDSHAKE, ...sketches]);
    assert.deepEqual(recorder.conversations[0]!.calls, ["open", ...calls, "close"]);
  });
}

test("counts: retransmitted, missing and out of order", () => {
  const recorder = play([
    ...HANDSHAKE,
    { from: 1, seq: 5_001, payload: "abc" },
    { from: 1, seq: 5_001, payload: "abc" },
    { from: 1, seq: 5_008, payload: "hij" },
    { from: 1, seq: 5_004, payload: "d" },
    { from: 1, seq: 5_010, payload: "jkl", length: 5 },
  ]);
  // abc d ??? hij kl and two that were cut; copies: abc and j.
  const { payload_octets, retransmitted_octets, missing_octets, out_of_order } = recorder.conversations[0]!.facts.counts[1];
  assert.deepEqual([payload_octets, retransmitted_octets, missing_octets, out_of_order], [15, 4, 5, 1]);
  assert.equal(recorder.octets(1, 1).toString(), "abcdhijkl");
});

test("an acknowledged hole is given up when sixteen more packets did not bring it", () => {
  const lost: readonly SegmentSketch[] = [...HANDSHAKE, { from: 1, seq: 5_011, payload: "late" }];
  const early = play([...lost, ...idle(16, 5_015), { from: 1, seq: 5_001, payload: "0123456789" }]);
  assert.deepEqual(early.conversations[0]!.calls, ["open", 'data 1 "0123456789"', 'data 1 "late"', "close"]);
  const late = play([...lost, ...idle(17, 5_015), { from: 1, seq: 5_001, payload: "0123456789" }]);
  assert.deepEqual(late.conversations[0]!.calls, ["open", "gap 1 10", 'data 1 "late"', "close"]);
});

test("an acknowledgement of just the hole gives it up; of two holes, each has its own patience", () => {
  const lost: readonly SegmentSketch[] = [
    ...HANDSHAKE,
    { from: 1, seq: 5_011, payload: "late" },
    { from: 1, seq: 5_025, payload: "later" },
  ];
  const recorder = play([...lost, ...idle(10, 5_011), ...idle(7, 5_025), { from: 1, seq: 5_015, payload: "0123456789" }]);
  assert.deepEqual(recorder.conversations[0]!.calls, [
    "open",
    "gap 1 10",
    'data 1 "late"',
    'data 1 "0123456789"',
    'data 1 "later"',
    "close",
  ]);
});

test("what was acknowledged before the first octets still counts when they begin earlier than it", () => {
  const recorder = play([
    HANDSHAKE[0]!,
    { from: 0, seq: 1_001, ack: 5_011 },
    { from: 1, seq: 5_001, payload: "abc" },
    { from: 1, seq: 5_009, payload: "ij" },
    ...idle(17, 0),
    { from: 1, seq: 5_004, payload: "defgh" },
  ]);
  assert.deepEqual(recorder.conversations[0]!.calls, ["open", "gap 1 null", 'data 1 "abc"', "gap 1 5", 'data 1 "ij"', "close"]);
});

test("an acknowledgement of a part of the hole does not give it up", () => {
  const recorder = play([
    ...HANDSHAKE,
    { from: 1, seq: 5_011, payload: "late" },
    ...idle(40, 5_010),
    { from: 1, seq: 5_001, payload: "0123456789" },
  ]);
  assert.deepEqual(recorder.octets(1, 1).toString(), "0123456789late");
});

test("an acknowledgement before the octets that it is for: also when no octet of the side was seen yet", () => {
  const recorder = play([...HANDSHAKE, ...idle(1, 5_015), { from: 1, seq: 5_011, payload: "late" }, ...idle(17, 5_015)]);
  assert.deepEqual(recorder.conversations[0]!.calls, ["open", "gap 1 10", 'data 1 "late"', "close"]);
});

for (const isn of [0xffff_ffff, 0xffff_fffe, 0xffff_fff0, 0x7fff_ffff]) {
  test(`sequence numbers wrap around from 0x${isn.toString(16)}`, () => {
    const octets = "the quick brown fox jumps";
    const piece = (from: number, to: number): SegmentSketch => ({
      from: 0,
      seq: isn + 1 + from,
      payload: octets.slice(from, to),
    });
    const recorder = play([{ from: 0, flags: "S", seq: isn }, piece(0, 10), piece(15, 25), piece(5, 12), piece(10, 20)]);
    assert.equal(recorder.octets(1, 0).toString(), octets);
    assert.deepEqual(recorder.conversations[0]!.sides[0].gaps, []);
  });
}

test("conflicting copies: behind the edge, behind a hole, and where the first copy is in two packets", () => {
  const recorder = play([
    ...HANDSHAKE,
    { from: 0, seq: 1_001, payload: "abc" },
    { from: 0, seq: 1_004, payload: "def" },
    { from: 0, seq: 1_002, payload: "bXXe" },
    { from: 0, seq: 1_010, payload: "jkl" },
    { from: 0, seq: 1_010, payload: "jYl" },
    { from: 0, seq: 1_001, payload: "abcdef" },
  ]);
  assert.deepEqual(recorder.conversations[0]!.notes, [
    "0 overlap-conflict: stream octets 2-2 in packet 6 differ from those in packet 4, which count",
    "0 overlap-conflict: stream octets 3-3 in packet 6 differ from those in packet 5, which count",
    "0 overlap-conflict: stream octets 10-10 in packet 8 differ from those in packet 7, which count",
  ]);
});

test("a conversation that is joined midway: the beginning is an unknown gap, by side", () => {
  const recorder = play([
    { from: 1, seq: 9_000, ack: 700, payload: "tail" },
    { from: 0, seq: 700, ack: 9_004, payload: "GET" },
    { from: 1, seq: 8_990, ack: 703, payload: "0123456789" },
  ]);
  const { calls, facts } = recorder.conversations[0]!;
  const unknown = ["gap 0 null", 'data 0 "tail"', "gap 1 null", 'data 1 "GET"', "note 0 data-before-start"];
  assert.deepEqual(calls, ["open", ...unknown, "close"]);
  assert.deepEqual([facts.client, facts.counts[0].retransmitted_octets], [null, 0]);
});

test("the beginning of a side whose SYN was not captured is known by the other side's handshake", () => {
  const answered = play([
    { from: 1, flags: "SA", seq: 5_000, ack: 1_001 },
    { from: 0, seq: 1_005, payload: "efg" },
  ]);
  assert.deepEqual(answered.conversations[0]!.calls, ["open", "gap 1 4", 'data 1 "efg"', "close"]);
  assert.equal(answered.conversations[0]!.facts.client, 1, "the side that SYN ACK answers is the client");
  const acknowledged = play([
    { from: 0, flags: "S", seq: 1_000 },
    { from: 0, seq: 1_001, ack: 5_001 },
    { from: 1, seq: 5_001, payload: "hello" },
  ]);
  assert.deepEqual(acknowledged.conversations[0]!.calls, ["open", 'data 1 "hello"', "close"]);
});

test("SYN with octets (RFC 7413), and again without", () => {
  const recorder = play([
    { from: 0, flags: "S", seq: 1_000, payload: "early" },
    { from: 0, flags: "S", seq: 1_000 },
    { from: 1, flags: "SA", seq: 5_000, ack: 1_001 },
    { from: 0, seq: 1_001, ack: 5_001, payload: "early" },
    { from: 0, seq: 1_006, ack: 5_001, payload: " on" },
  ]);
  assert.deepEqual(recorder.conversations[0]!.calls, ["open", 'data 0 "early"', 'data 0 " on"', "close"]);
  assert.equal(recorder.conversations[0]!.facts.counts[0].syn, 2);
});

test("SYN ACK captured before SYN is one conversation", () => {
  const recorder = play([HANDSHAKE[1]!, HANDSHAKE[0]!, HANDSHAKE[2]!, { from: 0, seq: 1_001, ack: 5_001, payload: "GET" }]);
  assert.deepEqual(recorder.calls, ["1 open", '1 data 1 "GET"', "1 close"]);
  assert.equal(recorder.conversations[0]!.facts.client, 1);
});

test("RST: octets under way still count, and it is closed when it has been quiet for a minute", () => {
  const reset: readonly SegmentSketch[] = [
    ...HANDSHAKE,
    { from: 0, seq: 1_001, payload: "abc", at: 10 },
    { from: 1, flags: "RA", seq: 5_001, ack: 1_004, at: 20 },
    { from: 0, seq: 1_004, payload: "def", at: 30 },
  ];
  const another = (at: number): SegmentSketch => ({ from: 0, flags: "S", seq: 1, port: 50_000, at });
  const calls = ["1 open", '1 data 0 "abc"', "1 reset 1", '1 data 0 "def"'];
  assert.deepEqual(play([...reset, another(60_029)]).calls, [...calls, "2 open", "1 close", "2 close"]);
  assert.deepEqual(play([...reset, another(60_030)]).calls, [...calls, "1 close", "2 open", "2 close"]);
});

test("RST that explains itself, RST outside of the window, RST in answer to SYN", () => {
  const explained = play([...HANDSHAKE, { from: 0, flags: "R", seq: 1_001, payload: "why" }]);
  assert.deepEqual(explained.conversations[0]!.calls, ["open", 'data 0 "why"', "reset 0", "close"]);
  for (const seq of [900, 1_001 + 2_000_000, 0x9000_0000]) {
    const forged = play([
      ...HANDSHAKE,
      { from: 0, seq: 1_001, payload: "abc" },
      { from: 1, seq: 5_001, ack: 1_004 },
      { from: 0, flags: "R", seq },
    ]);
    assert.deepEqual(forged.conversations[0]!.calls, ["open", 'data 0 "abc"', "note 0 reset-ignored", "close"], `RST at ${seq}`);
  }
  const refused = play([HANDSHAKE[0]!, { from: 1, flags: "RA", seq: 0, ack: 1_001 }]);
  assert.deepEqual(refused.calls, ["1 open", "1 reset 1", "1 close"]);
});

const REUSE: readonly [name: string, sketches: readonly SegmentSketch[], conversations: number][] = [
  ["SYN again is the same one", [HANDSHAKE[0]!, HANDSHAKE[0]!], 1],
  ["SYN with another number is another one", [...HANDSHAKE, { from: 0, flags: "S", seq: 77_000 }], 2],
  [
    "SYN ACK with another number is another one only when the first has ended",
    [
      ...HANDSHAKE,
      { from: 1, flags: "SA", seq: 77_000, ack: 4_001 },
      { from: 0, flags: "R", seq: 1_001 },
      { from: 1, flags: "SA", seq: 77_000, ack: 4_001 },
    ],
    2,
  ],
  ["the late SYN of octets that were seen is the same one", [{ from: 0, seq: 1_001, payload: "abc" }, HANDSHAKE[0]!], 1],
  [
    "SYN after octets that it does not fit",
    [
      { from: 0, seq: 1_001, payload: "abc" },
      { from: 0, flags: "S", seq: 5 },
    ],
    2,
  ],
  [
    "SYN after octets of the other side, joined midway",
    [
      { from: 1, seq: 1_001, payload: "abc" },
      { from: 0, flags: "S", seq: 5 },
    ],
    2,
  ],
  [
    "SYN ACK after a RST that nobody believed is the same one",
    [HANDSHAKE[0]!, { from: 1, flags: "RA", seq: 0, ack: 1_001 }, { from: 1, flags: "FA", seq: 0, ack: 1_001 }, HANDSHAKE[1]!],
    1,
  ],
  ["SYN of both sides at once (RFC 9293 §3.5)", [HANDSHAKE[0]!, { from: 1, flags: "S", seq: 5_000 }], 1],
  ["another port, and another scope", [HANDSHAKE[0]!, { ...HANDSHAKE[0]!, port: 9 }, { ...HANDSHAKE[0]!, scope: "vni 7" }], 3],
];

for (const [name, sketches, conversations] of REUSE) {
  test(`ports: ${name}`, () => assert.equal(play(sketches).conversations.length, conversations));
}

test("octets behind both FINs of a closed conversation belong to another one", () => {
  const ended: readonly SegmentSketch[] = [
    ...HANDSHAKE,
    { from: 0, flags: "FA", seq: 1_001, ack: 5_001 },
    { from: 1, flags: "FA", seq: 5_001, ack: 1_002 },
    { from: 0, seq: 1_002, ack: 5_002 },
  ];
  const recorder = play([...ended, { from: 1, seq: 70_000, ack: 9, payload: "new" }]);
  assert.deepEqual(recorder.calls.slice(-5), ["1 close", "2 open", "2 gap 0 null", '2 data 0 "new"', "2 close"]);
});

test("caps of one side: octets and segments behind a hole", () => {
  const sparse = Array.from(
    { length: 6 },
    (_, index): SegmentSketch => ({ from: 0, seq: 1_011 + 20 * index, payload: "0123456789" }),
  );
  const few = play([...HANDSHAKE, ...sparse], { heldSegments: 5 });
  assert.deepEqual(few.conversations[0]!.calls.slice(0, 4), [
    "open",
    "note 0 limit-held-segments",
    "gap 0 10",
    'data 0 "0123456789"',
  ]);
  const small = play([...HANDSHAKE, ...sparse], { heldOctets: 5 * (10 + 128) });
  assert.deepEqual(small.conversations[0]!.calls, few.conversations[0]!.calls);
  assert.equal(few.octets(1, 0).length, 60, "a cap loses nothing that was captured");
});

test("the cap over all sides: the one that has held for longest lets go", () => {
  const behindHole = (port: number): SegmentSketch => ({ from: 0, port, seq: 11, payload: "0123456789" });
  const opened = [1, 2, 3].map((port): SegmentSketch => ({ from: 0, flags: "S", port, seq: 0 }));
  const recorder = play([...opened, ...[1, 2, 3].map(behindHole)], { heldOctetsOverall: 2 * (10 + 128) });
  const data = recorder.calls.filter((call) => !call.includes("open"));
  assert.deepEqual(data.slice(0, 3), ["1 note 0 limit-held-segments", "1 gap 0 10", '1 data 0 "0123456789"']);
  assert.ok(data[3]!.endsWith("close"), "the others keep theirs until the end, or until they close");
});

test("the cap of open conversations closes the one that was idle for longest", () => {
  const syn = (port: number): SegmentSketch => ({ from: 0, flags: "S", port, seq: 0 });
  const recorder = play([syn(1), syn(2), syn(1), syn(3)], { openConversations: 2 });
  assert.deepEqual(recorder.calls.slice(0, 5), ["1 open", "2 open", "2 note 0 limit-open-conversations", "2 close", "3 open"]);
});

test("an ended conversation beyond the cap is forgotten: its late packets are of another one", () => {
  const ended = (port: number): SegmentSketch[] => [
    { from: 0, flags: "SF", port, seq: 0 },
    { from: 1, flags: "SFA", port, seq: 0, ack: 2 },
    { from: 0, flags: "A", port, seq: 2, ack: 2 },
  ];
  const late: SegmentSketch = { from: 0, flags: "FA", port: 1, seq: 1, ack: 2 };
  assert.equal(play([...ended(1), ...ended(2), late], { endedConversations: 2 }).conversations.length, 2);
  assert.equal(play([...ended(1), ...ended(2), late], { endedConversations: 1 }).conversations.length, 3);
});

test("times: of the packet; of octets that waited, that of the last of them; null where there are none", () => {
  const recorder = play([
    { from: 0, flags: "S", seq: 1_000, at: 1 },
    { from: 0, seq: 1_004, payload: "def", at: 2 },
    { from: 0, seq: 1_001, payload: "abc", at: 3 },
    { from: 0, seq: 1_009, payload: "xyz", at: 4 },
    { from: 0, seq: 1_007, payload: "", at: 9 },
  ]);
  // open, abc, def, gap, xyz, close
  assert.deepEqual(
    recorder.conversations[0]!.times,
    [1n, 3n, 3n, 4n, 4n, 9n].map((ms) => ms * 1_000_000n),
  );
  const timeless = play([{ from: 0, seq: 1, payload: "a", at: null }]);
  assert.deepEqual(timeless.conversations[0]!.times, [null, null, null, null]);
});
