import { once } from "node:events";
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Direction, S2C } from "../../src/decode/direction.ts";
import type { ConnectionFacts } from "../../src/ledger/listener.ts";
import type { CloseTally } from "../../src/ledger/tally.ts";
import { Clock } from "../../src/proxy/clock.ts";
import type { ListenSpec, Target } from "../../src/proxy/listen-spec.ts";
import type { Narration } from "../../src/proxy/narration.ts";
import type { ConnectionObserver, Observer } from "../../src/proxy/observer.ts";
import { Relay, type RelayOptions } from "../../src/proxy/relay.ts";

/** One connection as the relay told it. */
export class RecordedConnection implements ConnectionObserver {
  readonly facts: ConnectionFacts;
  /** Copies of the reads, by direction. */
  readonly reads: readonly [Buffer[], Buffer[]] = [[], []];
  /** FINs and the close, in the order told. */
  readonly events: string[] = [];
  readonly lost = [0, 0];
  readonly closed: Promise<CloseTally>;
  #resolve: (close: CloseTally) => void = () => {};

  constructor(facts: ConnectionFacts) {
    this.facts = facts;
    this.closed = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  octets(direction: Direction): Buffer {
    return Buffer.concat(this.reads[direction]);
  }

  delta(direction: Direction, bytes: Uint8Array): void {
    this.reads[direction].push(Buffer.from(bytes));
  }

  end(direction: Direction): void {
    this.events.push(direction === S2C ? "end s2c" : "end c2s");
  }

  undelivered(direction: Direction, octets: number): void {
    this.lost[direction] = octets;
  }

  close(close: CloseTally): void {
    this.events.push("close");
    this.#resolve(close);
  }
}

/** Keeps everything. */
export class Recorder implements Observer {
  readonly connections: RecordedConnection[] = [];

  open(facts: Omit<ConnectionFacts, "id">): RecordedConnection {
    const connection = new RecordedConnection({ id: `c${this.connections.length + 1}`, ...facts });
    this.connections.push(connection);
    return connection;
  }

  /** The only connection; an error when there is not exactly one. */
  get only(): RecordedConnection {
    const [first, ...more] = this.connections;
    if (first === undefined || more.length > 0) throw new Error(`${this.connections.length} connections`);
    return first;
  }
}

/** A relay under test with what it told. */
export interface Running {
  readonly relay: Relay;
  readonly recorder: Recorder;
  readonly narrations: Narration[];
  /** Of the first listener. */
  readonly port: number;
}

/** Start a relay on a free port of 127.0.0.1, which is aborted after the test. */
export async function startRelay(t: TestContext, target: Target | number, options: Partial<RelayOptions> = {}): Promise<Running> {
  const recorder = new Recorder();
  const narrations: Narration[] = [];
  const where: Target = typeof target === "number" ? { kind: "tcp", host: "127.0.0.1", port: target } : target;
  const spec: ListenSpec = { name: "test", host: "127.0.0.1", port: 0, target: where };
  const relay = new Relay([spec], {
    observer: recorder,
    clock: new Clock(),
    connectTimeoutMs: 5000,
    idleTimeoutMs: null,
    clientReads: "buffers",
    maxConnections: Number.POSITIVE_INFINITY,
    narrate: (narration) => narrations.push(narration),
    ...options,
  });
  const failure = await relay.open();
  if (failure !== null) throw failure;
  t.after(async () => {
    relay.abort();
    await relay.close(0);
  });
  return { relay, recorder, narrations, port: relay.listeners[0]?.port ?? 0 };
}

/** Start a server on a free port of loopback with half-closes allowed; its sockets are destroyed after the test. */
export async function startServer(t: TestContext, onSocket: (socket: Socket) => void, host = "127.0.0.1"): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, onSocket);
  endAfter(t, server);
  server.listen(0, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Close a server and its sockets after the test. */
export function endAfter(t: TestContext, server: Server): void {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
}

/** Connect with half-closes allowed; destroyed after the test. Errors are kept on `socket.errored`. */
export async function dial(t: TestContext, port: number, options: Partial<NetConnectOpts> = {}): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true, ...options } as NetConnectOpts);
  t.after(() => socket.destroy());
  await once(socket, "connect");
  socket.on("error", () => {});
  return socket;
}

/** Everything until EOF or an error. */
export async function readAll(socket: Socket): Promise<{ readonly octets: Buffer; readonly end: string }> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  const end = await new Promise<string>((resolve) => {
    socket.once("end", () => resolve("FIN"));
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "error"));
    socket.once("close", () => resolve("close"));
  });
  return { octets: Buffer.concat(chunks), end };
}

/** Poll until `check` holds. @throws when it does not within `limitMs`. */
export async function until(check: () => boolean, limitMs = 5000): Promise<void> {
  const end = Date.now() + limitMs;
  while (!check()) {
    if (Date.now() > end) throw new Error(`not within ${limitMs} ms: ${check}`);
    await sleep(5);
  }
}

/** Octets that differ from one position to the next and from one block to the next. */
export function pattern(length: number, seed = 1): Buffer {
  const octets = Buffer.alloc(length);
  let state = seed >>> 0;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    octets[at] = state >>> 24;
  }
  return octets;
}

/** The other end of an accepted connection, as a promise and a handler for startServer. */
export function acceptOne(): { readonly onSocket: (socket: Socket) => void; readonly socket: Promise<Socket> } {
  let onSocket: (socket: Socket) => void = () => {};
  const socket = new Promise<Socket>((resolve) => {
    onSocket = resolve;
  });
  return { onSocket, socket };
}
