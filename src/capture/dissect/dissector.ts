import type { Packet } from "../packet.ts";
import { PlacedPacket } from "../placed-packet.ts";
import type { SegmentHandler } from "../tcp-segment.ts";
import { readCooked, readCooked2 } from "./cooked.ts";
import { readBackboneTag, readEthernet, readLlc, readVlanTag } from "./ethernet.ts";
import { Frame, NO_OCTETS } from "./frame.ts";
import { readErspan2, readErspan3, readGre } from "./gre.ts";
import { readIp, readIpv4 } from "./ipv4.ts";
import { readIpExtension, readIpv6, readIpv6Fragment } from "./ipv6.ts";
import { LAYER, OUTCOME, type Step } from "./layer.ts";
import { readLoopback } from "./loopback.ts";
import { readMpls } from "./mpls.ts";
import { readNflog } from "./nflog.ts";
import { readPlainPacket } from "./plain-packet.ts";
import { readCiscoHdlc, readPpp, readPppDirected, readPppoe, readPppProtocol } from "./ppp.ts";
import { Reassembly } from "./reassembly.ts";
import { LINK_LAYERS } from "./registry.ts";
import { readTcp, segmentRecord } from "./tcp.ts";
import { NetworkScopes, readGeneve, readGtpU, readUdp, readVxlan } from "./udp.ts";

/** Unknown link types that are named; a capture whose interfaces make up more is not worth more lines. */
const MAX_NAMED_LINK_TYPES = 16;

/** What became of the packets: all but `packets` and `incompleteDatagrams` sum to `packets`. */
export interface DissectCounts {
  packets: number;
  segments: number;
  /** Pieces of datagrams, other than the one that made the datagram whole. */
  fragments: number;
  /** Packets that carry no IP. */
  otherNetwork: number;
  /** IP packets that carry no TCP. */
  otherTransport: number;
  malformed: number;
  /** Packets of which the capture kept too little to read their headers. */
  cut: number;
  unknownLinkType: number;
  /** Fragmented datagrams that were dropped or still lack a fragment. */
  incompleteDatagrams: number;
}

/** Where segments go, and what is to be told of packets that give none; the text is one line, without octets of the wire. */
export interface DissectHandler extends SegmentHandler {
  note(code: string, packetNumber: number, text: string): void;
}

/**
 * Finds the TCP segment in each packet, below whatever link layer, tags and tunnels. Never throws on input, verifies no checksum, and
 * allocates nothing per packet but the payload's view (fragments are copied).
 *
 * What is told of a segment: its innermost IP header's addresses; `linkOctets` are all header octets below that, tunnels included; for
 * a fragmented datagram header octets are those of all its fragments, number and time those of the packet that made it whole.
 * VLAN tags, labels, sessions and GRE keys do not keep equal addresses apart (`scope`): two directions often have different ones, and a mirror
 * port shows the same packet under several. The network identifiers of VXLAN and Geneve do: RFC 7348 §4 lets isolated networks
 * use the same addresses.
 *
 * Notes: `unknown-link-type`, once per number; `fragments-dropped`, once.
 */
export class Dissector {
  readonly #handler: DissectHandler;
  readonly #frame = new Frame();
  readonly #segment = segmentRecord();
  readonly #scopes = new NetworkScopes();
  readonly #reassembly = new Reassembly(() => this.#datagramDropped());
  readonly #unknownLinkTypes = new Set<number>();
  #datagramsDropped = 0;
  readonly #counts: DissectCounts = {
    packets: 0,
    segments: 0,
    fragments: 0,
    otherNetwork: 0,
    otherTransport: 0,
    malformed: 0,
    cut: 0,
    unknownLinkType: 0,
    incompleteDatagrams: 0,
  };

  constructor(handler: DissectHandler) {
    this.#handler = handler;
  }

  /** What became of the packets so far. */
  get counts(): Readonly<DissectCounts> {
    this.#counts.incompleteDatagrams = this.#datagramsDropped + this.#reassembly.open;
    return this.#counts;
  }

  /** Read one packet; the handler is called before this returns, if there is a segment in it. */
  packet(packet: Packet): void {
    this.#counts.packets += 1;
    let step = LINK_LAYERS.get(packet.linkType);
    if (step === undefined) {
      this.#unknownLinkType(packet);
      return;
    }
    this.#segment.packetNumber = packet.number;
    this.#segment.timeNs = packet.timeNs;
    const isPlaced = packet instanceof PlacedPacket;
    const bytes = isPlaced ? packet.bytes : packet.octets;
    const at = isPlaced ? packet.at : 0;
    const end = isPlaced ? packet.end : bytes.length;
    // A frame check sequence is at the end on the wire, captured or not.
    const wireEnd = at + Math.max(0, Math.max(packet.length, end - at) - packet.fcsOctets);
    const frame = this.#frame;
    if (readPlainPacket(bytes, at, end, step, wireEnd, this.#segment, frame.source4, frame.destination4)) {
      this.#finish(OUTCOME.segment);
      return;
    }
    frame.begin(packet.octets, wireEnd - at);
    while (step >= 0) step = this.#read(step);
    this.#finish(step);
  }

  /** One header; each reader moves on by an octet at least, or ends the packet. */
  #read(layer: Step): Step {
    const frame = this.#frame;
    // As a number: an outcome is none of the layers.
    switch (layer as number) {
      case LAYER.ethernet:
        return readEthernet(frame);
      case LAYER.vlanTag:
        return readVlanTag(frame);
      case LAYER.backboneTag:
        return readBackboneTag(frame);
      case LAYER.llc:
        return readLlc(frame);
      case LAYER.loopback:
        return readLoopback(frame);
      case LAYER.cooked:
        return readCooked(frame);
      case LAYER.cooked2:
        return readCooked2(frame);
      case LAYER.ppp:
        return readPpp(frame);
      case LAYER.pppDirected:
        return readPppDirected(frame);
      case LAYER.pppProtocol:
        return readPppProtocol(frame);
      case LAYER.pppoe:
        return readPppoe(frame);
      case LAYER.ciscoHdlc:
        return readCiscoHdlc(frame);
      case LAYER.nflog:
        return readNflog(frame);
      case LAYER.mpls:
        return readMpls(frame);
      case LAYER.ip:
        return readIp(frame);
      case LAYER.ipv4:
        return readIpv4(frame);
      case LAYER.ipv6:
        return readIpv6(frame);
      case LAYER.ipExtension:
        return readIpExtension(frame);
      case LAYER.ipv6Fragment:
        return readIpv6Fragment(frame);
      case LAYER.fragment:
        return this.#reassembly.add(frame, this.#segment.timeNs);
      case LAYER.gre:
        return readGre(frame);
      case LAYER.erspan2:
        return readErspan2(frame);
      case LAYER.erspan3:
        return readErspan3(frame);
      case LAYER.udp:
        return readUdp(frame);
      case LAYER.vxlan:
        return readVxlan(frame, this.#scopes);
      case LAYER.geneve:
        return readGeneve(frame, this.#scopes);
      case LAYER.gtpU:
        return readGtpU(frame);
      case LAYER.tcp:
        return readTcp(frame, this.#segment);
      default:
        return layer;
    }
  }

  #finish(outcome: Step): void {
    // As a number: everything else is malformed.
    switch (outcome as number) {
      case OUTCOME.segment:
        this.#counts.segments += 1;
        this.#handler.segment(this.#segment);
        // Borrowed octets are not kept alive.
        this.#segment.payload = NO_OCTETS;
        break;
      case OUTCOME.fragment:
        this.#counts.fragments += 1;
        break;
      case OUTCOME.otherNetwork:
        this.#counts.otherNetwork += 1;
        break;
      case OUTCOME.otherTransport:
        this.#counts.otherTransport += 1;
        break;
      case OUTCOME.cut:
        this.#counts.cut += 1;
        break;
      default:
        this.#counts.malformed += 1;
    }
  }

  #unknownLinkType(packet: Packet): void {
    this.#counts.unknownLinkType += 1;
    if (this.#unknownLinkTypes.has(packet.linkType) || this.#unknownLinkTypes.size >= MAX_NAMED_LINK_TYPES) return;
    this.#unknownLinkTypes.add(packet.linkType);
    const text = `link type ${packet.linkType} is not one that is read: its packets are counted, but not looked into`;
    this.#handler.note("unknown-link-type", packet.number, text);
  }

  #datagramDropped(): void {
    this.#datagramsDropped += 1;
    if (this.#datagramsDropped > 1) return;
    const text = "too many fragmented IP datagrams are incomplete: the oldest ones are given up";
    this.#handler.note("fragments-dropped", this.#segment.packetNumber, text);
  }
}
