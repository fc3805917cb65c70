import type { CaptureHandler, CaptureReader } from "../packet.ts";
import { PlacedPacket } from "../placed-packet.ts";
import { BlockCounts } from "./block-counts.ts";
import { type CaptureFacts, LONGEST_PACKET } from "./capture-facts.ts";
import { NoteLimit } from "./note-limit.ts";
import { type CaptureInterface, readInterface } from "./pcapng-interface.ts";
import { eachOption } from "./pcapng-options.ts";
import { packetFcs, readPacketBlock } from "./pcapng-packet.ts";
import { BLOCK, BYTE_ORDER_MAGIC, OPTION } from "./pcapng-registry.ts";
import { STOP, type UnitFormat, UnitStream } from "./unit-stream.ts";

/** Type and total length before the body, the total length again after it: draft-ietf-opsawg-pcapng §3.1. */
const HEAD = 8;
const FRAME = 12;
/** A section header's octets before its options, with its head. */
const SECTION_HEAD = 24;
/** Interfaces of a section beyond this many are not remembered; their packets are passed over. */
const MOST_INTERFACES = 65_536;
/** Octets of room that a block may have for options beside the longest packet. */
const OPTION_ROOM = 256 * 1024;

/**
 * Reads pcapng, draft-ietf-opsawg-pcapng: sections of either byte order, each with interfaces of its own. Blocks that hold no packets
 * are skipped by their length.
 */
export class PcapngReader implements CaptureReader {
  readonly #format: PcapngFormat;
  readonly #stream: UnitStream;

  constructor(handler: CaptureHandler) {
    this.#format = new PcapngFormat(handler);
    this.#stream = new UnitStream(this.#format);
  }

  get facts(): CaptureFacts {
    return { ...this.#format.facts, blocks: this.#format.blocks.byName };
  }

  push(octets: Uint8Array): void {
    this.#stream.push(octets);
  }

  end(): void {
    this.#stream.end();
    this.#format.notes.end(this.#stream.offset);
  }
}

class PcapngFormat implements UnitFormat {
  readonly longest = LONGEST_PACKET + OPTION_ROOM;
  readonly notes: NoteLimit;
  readonly facts = {
    format: "pcapng" as const,
    begun: false,
    packets: 0,
    cut: false,
    comments: 0,
  };
  readonly blocks = new BlockCounts();
  readonly #handler: CaptureHandler;
  #littleEndian = true;
  /** By interface identifier; null: its description could not be read. */
  #interfaces: (CaptureInterface | null)[] = [];
  /** The last number that a frame got: other blocks than packets have one, too. */
  #number = 0;
  readonly #comment = (): void => {
    this.facts.comments += 1;
  };

  constructor(handler: CaptureHandler) {
    this.#handler = handler;
    this.notes = new NoteLimit(handler);
  }

  measure(view: DataView, at: number, end: number, offset: number): number {
    if (end - at < FRAME) return -FRAME;
    const section = view.getUint32(at) === BLOCK.sectionHeader;
    const littleEndian = section ? byteOrder(view, at) : this.#littleEndian;
    if (littleEndian === undefined) return this.#damaged(offset, "a section begins there with an unknown byte order");
    const length = view.getUint32(at + 4, littleEndian);
    const least = section ? SECTION_HEAD + 4 : FRAME;
    if (length < least || length % 4 !== 0) return this.#damaged(offset, `a block there claims a length of ${length} octets`);
    return length;
  }

  unit(bytes: Uint8Array, view: DataView, at: number, length: number, offset: number): boolean {
    const type = this.#type(view, at);
    if (type === BLOCK.sectionHeader && !this.#section(view, at, offset)) return false;
    const to = at + length - 4;
    const again = view.getUint32(to, this.#littleEndian);
    if (again !== length) {
      this.#damaged(offset, `the block there has ${length} octets at its start and ${again} at its end`);
      return false;
    }
    this.facts.begun = true;
    this.#count(type);
    const from = at + HEAD;
    if (type === BLOCK.sectionHeader) this.#comments(view, at + SECTION_HEAD, to);
    else if (type === BLOCK.interfaceDescription)
      this.#interface(readInterface(view, from, to, this.#littleEndian, this.#comment));
    else if (type === BLOCK.interfaceStatistics) this.#comments(view, from + FRAME, to);
    else if (isPacket(type)) this.#packet(bytes, view, type, from, to, offset);
    return true;
  }

  passOver(view: DataView, at: number, length: number, offset: number): void {
    const type = this.#type(view, at);
    // The byte order is known, the version is beyond what was measured: taken for the usual one.
    if (type === BLOCK.sectionHeader) this.#begin(view, at);
    this.facts.begun = true;
    this.#count(type);
    if (type === BLOCK.interfaceDescription) this.#interface(null);
    if (isPacket(type)) this.#lost("packet-too-long", offset, `its block has ${length} octets`);
    else this.notes.note("block-too-long", "warning", offset, `a block of ${length} octets was passed over`);
  }

  cut(offset: number, there: number, length: number): void {
    this.facts.cut = true;
    if (!this.facts.begun) return;
    const missing = length === 0 ? "ends inside its header" : `is cut short: ${there} of ${length} octets`;
    const text = `the capture ends at offset ${offset + there}; its last block, at offset ${offset}, ${missing}`;
    this.notes.note("capture-truncated", "warning", offset + there, text);
  }

  #type(view: DataView, at: number): number {
    return view.getUint32(at, this.#littleEndian);
  }

  #count(type: number): void {
    if (this.blocks.add(type)) this.#number += 1;
  }

  /** Sections of another major version are nothing that can be read: false. */
  #section(view: DataView, at: number, offset: number): boolean {
    this.#begin(view, at);
    const major = view.getUint16(at + 12, this.#littleEndian);
    if (major === 1) return true;
    this.#damaged(offset, `a section of unknown version ${major}.${view.getUint16(at + 14, this.#littleEndian)} begins there`);
    return false;
  }

  #begin(view: DataView, at: number): void {
    this.#littleEndian = byteOrder(view, at) ?? this.#littleEndian;
    this.#interfaces = [];
  }

  #interface(found: CaptureInterface | null): void {
    if (this.#interfaces.length < MOST_INTERFACES) this.#interfaces.push(found);
  }

  #comments(view: DataView, from: number, to: number): void {
    eachOption(view, from, to, this.#littleEndian, (code) => {
      if (code === OPTION.comment) this.#comment();
    });
  }

  #packet(bytes: Uint8Array, view: DataView, type: number, from: number, to: number, offset: number): void {
    const block = readPacketBlock(view, type, from, to, this.#littleEndian, this.#interfaces[0]);
    if (block === null) {
      this.#lost("packet-malformed", offset, "its block is shorter than what it claims to hold");
      return;
    }
    const on = this.#interfaces[block.interfaceId];
    if (on === undefined || on === null) {
      this.#lost("interface-unknown", offset, `its section has no interface ${block.interfaceId}`);
      return;
    }
    if (block.captured > LONGEST_PACKET) {
      this.#lost("packet-too-long", offset, `it has ${block.captured} octets`);
      return;
    }
    const timeNs = block.timed ? on.clock(block.timeHigh, block.timeLow) : null;
    if (block.timed && timeNs === null) {
      const text = `packet ${this.#number} has a time outside the years 1970 to 9999: it is read without one`;
      this.notes.note("time-out-of-range", "warning", offset, text);
    }
    this.facts.packets += 1;
    const { at } = block;
    const end = at + block.captured;
    const length = Math.max(block.captured, block.original);
    const fcsOctets = packetFcs(view, block, to, this.#littleEndian, on.fcsOctets, this.#comment);
    this.#handler.packet(new PlacedPacket(this.#number, timeNs, on.linkType, bytes, at, end, length, fcsOctets));
  }

  /** A packet that is there but cannot be handed on. */
  #lost(code: string, offset: number, why: string): void {
    this.facts.packets += 1;
    this.notes.note(code, "warning", offset, `packet ${this.#number} was passed over: ${why}`);
  }

  #damaged(offset: number, what: string): number {
    this.facts.cut = true;
    this.notes.note(
      "capture-damaged",
      "warning",
      offset,
      `the capture is damaged at offset ${offset}, reading ends there: ${what}`,
    );
    return STOP;
  }
}

function isPacket(type: number): boolean {
  return type === BLOCK.enhancedPacket || type === BLOCK.simplePacket || type === BLOCK.packet;
}

/** Whether the section header at `at` is little-endian; undefined: its byte-order magic is none. */
function byteOrder(view: DataView, at: number): boolean | undefined {
  if (view.getUint32(at + HEAD, true) === BYTE_ORDER_MAGIC) return true;
  return view.getUint32(at + HEAD) === BYTE_ORDER_MAGIC ? false : undefined;
}
