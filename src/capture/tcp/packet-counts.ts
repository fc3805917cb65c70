import type { PacketCounts } from "../conversation.ts";
import { TCP_FLAG, type TcpSegment } from "../tcp-segment.ts";

/** Counts of a side of which nothing was seen yet. */
export function noPackets(): PacketCounts {
  return {
    packets: 0,
    payload_packets: 0,
    payload_octets: 0,
    retransmitted_octets: 0,
    missing_octets: 0,
    out_of_order: 0,
    header_octets: { link: 0, ip: 0, tcp: 0 },
    acks: 0,
    syn: 0,
    fin: 0,
    rst: 0,
  };
}

/** Add what the headers of one segment tell by themselves; `retransmitted`, `missing` and `out_of_order` are the reassembly's. */
export function countHeaders(counts: PacketCounts, segment: TcpSegment): void {
  const { flags } = segment;
  counts.packets++;
  counts.header_octets.link += segment.linkOctets;
  counts.header_octets.ip += segment.ipOctets;
  counts.header_octets.tcp += segment.tcpOctets;
  if (segment.payloadLength > 0) {
    counts.payload_packets++;
    counts.payload_octets += segment.payloadLength;
  } else if ((flags & (TCP_FLAG.syn | TCP_FLAG.fin | TCP_FLAG.rst)) === 0) {
    counts.acks++;
  }
  if ((flags & TCP_FLAG.syn) !== 0) counts.syn++;
  if ((flags & TCP_FLAG.fin) !== 0) counts.fin++;
  if ((flags & TCP_FLAG.rst) !== 0) counts.rst++;
}
