import type { Frame } from "./frame.ts";
import { LAYER, OUTCOME, type Step } from "./layer.ts";
import { etherTypeLayer } from "./registry.ts";

/** Linux ARPHRD_NETLINK: the protocol is a netlink family then. */
const ARPHRD_NETLINK = 824;
/** Linux ETH_P_802_2: an 802.3 frame with LLC. */
const PROTOCOL_802_2 = 0x0004;

/** LINKTYPE_LINUX_SLL: packet type, ARPHRD type, address length, address (8 octets), protocol. */
export function readCooked(frame: Frame): Step {
  return readCookedHeader(frame, 16, 2, 14);
}

/** LINKTYPE_LINUX_SLL2: protocol, reserved, interface index, ARPHRD type, packet type, address length, address (8 octets). */
export function readCooked2(frame: Frame): Step {
  return readCookedHeader(frame, 20, 8, 0);
}

function readCookedHeader(frame: Frame, headerOctets: number, hardwareAt: number, protocolAt: number): Step {
  if (!frame.has(headerOctets)) return frame.lacks(headerOctets);
  const hardware = frame.u16(hardwareAt);
  const protocol = frame.u16(protocolAt);
  frame.at += headerOctets;
  if (hardware === ARPHRD_NETLINK) return OUTCOME.otherNetwork;
  return protocol === PROTOCOL_802_2 ? LAYER.llc : etherTypeLayer(protocol);
}
