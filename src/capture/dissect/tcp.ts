import type { TcpSegment } from "../tcp-segment.ts";
import { type Frame, NO_OCTETS } from "./frame.ts";
import { OUTCOME, type Step } from "./layer.ts";

const MIN_HEADER_OCTETS = 20;

/** A TcpSegment that is filled anew for each packet. */
export type SegmentRecord = { -readonly [K in keyof TcpSegment]: TcpSegment[K] };

/** The one object that all segments are told in. */
export function segmentRecord(): SegmentRecord {
  return {
    packetNumber: 0,
    timeNs: null,
    source: NO_OCTETS,
    destination: NO_OCTETS,
    sourcePort: 0,
    destinationPort: 0,
    scope: "",
    sequence: 0,
    acknowledgement: 0,
    flags: 0,
    payload: NO_OCTETS,
    payloadLength: 0,
    linkOctets: 0,
    ipOctets: 0,
    tcpOctets: 0,
  };
}

/**
 * A TCP header, RFC 9293 §3.1, written into `segment` (all but number and time). Options may be cut off by the capture: their length
 * is known. A data offset below the header or past the packet is refused, as a receiver refuses it.
 */
export function readTcp(frame: Frame, segment: SegmentRecord): Step {
  if (!frame.has(MIN_HEADER_OCTETS)) return frame.lacks(MIN_HEADER_OCTETS);
  const headerOctets = (frame.u8(12) >>> 4) * 4;
  const payloadAt = frame.at + headerOctets;
  if (headerOctets < MIN_HEADER_OCTETS || payloadAt > frame.wireEnd) return OUTCOME.malformed;
  const isV4 = frame.version === 4;
  segment.source = isV4 ? frame.source4 : frame.source6;
  segment.destination = isV4 ? frame.destination4 : frame.destination6;
  segment.sourcePort = frame.u16(0);
  segment.destinationPort = frame.u16(2);
  segment.scope = frame.scope;
  segment.sequence = frame.u32(4);
  segment.acknowledgement = frame.u32(8);
  segment.flags = frame.u8(13);
  segment.payload = payloadAt < frame.end ? frame.octets.subarray(payloadAt, frame.end) : NO_OCTETS;
  segment.payloadLength = frame.wireEnd - payloadAt;
  segment.linkOctets = frame.linkOctets;
  segment.ipOctets = frame.passed + frame.at - frame.linkOctets;
  segment.tcpOctets = headerOctets;
  return OUTCOME.segment;
}
