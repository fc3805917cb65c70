/**
 * Append a prefix integer (RFC 7541 §5.1).
 * @param opcode the bits before the prefix, in place.
 * @param prefixBits 1 to 8.
 * @param value 0 to 2^53-1.
 */
export function writeInteger(out: number[], opcode: number, prefixBits: number, value: number): void {
  const mask = (1 << prefixBits) - 1;
  if (value < mask) {
    out.push(opcode | value);
    return;
  }
  out.push(opcode | mask);
  let left = value - mask;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) out.push((left % 0x80) | 0x80);
  out.push(left);
}
