import assert from "node:assert/strict";
import { test } from "node:test";
import { BlockCounts } from "./block-counts.ts";
import { BLOCK } from "./pcapng-registry.ts";

test("blocks are counted by name in the order in which names came first, asked for in the middle of a run too", () => {
  const counts = new BlockCounts();
  const { sectionHeader, enhancedPacket } = BLOCK;
  const numbered = [sectionHeader, enhancedPacket, enhancedPacket, 0x7777, 0x8888].map((type) => counts.add(type));
  assert.deepEqual(numbered, [false, true, true, false, false], "packets have a frame number");
  assert.deepEqual(
    [...counts.byName],
    [
      ["section-header", 1],
      ["enhanced-packet", 2],
      ["unknown", 2],
    ],
  );
  counts.add(0x8888);
  counts.add(enhancedPacket);
  assert.deepEqual(
    [...counts.byName],
    [
      ["section-header", 1],
      ["enhanced-packet", 3],
      ["unknown", 3],
    ],
  );
});
