/** Client to server. */
export const C2S = 0;
/** Server to client. */
export const S2C = 1;
/** One direction of a connection, as an array index. */
export type Direction = typeof C2S | typeof S2C;

/** Names in outputs, by {@link Direction}. */
export const DIRECTION_NAMES = ["c2s", "s2c"] as const;
/** Name of a direction, as documents have it. */
export type DirectionName = (typeof DIRECTION_NAMES)[number];

/** Both directions, in output order. */
export const DIRECTIONS = [C2S, S2C] as const;

/** The other direction. */
export function opposite(direction: Direction): Direction {
  return direction === C2S ? S2C : C2S;
}
