/**
 * The text of an endpoint: `192.0.2.1:80`, `[2001:db8::1]:80` (RFC 5952 §4, §5 and §6).
 * @param address 4 or 16 octets.
 */
export function endpointText(address: Uint8Array, port: number): string {
  return address.length === 4 ? `${address.join(".")}:${port}` : `[${ipv6Text(address)}]:${port}`;
}

/**
 * Names one direction between two endpoints: equal for equal `(source, destination, scope)` and for nothing else. Both addresses have 4
 * octets, or both 16.
 * A text, as the engine hashes texts with a secret seed: no capture can be made to fill one bucket.
 */
export function flowKey(
  source: Uint8Array,
  sourcePort: number,
  destination: Uint8Array,
  destinationPort: number,
  scope: string,
): string {
  const key =
    source.length === 4
      ? String.fromCharCode(
          4,
          pair(source, 0),
          pair(source, 2),
          sourcePort,
          pair(destination, 0),
          pair(destination, 2),
          destinationPort,
        )
      : `6${ipv6Key(source)}${String.fromCharCode(sourcePort, destinationPort)}${ipv6Key(destination)}`;
  return scope === "" ? key : key + scope;
}

function pair(octets: Uint8Array, at: number): number {
  return (octets[at]! << 8) | octets[at + 1]!;
}

/** Without spread: that would be most of the cost of a segment. */
function ipv6Key(octets: Uint8Array): string {
  return String.fromCharCode(
    pair(octets, 0),
    pair(octets, 2),
    pair(octets, 4),
    pair(octets, 6),
    pair(octets, 8),
    pair(octets, 10),
    pair(octets, 12),
    pair(octets, 14),
  );
}

function ipv6Text(address: Uint8Array): string {
  const groups = Array.from({ length: 8 }, (_, group) => pair(address, 2 * group));
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (mapped) return `::ffff:${address.subarray(12).join(".")}`;
  const zeros = longestZeros(groups);
  const hex = (part: readonly number[]) => part.map((group) => group.toString(16)).join(":");
  return zeros.length < 2 ? hex(groups) : `${hex(groups.slice(0, zeros.at))}::${hex(groups.slice(zeros.at + zeros.length))}`;
}

/** RFC 5952 §4.2.3: of runs of equal length, the first. */
function longestZeros(groups: readonly number[]): { at: number; length: number } {
  let longest = { at: 0, length: 0 };
  for (let at = 0; at < groups.length; at++) {
    let length = 0;
    while (groups[at + length] === 0) length++;
    if (length > longest.length) longest = { at, length };
  }
  return longest;
}
