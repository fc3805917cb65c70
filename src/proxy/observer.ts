import type { Direction } from "../decode/direction.ts";
import type { ConnectionFacts } from "../ledger/listener.ts";
import type { CloseTally } from "../ledger/tally.ts";

/**
 * What the relay tells about one connection, in the order in which it happens. Nothing here may throw: the relay does not look back.
 * The ledger's connections are of this shape. Times are nanoseconds on the relay's clock.
 */
export interface ConnectionObserver {
  readonly facts: ConnectionFacts;
  /** The target accepted; before any octet. @param server `host:port` of the address that was connected to, or the path of a Unix socket. */
  connected?(server: string, time: number): void;
  /** One read. @param bytes already written on; borrowed until the call returns. */
  delta(direction: Direction, bytes: Uint8Array, time: number): void;
  /** The sender of `direction` sent its FIN. */
  end(direction: Direction, time: number): void;
  /** Octets that were read and never taken by the other side. Called at most once a direction, before `close`. */
  undelivered(direction: Direction, octets: number): void;
  close(close: CloseTally, time: number): void;
}

/** Told of every connection, in the order in which they were accepted. The ledger is one. */
export interface Observer {
  open(facts: Omit<ConnectionFacts, "id">, time: number): ConnectionObserver;
}
