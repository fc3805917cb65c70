import type { Direction } from "../../decode/direction.ts";
import type { ConnectionFacts } from "../../ledger/listener.ts";

/**
 * Told of what is relayed, to record it. Nothing here throws or waits: what a capture cannot take is lost to the capture only.
 * Times are nanoseconds since 1970 UTC. Calls for a connection that is not open do nothing.
 */
export interface CaptureSink {
  /**
   * A listener, before its first connection. @param listen `host:port`. @param target `host:port` or the path of a Unix socket.
   */
  listener(name: string, listen: string, target: string): void;
  /** A connection begins. @param connection its `server` is best the address that was connected to: a name is shown under an invented address. */
  open(connection: ConnectionFacts, timeNs: bigint): void;
  /** The next octets of one direction. @param octets borrowed until the call returns. */
  delta(id: string, direction: Direction, octets: Uint8Array, timeNs: bigint): void;
  /** The sender of `direction` sent its FIN: no octets of that direction come after it. */
  fin(id: string, direction: Direction, timeNs: bigint): void;
  /** The sender of `direction` reset the connection. */
  reset(id: string, direction: Direction, timeNs: bigint): void;
  /**
   * Something to say about the octets of one direction, or of both (null). It becomes a comment on the next packet of that
   * direction: call it before the `delta` that it is about.
   * @param text one line.
   */
  note(id: string, text: string, direction: Direction | null): void;
  /** Nothing comes after it. Without two FINs or a reset before, it ends with a reset from the server's side. */
  close(id: string, timeNs: bigint): void;
}

/** The same for conversations that were seen in another capture: their beginning, their end and octets between may be missing. */
export interface ConversationSink extends Pick<CaptureSink, "delta" | "fin" | "reset" | "note"> {
  /** A conversation begins. @param late by direction: its beginning was not seen, and none is made up. */
  open(connection: ConnectionFacts, timeNs: bigint, late: readonly [c2s: boolean, s2c: boolean]): void;
  /** Octets of the direction are missing: as many, or null where nobody knows; it then looks like one. */
  gap(id: string, direction: Direction, octets: number | null, timeNs: bigint): void;
  /** Nothing more is known of it; no end is made up. */
  leave(id: string, timeNs: bigint): void;
}
