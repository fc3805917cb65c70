/** One way to get a piece of work done. */
export interface Contender {
  /** As the table names it. */
  readonly what: string;
  /** `what` of the contender of the same contest that it is compared with; null: it is not compared. */
  readonly reference: string | null;
  /** Do the work once. @returns a check value that depends on all of it, so that nothing can be left out or optimised away. */
  run(): number | Promise<number>;
  /** What each `run` has to return. */
  readonly expected: number;
}

/** Contenders that read the same octets, which `octets` counts, once a run. */
export interface Contest {
  readonly octets: number;
  readonly contenders: readonly Contender[];
  /** Rounds that are enough, however many are asked for: those of a run that takes seconds. */
  readonly mostRounds?: number;
  /** Give back what it holds: processes, sockets. */
  close?(): Promise<void>;
}

/** A contest that is not prepared: known by its rows before anything is generated or started. */
export interface ContestPlan {
  /** As the table names it. */
  readonly input: string;
  /** `what` of its contenders, in their order. */
  readonly contenders: readonly string[];
  /** What is missing on this machine to run it, and what to do about it; null: nothing. Without it nothing ever is. */
  lacks?(): string | null;
  /** Generate the input, and see that every contender reads all of it. Rejects when one does not. */
  prepare(scale: Scale): Contest | Promise<Contest>;
}

/** How much is measured. */
export interface Scale {
  /** Octets of one bulk transfer through the relay. */
  readonly transferOctets: number;
}

/** @throws Error naming the check that failed: the figures would be about something else. */
export function verify(holds: boolean, what: string): void {
  if (!holds) throw new Error(`the benchmark does not measure what it says: ${what}`);
}
