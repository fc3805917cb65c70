import type { Accepted, ClientReads } from "./accepted-socket.ts";
import { Admission } from "./admission.ts";
import type { Clock } from "./clock.ts";
import { Connection, type ConnectionHost } from "./connection.ts";
import type { ListenSpec } from "./listen-spec.ts";
import { Listener, type ListenerEvents } from "./listener.ts";
import { LoopTurn } from "./loop-turn.ts";
import type { Narration } from "./narration.ts";
import type { NetworkError } from "./network-error.ts";
import type { Observer } from "./observer.ts";

/** Settings of a relay; times in milliseconds. */
export interface RelayOptions {
  readonly observer: Observer;
  readonly clock: Clock;
  readonly connectTimeoutMs: number;
  /** null: none. */
  readonly idleTimeoutMs: number | null;
  /** Connections relayed at the same time; later ones wait. */
  readonly maxConnections: number;
  /** How client sockets are read, where this Node can. */
  readonly clientReads: ClientReads;
  readonly narrate: (narration: Narration) => void;
}

/** The listeners of one process and all their connections. */
export class Relay implements ConnectionHost, ListenerEvents {
  readonly observer: Observer;
  readonly clock: Clock;
  readonly turn = new LoopTurn();
  readonly connectTimeoutMs: number;
  readonly idleTimeoutMs: number | null;
  readonly listeners: readonly Listener[];
  readonly #narrate: (narration: Narration) => void;
  readonly #admission: Admission;
  readonly #connections = new Set<Connection>();
  readonly #closedWaiters: { readonly count: number; readonly resolve: () => void }[] = [];
  #closed = 0;
  #closing: Promise<void> | null = null;
  #emptied: (() => void) | null = null;

  constructor(specs: readonly ListenSpec[], options: RelayOptions) {
    this.observer = options.observer;
    this.clock = options.clock;
    this.connectTimeoutMs = options.connectTimeoutMs;
    this.idleTimeoutMs = options.idleTimeoutMs;
    this.#narrate = options.narrate;
    this.listeners = specs.map((spec, at) => {
      const { host, port, target } = spec;
      return new Listener(spec.name ?? `l${at + 1}`, host, port, target, options.clientReads, this);
    });
    this.#admission = new Admission(this.listeners, options.maxConnections, options.narrate);
  }

  /** Connections that are over; ones that were never relayed do not count. */
  get closedConnections(): number {
    return this.#closed;
  }

  /** Listen on every address. @returns null, or what prevents one of them: then none is left open. */
  async open(): Promise<NetworkError | null> {
    for (const listener of this.listeners) {
      const failure = await listener.open();
      if (failure === null) continue;
      this.abort();
      return failure;
    }
    return null;
  }

  /** Resolves when that many connections are over. */
  whenClosed(count: number): Promise<void> {
    if (this.#closed >= count) return Promise.resolve();
    return new Promise((resolve) => {
      this.#closedWaiters.push({ count, resolve });
    });
  }

  /** Accept no more, let the open connections finish for `drainMs`, then reset those that are left. */
  close(drainMs: number): Promise<void> {
    this.#closing ??= this.#drain(drainMs);
    return this.#closing;
  }

  /** Reset every connection now. */
  abort(): void {
    void this.close(0);
    for (const connection of this.#connections) connection.stop("reset");
  }

  accepted(listener: Listener, client: Accepted): void {
    const connection = new Connection(this, listener.name, listener.target, client);
    this.#connections.add(connection);
    this.#admission.arrived(connection);
  }

  acceptFailed(code: string): void {
    this.#admission.shortage(code);
  }

  narrate(narration: Narration): void {
    this.#narrate(narration);
  }

  outOfDescriptors(connection: Connection, code: string): void {
    this.#admission.sentBack(connection, code);
  }

  closed(connection: Connection): void {
    this.#connections.delete(connection);
    if (connection.started) this.#closed++;
    this.#admission.left(connection);
    if (this.#connections.size === 0) this.#emptied?.();
    for (let at = this.#closedWaiters.length - 1; at >= 0; at--) {
      const waiter = this.#closedWaiters[at];
      if (waiter === undefined || waiter.count > this.#closed) continue;
      this.#closedWaiters.splice(at, 1);
      waiter.resolve();
    }
  }

  async #drain(drainMs: number): Promise<void> {
    this.#admission.close();
    if (this.#connections.size === 0) return;
    const emptied = new Promise<void>((resolve) => {
      this.#emptied = resolve;
    });
    const timer = setTimeout(() => this.abort(), drainMs);
    await emptied;
    clearTimeout(timer);
  }
}
