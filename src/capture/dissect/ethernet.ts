import type { Frame } from "./frame.ts";
import { LAYER, OUTCOME, type Step } from "./layer.ts";
import { etherTypeLayer } from "./registry.ts";

const HEADER_OCTETS = 14;
const TAG_OCTETS = 4;
/** IEEE 802.3 §3.2.6: below it the field is a length, and LLC follows. */
const FIRST_ETHER_TYPE = 0x0600;

/** Ethernet: two addresses, then a type or a length (IEEE 802.3 §3.1.1). */
export function readEthernet(frame: Frame): Step {
  return readTypeOrLength(frame, HEADER_OCTETS);
}

/** A VLAN tag, IEEE 802.1Q §9.6, whose own type has been read: tag control information, then the next type. */
export function readVlanTag(frame: Frame): Step {
  return readTypeOrLength(frame, TAG_OCTETS);
}

/** The rest of an I-TAG, IEEE 802.1Q §9.7 (802.1ah): flags and service identifier; the customer's frame follows. */
export function readBackboneTag(frame: Frame): Step {
  if (!frame.has(TAG_OCTETS)) return frame.lacks(TAG_OCTETS);
  frame.at += TAG_OCTETS;
  return LAYER.ethernet;
}

/** LLC (IEEE 802.2), with SNAP where the service access points say so. */
export function readLlc(frame: Frame): Step {
  const LLC_OCTETS = 3;
  const SNAP_OCTETS = 8;
  if (!frame.has(LLC_OCTETS)) return frame.lacks(LLC_OCTETS);
  const accessPoints = frame.u16(0);
  if (accessPoints === 0x0606) {
    frame.at += LLC_OCTETS;
    return LAYER.ipv4;
  }
  if (accessPoints !== 0xaaaa) return OUTCOME.otherNetwork;
  if (!frame.has(SNAP_OCTETS)) return frame.lacks(SNAP_OCTETS);
  const organization = (frame.u8(3) << 16) | frame.u16(4);
  const protocol = frame.u16(6);
  frame.at += SNAP_OCTETS;
  // RFC 1042, and IEEE 802.1H for 00-00-F8: an EtherType. Others number protocols of their own.
  return organization === 0 || organization === 0x0000f8 ? etherTypeLayer(protocol) : OUTCOME.otherNetwork;
}

/** A header whose last two octets are a type or a length. */
function readTypeOrLength(frame: Frame, headerOctets: number): Step {
  if (!frame.has(headerOctets)) return frame.lacks(headerOctets);
  const typeOrLength = frame.u16(headerOctets - 2);
  frame.at += headerOctets;
  if (typeOrLength >= FIRST_ETHER_TYPE) return etherTypeLayer(typeOrLength);
  frame.narrow(frame.at + typeOrLength);
  return LAYER.llc;
}
