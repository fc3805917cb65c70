import { connect, type Socket } from "node:net";
import { C2S, DIRECTIONS, type Direction, opposite, S2C } from "../decode/direction.ts";
import type { CloseTally } from "../ledger/tally.ts";
import type { Accepted } from "./accepted-socket.ts";
import { BufferLink } from "./buffer-link.ts";
import type { Clock } from "./clock.ts";
import { whenDelivered } from "./delivery.ts";
import { isOutOfDescriptors } from "./descriptors.ts";
import { type Ports, portsOf, sendQueues } from "./kernel-sockets.ts";
import type { Link, LinkEvents } from "./link.ts";
import { formatAddress, formatTarget, type Target } from "./listen-spec.ts";
import type { LoopTurn } from "./loop-turn.ts";
import type { Narration } from "./narration.ts";
import { codeOf, connectFailure } from "./network-error.ts";
import type { ConnectionObserver, Observer } from "./observer.ts";
import { ReadBuffer } from "./read-buffer.ts";
import { StreamLink } from "./stream-link.ts";

/** What a connection asks of the relay that it belongs to. */
export interface ConnectionHost {
  readonly observer: Observer;
  readonly clock: Clock;
  readonly turn: LoopTurn;
  readonly connectTimeoutMs: number;
  /** null: an idle connection is kept for ever. */
  readonly idleTimeoutMs: number | null;
  narrate(narration: Narration): void;
  /** No descriptor was left for the upstream socket: the connection has to wait, and is started again later. */
  outOfDescriptors(connection: Connection, code: string): void;
  /** It is over and told. */
  closed(connection: Connection): void;
}

/** Who ends a connection, when it is not an orderly end. */
export type ConnectionEnd = "reset" | "idle";

type Side = "client" | "server";
type State = "waiting" | "connecting" | "open" | "over";

/** errno codes by which a peer's reset shows: on a read, and on a write after it. */
const RESET_CODES: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE"]);

/** A timer of Node fires at once when it is set for longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * One client socket and its upstream socket. Octets pass by two links; a FIN is passed on as a FIN, when all before it is written; a
 * reset is passed on as a reset, when all that was read before it has arrived.
 */
export class Connection implements LinkEvents {
  readonly #host: ConnectionHost;
  readonly #listener: string;
  readonly #target: Target;
  readonly #client: Socket;
  readonly #clientBuffer: ReadBuffer | null;
  readonly #links: Link[] = [];
  readonly #order: CloseTally["order"][number][] = [];
  #state: State = "waiting";
  #upstream: Socket | null = null;
  #told: ConnectionObserver | null = null;
  /** How it ended, as soon as that is no longer two FINs. */
  #broken: CloseTally | null = null;
  #clientClosed = false;
  #upstreamClosed = false;
  #connectTimer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #lastActive = 0;
  /** The loop's turn of the last read, by direction. */
  readonly #readTurn = [-1, -1];
  /** By direction, of the source. */
  readonly #ports: (Ports | null)[] = [null, null];

  /** @param accepted with allowHalfOpen and pauseOnConnect: what it sends waits in TCP until the upstream is connected. */
  constructor(host: ConnectionHost, listener: string, target: Target, accepted: Accepted) {
    const client = accepted.socket;
    this.#host = host;
    this.#listener = listener;
    this.#target = target;
    this.#client = client;
    this.#clientBuffer = accepted.buffer;
    client.on("end", () => this.#sourceOver(C2S));
    client.on("error", (error) => this.#failed("client", error));
    client.on("close", () => this.#sideClosed("client"));
  }

  /** Whether it has been relayed, or was tried: then it is in the tally. */
  get started(): boolean {
    return this.#told !== null;
  }

  /** Connect to the target. Called again after `outOfDescriptors`. */
  start(): void {
    const { clock, observer, connectTimeoutMs } = this.#host;
    this.#told ??= observer.open(
      { listener: this.#listener, client: clientAddress(this.#client), server: formatTarget(this.#target) },
      clock.now(),
    );
    this.#state = "connecting";
    const buffer = new ReadBuffer();
    const where =
      this.#target.kind === "unix" ? { path: this.#target.path } : { host: this.#target.host, port: this.#target.port };
    const upstream = connect({ ...where, allowHalfOpen: true, noDelay: true, onread: buffer.onread });
    this.#links[S2C] = new BufferLink(S2C, upstream, buffer, this.#client, this);
    this.#upstream = upstream;
    this.#connectTimer = setTimeout(() => this.#unreachable("ETIMEDOUT"), Math.min(connectTimeoutMs, LONGEST_TIMER_MS));
    upstream.once("connect", () => this.#connected(upstream));
    upstream.on("end", () => this.#sourceOver(S2C));
    upstream.on("error", (error) => this.#failed("server", error));
    upstream.on("close", () => {
      if (upstream === this.#upstream) this.#sideClosed("server");
    });
  }

  /** End both sides at once: by resets, or for an idle connection by plain closes. */
  stop(end: ConnectionEnd): void {
    if (this.#state === "over") return;
    const how = end === "idle" ? "timeout" : "rst";
    if (this.#broken === null) this.#break("proxy", how, null);
    for (const socket of [this.#client, this.#upstream]) {
      if (how === "timeout") socket?.destroy();
      else if (socket !== null) reset(socket);
    }
  }

  relayed(direction: Direction, chunk: Uint8Array): void {
    this.#lastActive = this.#host.clock.now();
    this.#told?.delta(direction, chunk, this.#lastActive);
    this.#readTurn[direction] = this.#host.turn.now();
  }

  flushed(direction: Direction): void {
    this.#lastActive = this.#host.clock.now();
    // The link's source is gone, and this was the last of it.
    if (this.#broken !== null && this.#closedSource(direction)) this.#resetWhenDelivered(direction);
  }

  #connected(upstream: Socket): void {
    clearTimeout(this.#connectTimer);
    this.#state = "open";
    this.#ports[C2S] = portsOf(this.#client);
    this.#ports[S2C] = portsOf(upstream);
    this.#lastActive = this.#host.clock.now();
    this.#told?.connected?.(serverAddress(upstream, this.#target), this.#lastActive);
    if (this.#host.idleTimeoutMs !== null) this.#watchIdle(this.#host.idleTimeoutMs);
    const [client, buffer] = [this.#client, this.#clientBuffer];
    this.#links[C2S] =
      buffer === null ? new StreamLink(C2S, client, upstream, this) : new BufferLink(C2S, client, buffer, upstream, this);
    client.resume();
  }

  /**
   * The source reads as ended. libuv says so as well when a reset is found together with the last octets: then the end comes in the
   * turn of their read, and the kernel no longer has the socket. Where we have sent our own FIN that can be an orderly end, too, and
   * is taken for one.
   */
  #sourceOver(direction: Direction): void {
    const source = this.#destination(opposite(direction));
    const ports = this.#ports[direction] ?? null;
    if (source === null || ports === null || this.#readTurn[direction] !== this.#host.turn.now() || source.writableEnded) {
      this.#ended(direction);
      return;
    }
    void sendQueues(ports).then((queues) => {
      if (this.#state === "over" || this.#broken !== null) return;
      if (queues === null || queues.length > 0 || source.writableEnded) {
        this.#ended(direction);
        return;
      }
      this.#break(direction === C2S ? "client" : "server", "rst", "ECONNRESET");
      source.destroy();
    });
  }

  #ended(direction: Direction): void {
    this.#order.push(direction === C2S ? "client" : "server");
    this.#told?.end(direction, this.#host.clock.now());
    this.#destination(direction)?.end();
  }

  #failed(side: Side, error: Error & { syscall?: string }): void {
    const code = codeOf(error);
    // A socket that Node could not reset emits no "close".
    if (error.syscall === "reset") this.#sideClosed(side);
    else if (this.#state === "connecting" && side === "server") this.#unreachable(code);
    else if (this.#broken === null) this.#break(side, RESET_CODES.has(code) ? "rst" : "error", code);
  }

  #break(by: CloseTally["by"], how: CloseTally["how"], code: string | null): void {
    this.#order.push(by);
    this.#broken = { by, how, code, order: this.#order };
  }

  #unreachable(code: string): void {
    clearTimeout(this.#connectTimer);
    if (this.#broken !== null) return;
    const upstream = this.#upstream;
    if (isOutOfDescriptors(code)) {
      this.#upstream = null;
      this.#state = "waiting";
      this.#host.outOfDescriptors(this, code);
      return;
    }
    if (RESET_CODES.has(code)) this.#break("server", "rst", code);
    else this.#break("proxy", "error", code);
    upstream?.destroy();
    // A reset, as a FIN would look like an empty answer.
    reset(this.#client);
    const target = formatTarget(this.#target);
    const text = `${this.#told?.facts.id}: cannot reach ${target}: ${connectFailure(code)}`;
    this.#host.narrate({
      kind: "upstream-failed",
      connection: this.#told?.facts.id ?? "",
      listener: this.#listener,
      target,
      code,
      text,
    });
  }

  #sideClosed(side: Side): void {
    if (side === "client") this.#clientClosed = true;
    else this.#upstreamClosed = true;
    const upstreamGone = this.#upstreamClosed || this.#upstream === null;
    if (this.#clientClosed && upstreamGone) this.#over();
    else if (this.#broken !== null && this.#state === "open") this.#passOnEnd(side === "client" ? C2S : S2C);
  }

  /** The source of `direction` is gone: its octets first, then the same end for the other side. */
  #passOnEnd(direction: Direction): void {
    this.#links[opposite(direction)]?.halt();
    const link = this.#links[direction];
    link?.drain();
    if (link === undefined || link.pending === 0) this.#resetWhenDelivered(direction);
  }

  #resetWhenDelivered(direction: Direction): void {
    const socket = this.#destination(direction);
    if (socket !== null) void whenDelivered(socket).then(() => reset(socket));
  }

  #over(): void {
    if (this.#state === "over") return;
    this.#state = "over";
    clearTimeout(this.#connectTimer);
    clearTimeout(this.#idleTimer);
    const time = this.#host.clock.now();
    for (const direction of DIRECTIONS) {
      const link = this.#links[direction];
      link?.drain();
      if (link !== undefined && link.pending > 0) this.#told?.undelivered(direction, link.pending);
    }
    const by = this.#order[0] ?? "proxy";
    this.#told?.close(this.#broken ?? { by, how: "fin", code: null, order: this.#order }, time);
    this.#host.closed(this);
  }

  #watchIdle(limitMs: number): void {
    const idleMs = (this.#host.clock.now() - this.#lastActive) / 1e6;
    if (idleMs >= limitMs) this.stop("idle");
    else this.#idleTimer = setTimeout(() => this.#watchIdle(limitMs), Math.min(limitMs - idleMs, LONGEST_TIMER_MS));
  }

  #destination(direction: Direction): Socket | null {
    return direction === C2S ? this.#upstream : this.#client;
  }

  #closedSource(direction: Direction): boolean {
    return direction === C2S ? this.#clientClosed : this.#upstreamClosed;
  }
}

/** Close with a reset where there is such a thing: unix sockets, and ones that are not connected, are closed plainly. */
function reset(socket: Socket): void {
  if (socket.destroyed) return;
  if (socket.connecting || socket.remoteFamily === undefined) socket.destroy();
  // Node refuses a reset between the last write and the FIN that follows it.
  else if (socket.writableEnded && !socket.writableFinished && socket.writableLength === 0) {
    socket.once("finish", () => reset(socket));
  } else socket.resetAndDestroy();
}

function clientAddress(client: Socket): string {
  // A client that reset its connection before it was accepted has no address any more.
  return client.remoteAddress === undefined ? "unknown" : formatAddress(client.remoteAddress, client.remotePort ?? 0);
}

function serverAddress({ remoteAddress, remotePort }: Socket, target: Target): string {
  return remoteAddress === undefined || remotePort === undefined
    ? formatTarget(target)
    : formatAddress(remoteAddress, remotePort);
}
