const NS_PER_MS = 1_000_000n;

/**
 * A moment as RFC 3339 UTC with nine fractional digits.
 * @param epochNs the ledger's start, nanoseconds since 1970. @param offsetNs nanoseconds since then; a fraction is cut off.
 */
export function rfc3339(epochNs: bigint, offsetNs: number): string {
  const ns = epochNs + BigInt(Math.floor(offsetNs));
  let ms = ns / NS_PER_MS;
  let rest = ns % NS_PER_MS;
  // BigInt division rounds towards zero; before 1970 the fraction has to count upwards all the same.
  if (rest < 0n) {
    ms -= 1n;
    rest += NS_PER_MS;
  }
  const upToMs = new Date(Number(ms)).toISOString().slice(0, -1);
  return `${upToMs}${rest.toString().padStart(6, "0")}Z`;
}

/** Nanoseconds since 1970 of an RFC 3339 time in UTC with nine fractional digits, as {@link rfc3339} writes it. */
export function epochNs(time: string): bigint {
  const toMilliseconds = "2026-01-01T00:00:00.000".length;
  const ms = Date.parse(`${time.slice(0, toMilliseconds)}Z`);
  return BigInt(ms) * NS_PER_MS + BigInt(time.slice(toMilliseconds, -1));
}

/** Whole microseconds between two moments in nanoseconds; never negative, as a capture's clock may step back. */
export function microseconds(fromNs: number, toNs: number): number {
  return Math.max(0, Math.floor((toNs - fromNs) / 1000));
}
