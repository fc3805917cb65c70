import type { Frame } from "./frame.ts";
import { LAYER, OUTCOME, type Step } from "./layer.ts";
import { etherTypeLayer } from "./registry.ts";

const CHECKSUM = 0x8000;
const ROUTING = 0x4000;
const KEY = 0x2000;
const SEQUENCE = 0x1000;
const ACKNOWLEDGEMENT = 0x0080;
const VERSION = 0x0007;

/** GRE, RFC 2784 with the key and sequence of RFC 2890; version 1 is that of PPTP (RFC 2637 §4.1). */
export function readGre(frame: Frame): Step {
  if (!frame.has(4)) return frame.lacks(4);
  const flags = frame.u16(0);
  const protocol = frame.u16(2);
  const version = flags & VERSION;
  // RFC 1701's source routes went out of the standard with RFC 2784.
  if (version > 1 || (flags & ROUTING) !== 0) return OUTCOME.otherNetwork;
  let octets = 4;
  if ((flags & CHECKSUM) !== 0) octets += 4;
  if ((flags & KEY) !== 0) octets += 4;
  if ((flags & SEQUENCE) !== 0) octets += 4;
  if (version === 1 && (flags & ACKNOWLEDGEMENT) !== 0) octets += 4;
  if (!frame.has(octets)) return frame.lacks(octets);
  frame.at += octets;
  const layer = etherTypeLayer(protocol);
  // ERSPAN type I has no header of its own, and no sequence number in GRE (draft-foschiano-erspan §4.1).
  return layer === LAYER.erspan2 && (flags & SEQUENCE) === 0 ? LAYER.ethernet : layer;
}

/** ERSPAN type II, draft-foschiano-erspan §4.2: eight octets before the mirrored frame. */
export function readErspan2(frame: Frame): Step {
  const HEADER_OCTETS = 8;
  if (!frame.has(HEADER_OCTETS)) return frame.lacks(HEADER_OCTETS);
  frame.at += HEADER_OCTETS;
  return LAYER.ethernet;
}

/** ERSPAN type III, draft-foschiano-erspan §4.3: twelve octets and, where the O bit says so, eight of a platform's own. */
export function readErspan3(frame: Frame): Step {
  const HEADER_OCTETS = 12;
  const PLATFORM_OCTETS = 8;
  if (!frame.has(HEADER_OCTETS)) return frame.lacks(HEADER_OCTETS);
  const octets = HEADER_OCTETS + ((frame.u8(11) & 1) !== 0 ? PLATFORM_OCTETS : 0);
  if (!frame.has(octets)) return frame.lacks(octets);
  frame.at += octets;
  return LAYER.ethernet;
}
