import assert from "node:assert/strict";
import { DIRECTIONS, type Direction } from "../src/decode/direction.ts";
import { Stack, type StackOptions } from "../src/decode/stack.ts";
import { RecordingSink } from "./recording-sink.ts";
import { feedWithHoles, type Hole, type Transcript, uncut } from "./replay.ts";

/** Turns as octets: `[C2S, "GET …"]`, strings as octet strings. */
export function talk(...turns: (readonly [Direction, string | Uint8Array])[]): Transcript {
  const octets: [Buffer, Buffer] = [Buffer.alloc(0), Buffer.alloc(0)];
  const list = turns.map(([direction, said]) => {
    const start = octets[direction].length;
    octets[direction] = Buffer.concat([octets[direction], typeof said === "string" ? Buffer.from(said, "latin1") : said]);
    return { direction, start, end: octets[direction].length };
  });
  return { octets, turns: list };
}

/** Run a Stack over a transcript with holes. Every octet is announced or pending at each step, and nothing is pending behind a gap. */
export function replayHoles(
  transcript: Transcript,
  holes: readonly Hole[],
  options: StackOptions = {},
  cuts: readonly [readonly number[], readonly number[]] = uncut(transcript),
): RecordingSink {
  const sink = new RecordingSink(3);
  const stack = new Stack(sink, options);
  const pushed = [0, 0];
  const closes = (direction: Direction): void => {
    const announced = sink.runs[direction].reduce((sum, run) => sum + run.length, 0);
    assert.equal(announced + stack.pending(direction), pushed[direction]);
  };
  feedWithHoles(
    transcript,
    cuts,
    holes,
    (direction, bytes) => {
      const borrowed = Uint8Array.from(bytes);
      stack.push(direction, borrowed);
      borrowed.fill(0xaa);
      pushed[direction] = (pushed[direction] ?? 0) + bytes.length;
      for (const side of DIRECTIONS) closes(side);
    },
    (direction, octets) => {
      stack.gap(direction, octets);
      sink.missing(direction, octets ?? 0);
      for (const side of DIRECTIONS) closes(side);
      assert.equal(stack.pending(direction), 0, "held behind a gap");
    },
  );
  for (const direction of DIRECTIONS) stack.end(direction);
  for (const direction of DIRECTIONS) {
    closes(direction);
    assert.equal(stack.pending(direction), 0);
  }
  return sink;
}
