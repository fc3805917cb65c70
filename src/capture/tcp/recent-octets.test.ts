import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RECENT_OCTETS } from "./limits.ts";
import { RecentOctets } from "./recent-octets.ts";

const UNLIMITED = () => ({ left: Number.MAX_SAFE_INTEGER });

function differences(recent: RecentOctets, at: number, octets: Uint8Array): [number, number, number][] {
  const found: [number, number, number][] = [];
  recent.compare(at, octets, (...range) => found.push(range));
  return found;
}

test("differences are told from the first to the last octet, once a packet", () => {
  const recent = new RecentOctets(UNLIMITED());
  recent.add(100, Buffer.from("abcdef"), 7);
  recent.add(110, Buffer.from("klm"), 9);
  assert.deepEqual(differences(recent, 100, Buffer.from("abcdef....klm")), []);
  assert.deepEqual(differences(recent, 99, Buffer.from("?aXcXef....kl?")), [
    [101, 104, 7],
    [112, 113, 9],
  ]);
  assert.deepEqual(differences(recent, 106, Buffer.from("....")), [], "octets that were never added");
});

test("the newest 65,536 octets are compared, in segments of any size, behind holes too", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(50_000), fc.integer({ min: 1, max: 90_000 })), { minLength: 1, maxLength: 12 }),
      (parts) => {
        const recent = new RecentOctets(UNLIMITED());
        const added: { at: number; length: number; packet: number }[] = [];
        let edge = 0;
        for (const [hole, length] of parts) {
          const at = edge + hole;
          recent.add(at, new Uint8Array(length).fill(1), added.length + 1);
          added.push({ at, length, packet: added.length + 1 });
          edge = at + length;
        }
        const expected = added.flatMap(({ at, length, packet }) => {
          const first = Math.max(at, edge - RECENT_OCTETS);
          return first < at + length ? [[first, at + length, packet]] : [];
        });
        assert.deepEqual(differences(recent, 0, new Uint8Array(edge)), expected);
      },
    ),
    { numRuns: 60 },
  );
});

test("without allowance it remembers less, and gives back what it took", () => {
  const allowance = { left: 5_000 };
  const recent = new RecentOctets(allowance);
  for (let packet = 1; packet <= 100; packet++) recent.add((packet - 1) * 1_000, new Uint8Array(1_000).fill(1), packet);
  assert.ok(allowance.left >= 0 && allowance.left < 5_000, "it took some of it");
  const found = differences(recent, 0, new Uint8Array(100_000));
  assert.deepEqual(found.at(-1), [99_000, 100_000, 100], "the newest are still there");
  const octets = found.reduce((sum, [at, end]) => sum + end - at, 0);
  assert.ok(octets < 5_000, `${octets} octets are held`);
  recent.release();
  assert.equal(allowance.left, 5_000);
  assert.deepEqual(differences(recent, 0, new Uint8Array(100_000)), []);
  const none = new RecentOctets({ left: 0 });
  none.add(0, new Uint8Array(10).fill(1), 1);
  assert.deepEqual(differences(none, 0, new Uint8Array(10)), []);
});

test("what is held stays what it is as the room grows, wherever its ring begins", () => {
  const octet = (at: number): number => (at * 7 + (at >> 8)) & 0xff;
  const octets = (at: number, length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => octet(at + index));
  const inverted = (recent: RecentOctets, at: number, end: number) =>
    differences(
      recent,
      at,
      octets(at, end - at).map((value) => value ^ 0xff),
    );
  const shape = fc.record({
    start: fc.nat(5_000),
    // So many are added while there is room for the smallest copy only, then the rest: the rings have turned by then.
    confined: fc.nat(60),
    segments: fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 200 })), { minLength: 1, maxLength: 150 }),
  });
  fc.assert(
    fc.property(shape, ({ start, confined, segments }) => {
      const allowance = { left: 1_500 };
      const recent = new RecentOctets(allowance);
      const added: { at: number; end: number; packet: number }[] = [];
      let edge = start;
      let held = 0;
      for (const [index, [hole, length]] of segments.entries()) {
        if (index === confined) {
          held = inverted(recent, start, edge).length;
          allowance.left += 1_000_000;
        }
        const at = edge + hole;
        edge = at + length;
        added.push({ at, end: edge, packet: index + 1 });
        recent.add(at, octets(at, length), index + 1);
      }
      assert.deepEqual(differences(recent, start, octets(start, edge - start)), [], "the copy is the same");
      const all = inverted(recent, start, edge);
      if (segments.length > confined) assert.equal(all.length, held + segments.length - confined, "growing forgets nothing");
      const newest = added.slice(-all.length).map(({ at, end, packet }) => [at, end, packet]);
      assert.ok(all.length > 0, "something is held");
      // The oldest may have lost its first octets.
      newest[0]![0] = Math.max(newest[0]![0]!, all[0]![0]!);
      assert.deepEqual(all, newest);
    }),
    { numRuns: 200 },
  );
});
