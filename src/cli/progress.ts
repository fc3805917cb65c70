import { createLogUpdate } from "log-update";
import type { Streams } from "./streams.ts";

const BAR_CELLS = 20;

/** A line that is rewritten on a terminal; elsewhere nothing at all. */
export interface Progress {
  show(step: { readonly text: string; readonly done: number; readonly total: number }): void;
  clear(): void;
}

/** log-update writes its escape sequences into a pipe as well, and a terminal of 0 columns wraps for ever: both get no progress. */
export function openProgress(stream: Streams["stderr"]): Progress {
  if (stream.isTTY !== true || (stream.columns ?? 0) === 0) return { show: () => {}, clear: () => {} };
  const line = createLogUpdate(stream);
  return {
    show: ({ text, done, total }) => {
      const full = Math.round((done / total) * BAR_CELLS);
      line(`${"█".repeat(full)}${"░".repeat(BAR_CELLS - full)} ${text}`);
    },
    clear: () => line.clear(),
  };
}
