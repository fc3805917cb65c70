/** Flags of a TCP header, RFC 9293 §3.1. */
export const TCP_FLAG = { fin: 0x01, syn: 0x02, rst: 0x04, psh: 0x08, ack: 0x10, urg: 0x20 } as const;

/** A TCP segment found in a packet. One object may be reused for all: everything is borrowed until the call returns. */
export interface TcpSegment {
  readonly packetNumber: number;
  /** Nanoseconds since 1970 UTC; null: unknown. */
  readonly timeNs: bigint | null;
  /** 4 or 16 octets. */
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
  readonly sourcePort: number;
  readonly destinationPort: number;
  /** Outer VLAN tags or tunnel identifiers that keep equal addresses apart; "" mostly. */
  readonly scope: string;
  readonly sequence: number;
  readonly acknowledgement: number;
  readonly flags: number;
  /** The payload that was captured. */
  readonly payload: Uint8Array;
  /** Octets of payload by the headers; more than `payload.length` when the packet was cut. */
  readonly payloadLength: number;
  /** Octets of headers: below IP (Ethernet padding and FCS not counted), IP with its extensions, TCP with its options. */
  readonly linkOctets: number;
  readonly ipOctets: number;
  readonly tcpOctets: number;
}

/** Where segments go. */
export interface SegmentHandler {
  segment(segment: TcpSegment): void;
}
