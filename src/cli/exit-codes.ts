/** What the process ends with; `--help` lists them. If several apply: 2, then 1, then 4. */
export const EXIT = {
  /** Done; SIGINT, SIGTERM and SIGHUP are a normal end. */
  done: 0,
  /** Failed while running: nothing could be served, a result could not be written. */
  failed: 1,
  /** Bad usage: the line on stderr says what was wrong and what to try. */
  usage: 2,
  /** `--strict`: octets without a meaning, or a sum that does not close. */
  strict: 4,
} as const;
