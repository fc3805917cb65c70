import { DIRECTIONS, type Direction } from "../decode/direction.ts";
import { LEVEL, LEVELS } from "../decode/level.ts";
import { add } from "./counts.ts";

/** Kinds of control frames, see CONTROL in src/decode/sink.ts. */
export const FRAME_KINDS = 4;

/** What a window holds beside its calls: `connection` and `setup` octets by direction, then frames by direction and kind. */
export const SHARE = { connection: 0, setup: 2, frames: 4, size: 4 + 2 * FRAME_KINDS } as const;

/** One connection's part in a window. */
export interface WindowShare<R> {
  readonly window: "cold" | "warm";
  /** The routes of the calls it carried in the window. */
  readonly routes: ReadonlySet<R>;
  /** See {@link SHARE}. */
  readonly values: Float64Array;
  /** There was no pause at an edge. */
  readonly open: boolean;
}

/** The running figures at one moment. */
interface Edge {
  readonly values: Float64Array;
  readonly open: boolean;
}

/**
 * The edges of one connection's windows (docs/ledger.md): `cold` from the first octet to the pause after call 1, `warm` from the first
 * pause after call `warmUp` to the first pause after the last call. Without a pause the edge is the opening of the next call, and at
 * the end the first close-level octet, else the close. Calls are counted by their order on the connection; a warm-up of 0 makes call 1
 * warm, too.
 */
export class ConnectionWindows<R> {
  readonly #warmUp: number;
  readonly #levels: Float64Array;
  readonly #frames = new Float64Array(2 * FRAME_KINDS);
  #opened = 0;
  /** Since the last call was opened: the first pause, and the first close-level octet that came before any pause. */
  #pause: Edge | null = null;
  #closing: Edge | null = null;
  #coldEnd: Edge | null = null;
  #warmStart: Edge | null = null;
  readonly #coldRoutes = new Set<R>();
  readonly #warmRoutes = new Set<R>();
  /** The one that was added last. */
  #lastWarm: R | null = null;

  /** @param levels the connection's running levels, index `direction * 6 + level`; read at the edges. */
  constructor(warmUp: number, levels: Float64Array) {
    this.#warmUp = warmUp;
    this.#levels = levels;
  }

  /** A control frame passed. */
  frame(direction: Direction, kind: number): void {
    add(this.#frames, direction * FRAME_KINDS + kind, 1);
  }

  /** The next call begins; its octets are not counted yet. @returns its ordinal, from 1. */
  open(): number {
    if (this.#opened === 1) this.#coldEnd = this.#pause ?? this.#edge(true);
    if (this.#opened === this.#warmUp) this.#warmStart = this.#pause ?? this.#edge(true);
    this.#pause = null;
    this.#closing = null;
    this.#opened += 1;
    return this.#opened;
  }

  /** Call `ordinal` turned out to belong to `route`. */
  carried(route: R, ordinal: number): void {
    if (ordinal === 1) this.#coldRoutes.add(route);
    if (ordinal > this.#warmUp && route !== this.#lastWarm) {
      this.#lastWarm = route;
      this.#warmRoutes.add(route);
    }
  }

  /** No octet for the length of a pause, and nothing open. */
  pause(): void {
    this.#pause ??= this.#edge(false);
  }

  /** The first octets of level `close` are about to be counted. */
  closing(): void {
    if (this.#pause === null) this.#closing ??= this.#edge(true);
  }

  /** What the connection adds to each window up to now. @param quiet a pause is on, seen by nothing but the clock. */
  shares(quiet: boolean): readonly WindowShare<R>[] {
    const end = this.#closing ?? this.#pause ?? this.#edge(!quiet);
    const shares: WindowShare<R>[] = [];
    if (this.#opened > 0) {
      const { values, open } = this.#coldEnd ?? end;
      shares.push({ window: "cold", routes: this.#coldRoutes, values, open });
    }
    if (this.#warmStart !== null) {
      const start = this.#warmStart;
      const values = end.values.map((value, at) => value - (start.values[at] ?? 0));
      // Set-up belongs to the cold window alone.
      for (const direction of DIRECTIONS) values[SHARE.setup + direction] = 0;
      shares.push({ window: "warm", routes: this.#warmRoutes, values, open: start.open || end.open });
    }
    return shares;
  }

  #edge(open: boolean): Edge {
    const values = new Float64Array(SHARE.size);
    for (const direction of DIRECTIONS) {
      values[SHARE.connection + direction] = this.#levels[direction * LEVELS.length + LEVEL.connection] ?? 0;
      values[SHARE.setup + direction] = this.#levels[direction * LEVELS.length + LEVEL.setup] ?? 0;
    }
    values.set(this.#frames, SHARE.frames);
    return { values, open };
  }
}
