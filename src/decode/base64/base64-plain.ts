import * as alphabet from "./base64-alphabet.ts";
import { isEvident, isHopeless, SAMPLE_SYMBOLS } from "./base64-evidence.ts";

// Names of this module's own, as in base64-alphabet.ts.
const { PAD, STANDARD, URL_SAFE, WIDE, decodedOctets, isLegalLength, wideEnd } = alphabet;
const BOTH = STANDARD | URL_SAFE;
const SAMPLED = SAMPLE_SYMBOLS;
const EQUALS = 0x3d;

const NO_BASE64 = 0;
/** What `plainBase64` returns for a string that has octets which are of no alphabet, as a JWT has. */
export const OTHER_OCTETS = -1;

/**
 * As `base64Of`, for a string of which it is known that `bytes[from, symbolsTo)` are symbols, 16 at least, and that a symbol which comes after
 * them ends no later than 16 octets on: looks at few octets only, and makes nothing.
 * @param view of the same octets as `bytes`.
 * @param classes the class bits of `bytes[from, symbolsTo)`.
 * @returns the octets that it decodes to; 0 when it is no base64; OTHER_OCTETS when that is for `base64Of` to say.
 */
export function plainBase64(
  bytes: Uint8Array,
  view: DataView,
  from: number,
  to: number,
  symbolsTo: number,
  classes: number,
): number {
  if (isHopeless(bytes, from, to - from)) return NO_BASE64;
  let end = to;
  if (bytes[end - 1] === EQUALS) end -= bytes[end - 2] === EQUALS ? 2 : 1;
  if (symbolsTo < end) {
    if (end - symbolsTo > WIDE) return OTHER_OCTETS;
    // The last octets, some of them once more: no loop over what is left.
    ends.classes = classes;
    if (wideEnd(view, end - WIDE, end, PAD, ends) < end) return OTHER_OCTETS;
    classes = ends.classes;
  }
  const symbols = end - from;
  if ((classes & BOTH) === BOTH || !isLegalLength(symbols, to - end, bytes[end - 1]!)) return NO_BASE64;
  const sampled = symbols < SAMPLED ? end : from + SAMPLED;
  return isEvident(bytes, view, from, sampled, to - from, symbols, classes) ? decodedOctets(symbols) : NO_BASE64;
}

const ends: alphabet.Seen = { classes: 0 };
