import type { Frame } from "./frame.ts";
import { LAYER, OUTCOME, type Step } from "./layer.ts";

const HEADER_OCTETS = 4;
const ATTRIBUTE_HEADER_OCTETS = 4;
/** linux/netfilter/nfnetlink_log.h: NFULA_PAYLOAD. */
const PAYLOAD = 9;

/** LINKTYPE_NFLOG: family, version, resource; then attributes, one of which is the packet from its IP header on. */
export function readNflog(frame: Frame): Step {
  if (!frame.has(HEADER_OCTETS)) return frame.lacks(HEADER_OCTETS);
  frame.at += HEADER_OCTETS;
  // Lengths are in the capturing machine's order, which nothing tells: the first attribute fits its packet in one of the two.
  const little = fits(frame, swap16(frame.u16(0)));
  while (frame.has(ATTRIBUTE_HEADER_OCTETS)) {
    const length = little ? swap16(frame.u16(0)) : frame.u16(0);
    const type = (little ? swap16(frame.u16(2)) : frame.u16(2)) & 0x7fff;
    if (length < ATTRIBUTE_HEADER_OCTETS) return OUTCOME.malformed;
    if (type === PAYLOAD) {
      frame.narrow(frame.at + length);
      frame.at += ATTRIBUTE_HEADER_OCTETS;
      return LAYER.ip;
    }
    frame.at += (length + 3) & ~3;
  }
  return frame.at < frame.wireEnd ? frame.lacks(ATTRIBUTE_HEADER_OCTETS) : OUTCOME.otherNetwork;
}

function fits(frame: Frame, length: number): boolean {
  return length >= ATTRIBUTE_HEADER_OCTETS && frame.at + length <= frame.wireEnd;
}

function swap16(value: number): number {
  return ((value & 0xff) << 8) | (value >>> 8);
}
