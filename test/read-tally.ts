import { CaptureLedger } from "../src/capture/capture-ledger.ts";
import { Dissector } from "../src/capture/dissect/dissector.ts";
import { readCaptureFile } from "../src/capture/read-capture-file.ts";
import { TcpTracker } from "../src/capture/tcp/tcp-tracker.ts";
import type { ConnectionTally, MessageTally, RouteOctets, Tally, Window } from "../src/ledger/tally.ts";

/** The tally of captures that are read one after the other. */
export async function tallyOf(...paths: readonly string[]): Promise<Tally> {
  const ledger = new CaptureLedger({
    generator: { name: "test", version: "0" },
    files: paths,
    listenerFor: () => null,
    schemas: null,
    decodeAs: new Map(),
  });
  const tracker = new TcpTracker(ledger);
  const dissector = new Dissector({ segment: (segment) => tracker.segment(segment), note: () => {} });
  for (const path of paths) {
    await readCaptureFile(path, { packet: (packet) => dissector.packet(packet), note: () => {} });
  }
  tracker.end();
  return ledger.tally();
}

/**
 * What a run and a capture of it agree in: all but times, reads, where the octets are from, names and addresses of both sides, and how
 * connections ended.
 */
export function comparable(tally: Tally): unknown {
  const { totals, omitted, connections, routes } = tally;
  return without(DIFFERENT, { totals, omitted, connections, routes });
}

/** The same of one connection. */
export function comparableConnection(connection: ConnectionTally | undefined): unknown {
  return without(DIFFERENT, connection);
}

/** The same without what another order across the two directions changes: messages, and what moves over an open edge of a window. */
export function inAnyOrder(tally: Tally): unknown {
  const side = (octets: RouteOctets) => ({ ...octets, cold: withoutEdge(octets.cold), warm: withoutEdge(octets.warm) });
  const byDirection = (messages: readonly MessageTally[]) => [
    ...messages.filter(({ direction }) => direction === "c2s"),
    ...messages.filter(({ direction }) => direction === "s2c"),
  ];
  return comparable({
    ...tally,
    connections: tally.connections.map((connection) => ({
      ...connection,
      exchanges: connection.exchanges.map((exchange) => ({ ...exchange, messages: byDirection(exchange.messages) })),
    })),
    routes: tally.routes.map((route) => ({ ...route, c2s: side(route.c2s), s2c: side(route.s2c) })),
  });
}

function withoutEdge(window: Window | null): Window | null {
  return window?.edges === "open" ? { ...window, connection: null, setup: 0, frames: NO_FRAMES } : window;
}

const NO_FRAMES = { ping: 0, ping_ack: 0, window_update: 0, settings: 0 };
const DIFFERENT: ReadonlySet<string> = new Set([
  ...["deltas", "listener", "client", "server", "packets"],
  ...["opened", "closed", "started", "first_octet_us", "duration_us", "blocked_us", "min", "max"],
  ...["close", "undelivered"],
]);

function without(names: ReadonlySet<string>, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => without(names, item));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !names.has(name) || isOfCalls(name, value));
  return Object.fromEntries(kept.map(([name, member]) => [name, without(names, member)]));
}

/** `min` and `max` are times of PINGs, and sizes of calls: those have a median. */
function isOfCalls(name: string, owner: object): boolean {
  return (name === "min" || name === "max") && "median" in owner;
}
