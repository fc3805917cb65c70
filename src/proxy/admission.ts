import type { Connection } from "./connection.ts";
import { descriptorShortage, isOutOfDescriptors } from "./descriptors.ts";
import type { Listener } from "./listener.ts";
import type { Narration } from "./narration.ts";

/** Connections that wait for their turn at most; later ones are reset. As many as a listen backlog of Node holds. */
const WAITING_MAX = 511;
/** An upstream socket, and one for the next accept. */
const DESCRIPTORS_NEEDED = 2;
const RETRY_MS = 1000;
/** The same trouble within this time is the same trouble: it is not told again. */
const QUIET_MS = 10_000;

/**
 * Which connections go on, and when. Over the limit of open connections, or without a descriptor for the upstream socket, an accepted
 * connection waits unread, in order: to its client that looks like a listen backlog. When descriptors run out the listeners are closed
 * as well, so that further clients are refused at once rather than accepted and dropped; they open again when a connection closes or
 * after a second.
 */
export class Admission {
  readonly #listeners: readonly Listener[];
  readonly #limit: number;
  readonly #narrate: (narration: Narration) => void;
  readonly #running = new Set<Connection>();
  readonly #waiting: Connection[] = [];
  #closed = false;
  /** There was no descriptor when last asked. */
  #paused = false;
  /** The listeners are closed, or not all open again. */
  #silent = false;
  #retryTimer: NodeJS.Timeout | undefined;
  #pausedAt = Number.NEGATIVE_INFINITY;
  #waitedAt = Number.NEGATIVE_INFINITY;
  #resumeTold = true;

  constructor(listeners: readonly Listener[], limit: number, narrate: (narration: Narration) => void) {
    this.#listeners = listeners;
    this.#limit = limit;
    this.#narrate = narrate;
  }

  /** A connection was accepted. */
  arrived(connection: Connection): void {
    if (this.#closed) {
      connection.stop("reset");
      return;
    }
    const full = this.#running.size >= this.#limit;
    if (full || this.#paused || this.#waiting.length > 0) {
      this.#wait(connection);
      if (full) this.#tellFull();
      return;
    }
    this.#start(connection);
    const code = descriptorShortage(DESCRIPTORS_NEEDED);
    if (code !== null) this.shortage(code);
  }

  /** It had its turn and found no descriptor for its upstream socket. */
  sentBack(connection: Connection, code: string): void {
    this.#running.delete(connection);
    this.#waiting.unshift(connection);
    this.shortage(code);
  }

  /** It is over, whether it had its turn or not. */
  left(connection: Connection): void {
    if (!this.#running.delete(connection)) {
      const at = this.#waiting.indexOf(connection);
      if (at >= 0) this.#waiting.splice(at, 1);
    }
    this.#goOn();
  }

  /** Accept nothing until there are descriptors again. */
  shortage(code: string): void {
    if (!isOutOfDescriptors(code) || this.#paused || this.#closed) return;
    this.#paused = true;
    this.#silent = true;
    for (const listener of this.#listeners) listener.close();
    this.#retryLater();
    const now = performance.now();
    if (now - this.#pausedAt >= QUIET_MS) {
      this.#resumeTold = false;
      const text = `too many open files (${code}): accepting no connections until one closes; raise ulimit -n`;
      this.#narrate({ kind: "accept-paused", code, text });
    }
    this.#pausedAt = now;
  }

  /** Accept no more; what still waits is reset. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#retryTimer);
    for (const listener of this.#listeners) listener.close();
    for (const connection of this.#waiting.splice(0)) connection.stop("reset");
  }

  #wait(connection: Connection): void {
    if (this.#waiting.length < WAITING_MAX) this.#waiting.push(connection);
    else connection.stop("reset");
  }

  #start(connection: Connection): void {
    this.#running.add(connection);
    connection.start();
  }

  #goOn(): void {
    if (this.#closed) return;
    if (this.#paused) {
      if (descriptorShortage(DESCRIPTORS_NEEDED + this.#listeners.length) !== null) {
        this.#retryLater();
        return;
      }
      this.#paused = false;
    }
    this.#startWaiting();
    if (this.#silent) void this.#listen();
  }

  #startWaiting(): void {
    // A started connection takes its descriptor in a later tick, so the ones started here are counted in.
    for (let needed = DESCRIPTORS_NEEDED; this.#running.size < this.#limit; needed++) {
      if (this.#silent && descriptorShortage(needed) !== null) {
        this.#retryLater();
        return;
      }
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#start(next);
    }
  }

  #retryLater(): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => this.#goOn(), RETRY_MS);
  }

  async #listen(): Promise<void> {
    const failures = await Promise.all(this.#listeners.map((listener) => listener.open()));
    if (this.#closed || this.#paused) {
      for (const listener of this.#listeners) listener.close();
      return;
    }
    for (const [at, failure] of failures.entries()) {
      if (failure === null) continue;
      if (isOutOfDescriptors(failure.code)) return this.shortage(failure.code);
      this.#narrate({
        kind: "listen-failed",
        listener: this.#listeners[at]?.name ?? "",
        code: failure.code,
        text: failure.message,
      });
      return this.#retryLater();
    }
    this.#silent = false;
    if (this.#resumeTold) return;
    this.#resumeTold = true;
    this.#narrate({ kind: "accept-resumed", text: "accepting connections again" });
  }

  #tellFull(): void {
    const now = performance.now();
    if (now - this.#waitedAt >= QUIET_MS) {
      this.#narrate({
        kind: "connections-waiting",
        text: `${this.#limit} connections are open (--max-connections): later ones wait`,
      });
    }
    this.#waitedAt = now;
  }
}
