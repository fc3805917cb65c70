import type { Frame } from "./frame.ts";
import { LAYER, OUTCOME, type Step } from "./layer.ts";
import { etherTypeLayer, udpPortLayer } from "./registry.ts";

const HEADER_OCTETS = 8;

/** UDP, RFC 768: only a way to the tunnels in it, told by destination port. */
export function readUdp(frame: Frame): Step {
  if (!frame.has(HEADER_OCTETS)) return frame.lacks(HEADER_OCTETS);
  const layer = udpPortLayer(frame.u16(2));
  const length = frame.u16(4);
  if (length >= HEADER_OCTETS) frame.narrow(frame.at + length);
  frame.at += HEADER_OCTETS;
  return layer;
}

/** VXLAN, RFC 7348 §5: flags, network identifier; an Ethernet frame follows. */
export function readVxlan(frame: Frame, scopes: NetworkScopes): Step {
  const IDENTIFIER_IS_VALID = 0x08;
  if (!frame.has(HEADER_OCTETS)) return frame.lacks(HEADER_OCTETS);
  if ((frame.u8(0) & IDENTIFIER_IS_VALID) === 0) return OUTCOME.otherTransport;
  frame.scope = scopes.of(frame.u32(4) >>> 8);
  frame.at += HEADER_OCTETS;
  return LAYER.ethernet;
}

/** Geneve, RFC 8926 §3.4: version and length of options, flags, EtherType, network identifier, options. */
export function readGeneve(frame: Frame, scopes: NetworkScopes): Step {
  if (!frame.has(HEADER_OCTETS)) return frame.lacks(HEADER_OCTETS);
  const first = frame.u8(0);
  const octets = HEADER_OCTETS + (first & 0x3f) * 4;
  if (first >>> 6 !== 0) return OUTCOME.otherTransport;
  if (!frame.has(octets)) return frame.lacks(octets);
  const protocol = frame.u16(2);
  frame.scope = scopes.of(frame.u32(4) >>> 8);
  frame.at += octets;
  return etherTypeLayer(protocol);
}

/** GTP-U, 3GPP TS 29.281 §5: a G-PDU carries an IP packet of a mobile's. */
export function readGtpU(frame: Frame): Step {
  const VERSION_1 = 0x30;
  const HAS_EXTENSIONS = 0x04;
  const HAS_OPTIONS = 0x07;
  const G_PDU = 0xff;
  if (!frame.has(HEADER_OCTETS)) return frame.lacks(HEADER_OCTETS);
  const flags = frame.u8(0);
  if ((flags & 0xf0) !== VERSION_1 || frame.u8(1) !== G_PDU) return OUTCOME.otherTransport;
  frame.narrow(frame.at + HEADER_OCTETS + frame.u16(2));
  frame.at += HEADER_OCTETS;
  if ((flags & HAS_OPTIONS) === 0) return LAYER.ip;
  // Sequence number, N-PDU number and type of the next extension are all there as soon as one of them is meant.
  if (!frame.has(4)) return frame.lacks(4);
  let extension = (flags & HAS_EXTENSIONS) !== 0 ? frame.u8(3) : 0;
  frame.at += 4;
  while (extension !== 0) {
    const octets = frame.u8(0) * 4;
    if (!frame.has(1)) return frame.lacks(1);
    if (octets === 0) return OUTCOME.malformed;
    if (!frame.has(octets)) return frame.lacks(octets);
    extension = frame.u8(octets - 1);
    frame.at += octets;
  }
  return LAYER.ip;
}

/** Texts of network identifiers, made once for a run of packets of one network. */
export class NetworkScopes {
  #identifier = -1;
  #text = "";

  /** @param identifier 24 bits. */
  of(identifier: number): string {
    if (identifier !== this.#identifier) {
      this.#identifier = identifier;
      this.#text = `vni ${identifier}`;
    }
    return this.#text;
  }
}
