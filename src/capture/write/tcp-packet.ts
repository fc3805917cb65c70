import { TCP_FLAG } from "../tcp-segment.ts";
import type { Endpoint } from "./address.ts";
import { checksumOf, sumOctets } from "./checksum.ts";

const V4_HEADER = 20;
const V6_HEADER = 40;
const TCP_HEADER = 20;
/** Maximum Segment Size, RFC 9293 §3.7.1: kind 2, length 4, two octets. */
const MSS_OPTION = 4;
const PROTOCOL_TCP = 6;
const HOP_LIMIT = 64;
const DONT_FRAGMENT = 0x4000;

/** Payload of the largest segment: with 40 octets of headers it fits the total length of IPv4, 65,535 (RFC 791 §3.1). */
export const MAX_SEGMENT_OCTETS = 0xffff - V4_HEADER - TCP_HEADER;

/** What differs from segment to segment. */
export interface SegmentFields {
  readonly sequence: number;
  readonly acknowledgement: number;
  readonly flags: number;
  readonly window: number;
}

/**
 * Writes the packets of one direction: an IPv4 or IPv6 header (RFC 791, RFC 8200), a TCP header (RFC 9293 §3.1), then payload.
 */
export class PacketForm {
  /** Octets of headers before the payload. A SYN has {@link synOctets}. */
  readonly headerOctets: number;
  /** Octets of a packet with SYN, which tells our maximum segment size. */
  readonly synOctets: number;
  readonly #ip: Uint8Array;
  readonly #ports: Uint8Array;
  readonly #ipSum: number;
  /** Of the pseudo-header without its length, and of the ports. */
  readonly #tcpSum: number;

  /** @param source and @param destination of the same family. */
  constructor(source: Endpoint, destination: Endpoint) {
    this.#ip = source.address.length === 4 ? v4Header(source, destination) : v6Header(source, destination);
    this.#ports = Uint8Array.of(source.port >> 8, source.port & 0xff, destination.port >> 8, destination.port & 0xff);
    this.#ipSum = sumOctets(this.#ip);
    this.#tcpSum = sumOctets(this.#ports, sumOctets(source.address, sumOctets(destination.address, PROTOCOL_TCP)));
    this.headerOctets = this.#ip.length + TCP_HEADER;
    this.synOctets = this.headerOctets + MSS_OPTION;
  }

  /**
   * Fills a packet.
   * @param packet exactly the headers and the payload. @param payload empty with SYN; copied.
   */
  write(packet: Uint8Array, fields: SegmentFields, payload: Uint8Array): void {
    const ipOctets = this.#ip.length;
    packet.set(this.#ip);
    packet.set(this.#ports, ipOctets);
    const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
    if (ipOctets === V4_HEADER) {
      view.setUint16(2, packet.length);
      view.setUint16(10, checksumOf(this.#ipSum + packet.length));
    } else view.setUint16(4, packet.length - V6_HEADER);

    const syn = (fields.flags & TCP_FLAG.syn) !== 0;
    view.setUint32(ipOctets + 4, fields.sequence);
    view.setUint32(ipOctets + 8, fields.acknowledgement);
    view.setUint8(ipOctets + 12, (syn ? TCP_HEADER + MSS_OPTION : TCP_HEADER) << 2);
    view.setUint8(ipOctets + 13, fields.flags);
    view.setUint16(ipOctets + 14, fields.window);
    // Checksum and urgent pointer.
    view.setUint32(ipOctets + 16, 0);
    if (syn) view.setUint32(ipOctets + TCP_HEADER, (0x0204 << 16) | MAX_SEGMENT_OCTETS);
    packet.set(payload, syn ? this.synOctets : this.headerOctets);
    // The ports are in the sum already; what follows them begins on an even octet.
    const sum = sumOctets(packet.subarray(ipOctets + this.#ports.length), this.#tcpSum + packet.length - ipOctets);
    view.setUint16(ipOctets + 16, checksumOf(sum));
  }
}

/** Without total length and checksum. Identification 0: what is not fragmented needs none, RFC 6864 §4.1. */
function v4Header(source: Endpoint, destination: Endpoint): Uint8Array {
  const header = new Uint8Array(V4_HEADER);
  header[0] = 0x45;
  header[6] = DONT_FRAGMENT >> 8;
  header[8] = HOP_LIMIT;
  header[9] = PROTOCOL_TCP;
  header.set(source.address, 12);
  header.set(destination.address, 16);
  return header;
}

/** Without payload length. */
function v6Header(source: Endpoint, destination: Endpoint): Uint8Array {
  const header = new Uint8Array(V6_HEADER);
  header[0] = 0x60;
  header[6] = PROTOCOL_TCP;
  header[7] = HOP_LIMIT;
  header.set(source.address, 8);
  header.set(destination.address, 24);
  return header;
}
