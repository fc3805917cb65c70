/** What a packet's next header is. Values are small numbers, so that the step from one to the next is a jump and no look-up. */
export const LAYER = {
  ethernet: 0,
  vlanTag: 1,
  backboneTag: 2,
  llc: 3,
  loopback: 4,
  cooked: 5,
  cooked2: 6,
  ppp: 7,
  pppDirected: 8,
  pppProtocol: 9,
  pppoe: 10,
  ciscoHdlc: 11,
  nflog: 12,
  mpls: 13,
  ip: 14,
  ipv4: 15,
  ipv6: 16,
  ipExtension: 17,
  ipv6Fragment: 18,
  fragment: 19,
  gre: 20,
  erspan2: 21,
  erspan3: 22,
  udp: 23,
  vxlan: 24,
  geneve: 25,
  gtpU: 26,
  tcp: 27,
} as const;

/** Where the reading of a packet ended; negative, to tell them from layers. */
export const OUTCOME = {
  /** A TCP segment was found. */
  segment: -1,
  /** A piece of a fragmented datagram, kept until the others are there. */
  fragment: -2,
  /** No IP in it (ARP, LLDP …), or IP in a wrapping that is not read. */
  otherNetwork: -3,
  /** IP, but no TCP in it. */
  otherTransport: -4,
  /** A header contradicts itself or its packet. */
  malformed: -5,
  /** The capture kept too little of it to reach the end of the headers, or a fragment that is not whole. */
  cut: -6,
} as const;

/** A {@link LAYER} to read next, or an {@link OUTCOME}. */
export type Step = (typeof LAYER)[keyof typeof LAYER] | (typeof OUTCOME)[keyof typeof OUTCOME];
