import type { DirectionName } from "../decode/direction.ts";
import type { CloseTally, ConnectionTally, ExchangeTally, MessageTally, NoteTally, Tally } from "../ledger/tally.ts";

/**
 * One line of the NDJSON twin, `wiretally.event/1`. All events have the first eight members. `octets` of a connection's `close`
 * and of an `exchange` is both directions together; `offset` counts in the direction's octets.
 */
export type WireEvent = ListeningEvent | ConnectionEvent | FrameEvent | MessageEvent | ExchangeEvent | NoteEvent | CloseEvent;

interface EventBase<E extends string> {
  readonly schema: "wiretally.event/1";
  readonly event: E;
  /** RFC 3339 UTC, nine fractional digits. */
  readonly time: string;
  /** `c1`; null for the process itself. */
  readonly connection: string | null;
  readonly exchange: string | null;
  readonly direction: DirectionName | null;
  readonly offset: number | null;
  readonly octets: number | null;
}

type ListeningEvent = EventBase<"listening"> & Tally["source"]["listeners"][number];

type ConnectionEvent = EventBase<"connection"> & Pick<ConnectionTally, "listener" | "client" | "server">;

/** A unit of the wire: an HTTP/2 frame, an HTTP/1 head or chunk, a TLS record … `kind` says which. */
export interface FrameEvent extends EventBase<"frame"> {
  readonly kind: string;
  /** The direction ended inside it. */
  readonly truncated: boolean;
  /** HTTP/2: name of the frame type (`0x42` when unknown). TLS: the content type. Else null. */
  readonly type: string | number | null;
  readonly flags: number | null;
  readonly stream: number | null;
  /** Declared length of an HTTP/2 frame or TLS record. */
  readonly length: number | null;
  readonly "http2.streamid": number | null;
  readonly "http2.type": number | null;
  /** In a capture: the packet that made it whole. */
  readonly "frame.number"?: number;
  /** What else the unit carries, by name: settings, increment, error_code, start_line … */
  readonly values: { readonly [name: string]: string | number | boolean | readonly (readonly [number, number])[] };
  readonly fields: readonly EventField[];
  readonly fields_omitted: number;
}

/** A field line. Where name or value is not UTF-8, its octets stand in hex instead; null when it cannot be known. */
export interface EventField {
  readonly name: string | null;
  readonly name_hex?: string;
  readonly value: string | null;
  readonly value_hex?: string;
  readonly octets: number;
  readonly representation: "indexed" | "literal_indexed" | "literal" | "never" | null;
  /** HPACK index (RFC 7541 §2.3.3); 0 for a new name; null in HTTP/1. */
  readonly index: number | null;
}

type MessageEvent = EventBase<"message"> & Pick<MessageTally, "index" | "compressed" | "payload_octets" | "type">;

type ExchangeEvent = EventBase<"exchange"> & Omit<ExchangeTally, "id" | "messages">;

export type NoteEvent = EventBase<"note"> & Pick<NoteTally, "code" | "severity" | "ref" | "text">;

/** `by` and `how` are null for a connection that was open at the end of the capture. */
type CloseEvent = EventBase<"close"> &
  Pick<CloseTally, "code" | "order"> & {
    readonly by: CloseTally["by"] | null;
    readonly how: CloseTally["how"] | null;
    readonly c2s_octets: number;
    readonly s2c_octets: number;
  };
