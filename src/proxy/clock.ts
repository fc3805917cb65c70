const NS_PER_MS = 1e6;

/** Time of one relay: a UTC start and nanoseconds since then, which never run backwards. */
export class Clock {
  /** UTC nanoseconds since 1970. */
  readonly startedNs = BigInt(Date.now()) * BigInt(NS_PER_MS);
  readonly #origin = performance.now();

  /** Nanoseconds since the start, an integer. */
  now(): number {
    return Math.round((performance.now() - this.#origin) * NS_PER_MS);
  }
}
