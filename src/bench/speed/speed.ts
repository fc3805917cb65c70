import { availableParallelism, cpus } from "node:os";
import { CAPTURE_CONTESTS } from "./capture-contests.ts";
import type { Contest, ContestPlan } from "./contest.ts";
import { FRAME_CONTESTS } from "./frame-contests.ts";
import { HPACK_CONTESTS } from "./hpack-contests.ts";
import { JSON_CONTESTS } from "./json-contests.ts";
import { PROTOBUF_CONTESTS } from "./protobuf-contests.ts";
import { RELAY_CONTESTS } from "./relay-contests.ts";
import { type Rounds, ratiosOf, runRounds, type Speeds, type Spread, spreadOf } from "./rounds.ts";

/** How much to measure; by default about three minutes. */
export interface SpeedOptions extends Partial<Rounds> {
  /** Octets of one bulk transfer through the relay. Default 128 MiB. */
  readonly transferOctets?: number;
  /** Only contests with a row whose `WHAT: INPUT` matches. Default: all. */
  readonly only?: RegExp | null;
  /** Told before each round. */
  readonly onProgress?: (progress: SpeedProgress) => void;
}

/** Where the benchmark is: `done` of `total` rounds. */
export interface SpeedProgress {
  readonly text: string;
  readonly done: number;
  readonly total: number;
}

/** What the benchmark found, and on what. */
export interface SpeedReport {
  readonly started: string;
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  readonly rounds: number;
  readonly sample_ms: number;
  readonly rows: readonly SpeedRow[];
  /** What was not measured, as something is missing here that it needs. */
  readonly skipped: readonly SkippedRows[];
}

/** A contest that was not held. */
export interface SkippedRows {
  /** Its rows by name, `WHAT: INPUT`. */
  readonly rows: readonly string[];
  readonly reason: string;
}

/** One contender with one input. */
export interface SpeedRow {
  readonly what: string;
  readonly input: string;
  /** Of one run. */
  readonly octets: number;
  /** As many as asked for, or fewer where a run takes seconds. */
  readonly rounds: number;
  /** 10^6 octets a second, over the rounds. */
  readonly mb_per_s: Spread;
  /** `what` of the row with the same input that it is compared with; null: none. */
  readonly reference: string | null;
  /** Its speed over the reference's in the same round, over the rounds; null without a reference. */
  readonly ratio: Spread | null;
}

const DEFAULT_ROUNDS = 9;
const DEFAULT_SAMPLE_MS = 80;
const DEFAULT_TRANSFER_OCTETS = 128 * 1024 * 1024;

const PLANS: readonly ContestPlan[] = [
  ...RELAY_CONTESTS,
  ...FRAME_CONTESTS,
  ...HPACK_CONTESTS,
  ...JSON_CONTESTS,
  ...PROTOBUF_CONTESTS,
  ...CAPTURE_CONTESTS,
];

/** All rows by name, `WHAT: INPUT`, in the order of a whole report. */
export function speedRows(): readonly string[] {
  return PLANS.flatMap(namesOf);
}

/**
 * Measure how fast the relay and the decoders are, against something that does comparable work in the same moments. Starts processes
 * and listens on free ports of loopback; both end with it. Rejects when a contender does not read what it is given.
 */
export async function runSpeed(options: SpeedOptions = {}): Promise<SpeedReport> {
  const { rounds = DEFAULT_ROUNDS, sampleMs = DEFAULT_SAMPLE_MS, transferOctets = DEFAULT_TRANSFER_OCTETS } = options;
  const { only = null, onProgress = () => {} } = options;
  const started = new Date().toISOString();
  const plans = PLANS.filter((plan) => only === null || namesOf(plan).some((name) => only.test(name)));
  // Each plan: preparing, a round that is left out, and the rounds.
  const steps = rounds + 2;
  const rows: SpeedRow[] = [];
  const skipped: SkippedRows[] = [];
  for (const [index, plan] of plans.entries()) {
    const step = (done: number): void =>
      onProgress({ text: `${plan.contenders[0]}: ${plan.input}`, done: index * steps + done, total: plans.length * steps });
    const reason = plan.lacks?.() ?? null;
    if (reason !== null) {
      skipped.push({ rows: namesOf(plan), reason });
      continue;
    }
    step(0);
    const contest = await plan.prepare({ transferOctets });
    try {
      const speeds = await runRounds(contest, { rounds, sampleMs }, (done) => step(done + 1));
      rows.push(...rowsOf(plan, contest, speeds));
    } finally {
      await contest.close?.();
    }
  }
  const cpu = cpus()[0]?.model.trim() ?? "unknown";
  return { started, node: process.version, cpu, cores: availableParallelism(), rounds, sample_ms: sampleMs, rows, skipped };
}

function namesOf({ contenders, input }: ContestPlan): readonly string[] {
  return contenders.map((what) => `${what}: ${input}`);
}

function rowsOf({ input }: ContestPlan, { contenders, octets }: Contest, speeds: readonly Speeds[]): SpeedRow[] {
  const speedsOf = (what: string) => speeds[contenders.findIndex((contender) => contender.what === what)] ?? [];
  return contenders.map(({ what, reference }) => ({
    what,
    input,
    octets,
    rounds: speedsOf(what).length,
    mb_per_s: spreadOf(speedsOf(what)),
    reference,
    ratio: reference === null ? null : spreadOf(ratiosOf(speedsOf(what), speedsOf(reference))),
  }));
}
