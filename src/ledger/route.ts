import { DIRECTIONS, type Direction } from "../decode/direction.ts";
import type { Protocol } from "../decode/exchange.ts";
import { LEVEL } from "../decode/level.ts";
import type { CompactCounts } from "./compact-counts.ts";
import { add, addAll, type Counts, countIndex, newCounts, sumOf } from "./counts.ts";
import { partsOf } from "./octets.ts";
import { RouteWindow, type WindowCall, type WindowShares } from "./route-window.ts";
import type { RouteOctets } from "./tally.ts";

/** A call as a route counts it. */
export interface RouteCall extends WindowCall {
  readonly ordinal: number;
}

/** Sums over calls; levels are by direction. */
export class RouteSums {
  calls = 0;
  readonly counts: Counts = newCounts();
  readonly exclusive = new Float64Array(2);
  readonly streamFlow = new Float64Array(2);

  /** Count a call, but not its categories: the caller adds them to `counts`. */
  addCall(call: RouteCall): void {
    this.calls += 1;
    for (const direction of DIRECTIONS) {
      add(this.exclusive, direction, call.exclusive(direction));
      add(this.streamFlow, direction, call.streamFlow(direction));
    }
  }

  clone(): RouteSums {
    const copy = new RouteSums();
    copy.calls = this.calls;
    addAll(copy.counts, this.counts);
    addAll(copy.exclusive, this.exclusive);
    addAll(copy.streamFlow, this.streamFlow);
    return copy;
  }
}

/** Everything that was ever finished under one route, exact for ever. */
export class Route {
  readonly protocol: Protocol;
  /** An octet string. */
  readonly name: string;
  readonly sums = new RouteSums();
  readonly cold: RouteWindow;
  readonly warm: RouteWindow;
  readonly #warmUp: number;

  constructor(protocol: Protocol, name: string, warmUp: number, distinctSizes: number) {
    this.protocol = protocol;
    this.name = name;
    this.#warmUp = warmUp;
    this.cold = new RouteWindow(distinctSizes);
    this.warm = new RouteWindow(distinctSizes);
  }

  /** A call is done. */
  finish(call: RouteCall, parts: CompactCounts): void {
    this.sums.addCall(call);
    parts.addTo(this.sums.counts);
    if (this.#isCold(call)) this.cold.call(call);
    if (this.#isWarm(call)) this.warm.call(call);
  }

  /** Octets of a call that is done; they are not in its own levels yet. */
  late(call: RouteCall, direction: Direction, category: number, level: number, count: number): void {
    add(this.sums.counts, countIndex(direction, category), count);
    if (level === LEVEL.exclusive) add(this.sums.exclusive, direction, count);
    if (level === LEVEL.stream_flow) add(this.sums.streamFlow, direction, count);
    if (this.#isCold(call)) this.cold.late(call, direction, level, count);
    if (this.#isWarm(call)) this.warm.late(call, direction, level, count);
  }

  /** Octets of a call that is done were another category than was said. */
  moved(direction: Direction, from: number, to: number, count: number): void {
    add(this.sums.counts, countIndex(direction, from), -count);
    add(this.sums.counts, countIndex(direction, to), count);
  }

  /** One direction of the document's route. @param sums, cold, warm with live calls and connections. */
  tally(direction: Direction, sums: RouteSums, cold: WindowShares, warm: WindowShares): RouteOctets {
    return {
      octets: sumOf(sums.counts, direction),
      ...partsOf(sums.counts, direction),
      exclusive: sums.exclusive[direction] ?? 0,
      stream_flow: sums.streamFlow[direction] ?? 0,
      cold: this.cold.tally(direction, cold),
      warm: this.warm.tally(direction, warm),
    };
  }

  #isCold(call: RouteCall): boolean {
    return call.ordinal === 1;
  }

  /** A warm-up of 0 makes the first call warm, too. */
  #isWarm(call: RouteCall): boolean {
    return call.ordinal > this.#warmUp;
  }
}
