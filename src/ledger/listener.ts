import type { Direction } from "../decode/direction.ts";
import type { Detail } from "../decode/sink.ts";
import type { WireUnit } from "../decode/wire-unit.ts";
import type { CloseTally, ExchangeTally, MessageTally, NoteTally } from "./tally.ts";

/** What a live connection is, for listeners. */
export interface ConnectionFacts {
  /** `c1`, `c2`, … */
  readonly id: string;
  /** Name of the listener that accepted it. */
  readonly listener: string;
  /** `host:port`; `unknown` when it was reset before it was accepted. */
  readonly client: string;
  /** `host:port`, or the path of a Unix socket. */
  readonly server: string;
}

/**
 * Told of things as they happen; a trace, an NDJSON stream or a test. `time` is nanoseconds since the ledger's start.
 * Objects are plain and may be kept. Texts in ExchangeTally are not redacted: a view does that.
 */
export interface LedgerListener {
  /** How much of units it wants; 0: `unit` is never called. */
  readonly detail: Detail;
  /** Whether `message` is wanted. */
  readonly messages: boolean;
  /** A client was accepted. */
  connection(connection: ConnectionFacts, time: number): void;
  /** A frame, head, chunk, record … is whole. */
  unit(connection: ConnectionFacts, unit: WireUnit, time: number): void;
  /** A message of an exchange is whole: of gRPC or Connect, or of a WebSocket. */
  message(connection: ConnectionFacts, exchange: string, direction: Direction, message: MessageTally, time: number): void;
  /** The exchange is over: complete, reset or abandoned by the close of its connection. */
  exchange(connection: ConnectionFacts, exchange: ExchangeTally, time: number): void;
  /** Something worth telling, when it is found. */
  note(connection: ConnectionFacts, note: NoteTally, time: number): void;
  /** Both directions are over. @param close null: the capture is, first. @param octets all that were read, by direction. */
  close(connection: ConnectionFacts, close: CloseTally | null, octets: readonly [c2s: number, s2c: number], time: number): void;
}

/** Tells the listener, if there is still one. Never throws: a listener that does is told nothing more. */
export type Tell = (say: (listener: LedgerListener) => void) => void;
