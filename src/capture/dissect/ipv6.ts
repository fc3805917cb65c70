import type { Frame } from "./frame.ts";
import { LAYER, OUTCOME, type Step } from "./layer.ts";
import { ipProtocolLayer } from "./registry.ts";

const HEADER_OCTETS = 40;
const FRAGMENT_HEADER_OCTETS = 8;
const HOP_BY_HOP = 0;
const ROUTING = 43;
const AUTHENTICATION = 51;
/** RFC 2675 §2: the option type of Jumbo Payload. */
const JUMBO_PAYLOAD = 0xc2;

/** An IPv6 header, RFC 8200 §3. */
export function readIpv6(frame: Frame): Step {
  if (!frame.has(HEADER_OCTETS)) return frame.lacks(HEADER_OCTETS);
  if (frame.u8(0) >>> 4 !== 6) return OUTCOME.malformed;
  const payloadLength = frame.u16(4);
  const nextHeader = frame.u8(6);
  // 0: a jumbogram says its length in an option, one before segmentation offload nowhere. The packet's own length is the limit.
  if (payloadLength !== 0) frame.narrow(frame.at + HEADER_OCTETS + payloadLength);
  frame.version = 6;
  frame.linkOctets = frame.passed + frame.at;
  frame.copy(frame.source6, 8);
  frame.copy(frame.destination6, 24);
  frame.at += HEADER_OCTETS;
  return next(frame, nextHeader);
}

/** An extension header other than Fragment, RFC 8200 §4; the Authentication Header (RFC 4302) of IPv4, too. */
export function readIpExtension(frame: Frame): Step {
  if (frame.version !== 6 && frame.protocol !== AUTHENTICATION) return OUTCOME.otherTransport;
  if (!frame.has(2)) return frame.lacks(2);
  const nextHeader = frame.u8(0);
  // RFC 4302 §2.2 counts in units of 4 octets, minus 2; all others in units of 8, not counting the first.
  const octets = frame.protocol === AUTHENTICATION ? (frame.u8(1) + 2) * 4 : (frame.u8(1) + 1) * 8;
  if (!frame.has(octets)) return frame.lacks(octets);
  if (frame.protocol === HOP_BY_HOP) narrowToJumbo(frame, octets);
  if (frame.protocol === ROUTING) readFinalDestination(frame, octets);
  frame.at += octets;
  return next(frame, nextHeader);
}

/** The Fragment header, RFC 8200 §4.5. An atomic fragment (RFC 6946) is a whole datagram. */
export function readIpv6Fragment(frame: Frame): Step {
  if (frame.version !== 6) return OUTCOME.otherTransport;
  if (!frame.has(FRAGMENT_HEADER_OCTETS)) return frame.lacks(FRAGMENT_HEADER_OCTETS);
  const nextHeader = frame.u8(0);
  const offsetAndMore = frame.u16(2);
  frame.fragment.identification = frame.u32(4);
  frame.at += FRAGMENT_HEADER_OCTETS;
  if ((offsetAndMore & 0xfff9) === 0) return next(frame, nextHeader);
  frame.fragment.offset = offsetAndMore & 0xfff8;
  frame.fragment.more = (offsetAndMore & 1) !== 0;
  frame.fragment.protocol = nextHeader;
  return LAYER.fragment;
}

function next(frame: Frame, nextHeader: number): Step {
  frame.protocol = nextHeader;
  return ipProtocolLayer(nextHeader);
}

/** RFC 2675 §3: with a payload length of 0, the option's 32 bits count what follows the IPv6 header. */
function narrowToJumbo(frame: Frame, headerOctets: number): void {
  const ipStart = frame.linkOctets - frame.passed;
  const payloadLengthAt = ipStart + 4 - frame.at;
  if (frame.u16(payloadLengthAt) !== 0) return;
  for (let option = 2; option + 6 <= headerOctets; ) {
    const type = frame.u8(option);
    if (type === JUMBO_PAYLOAD && frame.u8(option + 1) === 4) {
      const length = frame.u32(option + 2);
      if (length > 0xffff) frame.narrow(ipStart + HEADER_OCTETS + length);
      return;
    }
    option += type === 0 ? 1 : 2 + frame.u8(option + 1);
  }
}

/**
 * While segments are left, the header's destination is only the next stop. TCP's own is the last (RFC 8200 §8.1): the last address
 * of type 0 (RFC 2460 §4.4) and of type 2 (RFC 6275 §6.4), the first of a segment list (RFC 8754 §2).
 */
function readFinalDestination(frame: Frame, headerOctets: number): void {
  const ADDRESSES_AT = 8;
  const type = frame.u8(2);
  const addresses = Math.floor((headerOctets - ADDRESSES_AT) / 16);
  if (frame.u8(3) === 0 || addresses === 0) return;
  if (type === 0 || type === 2) frame.copy(frame.destination6, ADDRESSES_AT + 16 * (addresses - 1));
  if (type === 4) frame.copy(frame.destination6, ADDRESSES_AT);
}
