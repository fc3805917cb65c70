/** Octets of a packet header that all variants of pcap share: seconds, fraction, captured and original length. */
export const PACKET_HEADER = 16;

/** No link layer has longer packets, but for USB and D-Bus captures: tcpdump's MAXIMUM_SNAPLEN. */
export const USUAL_LONGEST = 262_144;

const SECONDS_PER_DAY = 86_400;

/**
 * How many octets the packet headers of a pcap file have beyond 16. Files whose magic number leaves that open differ only in where the
 * second packet begins, so the first packet waits for it.
 * @param at where the first packet header begins. @param end octets from here on are not there yet; @param last nor will they be.
 * @param extras what it can be, the likeliest first. @param fractions units of a second's fraction in a second.
 * @returns the octets, or `-n`: the first `n` octets from `at` are needed to tell.
 */
export function packetHeaderExtra(
  view: DataView,
  at: number,
  end: number,
  last: boolean,
  littleEndian: boolean,
  extras: readonly number[],
  fractions: number,
): number {
  const usual = extras[0] ?? 0;
  if (extras.length === 1) return usual;
  const there = end - at;
  if (there < PACKET_HEADER) return last ? usual : -PACKET_HEADER;
  const captured = view.getUint32(at + 8, littleEndian);
  if (captured > USUAL_LONGEST) return usual;
  if (last && goesOn(view, at, at + PACKET_HEADER + usual + captured, end, littleEndian)) return usual;
  for (const extra of extras) {
    const next = PACKET_HEADER + extra + captured;
    if (there === next && last) return extra;
    if (there < next + PACKET_HEADER) {
      if (last) continue;
      return -(next + PACKET_HEADER);
    }
    if (plausible(view, at + next, littleEndian, fractions)) return extra;
  }
  return usual;
}

/** Whether the few octets from `next` to the end of the capture begin another packet header: its time is close to the first one's. */
function goesOn(view: DataView, first: number, next: number, end: number, littleEndian: boolean): boolean {
  if (end - next < 4) return false;
  return Math.abs(view.getUint32(next, littleEndian) - view.getUint32(first, littleEndian)) < SECONDS_PER_DAY;
}

function plausible(view: DataView, at: number, littleEndian: boolean, fractions: number): boolean {
  const captured = view.getUint32(at + 8, littleEndian);
  return (
    view.getUint32(at + 4, littleEndian) < fractions &&
    captured <= USUAL_LONGEST &&
    captured <= view.getUint32(at + 12, littleEndian)
  );
}
