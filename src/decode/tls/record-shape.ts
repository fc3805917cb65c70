import { C2S, type Direction } from "../direction.ts";
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

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_HELLO = 2;
/** RFC 8446 §4.1.2, §4.1.3: with everything empty that may be. */
const SHORTEST_HELLO = { client: 41, server: 38 } as const;
/** No stack sends one that is longer. */
const LONGEST_HELLO = 2 ** 17;
const LONGEST_SESSION_ID = 32;
/** From a record's first octet to the length of its hello's session identifier. */
const SESSION_ID_AT = RECORD_HEADER_OCTETS + 4 + 2 + 32;

/**
 * Whether `bytes[at, to)` begin with the record of a ClientHello, or from the server a ServerHello (RFC 8446 §4.1.2, RFC 5246 §7.4.1): sure
 * enough to be believed in the middle of anything.
 */
export function helloAt(direction: Direction, bytes: Uint8Array, at: number, to: number): "yes" | "more" | "no" {
  const seen = to - at;
  const octet = (index: number): number => bytes[at + index] ?? 0;
  const is = (index: number, value: number): boolean => seen <= index || octet(index) === value;
  const isVersion = (index: number): boolean => is(index, 3) && (seen <= index + 1 || octet(index + 1) <= 4);
  const client = direction === C2S;
  if (!is(0, HANDSHAKE) || !isVersion(1) || !is(5, client ? CLIENT_HELLO : SERVER_HELLO) || !isVersion(9)) return "no";
  if (seen > 8) {
    const record = octet(3) * 256 + octet(4);
    const hello = octet(6) * 65536 + octet(7) * 256 + octet(8);
    if (record < 4 || record > MAX_RECORD_LENGTH) return "no";
    if (hello < (client ? SHORTEST_HELLO.client : SHORTEST_HELLO.server) || hello > LONGEST_HELLO) return "no";
    // A ClientHello stands alone; whether it is cut over records or not.
    if (client && hello + 4 < record) return "no";
  }
  if (seen <= SESSION_ID_AT) return "more";
  return octet(SESSION_ID_AT) <= LONGEST_SESSION_ID ? "yes" : "no";
}

const VERSION_2_FIXED = 9;

/**
 * Octets of the ClientHello of version 2, header and all, that `bytes[at, to)` can begin and that offers TLS (RFC 5246 §E.2);
 * {@link NO_UNIT} or {@link MORE} else.
 */
export function versionTwoHelloAt(bytes: Uint8Array, at: number, to: number): number {
  const seen = to - at;
  const octet = (index: number): number => bytes[at + index] ?? 0;
  const pair = (index: number): number => octet(index) * 256 + octet(index + 1);
  if (octet(0) < 0x80 || (seen > 2 && octet(2) !== CLIENT_HELLO) || (seen > 3 && octet(3) !== 3)) return NO_UNIT;
  if (seen > 4 && octet(4) > 3) return NO_UNIT;
  if (seen < 2 + VERSION_2_FIXED) return MORE;
  const length = pair(0) & 0x7fff;
  const [suites, session, challenge] = [pair(5), pair(7), pair(9)];
  const fits = suites > 0 && suites % 3 === 0 && (session === 0 || session === 16) && challenge >= 16 && challenge <= 32;
  return fits && length === VERSION_2_FIXED + suites + session + challenge ? 2 + length : NO_UNIT;
}
