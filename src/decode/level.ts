/** Whose octet it was. Every octet has exactly one; the six sum to `octets`. The position is the level's id. */
export const LEVELS = ["exclusive", "stream_flow", "setup", "connection", "close", "unowned"] as const;
/** Name of a level, as documents have it. */
export type Level = (typeof LEVELS)[number];

/** Level ids by name: `LEVEL.setup`. */
export const LEVEL = { exclusive: 0, stream_flow: 1, setup: 2, connection: 3, close: 4, unowned: 5 } as const satisfies Record<
  Level,
  number
>;
