import { DIRECTIONS, type Direction } from "../decode/direction.ts";
import { LEVEL } from "../decode/level.ts";
import { add, addAll } from "./counts.ts";
import { Distribution } from "./distribution.ts";
import type { Window } from "./tally.ts";
import { FRAME_KINDS, SHARE, type WindowShare } from "./windows.ts";

/** What a window counts of a call, by direction: octets so far. */
export interface WindowCall {
  exclusive(direction: Direction): number;
  streamFlow(direction: Direction): number;
}

/** What the connections add to one window of a route beside its calls. */
export class WindowShares {
  readonly #values = new Float64Array(SHARE.size);
  #mixed = false;
  #open = false;

  /** Add one connection's part. `connection` is not known for a route alone when the connection carried others in the window. */
  add(share: WindowShare<unknown>): void {
    addAll(this.#values, share.values);
    if (share.routes.size > 1) this.#mixed = true;
    if (share.open) this.#open = true;
  }

  /** A copy that more can be added to. */
  clone(): WindowShares {
    const copy = new WindowShares();
    copy.#values.set(this.#values);
    copy.#mixed = this.#mixed;
    copy.#open = this.#open;
    return copy;
  }

  /** Its fields of the document's window. */
  tally(direction: Direction): Pick<Window, "connection" | "setup" | "edges" | "frames"> {
    const at = (index: number) => this.#values[index] ?? 0;
    const frames = SHARE.frames + direction * FRAME_KINDS;
    return {
      connection: this.#mixed ? null : at(SHARE.connection + direction),
      setup: at(SHARE.setup + direction),
      edges: this.#open ? "open" : "closed",
      frames: { ping: at(frames), ping_ack: at(frames + 1), window_update: at(frames + 2), settings: at(frames + 3) },
    };
  }
}

/** The finished calls of one window of a route, over all connections, and what closed connections add to it. */
export class RouteWindow {
  /** Of closed connections. */
  readonly shares = new WindowShares();
  #calls = 0;
  /** By direction. */
  readonly #exclusive = new Float64Array(2);
  readonly #streamFlow = new Float64Array(2);
  readonly #own: readonly [Distribution, Distribution];

  /** @param distinctSizes see Limits. */
  constructor(distinctSizes: number) {
    this.#own = [new Distribution(distinctSizes), new Distribution(distinctSizes)];
  }

  /** A call of the window is done. */
  call(call: WindowCall): void {
    this.#calls += 1;
    for (const direction of DIRECTIONS) {
      const exclusive = call.exclusive(direction);
      const streamFlow = call.streamFlow(direction);
      add(this.#exclusive, direction, exclusive);
      add(this.#streamFlow, direction, streamFlow);
      this.#own[direction].add(exclusive + streamFlow);
    }
  }

  /** Octets of a call that is done already; they are not in its own levels yet. */
  late(call: WindowCall, direction: Direction, level: number, count: number): void {
    if (level === LEVEL.exclusive) add(this.#exclusive, direction, count);
    else if (level === LEVEL.stream_flow) add(this.#streamFlow, direction, count);
    else return;
    const before = call.exclusive(direction) + call.streamFlow(direction);
    this.#own[direction].move(before, before + count);
  }

  /** The document's window; null without calls. @param shares of all connections, live ones included. */
  tally(direction: Direction, shares: WindowShares): Window | null {
    if (this.#calls === 0) return null;
    const { connection, setup, edges, frames } = shares.tally(direction);
    return {
      calls: this.#calls,
      exclusive: this.#exclusive[direction] ?? 0,
      stream_flow: this.#streamFlow[direction] ?? 0,
      connection,
      setup,
      edges,
      own: this.#own[direction].summary(),
      frames,
    };
  }
}
