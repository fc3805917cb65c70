import type { ByCategory } from "../src/ledger/tally.ts";

/** Octets of all leaves under a path: `octetsUnder(by_category, "grpc.message")`. */
export function octetsUnder(categories: ByCategory, path: string): number {
  return Object.entries(categories).reduce((sum, [leaf, octets]) => (leaf.startsWith(`${path}.`) ? sum + octets : sum), 0);
}
