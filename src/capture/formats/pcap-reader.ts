import type { CaptureHandler, CaptureReader } from "../packet.ts";
import { PlacedPacket } from "../placed-packet.ts";
import { type CaptureFacts, LONGEST_PACKET } from "./capture-facts.ts";
import { NoteLimit } from "./note-limit.ts";
import { type PcapHeader, type PcapMagic, readPcapHeader } from "./pcap-header.ts";
import { PACKET_HEADER, packetHeaderExtra, USUAL_LONGEST } from "./pcap-layout.ts";
import { STOP, type UnitFormat, UnitStream } from "./unit-stream.ts";

const NS_PER_SECOND = 1_000_000_000;
const SECOND = BigInt(NS_PER_SECOND);
/** DG/UX wrote this major version; libpcap reads it as 2.x with the two lengths swapped. */
const DG_UX = 543;

/** Reads classic pcap, draft-ietf-opsawg-pcap, in both byte orders, and its "modified" variants (pcap-header.ts). */
export class PcapReader implements CaptureReader {
  readonly #format: PcapFormat;
  readonly #stream: UnitStream;

  /** @param magic what the capture begins with; the octets pushed begin with it, too. */
  constructor(handler: CaptureHandler, magic: PcapMagic) {
    this.#format = new PcapFormat(handler, magic);
    this.#stream = new UnitStream(this.#format);
  }

  get facts(): CaptureFacts {
    return this.#format.facts;
  }

  push(octets: Uint8Array): void {
    this.#stream.push(octets);
  }

  end(): void {
    this.#stream.end();
    this.#format.notes.end(this.#stream.offset);
  }
}

class PcapFormat implements UnitFormat {
  readonly longest = LONGEST_PACKET;
  readonly notes: NoteLimit;
  readonly facts = {
    format: "pcap" as const,
    begun: false,
    packets: 0,
    cut: false,
    blocks: new Map<string, number>(),
    comments: 0,
  };
  readonly #handler: CaptureHandler;
  readonly #magic: PcapMagic;
  #header: PcapHeader | undefined;
  /** Octets of a packet header; 0: not known yet. */
  #headerOctets = 0;

  constructor(handler: CaptureHandler, magic: PcapMagic) {
    this.#handler = handler;
    this.#magic = magic;
    this.notes = new NoteLimit(handler);
  }

  measure(view: DataView, at: number, end: number, offset: number, last: boolean): number {
    const { littleEndian, headerOctets, extras, fractionNs } = this.#magic;
    if (this.#header === undefined) return end - at < headerOctets ? -headerOctets : headerOctets;
    if (this.#headerOctets === 0) {
      const extra = packetHeaderExtra(view, at, end, last, littleEndian, extras, NS_PER_SECOND / fractionNs);
      if (extra < 0) return extra;
      this.#headerOctets = PACKET_HEADER + extra;
    }
    if (end - at < this.#headerOctets) return -this.#headerOctets;
    const [captured, original] = this.#lengths(view, at);
    if (captured <= USUAL_LONGEST || captured <= original) return this.#headerOctets + captured;
    // More was captured than there was, and more than tcpdump ever captures: these octets are no packet header.
    this.#damaged(offset, `packet ${this.facts.packets + 1} claims to have ${captured} octets captured of ${original}`);
    return STOP;
  }

  unit(bytes: Uint8Array, view: DataView, at: number, length: number, offset: number): boolean {
    if (this.#header === undefined) return this.#readHeader(view, at, offset);
    const { littleEndian, fractionNs } = this.#magic;
    const [captured, original] = this.#lengths(view, at);
    const fraction = view.getUint32(at + 4, littleEndian) * fractionNs;
    this.facts.packets += 1;
    const timeNs = BigInt(view.getUint32(at, littleEndian)) * SECOND + BigInt(fraction);
    const { linkType, fcsOctets } = this.#header;
    const [from, end] = [at + this.#headerOctets, at + length];
    const most = Math.max(captured, original);
    this.#handler.packet(new PlacedPacket(this.facts.packets, timeNs, linkType, bytes, from, end, most, fcsOctets));
    return true;
  }

  passOver(_view: DataView, _at: number, length: number, offset: number): void {
    this.facts.packets += 1;
    const octets = length - this.#headerOctets;
    this.notes.note(
      "packet-too-long",
      "warning",
      offset,
      `packet ${this.facts.packets} has ${octets} octets and was passed over`,
    );
  }

  cut(offset: number, there: number, length: number): void {
    this.facts.cut = true;
    if (!this.facts.begun) return;
    const missing = length === 0 ? "ends inside its header" : `is cut short: ${there} of ${length} octets`;
    const text = `the capture ends at offset ${offset + there}; its last packet, at offset ${offset}, ${missing}`;
    this.notes.note("capture-truncated", "warning", offset + there, text);
  }

  #readHeader(view: DataView, at: number, offset: number): boolean {
    const header = readPcapHeader(view, at, this.#magic);
    this.#header = header;
    this.facts.begun = header.major === 2 || header.major === DG_UX;
    if (!this.facts.begun) this.#damaged(offset, `pcap version ${header.major}.${header.minor} is not known`);
    return this.facts.begun;
  }

  /** Captured and original length. Before version 2.3 they were the other way round, in 2.3 sometimes (libpcap's reading). */
  #lengths(view: DataView, at: number): readonly [captured: number, original: number] {
    const first = view.getUint32(at + 8, this.#magic.littleEndian);
    const second = view.getUint32(at + 12, this.#magic.littleEndian);
    const { major = 2, minor = 4 } = this.#header ?? {};
    const swapped = major === DG_UX || minor < 3 || (minor === 3 && first > second);
    return swapped ? [second, first] : [first, second];
  }

  #damaged(offset: number, what: string): void {
    this.facts.cut = true;
    this.notes.note(
      "capture-damaged",
      "warning",
      offset,
      `the capture is damaged at offset ${offset}, reading ends there: ${what}`,
    );
  }
}
