import { BodyTap } from "../../capture/body-tap.ts";
import { type CaptureReading, readCaptures } from "../../capture/read-captures.ts";
import type { ConversationSink } from "../../capture/write/capture-sink.ts";
import { C2S, DIRECTION_NAMES, S2C } from "../../decode/direction.ts";
import type { Schemas } from "../../decode/protobuf/message-type.ts";
import { Stack } from "../../decode/stack.ts";
import type { StackFor } from "../../ledger/books.ts";
import { GENERATOR } from "../../proxy/version.ts";
import { RunError, writeFailure } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { CaptureNotes } from "../output/capture-notes.ts";
import { OctetOutput } from "../output/octet-output.ts";
import type { FollowTarget, ReadCommandOptions } from "../read-options.ts";
import { narrate, type Streams } from "../streams.ts";

/**
 * `wiretally read --follow ID`: the octets of one direction of a connection, or of an exchange's body, and nothing else. Resolves to the
 * exit code. Rejects with a CaptureError when nothing can be read, with a RunError when there is no such thing or it cannot be written.
 */
export async function followOctets(
  options: ReadCommandOptions,
  target: FollowTarget,
  schemas: Schemas | null,
  streams: Streams,
  signal: AbortSignal,
): Promise<number> {
  const path = options.output === "-" ? null : options.output;
  const output = await OctetOutput.open(path, streams.stdout).catch((error: unknown) => {
    throw writeFailure(path ?? "-", error);
  });
  const notes = new CaptureNotes(streams, () => {});
  const holes = new Holes(target, output);
  const { count, decodeAs, files, first, last } = options;
  let failed = false;
  const reading = await readCaptures(files, {
    generator: GENERATOR,
    schemas,
    decodeAs,
    first,
    last,
    ...(count === undefined ? {} : { count }),
    sink: holes,
    ...(isConnection(target) ? {} : { stackFor: bodyTap(target, output, schemas) }),
    onNote: (note) => notes.tell(note),
    onFailure: (error) => {
      failed = true;
      notes.failed(error);
    },
    caughtUp: () => output.caughtUp(),
    signal,
  });
  notes.finish();
  await output.finish();
  if (output.failure !== null && !isReaderGone(output.failure, path)) throw writeFailure(path ?? "-", output.failure);
  if (output.octets === 0 && !exists(reading, target)) throw new RunError(`there is no ${target.id} in the capture`);
  if (holes.count > 0) {
    narrate(
      streams,
      `${target.id} has ${holes.count} holes that way: ${holes.octets} octets or more are left out where it has them`,
    );
  }
  narrate(streams, `${output.octets} octets of ${target.id} ${target.direction}, as they were sent: nothing is redacted`);
  return failed ? EXIT.failed : EXIT.done;
}

/** Hears of the followed connection: passes its octets on when they are what is wanted, and counts its holes. */
class Holes implements ConversationSink {
  count = 0;
  octets = 0;
  readonly #target: FollowTarget;
  readonly #output: OctetOutput;

  constructor(target: FollowTarget, output: OctetOutput) {
    this.#target = target;
    this.#output = output;
  }

  delta: ConversationSink["delta"] = (id, direction, octets) => {
    if (id === this.#target.id && DIRECTION_NAMES[direction] === this.#target.direction) this.#output.write(octets);
  };

  gap: ConversationSink["gap"] = (id, direction, octets) => {
    if (id !== this.#target.id.split(".")[0] || DIRECTION_NAMES[direction] !== this.#target.direction) return;
    this.count += 1;
    this.octets += octets ?? 0;
  };

  open(): void {}
  fin(): void {}
  reset(): void {}
  note(): void {}
  leave(): void {}
}

function bodyTap({ id, direction }: FollowTarget, output: OctetOutput, schemas: Schemas | null): StackFor {
  const target = { id, direction: direction === "c2s" ? C2S : S2C } as const;
  return (sink, known) =>
    new BodyTap(
      target,
      (octets) => output.write(octets),
      sink,
      (told) => new Stack(told, { ...known, schemas }),
    );
}

function isConnection({ id }: FollowTarget): boolean {
  return !id.includes(".");
}

function exists({ tally }: CaptureReading, { id }: FollowTarget): boolean {
  return tally.connections.some(
    (connection) => connection.id === id || connection.exchanges.some((exchange) => exchange.id === id),
  );
}

/** Whoever reads stdout may leave when he has seen enough. */
function isReaderGone(error: unknown, path: string | null): boolean {
  return path === null && error instanceof Error && "code" in error && error.code === "EPIPE";
}
