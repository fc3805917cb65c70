import { DIRECTION_NAMES, type DirectionName } from "../decode/direction.ts";
import { CONTENT_TYPES } from "../decode/tls/registry.ts";
import type { ConnectionTally } from "./tally.ts";

/** TLS records by outer content type, by direction; null for a connection without TLS. */
export type TlsRecords = readonly [c2s: readonly number[], s2c: readonly number[]] | null;

/** The document form: only types that were seen; one that the registry does not have by its number. */
export function tlsOf(records: TlsRecords): ConnectionTally["tls"] {
  if (records === null) return null;
  const named: { [D in DirectionName]: { [contentType: string]: number } } = { c2s: {}, s2c: {} };
  for (const [direction, counts] of records.entries()) {
    const name = DIRECTION_NAMES[direction];
    if (name === undefined) continue;
    for (const [code, count] of counts.entries()) {
      if (count > 0) named[name][CONTENT_TYPES.find((row) => row.code === code)?.name ?? String(code)] = count;
    }
  }
  return { records: named };
}
