/** An end of a time window, in nanoseconds: after the first packet that has a time, or since 1970 UTC. */
export interface TimeBound {
  readonly from: "first-packet" | "epoch";
  readonly ns: bigint;
}

const NS_PER_MS = 1_000_000n;
const UNIT_NS: Readonly<Record<string, bigint>> = {
  us: 1_000n,
  ms: NS_PER_MS,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  "": 1_000_000_000n,
};
const DURATION = /^(\d{1,15})(?:\.(\d{1,9}))?\s*(us|ms|s|m|h|)$/;
/** RFC 3339 §5.6 with up to nine fractional digits. */
const MOMENT = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/;

/** Reads `90s`, `1.5m`, `250ms`, a plain number of seconds, or `2026-11-30T22:00:00.5Z`; null: it is neither. */
export function parseTimeBound(text: string): TimeBound | null {
  const trimmed = text.trim();
  const [, whole, fraction = "", unit = ""] = DURATION.exec(trimmed) ?? [];
  if (whole !== undefined) return { from: "first-packet", ns: scaled(whole, fraction, UNIT_NS[unit] ?? 0n) };
  const [, date, time, part = "", zone = ""] = MOMENT.exec(trimmed) ?? [];
  if (date === undefined) return null;
  const ms = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  // Date.parse lets 31 February be 3 March.
  const exists = new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date) === true;
  return exists && Number.isFinite(ms) ? { from: "epoch", ns: BigInt(ms) * NS_PER_MS + BigInt(part.padEnd(9, "0")) } : null;
}

/** Which packets are looked at: from `first` to `last`, both included; null: no bound. */
export interface WindowBounds {
  readonly first: TimeBound | null;
  readonly last: TimeBound | null;
}

/** Says of the packets of a capture, in their order, whether they are within a window. One without a time is where the one before it was. */
export class TimeWindow {
  readonly #bounds: WindowBounds;
  /** Null until a packet had a time. */
  #range: { readonly from: bigint | null; readonly to: bigint | null } | null = null;
  #inside: boolean;

  constructor(bounds: WindowBounds) {
    this.#bounds = bounds;
    this.#inside = bounds.first === null;
  }

  /** @param timeNs nanoseconds since 1970 UTC; null: unknown. */
  has(timeNs: bigint | null): boolean {
    if (timeNs === null || (this.#bounds.first === null && this.#bounds.last === null)) return this.#inside;
    this.#range ??= { from: resolved(this.#bounds.first, timeNs), to: resolved(this.#bounds.last, timeNs) };
    const { from, to } = this.#range;
    this.#inside = (from === null || timeNs >= from) && (to === null || timeNs <= to);
    return this.#inside;
  }
}

function resolved(bound: TimeBound | null, firstNs: bigint): bigint | null {
  if (bound === null) return null;
  return bound.from === "epoch" ? bound.ns : firstNs + bound.ns;
}

/** A decimal number of units in nanoseconds; what is below one is cut off. */
function scaled(whole: string, fraction: string, unitNs: bigint): bigint {
  return BigInt(whole) * unitNs + (BigInt(fraction.padEnd(9, "0")) * unitNs) / 1_000_000_000n;
}
