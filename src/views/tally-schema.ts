import { z } from "zod";
import { LEVELS } from "../decode/level.ts";
import type { Tally } from "../ledger/tally.ts";
import {
  byCategory,
  byCause,
  close,
  connectionId,
  count,
  direction,
  exchange,
  exchangeId,
  jsonSchema,
  listener,
  message,
  microseconds,
  note,
  octets,
  protocol,
  time,
} from "./schema-parts.ts";

const perDirection = <T extends z.ZodType>(of: T) => z.strictObject({ c2s: of, s2c: of });

const levels = z
  .strictObject(Object.fromEntries(LEVELS.map((level) => [level, count])) as { [L in (typeof LEVELS)[number]]: typeof count })
  .meta({ id: "Levels", description: "octets by whose they were; the six sum to octets" });

const field = z
  .strictObject({
    name: z.string().nullable().describe("null: cannot be known (late join); (other): past the bound"),
    count,
    octets: count,
    plain_octets: count.nullable().describe("name + value + 4 a line"),
    unindexed_octets: count.nullable().describe("as literals with a new name, without Huffman"),
    base64_inflation: count.describe("what base64 adds to values that are written out, as they read when decoded"),
    representation: z
      .strictObject({ indexed: count, literal_indexed: count, literal: count, never: count })
      .nullable()
      .describe("lines by HPACK representation; null in HTTP/1"),
    inserts: count,
    evicts: count,
  })
  .meta({ id: "Field" });

const rtt = z.strictObject({ sent: count, answered: count, min: microseconds.nullable(), max: microseconds.nullable() });

const h2 = z.strictObject({
  settings: perDirection(z.record(z.string(), count)).describe("last value of each setting as its sender announced it"),
  max_concurrent: count,
  blocked_us: perDirection(microseconds).describe("time without flow-control window"),
  ping_rtt_us: perDirection(rtt),
  header_saving: perDirection(z.int().nullable()).describe("octets that HPACK saved against unindexed literals"),
});

const exchangeTally = z
  .strictObject({
    id: exchangeId,
    ...exchange,
    messages: z.array(z.strictObject({ ...message, direction, octets: count.describe("prefix and payload") })),
  })
  .meta({ id: "Exchange" });

const packets = z
  .strictObject({
    packets: count,
    payload_packets: count,
    payload_octets: count.describe("as the headers tell, retransmissions included"),
    retransmitted_octets: count,
    missing_octets: count.describe("never seen, between octets that were"),
    out_of_order: count,
    header_octets: z.strictObject({ link: count, ip: count, tcp: count }),
    acks: count.describe("packets without payload, SYN, FIN and RST"),
    syn: count,
    fin: count,
    rst: count,
  })
  .meta({ id: "Packets", description: "the packets of one direction" });

const connection = z
  .strictObject({
    id: connectionId,
    listener: z.string(),
    client: z.string(),
    server: z.string(),
    protocol: protocol.nullable(),
    opened: time,
    closed: time.nullable().describe("null while it is open, and when it was so at the end of the capture"),
    close: z.strictObject(close).nullable(),
    c2s: octets,
    s2c: octets,
    levels: perDirection(levels),
    undelivered: perDirection(count).describe("read from the sender and never accepted by the other side"),
    fields: perDirection(z.array(field)),
    h2: h2.nullable(),
    tls: z.strictObject({ records: perDirection(z.record(z.string(), count)) }).nullable(),
    packets: perDirection(packets).nullable().describe("of captures"),
    exchanges: z.array(exchangeTally),
    notes: z.array(z.strictObject({ ...note, direction, offset: count })),
  })
  .meta({ id: "Connection" });

const window = z
  .strictObject({
    calls: count,
    exclusive: count,
    stream_flow: count,
    connection: count.nullable().describe("null when the window's connections also carried another route"),
    setup: count.describe("setup octets of a cold window; 0 in a warm one"),
    edges: z.enum(["closed", "open"]).describe("open: no pause at an edge; each may move up to 47 octets into the neighbour"),
    own: z.strictObject({ min: count, median: count, max: count }).describe("exclusive + stream_flow of single calls"),
    frames: z.strictObject({ ping: count, ping_ack: count, window_update: count, settings: count }),
  })
  .meta({ id: "Window", description: "integer sums; amortised = (exclusive + stream_flow + connection) / calls" });

const routeOctets = z
  .strictObject({
    octets: count,
    by_category: byCategory,
    by_cause: byCause,
    exclusive: count,
    stream_flow: count,
    cold: window.nullable(),
    warm: window.nullable(),
  })
  .meta({ id: "RouteOctets" });

/** The document `wiretally.tally/1`, for checking one and for its JSON Schema. */
const tallySchema = z
  .strictObject({
    schema: z.literal("wiretally.tally/1"),
    generator: z.strictObject({ name: z.string(), version: z.string() }),
    source: z.strictObject({
      kind: z.enum(["proxy", "capture"]),
      listeners: z.array(z.strictObject(listener)),
      files: z.array(z.string()),
    }),
    started: time,
    ended: time,
    totals: perDirection(octets),
    omitted: z
      .strictObject({ connections: count, exchanges: count, messages: count, routes: count, field_names: count, notes: count })
      .describe("what bounded lists left out; totals are exact all the same"),
    connections: z.array(connection),
    routes: z.array(z.strictObject({ protocol, route: z.string(), calls: count, c2s: routeOctets, s2c: routeOctets })),
  })
  .meta({ title: "wiretally.tally/1", description: "What every octet that passed was for. All sizes are octets." });

/** JSON Schema (draft 2020-12) of {@link tallySchema}. */
export function tallyJsonSchema(): unknown {
  return jsonSchema<Tally, z.infer<typeof tallySchema>>(tallySchema, true);
}
