import { FRAME_HEADER_OCTETS, type FrameHandler, FrameReader, HpackDecoder, PREFACE, writeData } from "http2-frame-parser";
import { type Contest, type ContestPlan, verify } from "./contest.ts";
import { feed } from "./feed.ts";
import { GrpcLikeClient } from "./grpc-like.ts";

const WHAT = "HTTP/2 frames";
/** Of an input that is read over and over: as much as a processor's cache holds. */
const INPUT_OCTETS = 1024 * 1024;
const FULL_FRAME = 16 * 1024;
const SMALL_FRAME = 30;

/** Saying what every octet of an HTTP/2 direction was, field blocks decoded. Nothing else in npm does, so nothing is compared. */
export const FRAME_CONTESTS: readonly ContestPlan[] = [
  plan("DATA of 16 KiB", () => dataFrames(FULL_FRAME)),
  plan("DATA of 30 octets", () => dataFrames(SMALL_FRAME)),
  plan("gRPC-like calls", grpcLikeFrames),
];

interface FrameInput {
  /** What the reader has seen before: the tables are as they are in the middle of a connection. */
  readonly before: Uint8Array;
  readonly frames: Uint8Array;
  readonly count: number;
}

function plan(input: string, generate: () => FrameInput): ContestPlan {
  return { input, contenders: [WHAT], prepare: () => contest(generate()) };
}

function contest({ before, frames, count }: FrameInput): Contest {
  const handler = new CountingHandler();
  const reader = new FrameReader(handler, { preface: true, hpack: new HpackDecoder() });
  reader.push(before);
  const push = reader.push.bind(reader);
  // The input ends with a frame and puts nothing into the table: the same reader can go on with its beginning.
  const read = (): number => {
    handler.octets = 0;
    feed(frames, push);
    return handler.octets;
  };
  handler.frames = 0;
  verify(read() === frames.length && handler.frames === count, "the reader announces every octet and every frame");
  verify(handler.faults === 0, "the frames break no rule");
  return { octets: frames.length, contenders: [{ what: WHAT, reference: null, run: read, expected: frames.length }] };
}

function dataFrames(octets: number): FrameInput {
  const count = Math.floor(INPUT_OCTETS / (FRAME_HEADER_OCTETS + octets));
  const frame = writeData(1, new Uint8Array(octets));
  return { before: opening(), frames: Buffer.concat(Array<Uint8Array>(count).fill(frame)), count };
}

function grpcLikeFrames(): FrameInput {
  const client = new GrpcLikeClient();
  const before = Buffer.concat([client.opening(), client.calls(1)]);
  const calls = 12_000;
  // Three frames a call, and a PING after each tenth: the calls 10, 20, … of those that follow the first.
  return { before, frames: client.calls(calls), count: 3 * calls + calls / 10 };
}

function opening(): Uint8Array {
  return new GrpcLikeClient().opening();
}

/** Counts what the reader announces. */
class CountingHandler implements FrameHandler {
  octets = 0;
  frames = 0;
  faults = 0;

  preface(): void {
    this.octets += PREFACE.length;
  }

  frameStart(): void {
    this.octets += FRAME_HEADER_OCTETS;
  }

  part(_part: number, octets: number): void {
    this.octets += octets;
  }

  data(_bytes: Uint8Array, from: number, to: number): void {
    this.octets += to - from;
  }

  fieldLine(): void {}

  fieldSection(): void {}

  frameEnd(): void {
    this.frames++;
  }

  violation(): void {
    this.faults++;
  }

  limit(): void {
    this.faults++;
  }

  truncated(octets: number): void {
    this.octets += octets;
    this.faults++;
  }
}
