import type { Tally } from "../ledger/tally.ts";
import { safeJson } from "./escape.ts";
import type { Redactor } from "./redact.ts";
import { redactTally } from "./redact-tally.ts";

/**
 * The document `wiretally.tally/1` as JSON text with two spaces a level and a line end. Values are exact (secrets apart); characters
 * that a terminal would act on are JSON escapes.
 */
export function tallyJson(tally: Tally, redactor: Redactor): string {
  return `${safeJson(redactTally(tally, redactor), 2)}\n`;
}
