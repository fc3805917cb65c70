import { z } from "zod";
import { bridge } from "./bridge-schema.ts";
import type { DemoDocument } from "./demo-json.ts";
import { byCategory, count, jsonSchema } from "./schema-parts.ts";

const size = z.enum(["small", "medium", "large"]).describe("which item was sent");

const levels = z.strictObject({ exclusive: count, stream_flow: count, connection: count, setup: count });

const window = z
  .strictObject({
    calls: count.positive(),
    edges: z.enum(["closed", "open"]).describe("open: no pause at an edge; each may move up to 47 octets into the neighbour"),
    c2s: levels,
    s2c: levels,
  })
  .meta({ id: "DemoWindow", description: "integer sums by level; octets per call = the sum of the levels / calls" });

const figure = z
  .strictObject({
    size,
    stack: z.enum(["grpc", "http2", "http1"]).describe("http2 and http1: JSON"),
    cold: window.describe("the connection's first call, with all that opens it"),
    warm: window,
    by_category: z.strictObject({ c2s: byCategory, s2c: byCategory }).describe("octets of the warm window"),
  })
  .meta({ id: "DemoFigure" });

const demoSchema = z
  .strictObject({
    schema: z.literal("wiretally.demo/1"),
    generator: z.strictObject({ name: z.string(), version: z.string() }),
    figures: z.array(figure),
    bridges: z
      .array(z.strictObject({ size, from: z.literal("grpc"), to: z.enum(["http2", "http1"]), ...bridge }))
      .describe("what warm calls as JSON cost more than as gRPC, by cause and category"),
  })
  .meta({ title: "wiretally.demo/1", description: "One item as gRPC and as JSON. All sizes are octets, summed over calls." });

/** JSON Schema (draft 2020-12) of the document `wiretally.demo/1`. */
export function demoJsonSchema(): unknown {
  return jsonSchema<DemoDocument, z.infer<typeof demoSchema>>(demoSchema, true);
}
