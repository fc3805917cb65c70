// A process: relays to a port of loopback. Arguments: `decode` or `opaque`, the port. Tells the parent its own port, and what it
// counted when it is asked.
import { C2S, type Direction, S2C } from "../../decode/direction.ts";
import { OpaqueLayer } from "../../decode/opaque-layer.ts";
import type { ConnectionSink } from "../../decode/sink.ts";
import type { StackLike } from "../../ledger/books.ts";
import { Ledger } from "../../ledger/ledger.ts";
import { bestClientReads } from "../../proxy/accepted-socket.ts";
import { Clock } from "../../proxy/clock.ts";
import { Relay } from "../../proxy/relay.ts";
import { GENERATOR } from "../../proxy/version.ts";

/** What was relayed so far. */
export interface Counted {
  readonly c2s: number;
  readonly s2c: number;
  readonly unattributed: number;
  /** Sums that did not close. */
  readonly broken: number;
  /** Rules that were broken on the wire, and caps that were reached. */
  readonly faults: number;
}

/** Counts the octets of a connection and looks at none. */
class OpaqueStack implements StackLike {
  readonly tlsRecords = null;
  readonly #layers: readonly [OpaqueLayer, OpaqueLayer];

  constructor(sink: ConnectionSink) {
    const layer = (direction: Direction) => new OpaqueLayer(sink, direction, "unattributed.opaque", null, "not decoded");
    this.#layers = [layer(C2S), layer(S2C)];
  }

  push(direction: Direction, bytes: Uint8Array): void {
    this.#layers[direction].push(bytes, 0, bytes.length);
  }

  gap(): void {}

  end(direction: Direction): void {
    this.#layers[direction].end();
  }

  pending(): number {
    return 0;
  }
}

const [, , mode = "", target = ""] = process.argv;
const clock = new Clock();
const ledger = new Ledger({
  kind: "proxy",
  generator: GENERATOR,
  startedNs: clock.startedNs,
  ...(mode === "opaque" ? { stackFor: (sink: ConnectionSink) => new OpaqueStack(sink) } : {}),
});
// As createProxy does, which has no option for the stack.
const relay = new Relay(
  [{ name: mode, host: "127.0.0.1", port: 0, target: { kind: "tcp", host: "127.0.0.1", port: Number(target) } }],
  {
    observer: ledger,
    clock,
    connectTimeoutMs: 10_000,
    idleTimeoutMs: null,
    maxConnections: Number.POSITIVE_INFINITY,
    clientReads: await bestClientReads(),
    narrate: () => {},
  },
);
const failure = await relay.open();
if (failure !== null) throw failure;
process.on("message", () => {
  const { totals, connections } = ledger.tally(clock.now());
  const notes = connections.flatMap((connection) => connection.notes);
  const counted: Counted = {
    c2s: totals.c2s.octets,
    s2c: totals.s2c.octets,
    unattributed: ledger.unattributed,
    broken: ledger.broken,
    faults: notes.filter(({ severity }) => severity === "violation" || severity === "limit").length,
  };
  process.send?.(counted);
});
process.on("disconnect", () => process.exit());
process.send?.({ port: relay.listeners[0]?.port });
