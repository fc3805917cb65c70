import { MORE, NO_UNIT } from "../search.ts";

/** Octets of a record header, RFC 8446 §5.1. */
export const RECORD_HEADER_OCTETS = 5;
/** RFC 5246 §6.2.3: TLS 1.2 ciphertext; TLS 1.3 allows less (RFC 8446 §5.2: 2^14 + 256). */
export const MAX_RECORD_LENGTH = 2 ** 14 + 2048;
const CHANGE_CIPHER_SPEC = 20;
const APPLICATION_DATA = 23;

/** The length, header and all, of the TLS record that `bytes[at, to)` can begin: a type, a version of TLS and a length that records have. */
export function recordAt(bytes: Uint8Array, at: number, to: number): number {
  const seen = to - at;
  const type = bytes[at] ?? 0;
  const minor = bytes[at + 2] ?? 0;
  if (type < CHANGE_CIPHER_SPEC || type > APPLICATION_DATA || (seen > 1 && bytes[at + 1] !== 3)) return NO_UNIT;
  if (seen > 2 && (minor < 1 || minor > 4)) return NO_UNIT;
  if (seen < RECORD_HEADER_OCTETS) return MORE;
  const length = ((bytes[at + 3] ?? 0) << 8) | (bytes[at + 4] ?? 0);
  if (length === 0 || length > MAX_RECORD_LENGTH || (type === CHANGE_CIPHER_SPEC && length !== 1)) return NO_UNIT;
  return RECORD_HEADER_OCTETS + length;
}
