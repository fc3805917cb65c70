import type { Direction } from "../decode/direction.ts";
import type { ConnectionSink } from "../decode/sink.ts";
import type { StackOptions } from "../decode/stack.ts";
import type { ExchangeHistory } from "./exchange-history.ts";
import type { Limits } from "./limits.ts";
import type { LedgerListener } from "./listener.ts";
import type { Routes } from "./routes.ts";
import type { TlsRecords } from "./tls-records.ts";

/** What a connection decodes its octets with; the Stack of src/decode is one. */
export interface StackLike {
  /** Take the next octets of a direction; borrowed until the call returns. */
  push(direction: Direction, bytes: Uint8Array): void;
  /** Octets of the direction are missing here: as many as `octets`; null: nobody knows. What is held gets its category. */
  gap(direction: Direction, octets: number | null): void;
  /** The direction is over: what is held gets its category. */
  end(direction: Direction): void;
  /** Octets taken and not announced. */
  pending(direction: Direction): number;
  readonly tlsRecords: TlsRecords;
}

/** What is known of a connection besides its octets: see StackOptions. */
export type DecodeOptions = Pick<StackOptions, "late" | "decodeAs">;

/** Makes what decodes a connection's octets. */
export type StackFor = (sink: ConnectionSink, options: DecodeOptions) => StackLike;

/** What all connections of a ledger share. */
export interface Books {
  readonly limits: Limits;
  /** UTC epoch nanoseconds of time 0. */
  readonly startedNs: bigint;
  readonly warmUp: number;
  readonly pauseNs: number;
  /** Null also after it has thrown. */
  listener: LedgerListener | null;
  readonly stackFor: StackFor;
  readonly routes: Routes;
  readonly history: ExchangeHistory;
  /** Left out of lists so far; routes count for themselves. */
  readonly omitted: { connections: number; exchanges: number; messages: number; fieldNames: number; notes: number };
  /** Directions whose sums did not close. */
  broken: number;
}
