import type { Category } from "../decode/category.ts";
import type { DirectionName } from "../decode/direction.ts";
import type { Protocol } from "../decode/exchange.ts";
import type { Level } from "../decode/level.ts";
import type { NoteSeverity } from "../decode/sink.ts";
import type { Cause } from "./causes.ts";

/**
 * The document `wiretally.tally/1`. All sizes are octets, exact integers; times are RFC 3339 UTC with nine fractional digits.
 * Texts from the wire are decoded as UTF-8 where they are valid UTF-8; in any other each octet is the character of its number.
 */
export interface Tally {
  readonly schema: "wiretally.tally/1";
  readonly generator: { readonly name: string; readonly version: string };
  readonly source: {
    readonly kind: "proxy" | "capture";
    readonly listeners: readonly { readonly name: string; readonly listen: string; readonly target: string }[];
    readonly files: readonly string[];
  };
  readonly started: string;
  readonly ended: string;
  readonly totals: PerDirection<Octets>;
  /** What bounded lists left out. Totals are exact all the same. */
  readonly omitted: {
    readonly connections: number;
    readonly exchanges: number;
    readonly messages: number;
    /** Calls under the route `(other)`: their distinct routes are not known. */
    readonly routes: number;
    /** Field lines under the name `(other)`. */
    readonly field_names: number;
    readonly notes: number;
  };
  readonly connections: readonly ConnectionTally[];
  readonly routes: readonly RouteTally[];
}

export type PerDirection<T> = { readonly [D in DirectionName]: T };
export type ByCategory = { readonly [C in Category]?: number };
export type ByCause = { readonly [C in Cause]?: number };
export type Levels = { readonly [L in Level]: number };

/** Octets of one direction, with their parts. Only non-zero leaves are listed; each map sums to `octets` - `pending`. */
export interface Octets {
  readonly octets: number;
  /** Octets read and not yet attributed; 0 once closed. */
  readonly pending: number;
  /** Reads that the relay observed; null where reads are not owned (an exchange). */
  readonly deltas: number | null;
  readonly by_category: ByCategory;
  readonly by_cause: ByCause;
  readonly decoded: null;
}

export interface ConnectionTally {
  readonly id: string;
  readonly listener: string;
  readonly client: string;
  readonly server: string;
  readonly protocol: Protocol | null;
  readonly opened: string;
  readonly closed: string | null;
  readonly close: CloseTally | null;
  readonly c2s: Octets;
  readonly s2c: Octets;
  readonly levels: PerDirection<Levels>;
  /** Octets read from the sender and never accepted by the other side. */
  readonly undelivered: PerDirection<number>;
  readonly fields: PerDirection<readonly FieldTally[]>;
  readonly h2: H2Tally | null;
  readonly tls: { readonly records: PerDirection<{ readonly [contentType: string]: number }> } | null;
  readonly packets: null;
  readonly exchanges: readonly ExchangeTally[];
  readonly notes: readonly NoteTally[];
}

export interface CloseTally {
  readonly by: "client" | "server" | "proxy";
  readonly how: "fin" | "rst" | "timeout" | "error";
  /** errno name such as ECONNRESET or ECONNREFUSED; null for an orderly end. */
  readonly code: string | null;
  /** Who ended its direction, in order: `["client", "server"]`. */
  readonly order: readonly ("client" | "server" | "proxy")[];
}

export interface FieldTally {
  /** null: names that cannot be known (late join). `(other)`: names past the bound. Lower case in HTTP/1, too: names are case-insensitive. */
  readonly name: string | null;
  readonly count: number;
  readonly octets: number;
  /** name + value + 4 a line (`Name: value CR LF`); null when a length is unknown. */
  readonly plain_octets: number | null;
  /** As literals with new name, no Huffman (RFC 7541 §5.1 lengths); null when a length is unknown. */
  readonly unindexed_octets: number | null;
  /** Lines by HPACK representation; null in HTTP/1. */
  readonly representation: {
    readonly indexed: number;
    readonly literal_indexed: number;
    readonly literal: number;
    readonly never: number;
  } | null;
  readonly inserts: number;
  readonly evicts: number;
}

export interface H2Tally {
  /** Last value of each setting as its sender announced it, by name. */
  readonly settings: PerDirection<{ readonly [name: string]: number }>;
  /** Most streams open at once. */
  readonly max_concurrent: number;
  /** Time without flow-control window while the connection or a stream had none left. */
  readonly blocked_us: PerDirection<number>;
  /** Round trips of PINGs sent in that direction. */
  readonly ping_rtt_us: PerDirection<{
    readonly sent: number;
    readonly answered: number;
    readonly min: number | null;
    readonly max: number | null;
  }>;
  /** Octets that HPACK saved against unindexed literals; null when unknowable. */
  readonly header_saving: PerDirection<number | null>;
}

export interface ExchangeTally {
  readonly id: string;
  readonly stream: number | null;
  readonly protocol: Protocol;
  readonly method: string | null;
  readonly authority: string | null;
  readonly path: string | null;
  readonly route: string | null;
  readonly status: number | null;
  readonly grpc_status: number | null;
  readonly started: string;
  /** From the first octet of the exchange to the first octet of the response; null without one. */
  readonly first_octet_us: number | null;
  readonly duration_us: number | null;
  readonly complete: boolean;
  readonly c2s: Octets;
  readonly s2c: Octets;
  readonly messages: readonly MessageTally[];
}

export interface MessageTally {
  /** Within its exchange and direction, from 0. */
  readonly index: number;
  readonly direction: DirectionName;
  /** Prefix and payload. */
  readonly octets: number;
  readonly compressed: boolean;
  readonly payload_octets: number;
  readonly type: string | null;
}

export interface NoteTally {
  readonly code: string;
  readonly severity: NoteSeverity;
  readonly direction: DirectionName;
  readonly offset: number;
  readonly ref: string | null;
  readonly text: string;
}

export interface RouteTally {
  readonly protocol: Protocol;
  readonly route: string;
  readonly calls: number;
  readonly c2s: RouteOctets;
  readonly s2c: RouteOctets;
}

export interface RouteOctets {
  readonly octets: number;
  readonly by_category: ByCategory;
  readonly by_cause: ByCause;
  readonly exclusive: number;
  readonly stream_flow: number;
  readonly cold: Window | null;
  readonly warm: Window | null;
}

/**
 * Integer sums over the finished calls of a window, over all connections that carried the route.
 * `amortised` = (exclusive + stream_flow + connection) / calls.
 */
export interface Window {
  readonly calls: number;
  readonly exclusive: number;
  readonly stream_flow: number;
  /** null when the window's connections also carried another route. */
  readonly connection: number | null;
  /** In a cold window: setup octets, which `cold` figures include; 0 in a warm one. */
  readonly setup: number;
  /** `open`: no pause at an edge; each edge may move ≤ 47 octets into the neighbour. */
  readonly edges: "closed" | "open";
  /** exclusive + stream_flow of single calls; median is the lower one of an even count, near to it past 1,000 distinct sizes. */
  readonly own: { readonly min: number; readonly median: number; readonly max: number };
  readonly frames: {
    readonly ping: number;
    readonly ping_ack: number;
    readonly window_update: number;
    readonly settings: number;
  };
}
