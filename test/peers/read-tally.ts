import { fileURLToPath } from "node:url";
import type { ConnectionTally, MessageTally, RouteOctets, Tally } from "../../src/ledger/tally.ts";
import { runProgram } from "./program.ts";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

/** The tally that `wiretally read` makes of captures. Rejects with what it says when it does not end with 0. */
export async function tallyOf(...paths: readonly string[]): Promise<Tally> {
  const { exitCode, stdout, stderr } = await runProgram([process.execPath, CLI, "read", ...paths, "--json", "-"]);
  if (exitCode !== 0) throw new Error(`read ${paths.join(" ")} ended with ${exitCode}: ${stderr}`);
  // One character is one octet until here.
  return JSON.parse(Buffer.from(stdout, "latin1").toString()) as Tally;
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

/** The same without what another order across the two directions changes: that of messages, and where windows begin and end. */
export function inAnyOrder(tally: Tally): unknown {
  const side = (octets: RouteOctets) => ({ ...octets, cold: null, warm: null });
  const byDirection = (messages: readonly MessageTally[]) => [
    ...messages.filter(({ direction }) => direction === "c2s"),
    ...messages.filter(({ direction }) => direction === "s2c"),
  ];
  const any = comparable({
    ...tally,
    connections: tally.connections.map((connection) => ({
      ...connection,
      exchanges: connection.exchanges.map((exchange) => ({ ...exchange, messages: byDirection(exchange.messages) })),
    })),
    routes: tally.routes.map((route) => ({ ...route, c2s: side(route.c2s), s2c: side(route.s2c) })),
  });
  return without(BY_ORDER, any);
}

/** Whether a stream was reset before both sides had ended, how many were open at once, and notes of the kind. */
const BY_ORDER: ReadonlySet<string> = new Set(["complete", "max_concurrent", "notes"]);
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
