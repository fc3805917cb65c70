import type { Frame } from "./frame.ts";
import { LAYER, OUTCOME, type Step } from "./layer.ts";
import { ipProtocolLayer } from "./registry.ts";

const MIN_HEADER_OCTETS = 20;
const MORE_FRAGMENTS = 0x2000;
const FRAGMENT_OFFSET = 0x1fff;

/** IP of whichever version its first four bits say. */
export function readIp(frame: Frame): Step {
  if (!frame.has(1)) return frame.lacks(1);
  const version = frame.u8(0) >>> 4;
  if (version === 4) return LAYER.ipv4;
  return version === 6 ? LAYER.ipv6 : OUTCOME.otherNetwork;
}

/** An IPv4 header, RFC 791 §3.1. The checksum is not looked at: a capture before offloading has none. */
export function readIpv4(frame: Frame): Step {
  if (!frame.has(MIN_HEADER_OCTETS)) return frame.lacks(MIN_HEADER_OCTETS);
  const versionAndLength = frame.u8(0);
  const headerOctets = (versionAndLength & 0x0f) * 4;
  const totalLength = frame.u16(2);
  if (versionAndLength >>> 4 !== 4 || headerOctets < MIN_HEADER_OCTETS) return OUTCOME.malformed;
  // A total length of 0: the packet was captured before segmentation offload filled it in. Its own length is then all there is.
  if (totalLength !== 0) {
    if (totalLength < headerOctets) return OUTCOME.malformed;
    frame.narrow(frame.at + totalLength);
  }
  if (!frame.has(headerOctets)) return frame.lacks(headerOctets);
  const flagsAndOffset = frame.u16(6);
  const protocol = frame.u8(9);
  frame.version = 4;
  frame.protocol = protocol;
  frame.linkOctets = frame.passed + frame.at;
  frame.copy(frame.source4, 12);
  frame.copy(frame.destination4, 16);
  if ((flagsAndOffset & (MORE_FRAGMENTS | FRAGMENT_OFFSET)) !== 0) {
    frame.fragment.identification = frame.u16(4);
    frame.fragment.offset = (flagsAndOffset & FRAGMENT_OFFSET) * 8;
    frame.fragment.more = (flagsAndOffset & MORE_FRAGMENTS) !== 0;
    frame.fragment.protocol = protocol;
    frame.at += headerOctets;
    return LAYER.fragment;
  }
  frame.at += headerOctets;
  return ipProtocolLayer(protocol);
}
