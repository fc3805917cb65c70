import { createServer, type Server } from "node:net";
import { type Accepted, type ClientReads, onAccepted } from "./accepted-socket.ts";
import { formatAddress, type Target } from "./listen-spec.ts";
import { codeOf, listenFailed, type NetworkError } from "./network-error.ts";

/** Connections that the system may hold for us between two accepts; Node's own default. */
const BACKLOG = 511;

/** What a listener tells. */
export interface ListenerEvents {
  /** @param client paused, and open for half-closes. */
  accepted(listener: Listener, client: Accepted): void;
  /** An accept failed with this errno code. */
  acceptFailed(code: string): void;
}

/** One listening address. It can stop listening for a while and take its address again. */
export class Listener {
  readonly name: string;
  readonly host: string;
  readonly target: Target;
  readonly #reads: ClientReads;
  readonly #events: ListenerEvents;
  #port: number;
  #server: Server | null = null;

  /** @param port 0: the system picks one at the first `open`, and it is kept. */
  constructor(name: string, host: string, port: number, target: Target, reads: ClientReads, events: ListenerEvents) {
    this.name = name;
    this.host = host;
    this.target = target;
    this.#port = port;
    this.#reads = reads;
    this.#events = events;
  }

  /** As asked for until the first `open`, then the real one. */
  get port(): number {
    return this.#port;
  }

  /** Begin to listen, if it does not. @returns what prevents it, or null. */
  open(): Promise<NetworkError | null> {
    if (this.#server !== null) return Promise.resolve(null);
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true });
    this.#server = server;
    return new Promise((resolve) => {
      server.once("error", (error) => {
        if (this.#server === server) this.#server = null;
        resolve(listenFailed(formatAddress(this.host, this.#port), codeOf(error)));
      });
      server.listen({ host: this.host, port: this.#port, backlog: BACKLOG }, () => {
        server.removeAllListeners("error");
        server.on("error", (error) => this.#events.acceptFailed(codeOf(error)));
        onAccepted(server, this.#reads, (client) => this.#events.accepted(this, client));
        const address = server.address();
        if (typeof address === "object" && address !== null) this.#port = address.port;
        // Closed while the name of the host was looked up.
        if (this.#server !== server) server.close();
        resolve(null);
      });
    });
  }

  /** Stop listening: new connections are refused. The accepted ones stay. */
  close(): void {
    this.#server?.close();
    this.#server = null;
  }
}
