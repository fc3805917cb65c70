export const HTAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SP = 0x20;
export const COLON = 0x3a;

/** SP or HTAB, RFC 9110 §5.6.3. */
export function isWhitespace(octet: number | undefined): boolean {
  return octet === SP || octet === HTAB;
}

const TOKEN = new Uint8Array(256);
for (const character of "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
  TOKEN[character.charCodeAt(0)] = 1;
}

/** tchar, RFC 9110 §5.6.2. */
export function isTokenOctet(octet: number | undefined): boolean {
  return octet !== undefined && TOKEN[octet] === 1;
}

/** HEXDIG in either case, RFC 5234 B.1. */
export function isHexDigit(octet: number | undefined): boolean {
  if (octet === undefined) return false;
  const lower = octet | 0x20;
  return (octet >= 0x30 && octet <= 0x39) || (lower >= 0x61 && lower <= 0x66);
}

/** Up to here a loop beats the call into the engine. */
const NEAR = 64;

/** Position of the next LF in `bytes[from, to)`; `to` when there is none. */
export function indexOfLf(bytes: Uint8Array, from: number, to: number): number {
  const near = Math.min(to, from + NEAR);
  for (let at = from; at < near; at++) if (bytes[at] === LF) return at;
  if (near === to) return to;
  const far = bytes.indexOf(LF, near);
  return far < 0 || far > to ? to : far;
}
