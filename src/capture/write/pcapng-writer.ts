import { OPTION, type Option, optionsLength, padded, textOption, writeOptions } from "./pcapng-options.ts";

/** Block types, draft-ietf-opsawg-pcapng §4. */
const BLOCK = { sectionHeader: 0x0a0d0d0a, interfaceDescription: 1, enhancedPacket: 6 } as const;
const BYTE_ORDER_MAGIC = 0x1a2b3c4d;
const MAJOR_VERSION = 1;
/** Section length "not specified", §4.1. */
const UNKNOWN_LENGTH = -1n;
/** Type and length in front, length again behind, §3.1. */
const BLOCK_FRAME = 12;
const SECTION_FIELDS = 16;
const INTERFACE_FIELDS = 8;
const PACKET_FIELDS = 20;
/**
 * LINKTYPE_RAW: a packet begins with its IP header, whose version tells IPv4 from IPv6. Both families fit one interface, and so
 * the classic pcap that editcap makes of it; and no MAC addresses, padding or Ethernet octets have to be invented.
 */
const LINKTYPE_RAW = 101;
/** More than any of our packets has: none is cut. */
const SNAP_LENGTH = 262_144;
/** if_tsresol, §4.2: times count in 10^-9 s. */
const NANOSECONDS = 9;
/** Where a packet's octets begin in its block, and where they end is padded to 4. */
const PACKET_START = 28;
const NO_COMMENTS: readonly string[] = [];
const NO_OPTIONS: readonly Option[] = [];

/** Where finished blocks go. */
export interface BlockOutput {
  /** Room for one block: the caller fills it before it calls again. What the octets are before that is open. */
  reserve(octets: number): Uint8Array;
  /** What is reserved from now on belongs to the next file. */
  nextFile(): void;
}

/** What the section header of each file says. */
export interface SectionFacts {
  readonly hardware: string;
  readonly os: string;
  readonly application: string;
  readonly comment: string;
}

/**
 * Writes pcapng, draft-ietf-opsawg-pcapng: little-endian, nanoseconds, raw IP; each file one section that is complete in itself.
 */
export class PcapngWriter {
  readonly #output: BlockOutput;
  readonly #section: readonly Option[];
  readonly #maxFileOctets: number;
  readonly #interfaces: (readonly Option[])[] = [];
  #files = 0;
  #fileOctets = 0;
  #packets = 0;

  /** @param maxFileOctets a block that would make a file longer begins the next file; null: there is one file. */
  constructor(output: BlockOutput, section: SectionFacts, maxFileOctets: number | null = null) {
    this.#output = output;
    this.#maxFileOctets = maxFileOctets ?? Number.POSITIVE_INFINITY;
    this.#section = [
      textOption(OPTION.hardware, section.hardware),
      textOption(OPTION.os, section.os),
      textOption(OPTION.application, section.application),
      textOption(OPTION.comment, section.comment),
    ];
    this.#beginFile();
  }

  /** Files begun, 1 at first. */
  get files(): number {
    return this.#files;
  }

  /** Packets written, in all files. */
  get packets(): number {
    return this.#packets;
  }

  /** Describes an interface, in this file and all that follow. @returns its number. */
  interface(name: string, description: string): number {
    const options: Option[] = [textOption(OPTION.ifName, name)];
    if (description !== "") options.push(textOption(OPTION.ifDescription, description));
    options.push([OPTION.ifTsresol, Uint8Array.of(NANOSECONDS)]);
    this.#makeRoom(BLOCK_FRAME + INTERFACE_FIELDS + optionsLength(options));
    this.#interfaceBlock(options);
    return this.#interfaces.push(options) - 1;
  }

  /** Whether a packet would still go into this file. Arguments as of `packet`. */
  fits(octets: number, comments = NO_COMMENTS): boolean {
    return this.#hasRoom(packetBlockLength(octets, commentOptions(comments)));
  }

  /**
   * An enhanced packet block, §4.3.
   * @param timeNs nanoseconds since 1970 UTC.
   * @returns the packet's octets inside of it, to be filled before the next call of this writer.
   */
  packet(interfaceNumber: number, timeNs: bigint, octets: number, comments = NO_COMMENTS): Uint8Array {
    const options = commentOptions(comments);
    const length = packetBlockLength(octets, options);
    this.#makeRoom(length);
    const view = this.#block(BLOCK.enhancedPacket, length);
    const time = BigInt.asUintN(64, timeNs);
    view.setUint32(8, interfaceNumber, true);
    view.setUint32(12, Number(time >> 32n), true);
    view.setUint32(16, Number(time & 0xffff_ffffn), true);
    view.setUint32(20, octets, true);
    view.setUint32(24, octets, true);
    // Padding, and all that options leave open.
    new Uint8Array(view.buffer, view.byteOffset + PACKET_START + octets, length - PACKET_START - octets - 4).fill(0);
    writeOptions(view, PACKET_START + padded(octets), options);
    this.#packets++;
    return new Uint8Array(view.buffer, view.byteOffset + PACKET_START, octets);
  }

  #beginFile(): void {
    this.#files++;
    this.#fileOctets = 0;
    const view = this.#zeroedBlock(BLOCK.sectionHeader, BLOCK_FRAME + SECTION_FIELDS + optionsLength(this.#section));
    view.setUint32(8, BYTE_ORDER_MAGIC, true);
    view.setUint16(12, MAJOR_VERSION, true);
    view.setBigInt64(16, UNKNOWN_LENGTH, true);
    writeOptions(view, 24, this.#section);
    for (const options of this.#interfaces) this.#interfaceBlock(options);
  }

  #interfaceBlock(options: readonly Option[]): void {
    const view = this.#zeroedBlock(BLOCK.interfaceDescription, BLOCK_FRAME + INTERFACE_FIELDS + optionsLength(options));
    view.setUint16(8, LINKTYPE_RAW, true);
    view.setUint32(12, SNAP_LENGTH, true);
    writeOptions(view, 16, options);
  }

  /** The next block has that length: begins the next file when it does not fit this one. */
  #makeRoom(octets: number): void {
    if (this.#hasRoom(octets)) return;
    this.#output.nextFile();
    this.#beginFile();
  }

  #zeroedBlock(type: number, length: number): DataView {
    const view = this.#block(type, length);
    new Uint8Array(view.buffer, view.byteOffset + 8, length - BLOCK_FRAME).fill(0);
    return view;
  }

  #hasRoom(octets: number): boolean {
    return this.#fileOctets + octets <= this.#maxFileOctets;
  }

  /** A block with its type and lengths only. */
  #block(type: number, length: number): DataView {
    const room = this.#output.reserve(length);
    const view = new DataView(room.buffer, room.byteOffset, length);
    view.setUint32(0, type, true);
    view.setUint32(4, length, true);
    view.setUint32(length - 4, length, true);
    this.#fileOctets += length;
    return view;
  }
}

function commentOptions(comments: readonly string[]): readonly Option[] {
  return comments.length === 0 ? NO_OPTIONS : comments.map((comment) => textOption(OPTION.comment, comment));
}

function packetBlockLength(octets: number, options: readonly Option[]): number {
  return BLOCK_FRAME + PACKET_FIELDS + padded(octets) + optionsLength(options);
}
