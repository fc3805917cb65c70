/**
 * The sum of RFC 1071 over 16-bit words in network order; an odd last octet is the upper half of a word. Sums of adjacent parts
 * add up when all parts but the last have an even number of octets.
 * @param sum of what is before; at most 2^31. @returns the sum, not yet folded: at most 17 bits more than `sum`'s own for 64
 * KiB.
 */
export function sumOctets(octets: Uint8Array, sum = 0): number {
  const view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
  const words = octets.length & ~3;
  // Two sums of halves stay small integers for all that fits a packet: 16,384 words of at most 65,535.
  let upper = 0;
  let lower = 0;
  let at = 0;
  for (; at < words; at += 4) {
    const word = view.getInt32(at);
    upper += word >>> 16;
    lower += word & 0xffff;
  }
  let total = sum + upper + lower;
  if (octets.length - at >= 2) {
    total += view.getUint16(at);
    at += 2;
  }
  return at < octets.length ? total + (view.getUint8(at) << 8) : total;
}

/** The Internet checksum for a sum, RFC 1071: carries folded in, then the complement; 16 bits. */
export function checksumOf(sum: number): number {
  let folded = sum;
  while (folded > 0xffff) folded = (folded % 0x10000) + Math.floor(folded / 0x10000);
  return ~folded & 0xffff;
}
