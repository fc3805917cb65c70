import { LAYER, OUTCOME, type Step } from "./layer.ts";

/** Link types that are read: the registry of https://www.tcpdump.org/linktypes.html. */
export const LINK_LAYERS: ReadonlyMap<number, Step> = new Map<number, Step>([
  [0, LAYER.loopback], // NULL
  [1, LAYER.ethernet],
  [9, LAYER.ppp],
  [12, LAYER.ip], // RAW, as most systems number it inside
  [14, LAYER.ip], // RAW of OpenBSD
  [50, LAYER.ppp], // PPP_HDLC
  [51, LAYER.pppoe], // PPP_ETHER
  [101, LAYER.ip], // RAW
  [104, LAYER.ciscoHdlc], // C_HDLC
  [108, LAYER.loopback], // LOOP
  [113, LAYER.cooked], // LINUX_SLL
  [166, LAYER.pppDirected], // PPP_PPPD
  [204, LAYER.pppDirected], // PPP_WITH_DIR
  [228, LAYER.ipv4],
  [229, LAYER.ipv6],
  [239, LAYER.nflog],
  [276, LAYER.cooked2], // LINUX_SLL2
]);

/** IEEE 802 numbers (EtherType), and what GRE (RFC 2784) and Geneve (RFC 8926) share of them. */
const ETHER_TYPES: ReadonlyMap<number, Step> = new Map<number, Step>([
  [0x0800, LAYER.ipv4],
  [0x22eb, LAYER.erspan3],
  [0x6558, LAYER.ethernet], // Transparent Ethernet Bridging
  [0x8100, LAYER.vlanTag], // 802.1Q
  [0x86dd, LAYER.ipv6],
  [0x880b, LAYER.ppp],
  [0x8847, LAYER.mpls],
  [0x8848, LAYER.mpls], // upstream-assigned label, multicast once
  [0x8864, LAYER.pppoe], // session stage
  [0x88a8, LAYER.vlanTag], // 802.1ad
  [0x88be, LAYER.erspan2],
  [0x88e7, LAYER.backboneTag], // 802.1ah I-TAG
  [0x9100, LAYER.vlanTag], // QinQ before 802.1ad
  [0x9200, LAYER.vlanTag],
]);

/** IANA "Assigned Internet Protocol Numbers" that are TCP or lead to it. */
const IP_PROTOCOLS: ReadonlyMap<number, Step> = new Map<number, Step>([
  [0, LAYER.ipExtension], // Hop-by-Hop Options
  [4, LAYER.ipv4], // RFC 2003
  [6, LAYER.tcp],
  [17, LAYER.udp],
  [41, LAYER.ipv6], // RFC 4213, RFC 2473
  [43, LAYER.ipExtension], // Routing
  [44, LAYER.ipv6Fragment],
  [47, LAYER.gre],
  [51, LAYER.ipExtension], // Authentication Header
  [60, LAYER.ipExtension], // Destination Options
  [135, LAYER.ipExtension], // Mobility
  [137, LAYER.mpls], // RFC 4023
  [139, LAYER.ipExtension], // Host Identity Protocol
  [140, LAYER.ipExtension], // Shim6
]);

/** IANA "PPP DLL Protocol Numbers". */
const PPP_PROTOCOLS: ReadonlyMap<number, Step> = new Map<number, Step>([
  [0x0021, LAYER.ipv4],
  [0x0057, LAYER.ipv6],
  [0x0281, LAYER.mpls],
  [0x0283, LAYER.mpls],
]);

/** UDP destination ports of tunnels; 8472 is VXLAN as Linux numbered it before IANA did. */
const UDP_PORTS: ReadonlyMap<number, Step> = new Map<number, Step>([
  [2152, LAYER.gtpU],
  [4789, LAYER.vxlan],
  [6081, LAYER.geneve],
  [6635, LAYER.mpls], // RFC 7510
  [8472, LAYER.vxlan],
]);

/** Address families of IPv4 and IPv6 in a loopback header: each BSD, Darwin, Linux and Windows has its own number for IPv6. */
export const LOOPBACK_FAMILIES: ReadonlySet<number> = new Set([2, 10, 23, 24, 28, 30]);

/** The layer of an EtherType (0x0600 and above). */
export function etherTypeLayer(etherType: number): Step {
  return ETHER_TYPES.get(etherType) ?? OUTCOME.otherNetwork;
}

/** The layer of an IP protocol number or IPv6 next header. */
export function ipProtocolLayer(protocol: number): Step {
  return IP_PROTOCOLS.get(protocol) ?? OUTCOME.otherTransport;
}

/** The layer of a PPP protocol number. */
export function pppProtocolLayer(protocol: number): Step {
  return PPP_PROTOCOLS.get(protocol) ?? OUTCOME.otherNetwork;
}

/** The layer that a UDP destination port stands for. */
export function udpPortLayer(port: number): Step {
  return UDP_PORTS.get(port) ?? OUTCOME.otherTransport;
}
