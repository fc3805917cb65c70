import type { BridgeSide } from "../ledger/bridge.ts";
import type { ByCategory, ConnectionTally, FieldTally, PerDirection, Tally, Window } from "../ledger/tally.ts";

/** The three ways in which the demo carries the same item; also the names of the proxy's listeners. */
export const STACKS = ["grpc", "http2", "http1"] as const;
export type Stack = (typeof STACKS)[number];

/** Integer sums of octets over a window's calls, one direction; levels as the tally names them. */
interface WindowSums {
  readonly exclusive: number;
  readonly streamFlow: number;
  readonly connection: number;
  /** Of the cold window, which begins with the connection's first octet; 0 in the warm one. */
  readonly setup: number;
}

/** One connection's calls in a window. Octets per call: `(exclusive + streamFlow + connection + setup) / calls`. */
export interface WindowFigures {
  readonly calls: number;
  /** `open`: the machine was too busy for a pause; each edge may have moved 47 octets or fewer. */
  readonly edges: "closed" | "open";
  readonly c2s: WindowSums;
  readonly s2c: WindowSums;
}

/** `date` field lines of the responses in the warm window: a new date is written out, the same one again is a single octet. */
interface DateLines {
  readonly lines: number;
  /** Lines that went into the HPACK dynamic table; 0 in HTTP/1.1, which has none. */
  readonly inserts: number;
  readonly octets: number;
}

/** What one connection of the demo cost. */
export interface ConnectionFigures {
  readonly cold: WindowFigures;
  readonly warm: WindowFigures;
  /** Octets of the warm window by category, integer sums over its calls; they sum to the window's octets unless its edges are open. */
  readonly categories: PerDirection<ByCategory>;
  readonly dates: DateLines;
}

/** The tally at a connection's three moments of silence. */
export interface Moments {
  /** Before the connection was opened. */
  readonly before: Tally;
  /** After the warm-up. */
  readonly warmStart: Tally;
  /** After the last call, before the close. */
  readonly warmEnd: Tally;
}

/**
 * The figures of a stack's newest connection. A route's windows sum up all of its connections, so those of one connection are the
 * difference of two moments.
 */
export function connectionFigures(stack: Stack, { before, warmStart, warmEnd }: Moments): ConnectionFigures {
  const warm = windowBetween(stack, "warm", before, warmEnd);
  const categories = categoriesBetween(stack, warmStart, warmEnd);
  const agree = DIRECTION_NAMES.every((direction) => sumOf(categories[direction]) === sumOf(warm[direction]));
  return {
    cold: windowBetween(stack, "cold", before, warmEnd),
    // Octets that came after a pause, and before the moment that was taken for silence, are a matter of the edges, too.
    warm: agree ? warm : { ...warm, edges: "open" },
    categories,
    dates: datesBetween(stack, warmStart, warmEnd),
  };
}

/** A connection's warm calls as one side of a bridge. */
export function bridgeSideOf({ warm, categories }: ConnectionFigures): BridgeSide {
  return { calls: warm.calls, ...categories };
}

/** All octets of a window, both directions. */
export function octetsOf({ c2s, s2c }: WindowFigures): number {
  return sumOf(c2s) + sumOf(s2c);
}

const DIRECTION_NAMES = ["c2s", "s2c"] as const;
/** How each stack's one route is filed. */
const PROTOCOL = { grpc: "grpc", http2: "h2", http1: "http1" } as const satisfies Record<Stack, string>;

function windowBetween(stack: Stack, name: "cold" | "warm", before: Tally, after: Tally): WindowFigures {
  const [c2s, s2c] = DIRECTION_NAMES.map((direction) => {
    const earlier = routeOf(stack, before)?.[direction][name] ?? null;
    const later = routeOf(stack, after)?.[direction][name] ?? null;
    if (later === null) throw new TypeError(`the tally has no ${name} window for ${stack}`);
    return {
      window: later,
      sums: difference(sumsOf(later), earlier === null ? ZERO : sumsOf(earlier)),
      callsBefore: earlier?.calls ?? 0,
    };
  });
  if (c2s === undefined || s2c === undefined) throw new TypeError("there are two directions");
  return { calls: c2s.window.calls - c2s.callsBefore, edges: c2s.window.edges, c2s: c2s.sums, s2c: s2c.sums };
}

const ZERO: WindowSums = { exclusive: 0, streamFlow: 0, connection: 0, setup: 0 };

function sumsOf({ exclusive, stream_flow, connection, setup }: Window): WindowSums {
  if (connection === null) throw new TypeError("a connection of the demo carried a second route");
  return { exclusive, streamFlow: stream_flow, connection, setup };
}

function difference(later: WindowSums, earlier: WindowSums): WindowSums {
  return {
    exclusive: later.exclusive - earlier.exclusive,
    streamFlow: later.streamFlow - earlier.streamFlow,
    connection: later.connection - earlier.connection,
    setup: later.setup - earlier.setup,
  };
}

/** What a connection carried between two moments. It is silent at both, so that nothing is counted as one thing now and another later. */
function categoriesBetween(stack: Stack, from: Tally, to: Tally): PerDirection<ByCategory> {
  const [earlier, later] = [connectionOf(stack, from), connectionOf(stack, to)];
  return {
    c2s: added(earlier?.c2s.by_category, later?.c2s.by_category),
    s2c: added(earlier?.s2c.by_category, later?.s2c.by_category),
  };
}

function added(earlier: ByCategory = {}, later: ByCategory = {}): ByCategory {
  const before: { readonly [category: string]: number } = earlier;
  const counts = Object.entries(later).map(([category, octets]) => [category, octets - (before[category] ?? 0)] as const);
  return Object.fromEntries(counts.filter(([, octets]) => octets !== 0));
}

function datesBetween(stack: Stack, from: Tally, to: Tally): DateLines {
  const earlier = dateField(stack, from);
  const later = dateField(stack, to);
  const between = (key: "count" | "inserts" | "octets") => (later?.[key] ?? 0) - (earlier?.[key] ?? 0);
  return { lines: between("count"), inserts: between("inserts"), octets: between("octets") };
}

function dateField(stack: Stack, tally: Tally): FieldTally | undefined {
  return connectionOf(stack, tally)?.fields.s2c.find(({ name }) => name?.toLowerCase() === "date");
}

/** The newest of a stack. */
function connectionOf(stack: Stack, { connections }: Tally): ConnectionTally | undefined {
  return connections.findLast(({ listener }) => listener === stack);
}

function routeOf(stack: Stack, { routes }: Tally) {
  return routes.find(({ protocol }) => protocol === PROTOCOL[stack]);
}

function sumOf(counts: WindowSums | ByCategory): number {
  return Object.values(counts).reduce((sum, octets) => sum + octets, 0);
}
