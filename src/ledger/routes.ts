import type { Exchange, Protocol } from "../decode/exchange.ts";
import type { ExchangeRecord } from "./exchange-record.ts";
import { Route, type RouteSums } from "./route.ts";
import { routeName } from "./route-name.ts";
import type { WindowShares } from "./route-window.ts";
import type { RouteTally } from "./tally.ts";
import { ownText, textOf } from "./text.ts";
import type { WindowShare } from "./windows.ts";

/** What names past a bound are counted under. */
export const OTHER = "(other)";

/** All routes of a ledger: a bounded number by name, the rest under `(other)` of its protocol. */
export class Routes {
  readonly #limit: number;
  readonly #make: (protocol: Protocol, name: string) => Route;
  readonly #byProtocol = new Map<Protocol, Map<string, Route>>();
  readonly #others = new Map<Protocol, Route>();
  #named = 0;
  #omitted = 0;
  /** The request that was named last: most are like the one before. */
  #last: Pick<Exchange, "protocol" | "method" | "path"> = { protocol: "opaque", method: null, path: null };
  #lastRoute: Route | null = null;

  /** @param limit, distinctSizes see Limits. */
  constructor(limit: number, distinctSizes: number, warmUp: number) {
    this.#limit = limit;
    this.#make = (protocol, name) => new Route(protocol, name, warmUp, distinctSizes);
  }

  /** Calls that were counted under `(other)`. */
  get omitted(): number {
    return this.#omitted;
  }

  /** The route that an exchange counts under from now on. */
  of(exchange: Exchange): Route {
    const { protocol, method, path } = exchange;
    const last = this.#last;
    if (this.#lastRoute !== null && path === last.path && method === last.method && protocol === last.protocol)
      return this.#lastRoute;
    const name = routeName(exchange);
    const known = this.#byProtocol.get(protocol)?.get(name);
    if (known !== undefined) {
      this.#last = { protocol, method, path };
      this.#lastRoute = known;
      return known;
    }
    if (this.#named >= this.#limit) {
      this.#omitted += 1;
      return this.#other(protocol);
    }
    const names = this.#byProtocol.get(protocol) ?? new Map<string, Route>();
    const route = this.#make(protocol, ownText(name));
    this.#named += 1;
    this.#byProtocol.set(protocol, names.set(route.name, route));
    return route;
  }

  /** Take in what a closed connection adds to the windows. */
  settle(shares: readonly WindowShare<Route>[]): void {
    for (const share of shares) {
      for (const route of share.routes) route[share.window].shares.add(share);
    }
  }

  /**
   * The document's routes with what is live now, in the order they were first seen, `(other)` last.
   * @param live exchanges not done; one whose request is not known yet counts under the route it would have now.
   */
  tally(live: Iterable<ExchangeRecord>, shares: Iterable<WindowShare<Route>>): readonly RouteTally[] {
    const drafts = new Map<Route, Draft>();
    for (const names of this.#byProtocol.values()) for (const route of names.values()) drafts.set(route, draftOf(route));
    for (const route of this.#others.values()) drafts.set(route, draftOf(route));

    const unnamed = new Map<string, Route>();
    for (const record of live) {
      const route = record.route ?? this.#provisional(record, unnamed);
      const draft = drafts.get(route) ?? draftOf(route);
      draft.sums ??= route.sums.clone();
      draft.sums.addCall(record);
      record.parts.addTo(draft.sums.counts);
      drafts.set(route, draft);
    }
    for (const share of shares) {
      for (const route of share.routes) {
        const draft = drafts.get(route);
        if (draft === undefined) continue;
        draft[share.window] ??= route[share.window].shares.clone();
        draft[share.window]?.add(share);
      }
    }
    return [...drafts.values()].map(tallyOf);
  }

  #other(protocol: Protocol): Route {
    const route = this.#others.get(protocol) ?? this.#make(protocol, OTHER);
    this.#others.set(protocol, route);
    return route;
  }

  /** A document must not change the ledger: a name that nobody has yet is made for it alone. */
  #provisional(record: ExchangeRecord, unnamed: Map<string, Route>): Route {
    const { protocol } = record;
    const name = routeName(record);
    const known = this.#byProtocol.get(protocol)?.get(name) ?? unnamed.get(`${protocol} ${name}`);
    if (known !== undefined) return known;
    const full = this.#named + unnamed.size >= this.#limit;
    const key = `${protocol} ${full ? OTHER : name}`;
    const route =
      (full ? (this.#others.get(protocol) ?? unnamed.get(key)) : undefined) ?? this.#make(protocol, full ? OTHER : name);
    unnamed.set(key, route);
    return route;
  }
}

/** A route while a document is made; null where nothing live adds to it. */
interface Draft {
  readonly route: Route;
  sums: RouteSums | null;
  cold: WindowShares | null;
  warm: WindowShares | null;
}

function draftOf(route: Route): Draft {
  return { route, sums: null, cold: null, warm: null };
}

function tallyOf({ route, sums, cold, warm }: Draft): RouteTally {
  const total = sums ?? route.sums;
  const coldShares = cold ?? route.cold.shares;
  const warmShares = warm ?? route.warm.shares;
  return {
    protocol: route.protocol,
    route: textOf(route.name),
    calls: total.calls,
    c2s: route.tally(0, total, coldShares, warmShares),
    s2c: route.tally(1, total, coldShares, warmShares),
  };
}
