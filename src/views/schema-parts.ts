import { z } from "zod";
import { CATEGORIES } from "../decode/category.ts";
import { DIRECTION_NAMES } from "../decode/direction.ts";
import { PROTOCOLS } from "../decode/exchange.ts";
import { CAUSES } from "../ledger/causes.ts";

/** What both documents' schemas are made of. */

/** An exact number of octets, calls or the like. */
export const count = z.int().nonnegative();

export const time = z.iso.datetime({ precision: 9 }).describe("RFC 3339 UTC with nine fractional digits");

export const microseconds = z.int().nonnegative().describe("whole microseconds");

export const connectionId = z
  .string()
  .regex(/^c[1-9][0-9]*$/)
  .describe("connection, by accept order");

export const exchangeId = z
  .string()
  .regex(/^c[1-9][0-9]*\.[sr][1-9][0-9]*$/)
  .describe("c1.s3: HTTP/2 stream 3 of connection c1; c1.r2: its second HTTP/1 exchange");

export const direction = z.enum(DIRECTION_NAMES).describe("c2s: client to server; s2c: server to client");

export const protocol = z.enum(PROTOCOLS);

export const byCategory = z
  .partialRecord(z.enum(CATEGORIES), count)
  .describe("octets by leaf category; leaves without octets are left out; the sum is octets - pending");

export const byCause = z.partialRecord(z.enum(CAUSES), count).describe("octets by cause; the sum is octets - pending");

export const octets = z
  .strictObject({
    octets: count.describe("octets of the TCP stream, before TLS is removed"),
    pending: count.describe("read and not attributed yet; 0 once closed"),
    deltas: count.nullable().describe("reads that the relay observed; null where reads are not owned"),
    by_category: byCategory,
    by_cause: byCause,
    decoded: z.null(),
  })
  .meta({ id: "Octets" });

export const close = {
  by: z.enum(["client", "server", "proxy"]),
  how: z.enum(["fin", "rst", "timeout", "error"]),
  code: z.string().nullable().describe("errno name; null for an orderly end"),
  order: z.array(z.enum(["client", "server", "proxy"])).describe("who ended its direction, in order"),
};

export const exchange = {
  stream: z.int().nonnegative().nullable().describe("HTTP/2 stream identifier"),
  protocol,
  method: z.string().nullable(),
  authority: z.string().nullable(),
  path: z.string().nullable().describe("request-target; secrets in it are redacted"),
  route: z.string().nullable(),
  status: z.int().nullable().describe("final HTTP status"),
  grpc_status: z.int().nullable(),
  started: time,
  first_octet_us: microseconds.nullable().describe("from its first octet to the response's first octet"),
  duration_us: microseconds.nullable(),
  complete: z.boolean().describe("both sides ended as their protocol says"),
  c2s: octets,
  s2c: octets,
};

export const message = {
  index: count,
  compressed: z.boolean(),
  payload_octets: count,
  type: z.string().nullable(),
};

export const note = {
  code: z.string(),
  severity: z.enum(["violation", "limit", "warning", "info"]),
  ref: z.string().nullable().describe("citation"),
  text: z.string(),
};

export const listener = { name: z.string(), listen: z.string(), target: z.string() };

/** `readonly` taken off everywhere, so that an interface and a schema's type can be compared. */
type Loose<T> = T extends object ? { -readonly [K in keyof T]: Loose<T[K]> } : T;
/** True when each type can stand for the other. */
type Same<A, B> = [Loose<A>] extends [Loose<B>] ? ([Loose<B>] extends [Loose<A>] ? true : false) : false;

/**
 * JSON Schema (draft 2020-12) of a document.
 * @param same compiles only when the interface that the program uses and the schema's type say the same.
 */
export function jsonSchema<Declared, Checked>(schema: z.ZodType<Checked>, same: Same<Declared, Checked>): unknown {
  if (!same) throw new TypeError("schema and interface differ");
  return z.toJSONSchema(schema, { target: "draft-2020-12" });
}
