import { z } from "zod";
import type { WireEvent } from "./events.ts";
import {
  close,
  connectionId,
  count,
  direction,
  exchange,
  exchangeId,
  jsonSchema,
  listener,
  message,
  note,
  time,
} from "./schema-parts.ts";

const base = {
  schema: z.literal("wiretally.event/1"),
  time,
  connection: connectionId.nullable(),
  exchange: exchangeId.nullable(),
  direction: direction.nullable(),
  offset: count.nullable().describe("of the first octet in the direction's octets"),
  octets: count.nullable().describe("of a close or an exchange: both directions together"),
};

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.tuple([z.number(), z.number()]))]);

const field = z
  .strictObject({
    name: z.string().nullable(),
    name_hex: z.string().exactOptional().describe("the octets in hex, where they are not UTF-8"),
    value: z.string().nullable().describe("secrets are redacted"),
    value_hex: z.string().exactOptional(),
    octets: count,
    representation: z.enum(["indexed", "literal_indexed", "literal", "never"]).nullable(),
    index: count.nullable(),
  })
  .meta({ id: "Field" });

const frame = z.strictObject({
  ...base,
  event: z.literal("frame"),
  kind: z.string().describe("h2.frame, http1.request_head, tls.record, …"),
  truncated: z.boolean(),
  type: z.union([z.string(), z.number()]).nullable(),
  flags: count.nullable(),
  stream: count.nullable(),
  length: count.nullable(),
  "http2.streamid": count.nullable(),
  "http2.type": count.nullable(),
  "frame.number": count.exactOptional().describe("in a capture: the packet that made it whole, from 1"),
  values: z.record(z.string(), value).describe("what else the unit carries"),
  fields: z.array(field),
  fields_omitted: count,
});

/** One line of NDJSON, `wiretally.event/1`. */
const eventSchema = z
  .discriminatedUnion("event", [
    z.strictObject({ ...base, event: z.literal("listening"), ...listener }),
    z.strictObject({ ...base, event: z.literal("connection"), listener: z.string(), client: z.string(), server: z.string() }),
    frame,
    z.strictObject({ ...base, event: z.literal("message"), ...message }),
    z.strictObject({ ...base, event: z.literal("exchange"), ...exchange }),
    z.strictObject({ ...base, event: z.literal("note"), ...note }),
    z.strictObject({
      ...base,
      event: z.literal("close"),
      ...close,
      by: close.by.nullable(),
      how: close.how.nullable().describe("null: open at the end of the capture"),
      c2s_octets: count,
      s2c_octets: count,
    }),
  ])
  .meta({ title: "wiretally.event/1", description: "Something that happened, as it happens. All sizes are octets." });

/** JSON Schema (draft 2020-12) of {@link eventSchema}. */
export function eventJsonSchema(): unknown {
  return jsonSchema<WireEvent, z.infer<typeof eventSchema>>(eventSchema, true);
}
