import type { CaptureSink } from "../capture/write/capture-sink.ts";
import { C2S, type Direction, S2C } from "../decode/direction.ts";
import type { ConnectionFacts } from "../ledger/listener.ts";
import type { CloseTally } from "../ledger/tally.ts";
import type { ConnectionObserver, Observer } from "./observer.ts";

/**
 * Tells another observer, then a capture. A connection is in the capture from the moment when its server's address is known, or when
 * it is over without one; before it come all that were accepted earlier, so that who reads the capture numbers them alike. One that was
 * overtaken in this way is under the address that its target had last, if any; when it is then connected to another, a comment says so.
 */
export class RecordingObserver implements Observer {
  readonly #told: Observer;
  readonly #sink: CaptureSink;
  readonly #startedNs: bigint;
  /** Accepted and not in the capture, in that order. */
  readonly #waiting: RecordedConnection[] = [];
  /** The address last connected to, by target. */
  readonly #addresses = new Map<string, string>();

  /** @param startedNs UTC nanoseconds since 1970 of the relay's time 0. */
  constructor(told: Observer, sink: CaptureSink, startedNs: bigint) {
    this.#told = told;
    this.#sink = sink;
    this.#startedNs = startedNs;
  }

  open(facts: Omit<ConnectionFacts, "id">, time: number): ConnectionObserver {
    const told = this.#told.open(facts, time);
    const connection = new RecordedConnection(told, this.#sink, this.#startedNs, this);
    this.#waiting.push(connection);
    return connection;
  }

  /** The target of a connection has an address. */
  located(target: string, address: string): void {
    this.#addresses.set(target, address);
  }

  /** A connection has to be in the capture now, with all that came before it. */
  begin(connection: RecordedConnection, time: number): void {
    const place = this.#waiting.indexOf(connection);
    for (const begun of this.#waiting.splice(0, place + 1)) {
      const target = begun.facts.server;
      begun.begin(this.#addresses.get(target) ?? target, time);
    }
  }
}

/** The other observer comes first: what it notes of octets is then a comment on their packet. */
class RecordedConnection implements ConnectionObserver {
  readonly facts: ConnectionFacts;
  readonly #told: ConnectionObserver;
  readonly #sink: CaptureSink;
  readonly #startedNs: bigint;
  readonly #observer: RecordingObserver;
  /** The server's address in the capture; null: it is not in the capture. */
  #shown: string | null = null;

  constructor(told: ConnectionObserver, sink: CaptureSink, startedNs: bigint, observer: RecordingObserver) {
    this.facts = told.facts;
    this.#told = told;
    this.#sink = sink;
    this.#startedNs = startedNs;
    this.#observer = observer;
  }

  begin(server: string, time: number): void {
    this.#shown = server;
    this.#sink.open({ ...this.facts, server }, this.#at(time));
  }

  connected(server: string, time: number): void {
    this.#told.connected?.(server, time);
    this.#observer.located(this.facts.server, server);
    if (this.#shown === null) this.#observer.begin(this, time);
    else if (this.#shown !== server) this.#sink.note(this.facts.id, `the server's address is ${server}`, null);
  }

  delta(direction: Direction, bytes: Uint8Array, time: number): void {
    this.#told.delta(direction, bytes, time);
    this.#sink.delta(this.facts.id, direction, bytes, this.#at(time));
  }

  end(direction: Direction, time: number): void {
    this.#told.end(direction, time);
    this.#sink.fin(this.facts.id, direction, this.#at(time));
  }

  undelivered(direction: Direction, octets: number): void {
    this.#told.undelivered(direction, octets);
  }

  close(close: CloseTally, time: number): void {
    const { id } = this.facts;
    if (this.#shown === null) this.#observer.begin(this, time);
    this.#told.close(close, time);
    const { by, how } = close;
    if (how === "rst" && by !== "proxy") this.#sink.reset(id, by === "client" ? C2S : S2C, this.#at(time));
    else if (how !== "fin") this.#sink.note(id, endOf(close), null);
    this.#sink.close(id, this.#at(time));
  }

  #at(time: number): bigint {
    return this.#startedNs + BigInt(time);
  }
}

/** What a packet cannot say of an end. */
function endOf({ by, how, code }: CloseTally): string {
  const what = { fin: "an orderly end", rst: "a reset", timeout: "it was idle for too long", error: "an error" }[how];
  return `ended by ${by === "proxy" ? "the relay" : `the ${by}`}: ${what}${code === null ? "" : ` (${code})`}`;
}
