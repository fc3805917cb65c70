import { openProgress } from "../progress.ts";
import type { Streams } from "../streams.ts";

/** A terminal is rewritten no more often. */
const EVERY_MS = 100;
const MB = 1e6;

/** How far the reading of captures is, on a terminal. */
export interface ReadProgress {
  /** @param total null: nobody knows, and nothing is shown. */
  readonly show: (octets: number, total: number | null) => void;
  readonly clear: () => void;
}

/** @param traced lines appear on stdout meanwhile: on one terminal, both would overwrite each other. */
export function openReadProgress({ stderr, stdout }: Streams, traced: boolean): ReadProgress {
  const progress = openProgress(stderr);
  if (traced && stdout.isTTY === true) return { show: () => {}, clear: () => {} };
  let shownAt = 0;
  return {
    show: (octets, total) => {
      const now = performance.now();
      if (total === null || total === 0 || now - shownAt < EVERY_MS) return;
      shownAt = now;
      // A file may grow while it is read.
      const done = Math.min(octets, total);
      const text = `${(done / MB).toFixed(1)} of ${(total / MB).toFixed(1)} MB read, ${Math.floor((100 * done) / total)} %`;
      progress.show({ text, done, total });
    },
    clear: () => progress.clear(),
  };
}
