import { rfc3339 } from "../../ledger/time.ts";

/** `--time`: seconds since the start, the time of day in UTC, or seconds since the line before. */
export const TIME_STYLES = ["rel", "abs", "delta"] as const;
export type TimeStyle = (typeof TIME_STYLES)[number];

/** Writes the bracketed time that begins a line of the trace. */
export class TraceClock {
  readonly #style: TimeStyle;
  readonly #startedNs: bigint;
  #lastNs = 0;

  /** @param startedNs UTC nanoseconds since 1970 of the ledger's start, from which all times count. */
  constructor(style: TimeStyle, startedNs: bigint) {
    this.#style = style;
    this.#startedNs = startedNs;
  }

  /** Cells of the column, a space after it included; continuation lines are indented by it. */
  get width(): number {
    return this.#style === "abs" ? 33 : 10;
  }

  /** @param time nanoseconds since the ledger's start. */
  stamp(time: number): string {
    const before = this.#lastNs;
    this.#lastNs = time;
    switch (this.#style) {
      case "rel":
        return `[${seconds(time).padStart(7)}]`;
      case "delta":
        return `[${`+${seconds(time - before)}`.padStart(7)}]`;
      case "abs":
        return `[${rfc3339(this.#startedNs, time)}]`;
    }
  }
}

function seconds(ns: number): string {
  return (Math.max(ns, 0) / 1e9).toFixed(3);
}
