import { DIRECTIONS, type Direction, S2C } from "../src/decode/direction.ts";
import type { Detail } from "../src/decode/sink.ts";
import { Stack } from "../src/decode/stack.ts";
import type { Turn } from "./cases.ts";
import { chunksOf, everyCut } from "./cuts.ts";
import { RecordingSink } from "./recording-sink.ts";

/** What is replayed: each direction's octets and the order in which they were sent. */
export interface Transcript {
  readonly octets: readonly [c2s: Uint8Array, s2c: Uint8Array];
  readonly turns: readonly Turn[];
}

/** Give each chunk of the transcript to `push`, in order of turns; each direction is cut at its own ends. */
export function feed(
  { octets, turns }: Transcript,
  cuts: readonly [readonly number[], readonly number[]],
  push: (direction: Direction, bytes: Uint8Array) => void,
): void {
  const next = [0, 0];
  for (const { direction, start, end } of turns) {
    let at = start;
    while (at < end) {
      const cut = cuts[direction];
      while ((cut[next[direction] ?? 0] ?? Number.POSITIVE_INFINITY) <= at) next[direction] = (next[direction] ?? 0) + 1;
      const to = Math.min(end, cut[next[direction] ?? 0] ?? end);
      push(direction, octets[direction].subarray(at, to));
      at = to;
    }
  }
}

/** Octets of a direction that are missing: `[from, to)` of the transcript. */
export interface Hole {
  readonly direction: Direction;
  readonly from: number;
  readonly to: number;
  /** Whether it is told how many they are. */
  readonly known: boolean;
}

/** Like {@link feed}, without the octets of the holes, which do not overlap: each is told of to `gap` where it begins. */
export function feedWithHoles(
  transcript: Transcript,
  cuts: readonly [readonly number[], readonly number[]],
  holes: readonly Hole[],
  push: (direction: Direction, bytes: Uint8Array) => void,
  gap: (direction: Direction, octets: number | null) => void,
): void {
  const { octets } = transcript;
  const read = [0, 0];
  const borders = [0, 1].map((direction) => {
    const own = holes.filter((hole) => hole.direction === direction).flatMap(({ from, to }) => [from, to]);
    return [...new Set([...(cuts[direction as Direction] ?? []), ...own])].sort((a, b) => a - b);
  });
  feed(transcript, [borders[0] ?? [], borders[1] ?? []], (direction, bytes) => {
    const at = read[direction] ?? 0;
    read[direction] = at + bytes.length;
    const hole = holes.find((one) => one.direction === direction && one.from <= at && at < one.to);
    if (hole === undefined) push(direction, octets[direction].subarray(at, at + bytes.length));
    else if (hole.from === at) gap(direction, hole.known ? hole.to - hole.from : null);
  });
}

/** Run a Stack over the transcript; `check` is called after every push with what it holds and what it was given. */
export function replay(
  transcript: Transcript,
  cuts: readonly [readonly number[], readonly number[]] = uncut(transcript),
  detail: Detail = 3,
  check: (direction: Direction, pending: number, announced: number, pushed: number) => void = () => {},
): RecordingSink {
  const sink = new RecordingSink(detail);
  const stack = new Stack(sink);
  const pushed = [0, 0];
  feed(transcript, cuts, (direction, bytes) => {
    // A copy that is spoilt afterwards: a decoder that keeps borrowed octets shows.
    const borrowed = Uint8Array.from(bytes);
    stack.push(direction, borrowed);
    borrowed.fill(0xaa);
    pushed[direction] = (pushed[direction] ?? 0) + bytes.length;
    for (const side of DIRECTIONS) check(side, stack.pending(side), sink.offset(side), pushed[side] ?? 0);
  });
  for (const direction of DIRECTIONS) stack.end(direction);
  for (const side of DIRECTIONS) check(side, stack.pending(side), sink.offset(side), pushed[side] ?? 0);
  return sink;
}

/** Each direction whole. */
export function uncut({ octets }: Transcript): [readonly number[], readonly number[]] {
  return [chunksOf(octets[0].length, octets[0].length), chunksOf(octets[S2C].length, octets[S2C].length)];
}

/** Every cut of each direction with the other one whole, and both cut to single octets. */
export function* everyCutOf(
  transcript: Transcript,
  borders: readonly [number[], number[]] = [[], []],
): Generator<[readonly number[], readonly number[]]> {
  const whole = uncut(transcript);
  const [c2s, s2c] = transcript.octets;
  for (const cut of everyCut(c2s.length, borders[0])) yield [cut, whole[1]];
  for (const cut of everyCut(s2c.length, borders[1])) yield [whole[0], cut];
  yield [chunksOf(c2s.length, 1), chunksOf(s2c.length, 1)];
}
