import { NO_OCTETS } from "./frame.ts";
import { LAYER, type Step } from "./layer.ts";
import type { SegmentRecord } from "./tcp.ts";

const ETHERNET_OCTETS = 14;
const ETHER_TYPE_IPV4 = 0x0800;
const VERSION_4_NO_OPTIONS = 0x45;
const IPV4_OCTETS = 20;
/** More-fragments and the fragment offset. */
const FRAGMENT = 0x3fff;
const PROTOCOL_TCP = 6;
const MIN_TCP_OCTETS = 20;

/**
 * Reads what most packets are in one go: IPv4 without options or fragments and TCP, bare or in Ethernet; written into `segment` (all but
 * number and time). It takes only what the readers of these layers would take, and says what they would say.
 * @param octets from `start` to `stop` those that were captured. @param link what they begin with.
 * @param wireEnd where they end on the wire, without frame check sequence: beyond `stop` when the packet was cut.
 * @param source, destination 4 octets, to be filled.
 * @returns false for every other packet, also one that is damaged or cut in its headers: `segment` is as it was.
 */
export function readPlainPacket(
  octets: Uint8Array,
  start: number,
  stop: number,
  link: Step,
  wireEnd: number,
  segment: SegmentRecord,
  source: Uint8Array,
  destination: Uint8Array,
): boolean {
  const ip = link === LAYER.ethernet ? start + ETHERNET_OCTETS : start;
  const tcp = ip + IPV4_OCTETS;
  if (stop < tcp + MIN_TCP_OCTETS) return false;
  if (link === LAYER.ethernet ? u16(octets, ip - 2) !== ETHER_TYPE_IPV4 : link !== LAYER.ip && link !== LAYER.ipv4) return false;
  if (octets[ip] !== VERSION_4_NO_OPTIONS || octets[ip + 9] !== PROTOCOL_TCP || (u16(octets, ip + 6) & FRAGMENT) !== 0)
    return false;
  // What follows the datagram is padding.
  const end = ip + u16(octets, ip + 2);
  const tcpOctets = (octets[tcp + 12]! >>> 4) * 4;
  const payloadAt = tcp + tcpOctets;
  if (tcpOctets < MIN_TCP_OCTETS || payloadAt > end || end > wireEnd) return false;
  for (let i = 0; i < 4; i++) {
    source[i] = octets[ip + 12 + i]!;
    destination[i] = octets[ip + 16 + i]!;
  }
  const captured = Math.min(end, stop);
  segment.source = source;
  segment.destination = destination;
  segment.sourcePort = u16(octets, tcp);
  segment.destinationPort = u16(octets, tcp + 2);
  segment.scope = "";
  segment.sequence = u32(octets, tcp + 4);
  segment.acknowledgement = u32(octets, tcp + 8);
  segment.flags = octets[tcp + 13]!;
  segment.payload = payloadAt < captured ? octets.subarray(payloadAt, captured) : NO_OCTETS;
  segment.payloadLength = end - payloadAt;
  segment.linkOctets = ip - start;
  segment.ipOctets = IPV4_OCTETS;
  segment.tcpOctets = tcpOctets;
  return true;
}

function u16(octets: Uint8Array, at: number): number {
  return (octets[at]! << 8) | octets[at + 1]!;
}

function u32(octets: Uint8Array, at: number): number {
  return ((u16(octets, at) << 16) | u16(octets, at + 2)) >>> 0;
}
