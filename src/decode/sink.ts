import type { FieldRun } from "http2-frame-parser";
import type { Direction } from "./direction.ts";
import type { Exchange, Protocol } from "./exchange.ts";
import type { WireUnit } from "./wire-unit.ts";

/** How much of a unit a listener wants as objects: 0 nothing, 1 units, 2 with field lines, 3 with every part and its first octets. */
export type Detail = 0 | 1 | 2 | 3;

/** How a note is meant: the peer broke a rule, one of our caps was reached, or a fact worth knowing. */
export type NoteSeverity = "violation" | "limit" | "warning" | "info";

/** Control frames that windows count, as ids for {@link ConnectionSink.control}. */
export const CONTROL = { ping: 0, ping_ack: 1, window_update: 2, settings: 3 } as const;

/**
 * What the decoders of one connection drive, in stream order of each direction. No object per span: counts are numbers, the offset is
 * the running sum. Units as objects are built only while `detail` > 0.
 */
export interface ConnectionSink {
  readonly detail: Detail;
  /**
   * The next `count` octets of `direction` were `category` (id), at `level` (id).
   * @param exchange who they belong to; null for the connection itself.
   */
  octets(direction: Direction, category: number, count: number, level: number, exchange: Exchange | null): void;
  /**
   * Refinement: `count` octets of `direction` that were announced as category `from`, for the same exchange, are `to`. Levels and sums
   * stay as they are.
   */
  moved(direction: Direction, from: number, to: number, count: number, exchange: Exchange | null): void;
  /** The offset of the next octet of `direction` to be announced: those announced so far, and those known to be missing before it. */
  offset(direction: Direction): number;
  /** A whole unit (frame, head, chunk, record …) has been announced. Only while `detail` > 0. */
  unit(unit: WireUnit): void;
  /** What the connection speaks; may be said again after an upgrade. */
  protocol(protocol: Protocol, inferred: boolean): void;
  /** A request (or a pushed or unasked-for response) begins. `stream` null for HTTP/1. */
  openExchange(stream: number | null, protocol: Protocol): Exchange;
  /** Method, authority and path are as known as they will be: the route can be made. */
  requestKnown(exchange: Exchange): void;
  /** h2c: the HTTP/1.1 request of `exchange` is now this stream. */
  becomeStream(exchange: Exchange, stream: number): void;
  /** Nothing more is expected of it (late octets still count for it). */
  exchangeDone(exchange: Exchange): void;
  /** It is done, and will not be named again: who implements it may use it for another one. */
  exchangeForgotten(exchange: Exchange): void;
  /**
   * One message: `payload` octets, and `overhead` octets around them: the prefix of a gRPC or Connect envelope, the headers and masks of
   * WebSocket frames. @param type its full name by the schema, or null.
   */
  message(
    exchange: Exchange,
    direction: Direction,
    payload: number,
    overhead: number,
    compressed: boolean,
    type: string | null,
  ): void;
  /**
   * One field line of a head, by name (octet string; null when it cannot be known).
   * @param octets as it stood on the wire. @param nameLength, valueLength decoded lengths, -1 when unknown.
   * @param representation HPACK representation id; -1 in HTTP/1.
   */
  field(
    direction: Direction,
    name: string | null,
    octets: number,
    nameLength: number,
    valueLength: number,
    representation: number,
    inserted: boolean,
    evicted: number,
  ): void;
  /** Field lines of a head, told together; all HPACK, and known. */
  fieldRun(direction: Direction, run: FieldRun): void;
  /** Base64 adds `octets` octets to the value of the field line that was told last, by its name; only when it does. */
  fieldInflation(direction: Direction, name: string, octets: number): void;
  /** A control frame was read, see {@link CONTROL}. */
  control(direction: Direction, kind: number): void;
  /** A PING passed: its opaque octets as an octet string; answers are timed by the listener. */
  ping(direction: Direction, ack: boolean, opaque: string): void;
  /** A setting as announced by the sender of `direction`. */
  setting(direction: Direction, identifier: number, value: number): void;
  /** The sender of `direction` has no flow-control window left (true) or has again (false). */
  blocked(direction: Direction, blocked: boolean): void;
  /** Something to tell: `code` is stable, `offset` in `direction`'s space, `ref` a citation or null. */
  note(code: string, severity: NoteSeverity, direction: Direction, offset: number, ref: string | null, text: string): void;
}
