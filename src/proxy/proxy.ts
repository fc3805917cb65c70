import type { CaptureSink } from "../capture/write/capture-sink.ts";
import type { Schemas } from "../decode/protobuf/message-type.ts";
import { Ledger } from "../ledger/ledger.ts";
import type { LedgerListener } from "../ledger/listener.ts";
import type { Tally } from "../ledger/tally.ts";
import { bestClientReads, type ClientReads } from "./accepted-socket.ts";
import { Clock } from "./clock.ts";
import { formatAddress, formatTarget, type ListenSpec, parseListenSpec, UsageError } from "./listen-spec.ts";
import type { Narration } from "./narration.ts";
import { NoteRecorder } from "./note-recorder.ts";
import { RecordingObserver } from "./recording-observer.ts";
import { Relay } from "./relay.ts";
import { GENERATOR } from "./version.ts";

const DEFAULT_CONNECT_TIMEOUT_MS = 10_000;
const DEFAULT_DRAIN_MS = 5000;

/** What to listen on, and how. Times in milliseconds. */
export interface ProxyOptions {
  /** At least one: `"[name=][host:]port:TARGET"`, or the same parsed. */
  readonly listeners: readonly (string | ListenSpec)[];
  /** Told of units, exchanges, notes and connections as they happen. What it throws is thrown into the relay: it should not. */
  readonly listener?: LedgerListener | null;
  /** Connections without an octet either way for this long are closed. Default: never. */
  readonly idleTimeoutMs?: number | null;
  /** How long the target may take to accept; default 10 s. */
  readonly connectTimeoutMs?: number;
  /** Connections relayed at the same time: further ones wait, accepted and unread, up to 511. Default: no limit. */
  readonly maxConnections?: number;
  /** Calls on a connection before its warm window begins; default 10. */
  readonly warmUp?: number;
  /** Protobuf schemas, see {@link loadSchemas}: messages are then read by field and named by type. */
  readonly schemas?: Schemas | null;
  /**
   * Records every connection, with the ledger's notes as comments; a {@link CaptureFile} writes pcapng. It is told of the listeners once
   * they listen. Whoever made it ends it, after `close`.
   */
  readonly capture?: CaptureSink | null;
  /** What a person should read while it runs. */
  readonly onNarration?: (narration: Narration) => void;
}

/** What only tests choose. */
interface ProxyInternals {
  readonly clientReads?: ClientReads;
}

/** A listener as it stands. */
export interface ProxyListener {
  /** As given, or `l1`, `l2`, … by its place in the list. */
  readonly name: string;
  /** Without brackets. */
  readonly host: string;
  /** The real one, also where 0 was asked for. */
  readonly port: number;
  /** `host:port`, `[v6]:port` or a path. */
  readonly target: string;
}

/** A proxy that listens. */
export interface Proxy {
  /** In the order in which they were asked for. */
  readonly listeners: readonly ProxyListener[];
  /** What counts. {@link Proxy.tally} is its document as of now. */
  readonly ledger: Ledger;
  /** Relayed connections that are over, the failed ones included. */
  readonly closedConnections: number;
  /** Octets under `unattributed`, over all time. */
  readonly unattributed: number;
  /** Connections and directions whose sums did not close: 0 unless there is a fault in us. */
  readonly broken: number;
  /** Everything counted so far. */
  tally(): Tally;
  /** Resolves when that many relayed connections are over. */
  whenClosed(count: number): Promise<void>;
  /** Accept no more, let open connections finish for `drainMs` (default 5 s), reset those that are left. Resolves when all are over. */
  close(options?: { readonly drainMs?: number }): Promise<void>;
  /** Reset every connection now, also during `close`. They are over, and in the tally, when `close()` resolves. */
  abort(): void;
}

/**
 * Listen, relay, and count every octet. Nothing is printed.
 * @param internals not for users.
 * @throws UsageError a listener that cannot be meant. NetworkError an address that cannot be listened on; then nothing is left open.
 *
 *     const proxy = await createProxy({ listeners: ["0:127.0.0.1:8080"] });
 *     // … requests to proxy.listeners[0].port …
 *     await proxy.close();
 *     console.log(proxy.tally().totals.c2s.by_cause);
 */
export async function createProxy(options: ProxyOptions, internals: ProxyInternals = {}): Promise<Proxy> {
  const specs = readSpecs(options.listeners);
  const clock = new Clock();
  const { capture = null, listener = null } = options;
  const ledger = new Ledger({
    kind: "proxy",
    generator: GENERATOR,
    startedNs: clock.startedNs,
    listener: capture === null ? listener : new NoteRecorder(capture, listener),
    schemas: options.schemas ?? null,
    ...(options.warmUp === undefined ? {} : { warmUp: options.warmUp }),
  });
  const relay = new Relay(specs, {
    observer: capture === null ? ledger : new RecordingObserver(ledger, capture, clock.startedNs),
    clock,
    connectTimeoutMs: options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS,
    idleTimeoutMs: options.idleTimeoutMs ?? null,
    maxConnections: options.maxConnections ?? Number.POSITIVE_INFINITY,
    clientReads: internals.clientReads ?? (await bestClientReads()),
    narrate: options.onNarration ?? (() => {}),
  });
  const failure = await relay.open();
  if (failure !== null) throw failure;
  const listeners = relay.listeners.map(({ name, host, port, target }) => ({ name, host, port, target: formatTarget(target) }));
  for (const { name, host, port, target } of listeners) {
    ledger.addListener(name, formatAddress(host, port), target);
    capture?.listener(name, formatAddress(host, port), target);
  }
  return {
    listeners,
    ledger,
    get closedConnections() {
      return relay.closedConnections;
    },
    get unattributed() {
      return ledger.unattributed;
    },
    get broken() {
      return ledger.broken;
    },
    tally: () => ledger.tally(clock.now()),
    whenClosed: (count) => relay.whenClosed(count),
    close: ({ drainMs = DEFAULT_DRAIN_MS } = {}) => relay.close(drainMs),
    abort: () => relay.abort(),
  };
}

function readSpecs(listeners: readonly (string | ListenSpec)[]): ListenSpec[] {
  if (listeners.length === 0) throw new UsageError("nothing to listen on (try for example -L 8080:127.0.0.1:9090)");
  const names = new Set<string>();
  return listeners.map((listener, at) => {
    const spec = typeof listener === "string" ? parseListenSpec(listener) : listener;
    if (spec instanceof UsageError) throw spec;
    const name = spec.name ?? `l${at + 1}`;
    if (names.has(name)) throw new UsageError(`two listeners are named ${name} (give each its own name)`);
    names.add(name);
    return { ...spec, name };
  });
}
