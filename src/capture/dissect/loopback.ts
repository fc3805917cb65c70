import type { Frame } from "./frame.ts";
import { LAYER, OUTCOME, type Step } from "./layer.ts";
import { LOOPBACK_FAMILIES } from "./registry.ts";

const HEADER_OCTETS = 4;

/**
 * The four octets of NULL and LOOP: an address family. NULL has it in the capturing machine's order, LOOP in network order, and
 * programs mix the two up: families are small numbers, so the order with the small one is right.
 */
export function readLoopback(frame: Frame): Step {
  if (!frame.has(HEADER_OCTETS)) return frame.lacks(HEADER_OCTETS);
  const asSent = frame.u32(0);
  const family = asSent > 0xffff ? swap32(asSent) : asSent;
  frame.at += HEADER_OCTETS;
  // The families of IPv6 differ from system to system, and one system's IPv6 is another's IPX: the version decides.
  return LOOPBACK_FAMILIES.has(family) ? LAYER.ip : OUTCOME.otherNetwork;
}

function swap32(value: number): number {
  return ((value >>> 24) | ((value >>> 8) & 0xff00) | ((value << 8) & 0xff0000) | (value << 24)) >>> 0;
}
