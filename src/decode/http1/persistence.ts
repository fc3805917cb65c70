import type { HeadFacts } from "./head-facts.ts";

/** Whether another message may follow this one on the connection, RFC 9112 §9.3. */
export function persists(minor: number, facts: HeadFacts): boolean {
  if (facts.close) return false;
  return minor >= 1 || facts.keepAlive;
}
