import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Side } from "../conversation.ts";
import { TcpTracker } from "./tcp-tracker.ts";
import { ConversationRecorder } from "./testing/conversation-recorder.ts";
import { PaintedSide } from "./testing/painted-side.ts";
import { type SegmentSketch, segmentOf } from "./testing/scene.ts";

const RUNS = { numRuns: 200 };

/** A stream, cut into segments; some of them cut once more or sent again; each moved by up to eight places. */
const shuffled = fc
  .record({
    isn: fc.oneof(fc.nat(0xffff_ffff), fc.integer({ min: 0xffff_ff00, max: 0xffff_ffff })),
    octets: fc.uint8Array({ minLength: 1, maxLength: 400 }),
    cuts: fc.array(fc.nat(400), { maxLength: 20 }),
    again: fc.array(fc.tuple(fc.nat(400), fc.nat(400)), { maxLength: 8 }),
    moves: fc.array(fc.nat(8), { minLength: 40, maxLength: 40 }),
  })
  .map(({ isn, octets, cuts, again, moves }) => {
    const borders = [...new Set([0, ...cuts.map((cut) => cut % octets.length), octets.length])].sort((one, other) => one - other);
    const ranges = borders.slice(1).map((end, index): [number, number] => [borders[index]!, end]);
    const copies = again.map(([one, other]): [number, number] => [Math.min(one, other) % octets.length, octets.length]);
    const placed = [...ranges, ...copies].map((range, index) => ({ range, place: index + moves[index % moves.length]! }));
    const order = placed.sort((one, other) => one.place - other.place).map(({ range }) => range);
    const segments = order.map(([at, end]): SegmentSketch => ({ from: 0, seq: isn + 1 + at, payload: octets.slice(at, end) }));
    return { octets, sketches: [{ from: 0, flags: "S", seq: isn } as SegmentSketch, ...segments] };
  });

function play(sketches: readonly SegmentSketch[], limits = {}): ConversationRecorder {
  const recorder = new ConversationRecorder();
  const tracker = new TcpTracker(recorder, limits);
  for (const [index, sketch] of sketches.entries()) tracker.segment(segmentOf(sketch, index + 1));
  tracker.end();
  return recorder;
}

test("order, copies and segmentation change no octet", () => {
  fc.assert(
    fc.property(shuffled, ({ octets, sketches }) => {
      const recorder = play(sketches);
      assert.deepEqual(recorder.octets(1, 0), Buffer.from(octets));
      const { sides, notes, facts } = recorder.conversations[0]!;
      assert.deepEqual([sides[0].gaps, notes, facts.counts[0].missing_octets], [[], [], 0]);
      assert.equal(facts.counts[0].retransmitted_octets, facts.counts[0].payload_octets - octets.length);
    }),
    RUNS,
  );
});

/** Segments of both sides within a few octets: holes, overlaps that differ, cut packets, FIN; nothing that ends a conversation early. */
const nearby = fc.array(
  fc.record({
    from: fc.constantFrom<Side>(0, 1),
    seq: fc.integer({ min: 1, max: 60 }),
    payload: fc.uint8Array({ maxLength: 12 }),
    beyond: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(5)),
  }),
  { minLength: 1, maxLength: 40 },
);

test("whatever comes, each side is what the model has painted", () => {
  fc.assert(
    fc.property(nearby, (sketches) => {
      const opening: SegmentSketch[] = [
        { from: 0, flags: "S", seq: 0 },
        { from: 1, flags: "S", seq: 0 },
      ];
      const all = [
        ...opening,
        ...sketches.map(({ beyond, ...sketch }) => ({ ...sketch, length: sketch.payload.length + beyond })),
      ];
      const painted = [new PaintedSide(), new PaintedSide()] as const;
      for (const [index, sketch] of all.entries()) painted[sketch.from].add(segmentOf(sketch, index + 1));
      const recorder = play(all);
      for (const side of [0, 1] as const) {
        const { payload_octets, retransmitted_octets, missing_octets } = recorder.conversations[0]!.facts.counts[side];
        assert.deepEqual(recorder.octets(1, side), painted[side].octets());
        assert.equal(retransmitted_octets, payload_octets - painted[side].unique);
        assert.equal(missing_octets, painted[side].between + painted[side].outside + painted[side].cut);
      }
    }),
    RUNS,
  );
});

/** Anything at all. */
const anything = fc.array(
  fc.record({
    from: fc.constantFrom<Side>(0, 1),
    flags: fc.subarray(["S", "A", "F", "R", "P", "U"]).map((letters) => letters.join("")),
    seq: fc.oneof(fc.nat(40), fc.nat(0xffff_ffff)),
    ack: fc.oneof(fc.nat(40), fc.nat(0xffff_ffff)),
    payload: fc.uint8Array({ maxLength: 12 }),
    port: fc.nat(2),
    at: fc.oneof(fc.constant(null), fc.nat(200_000)),
  }),
  { maxLength: 80 },
);

test("no segments make it throw, close twice or grow; figures stay true", () => {
  const limits = {
    heldSegments: 3,
    heldOctets: 500,
    heldOctetsOverall: 900,
    patiencePackets: 2,
    openConversations: 2,
    endedConversations: 1,
  };
  fc.assert(
    fc.property(anything, (sketches) => {
      for (const recorder of [play(sketches), play(sketches, limits)]) {
        const { conversations } = recorder;
        assert.ok(
          conversations.every(({ closed }) => closed),
          "all are closed",
        );
        const sum = (figure: (of: (typeof conversations)[number], side: Side) => number) =>
          conversations.reduce((total, of) => total + figure(of, 0) + figure(of, 1), 0);
        assert.equal(
          sum(({ facts }, side) => facts.counts[side].packets),
          sketches.length,
        );
        assert.equal(
          sum(({ facts }, side) => facts.counts[side].payload_octets),
          sketches.reduce((total, { payload }) => total + payload.length, 0),
        );
        for (const { facts, sides } of conversations) {
          for (const side of [0, 1] as const) {
            const { payload_octets, retransmitted_octets, missing_octets } = facts.counts[side];
            const told = sides[side].pieces.reduce((total, piece) => total + piece.length, 0);
            assert.ok(told + retransmitted_octets <= payload_octets, "no octet is told or counted twice");
            assert.equal(
              sides[side].gaps.reduce<number>((total, gap) => total + (gap ?? 0), 0),
              missing_octets,
            );
          }
        }
      }
    }),
    RUNS,
  );
});
