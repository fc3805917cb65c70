import { FRAME_TYPES } from "http2-frame-parser";
import { DIRECTION_NAMES } from "../../decode/direction.ts";
import { PROTOCOLS } from "../../decode/exchange.ts";
import { CONTENT_TYPES } from "../../decode/tls/registry.ts";

/** What a filter can ask for by name. */
export interface FilterName {
  readonly name: string;
  /** `type` has a name and a number, and is compared with either. */
  readonly kind: "text" | "number" | "type";
  /** The only texts it can have; null: any. */
  readonly values: readonly string[] | null;
  /** For help texts. */
  readonly about: string;
}

const TYPE_NAMES = [...FRAME_TYPES, ...CONTENT_TYPES].map((row) => row.name);

/** The names of SPEC section 6 in its order; `header("x")` comes beside them. */
export const FILTER_NAMES = [
  { name: "conn", kind: "text", values: null, about: "id of the connection: c1" },
  { name: "listener", kind: "text", values: null, about: "name of the listener that accepted it" },
  { name: "dir", kind: "text", values: DIRECTION_NAMES, about: "c2s or s2c; an exchange has none" },
  { name: "protocol", kind: "text", values: PROTOCOLS, about: "of the exchange, else of the frame" },
  { name: "stream", kind: "number", values: null, about: "HTTP/2 stream identifier, 0 included" },
  { name: "type", kind: "type", values: TYPE_NAMES, about: "HTTP/2 frame type or TLS content type: name in any case, or number" },
  { name: "flags", kind: "number", values: null, about: "flags of an HTTP/2 frame" },
  { name: "octets", kind: "number", values: null, about: "size on the wire; of an exchange, both directions together" },
  { name: "method", kind: "text", values: null, about: "request method" },
  { name: "authority", kind: "text", values: null, about: "host and port that were asked for" },
  { name: "path", kind: "text", values: null, about: "request target, query included" },
  { name: "route", kind: "text", values: null, about: "what the exchange is counted under" },
  { name: "status", kind: "number", values: null, about: "HTTP status; none before the response" },
  { name: "grpc_status", kind: "number", values: null, about: "grpc-status; none before the trailers" },
  { name: "duration_us", kind: "number", values: null, about: "of a finished exchange, in microseconds" },
  { name: "note", kind: "text", values: null, about: "code of a note" },
] as const satisfies readonly FilterName[];

type Row = (typeof FILTER_NAMES)[number];
/** Names whose values are texts. */
export type TextName = Extract<Row, { kind: "text" }>["name"];
/** Names whose values are integers. */
export type NumberName = Extract<Row, { kind: "number" }>["name"];

/** The row of a name, or undefined for one that is not known. */
export function filterName(name: string): Row | undefined {
  return FILTER_NAMES.find((row) => row.name === name);
}
