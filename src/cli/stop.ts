/** SIGINT, SIGTERM and SIGHUP end a command in an orderly way, a second SIGINT or SIGTERM at once. */
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
  // A terminal that closes: the system and the shell may each send one, so only the first can be a wish.
  const hungUp = (): void => {
    if (steps.length === 2) signalled();
  };
  process.on("SIGINT", signalled);
  process.on("SIGTERM", signalled);
  process.on("SIGHUP", hungUp);
  return () => {
    process.off("SIGINT", signalled);
    process.off("SIGTERM", signalled);
    process.off("SIGHUP", hungUp);
  };
}
