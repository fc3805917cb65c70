import type { Frame } from "./frame.ts";
import { LAYER, OUTCOME, type Step } from "./layer.ts";
import { etherTypeLayer, pppProtocolLayer } from "./registry.ts";

/** RFC 1662 §3.1: All-Stations address and Unnumbered Information control. */
const HDLC_ADDRESS_CONTROL = 0xff03;
const HDLC_CONTROL = 0x03;
/** Cisco HDLC's unicast and multicast address with its control octet; such frames are found under PPP link types, too. */
const CISCO_ADDRESS_CONTROLS: ReadonlySet<number> = new Set([0x0f00, 0x8f00]);

/** PPP, with or without the address and control octets of HDLC-like framing (RFC 1662). */
export function readPpp(frame: Frame): Step {
  if (!frame.has(2)) return frame.lacks(2);
  const first = frame.u16(0);
  if (CISCO_ADDRESS_CONTROLS.has(first)) return LAYER.ciscoHdlc;
  if (first === HDLC_ADDRESS_CONTROL) frame.at += 2;
  return LAYER.pppProtocol;
}

/** LINKTYPE_PPP_WITH_DIR and PPP_PPPD: a direction before the frame, or in place of its address. */
export function readPppDirected(frame: Frame): Step {
  if (!frame.has(2)) return frame.lacks(2);
  frame.at += 1;
  if (frame.u8(0) !== HDLC_CONTROL) return LAYER.ppp;
  frame.at += 1;
  return LAYER.pppProtocol;
}

/** The protocol field, RFC 1661 §2: one octet when compressed, which the lowest bit of the first octet tells. */
export function readPppProtocol(frame: Frame): Step {
  const octets = (frame.u8(0) & 1) === 1 ? 1 : 2;
  if (!frame.has(octets)) return frame.lacks(octets);
  const protocol = octets === 1 ? frame.u8(0) : frame.u16(0);
  frame.at += octets;
  return pppProtocolLayer(protocol);
}

/** PPPoE, RFC 2516 §4: version and type, code, session, length. */
export function readPppoe(frame: Frame): Step {
  const HEADER_OCTETS = 6;
  const SESSION_DATA = 0x00;
  if (!frame.has(HEADER_OCTETS)) return frame.lacks(HEADER_OCTETS);
  const code = frame.u8(1);
  const length = frame.u16(4);
  frame.at += HEADER_OCTETS;
  if (code !== SESSION_DATA) return OUTCOME.otherNetwork;
  frame.narrow(frame.at + length);
  return LAYER.pppProtocol;
}

/** Cisco HDLC, RFC 1547 §4.3.1: address, control, EtherType. */
export function readCiscoHdlc(frame: Frame): Step {
  const HEADER_OCTETS = 4;
  if (!frame.has(HEADER_OCTETS)) return frame.lacks(HEADER_OCTETS);
  const etherType = frame.u16(2);
  frame.at += HEADER_OCTETS;
  return etherTypeLayer(etherType);
}
