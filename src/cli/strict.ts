import { EXIT } from "./exit-codes.ts";
import { narrate, type Streams } from "./streams.ts";

/** What `--strict` looks at. */
export interface Sums {
  /** Octets under `unattributed`. */
  readonly unattributed: number;
  /** Directions whose sums did not close. */
  readonly broken: number;
}

/** The exit code under `--strict`; what it found is told. */
export function strictCode({ unattributed, broken }: Sums, streams: Streams): number {
  const reasons = [
    ...(unattributed > 0 ? [`${unattributed} octets are unattributed`] : []),
    ...(broken > 0 ? [`the sums of ${broken} directions do not close`] : []),
  ];
  if (reasons.length === 0) return EXIT.done;
  narrate(streams, `--strict: ${reasons.join(", ")} (--notes tells where)`);
  return EXIT.strict;
}
