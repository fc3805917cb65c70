import { setImmediate as turn } from "node:timers/promises";
import { type Contender, type Contest, verify } from "./contest.ts";

/** How long to measure. */
export interface Rounds {
  readonly rounds: number;
  /** A sample repeats the work for at least this long. */
  readonly sampleMs: number;
}

/** Middle, least and greatest of the rounds. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Speeds of one contender in MB/s (10^6 octets), a round each. */
export type Speeds = readonly number[];

/**
 * Every contender once a round, in an order that turns round each time, so that what disturbs the machine disturbs all of them. A first
 * round, in which the code gets compiled, is left out.
 * @returns speeds by contender, in their order.
 */
export async function runRounds(
  contest: Contest,
  { rounds, sampleMs }: Rounds,
  onRound: (done: number) => void = () => {},
): Promise<readonly Speeds[]> {
  const { contenders, octets, mostRounds = rounds } = contest;
  const speeds: number[][] = contenders.map(() => []);
  for (let round = 0; round <= Math.min(rounds, mostRounds); round++) {
    onRound(round);
    const order = [...contenders.keys()];
    if (round % 2 === 1) order.reverse();
    for (const index of order) {
      // Streams and timers of the last sample have their turn outside of this one.
      await turn();
      const speed = await sample(contenders[index] as Contender, octets, sampleMs);
      if (round > 0) speeds[index]?.push(speed);
    }
  }
  return speeds;
}

/** What the rounds say together. Of an even count the lower middle one. @param values at least one. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number) => sorted[index] as number;
  return { median: at((sorted.length - 1) >> 1), min: at(0), max: at(sorted.length - 1) };
}

/** Ratios round by round: both were measured within the same moments. */
export function ratiosOf(speeds: Speeds, reference: Speeds): readonly number[] {
  return speeds.map((speed, round) => speed / (reference[round] as number));
}

async function sample(contender: Contender, octets: number, sampleMs: number): Promise<number> {
  const begin = performance.now();
  let runs = 0;
  let elapsed = 0;
  do {
    const found = contender.run();
    const check = typeof found === "number" ? found : await found;
    if (check !== contender.expected) verify(false, `${contender.what} came to ${check} instead of ${contender.expected}`);
    runs++;
    elapsed = performance.now() - begin;
  } while (elapsed < sampleMs);
  return (runs * octets) / (elapsed * 1000);
}
