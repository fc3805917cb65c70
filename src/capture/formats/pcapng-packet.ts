import type { CaptureInterface } from "./pcapng-interface.ts";
import { eachOption, padded } from "./pcapng-options.ts";
import { BLOCK, OPTION } from "./pcapng-registry.ts";

/** Where things are in a packet block; interpreted later, when its interface is known. */
export interface PacketBlock {
  readonly interfaceId: number;
  /** False: its two halves of a time mean nothing (a simple packet). */
  readonly timed: boolean;
  readonly timeHigh: number;
  readonly timeLow: number;
  /** Where the packet's octets begin in the view. */
  readonly at: number;
  readonly captured: number;
  readonly original: number;
}

/** Flags word, §4.3: bits 5 to 8 are the FCS length in octets, 0 for unknown. */
const FCS_SHIFT = 5;
const FCS_MASK = 0x0f;

/** Octets before the packet in an enhanced (§4.3) and in an obsolete packet block (appendix A). */
const FIXED_OCTETS = 20;

/**
 * Read the head of an enhanced, obsolete or simple packet block whose body is `view[from, to)`.
 * @param first the section's first interface, whose snapshot length a simple packet needs (§4.4).
 * @returns null when the body is shorter than what it claims to hold.
 */
export function readPacketBlock(
  view: DataView,
  type: number,
  from: number,
  to: number,
  littleEndian: boolean,
  first: CaptureInterface | null | undefined,
): PacketBlock | null {
  if (type === BLOCK.simplePacket) {
    if (to - from < 4) return null;
    const original = view.getUint32(from, littleEndian);
    const snapLength = first?.snapLength || Number.POSITIVE_INFINITY;
    const captured = Math.min(original, snapLength, to - from - 4);
    return { interfaceId: 0, timed: false, timeHigh: 0, timeLow: 0, at: from + 4, captured, original };
  }
  if (to - from < FIXED_OCTETS) return null;
  const captured = view.getUint32(from + 12, littleEndian);
  if (captured > to - from - FIXED_OCTETS) return null;
  return {
    interfaceId: type === BLOCK.packet ? view.getUint16(from, littleEndian) : view.getUint32(from, littleEndian),
    timed: true,
    timeHigh: view.getUint32(from + 4, littleEndian),
    timeLow: view.getUint32(from + 8, littleEndian),
    at: from + FIXED_OCTETS,
    captured,
    original: view.getUint32(from + 16, littleEndian),
  };
}

/**
 * The FCS length that a packet's own flags tell, else its interface's.
 * @param to end of the block's body. @param comment called for each comment in it.
 */
export function packetFcs(
  view: DataView,
  block: PacketBlock,
  to: number,
  littleEndian: boolean,
  usual: number,
  comment: () => void,
): number {
  const options = block.at + padded(block.captured);
  if (!block.timed || options >= to) return usual;
  let fcsOctets = usual;
  eachOption(view, options, to, littleEndian, (code, at, length) => {
    if (code === OPTION.comment) comment();
    else if (code === OPTION.packetFlags && length === 4) {
      fcsOctets = (view.getUint32(at, littleEndian) >>> FCS_SHIFT) & FCS_MASK || usual;
    }
  });
  return fcsOctets;
}
