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
  /** The moment the tally was taken. */
  readonly ended: string;
  /** Over all connections, closed or open, listed or not. */
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
  /** In the order of accepting. */
  readonly connections: readonly ConnectionTally[];
  /** What calls cost, by what was called. */
  readonly routes: readonly RouteTally[];
}

/** The same for client to server (`c2s`) and for server to client (`s2c`). */
export type PerDirection<T> = { readonly [D in DirectionName]: T };
/** Octets by category path, such as `h2.field_block.value`; what is 0 is left out. */
export type ByCategory = { readonly [C in Category]?: number };
/** Octets by cause, such as `headers`; what is 0 is left out. */
export type ByCause = { readonly [C in Cause]?: number };
/** Octets by whose they were; all six are there, and sum to `octets` - `pending`. */
export type Levels = { readonly [L in Level]: number };

/** Octets of one direction, with their parts. Only non-zero leaves are listed; each map sums to `octets` - `pending`. */
export interface Octets {
  /** All that was read from the sender. */
  readonly octets: number;
  /** Octets read and not yet attributed; 0 once closed. */
  readonly pending: number;
  /** Reads that the relay observed; null where reads are not owned (an exchange). */
  readonly deltas: number | null;
  readonly by_category: ByCategory;
  readonly by_cause: ByCause;
  /** Of compressed content, which is not decoded so far. */
  readonly decoded: null;
}

/** One accepted client with its connection to the server. */
export interface ConnectionTally {
  /** `c1`, `c2`, … in the order of accepting. */
  readonly id: string;
  /** Name of the listener that accepted it. */
  readonly listener: string;
  /** `host:port`; `unknown` when it was reset before it was accepted. */
  readonly client: string;
  /** `host:port`, or the path of a Unix socket. */
  readonly server: string;
  /** What it speaks, after an upgrade the new protocol; null until its first octets tell. */
  readonly protocol: Protocol | null;
  readonly opened: string;
  /** null while it is open, and when it was so at the end of the capture. */
  readonly closed: string | null;
  /** null like `closed`. */
  readonly close: CloseTally | null;
  readonly c2s: Octets;
  readonly s2c: Octets;
  readonly levels: PerDirection<Levels>;
  /** Octets read from the sender and never accepted by the other side. */
  readonly undelivered: PerDirection<number>;
  /** Field lines of all heads by name, in the order in which names were first seen; `(other)` last. */
  readonly fields: PerDirection<readonly FieldTally[]>;
  /** null unless it speaks HTTP/2. */
  readonly h2: H2Tally | null;
  /** Records by content type; null unless it speaks TLS. */
  readonly tls: { readonly records: PerDirection<{ readonly [contentType: string]: number }> } | null;
  /** By the direction in which they were sent; null: it was not read from packets. */
  readonly packets: PerDirection<PacketTally> | null;
  /** In the order in which they began; `omitted.exchanges` says how many are left out. */
  readonly exchanges: readonly ExchangeTally[];
  /** In the order in which they were made; `omitted.notes` says how many are left out. */
  readonly notes: readonly NoteTally[];
}

/** How a connection ended. */
export interface CloseTally {
  /** Whose doing it was. */
  readonly by: "client" | "server" | "proxy";
  /** `fin`: an orderly end. `timeout`: it was idle for too long. `error`: another failure of the network, such as a refused connection. */
  readonly how: "fin" | "rst" | "timeout" | "error";
  /** errno name such as ECONNRESET or ECONNREFUSED; null for an orderly end. */
  readonly code: string | null;
  /** Who ended its direction, in order: `["client", "server"]`. */
  readonly order: readonly ("client" | "server" | "proxy")[];
}

/** The packets of one direction, as a capture has them. Octets of payload are octets of sequence space. */
export interface PacketTally {
  readonly packets: number;
  readonly payload_packets: number;
  /** As the headers tell, retransmissions included. */
  readonly payload_octets: number;
  readonly retransmitted_octets: number;
  /** Never seen, between octets that were. */
  readonly missing_octets: number;
  readonly out_of_order: number;
  readonly header_octets: { readonly link: number; readonly ip: number; readonly tcp: number };
  /** Packets without payload, SYN, FIN and RST. */
  readonly acks: number;
  readonly syn: number;
  readonly fin: number;
  readonly rst: number;
}

/** All field lines of one name in one direction of a connection. */
export interface FieldTally {
  /** null: names that cannot be known (late join). `(other)`: names past the bound. Lower case in HTTP/1, too: names are case-insensitive. */
  readonly name: string | null;
  /** Lines. */
  readonly count: number;
  /** As they stood on the wire. */
  readonly octets: number;
  /** name + value + 4 a line (`Name: value CR LF`); null when a length is unknown. */
  readonly plain_octets: number | null;
  /** As literals with new name, no Huffman (RFC 7541 §5.1 lengths); null when a length is unknown. */
  readonly unindexed_octets: number | null;
  /** What base64 adds to its values where they are written out, as they read when decoded: by evidence, and in gRPC's `…-bin`. */
  readonly base64_inflation: number;
  /** Lines by HPACK representation; null in HTTP/1. */
  readonly representation: {
    readonly indexed: number;
    readonly literal_indexed: number;
    readonly literal: number;
    readonly never: number;
  } | null;
  /** Lines that went into the dynamic table. */
  readonly inserts: number;
  /** Entries that were evicted to make room for them. */
  readonly evicts: number;
}

/** What is told of HTTP/2 connections. Times in microseconds. */
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

/** One request and its response. Texts are as they stood on the wire: secrets in them are not redacted. Times in microseconds. */
export interface ExchangeTally {
  /** `c1.s3`, an HTTP/2 stream; `c1.r2`, the second request of an HTTP/1 connection. */
  readonly id: string;
  /** HTTP/2 stream identifier; null in HTTP/1. */
  readonly stream: number | null;
  readonly protocol: Protocol;
  /** Like the three that follow: null when it cannot be known. */
  readonly method: string | null;
  readonly authority: string | null;
  readonly path: string | null;
  /** What {@link Tally.routes} counts it under. */
  readonly route: string | null;
  /** Final HTTP status, or 101; null without a response. */
  readonly status: number | null;
  /** null without one. */
  readonly grpc_status: number | null;
  readonly started: string;
  /** From the first octet of the exchange to the first octet of the response; null without one. */
  readonly first_octet_us: number | null;
  /** From the first octet of the exchange to the moment it was over; null while it is open. */
  readonly duration_us: number | null;
  /** Both sides ended as their protocol says. */
  readonly complete: boolean;
  readonly c2s: Octets;
  readonly s2c: Octets;
  /** Messages (gRPC, Connect, WebSocket), both directions; `omitted.messages` says how many are left out. */
  readonly messages: readonly MessageTally[];
}

/** One message of gRPC, Connect or a WebSocket. */
export interface MessageTally {
  /** Within its exchange and direction, from 0. */
  readonly index: number;
  readonly direction: DirectionName;
  /** Prefix and payload. */
  readonly octets: number;
  /** As the Compressed-Flag says. */
  readonly compressed: boolean;
  /** Without the prefix. */
  readonly payload_octets: number;
  /** Full name of its protobuf type, such as `item.v1.Item`; null without a schema. */
  readonly type: string | null;
}

/** Something worth telling: a rule that was broken, a cap that was reached, octets that have no owner. */
export interface NoteTally {
  /** Stable: what programs match. */
  readonly code: string;
  readonly severity: NoteSeverity;
  readonly direction: DirectionName;
  /** In the octets of its direction, from 0; holes of known length count. */
  readonly offset: number;
  /** What it is about, such as `RFC 9113 §6.9`; null when no document says. */
  readonly ref: string | null;
  /** For people, and not stable. */
  readonly text: string;
}

/** All calls of one route, over all connections. */
export interface RouteTally {
  readonly protocol: Protocol;
  /** gRPC: the path, `/item.v1.ItemService/Echo`. Else method and path, `GET /items/{id}`. */
  readonly route: string;
  readonly calls: number;
  readonly c2s: RouteOctets;
  readonly s2c: RouteOctets;
}

/** One direction of a route. Sums over its calls. */
export interface RouteOctets {
  readonly octets: number;
  readonly by_category: ByCategory;
  readonly by_cause: ByCause;
  /** Of the calls' own frames or HTTP/1 messages. */
  readonly exclusive: number;
  /** Flow control and priority on the calls' own streams. */
  readonly stream_flow: number;
  /** First calls of connections, with what opened the connection; null when there was none. */
  readonly cold: Window | null;
  /** Calls after the warm-up; null when there was none. */
  readonly warm: Window | null;
}

/**
 * Integer sums over the finished calls of a window, over all connections that carried the route.
 * `amortised` = (exclusive + stream_flow + connection) / calls.
 */
export interface Window {
  /** N. */
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
  /** Control frames in it. */
  readonly frames: {
    readonly ping: number;
    readonly ping_ack: number;
    readonly window_update: number;
    readonly settings: number;
  };
}
