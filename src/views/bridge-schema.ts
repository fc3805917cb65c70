import { z } from "zod";
import { CATEGORIES } from "../decode/category.ts";
import { CAUSES } from "../ledger/causes.ts";
import { count } from "./schema-parts.ts";

/** The schema of a bridge, for the documents that have one. */

const line = {
  from: count.describe("octets of the side that is subtracted, over calls.from calls"),
  to: count.describe("octets of the other side, over calls.to calls"),
  difference: z.int().describe("to - from over calls.difference calls; below 0: from is the dearer side"),
};

const bridgeCategory = z.strictObject({ category: z.enum(CATEGORIES), ...line }).meta({ id: "BridgeCategory" });

const bridgeCause = z
  .strictObject({ cause: z.enum(CAUSES), ...line, categories: z.array(bridgeCategory) })
  .meta({ id: "BridgeCause", description: "its categories sum to it" });

const bridgeDirection = z
  .strictObject({ ...line, causes: z.array(bridgeCause) })
  .meta({ id: "BridgeDirection", description: "its causes sum to it" });

/** The members of a bridge. */
export const bridge = {
  calls: z
    .strictObject({ from: count.positive(), to: count.positive(), difference: count.positive() })
    .describe("calls that each figure is a sum over: octets per call are the one divided by the other"),
  c2s: bridgeDirection,
  s2c: bridgeDirection,
};
