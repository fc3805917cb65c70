/** The side of a conversation: 0 sent the first packet that was seen, 1 is the other one. */
export type Side = 0 | 1;

/** What the packets of one side came to; octets of payload are octets of sequence space. */
export interface PacketCounts {
  packets: number;
  payload_packets: number;
  /** As the headers tell, retransmissions included. */
  payload_octets: number;
  retransmitted_octets: number;
  /** Never seen, between octets that were. */
  missing_octets: number;
  out_of_order: number;
  header_octets: { link: number; ip: number; tcp: number };
  /** Segments without payload, SYN, FIN and RST. */
  acks: number;
  syn: number;
  fin: number;
  rst: number;
}

/** One TCP connection as its packets tell it. */
export interface Conversation {
  /** From 1, by first packet. */
  readonly ordinal: number;
  /** `address:port`, IPv6 in brackets, by side. */
  readonly endpoints: readonly [string, string];
  readonly ports: readonly [number, number];
  /** The side that sent SYN without ACK; null: no SYN was seen. */
  readonly client: Side | null;
  readonly counts: readonly [PacketCounts, PacketCounts];
}

/** Told of conversations in the order in which it all became known. Times are nanoseconds since 1970 UTC, null where there are none. */
export interface ConversationHandler {
  open(conversation: Conversation, timeNs: bigint | null): void;
  /** The next octets of one side, in order, each exactly once; borrowed. */
  data(conversation: Conversation, side: Side, octets: Uint8Array, packetNumber: number, timeNs: bigint | null): void;
  /** Octets of one side will never come: as many, or null where nobody can know. */
  gap(conversation: Conversation, side: Side, octets: number | null, timeNs: bigint | null): void;
  /** The side's FIN is next in order. */
  fin(conversation: Conversation, side: Side, timeNs: bigint | null): void;
  reset(conversation: Conversation, side: Side, timeNs: bigint | null): void;
  /** Nothing more belongs to it: it ended, its ports were used again, or the capture is over. */
  close(conversation: Conversation, timeNs: bigint | null): void;
  /** A note about one side's octets, such as overlapping segments that differ. */
  note(conversation: Conversation, side: Side, code: string, text: string): void;
}
