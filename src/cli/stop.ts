/** SIGINT and SIGTERM end a command in an orderly way, a second one at once. */
export interface StopHandlers {
  /** The first signal. */
  readonly stop: () => void;
  /** The second one. */
  readonly abort: () => void;
  /** One more: results cannot be written either; the process ends. */
  readonly giveUp: () => void;
}

/** Watch for signals until the returned function is called. */
export function onSignals({ stop, abort, giveUp }: StopHandlers): () => void {
  const steps = [stop, abort];
  const signalled = (): void => (steps.shift() ?? giveUp)();
  process.on("SIGINT", signalled);
  process.on("SIGTERM", signalled);
  return () => {
    process.off("SIGINT", signalled);
    process.off("SIGTERM", signalled);
  };
}
