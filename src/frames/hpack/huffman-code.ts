/** The symbol that no valid string contains (RFC 7541 §5.2). */
export const EOS = 256;

/**
 * RFC 7541 appendix B: bits of the code of each octet 0x00 to 0xff, then of EOS. The code is canonical (codes of one length
 * count up in symbol order, shorter codes first), so the lengths say it all.
 */
// biome-ignore format: sixteen symbols a row
export const CODE_LENGTHS = Uint8Array.of(
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
  28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
  5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
  7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
  15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
  6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
  20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
  24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
  22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
  21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
  26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
  19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
  20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
  26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
  30,
);

/** Codes by symbol, aligned to their least significant bit. */
export const CODES: Uint32Array = assignCodes();

function assignCodes(): Uint32Array {
  const codes = new Uint32Array(CODE_LENGTHS.length);
  let next = 0;
  for (let length = 1; length <= 30; length++) {
    for (let symbol = 0; symbol < CODE_LENGTHS.length; symbol++) {
      if (CODE_LENGTHS[symbol] === length) codes[symbol] = next++;
    }
    next *= 2;
  }
  return codes;
}
