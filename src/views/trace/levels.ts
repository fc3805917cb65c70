import type { Detail } from "../../decode/sink.ts";

/** `--trace`, each level with all that the one before shows. */
export const TRACE_LEVELS = ["off", "exchanges", "frames", "fields", "octets"] as const;
export type TraceLevel = (typeof TRACE_LEVELS)[number];

/** What a level needs to be told of units. */
export const TRACE_DETAIL: { readonly [L in TraceLevel]: Detail } = { off: 0, exchanges: 0, frames: 1, fields: 2, octets: 3 };
