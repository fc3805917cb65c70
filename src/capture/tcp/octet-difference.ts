/** Octets `[at, end)` came again with another content than in packet `firstPacket`. */
export type OctetDifference = (at: number, end: number, firstPacket: number) => void;

/**
 * Compare two copies of the octets from offset `at` on, as far as both go, and tell the range from the first to the last octet that
 * differs; nothing when they are equal.
 */
export function tellDifference(
  first: Uint8Array,
  second: Uint8Array,
  at: number,
  firstPacket: number,
  differ: OctetDifference,
): void {
  let end = Math.min(first.length, second.length);
  let start = 0;
  while (start < end && first[start] === second[start]) start++;
  if (start === end) return;
  while (first[end - 1] === second[end - 1]) end--;
  differ(at + start, at + end, firstPacket);
}
