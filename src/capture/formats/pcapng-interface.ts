import { type PacketClock, packetClock } from "./packet-time.ts";
import { eachOption } from "./pcapng-options.ts";
import { OPTION } from "./pcapng-registry.ts";

/** An interface of a section, as its packets need it. */
export interface CaptureInterface {
  readonly linkType: number;
  /** 0: no limit. */
  readonly snapLength: number;
  readonly fcsOctets: number;
  readonly clock: PacketClock;
}

/** Microseconds, where if_tsresol is missing. */
const MICROSECONDS = 6;
/** An FCS has at most this many octets: epb_flags has four bits for it. */
const LONGEST_FCS = 15;

/**
 * Read an interface description, §4.2: its body is `view[from, to)`.
 * @param comment called for each comment in it. @returns null when it is too short to be one.
 */
export function readInterface(
  view: DataView,
  from: number,
  to: number,
  littleEndian: boolean,
  comment: () => void,
): CaptureInterface | null {
  if (to - from < 8) return null;
  let resolution = MICROSECONDS;
  let offsetSeconds = 0n;
  let fcsOctets = 0;
  eachOption(view, from + 8, to, littleEndian, (code, at, length) => {
    if (code === OPTION.comment) comment();
    else if (code === OPTION.timeResolution && length >= 1) resolution = view.getUint8(at);
    else if (code === OPTION.timeOffset && length >= 8) offsetSeconds = view.getBigInt64(at, littleEndian);
    else if (code === OPTION.fcsLength && length >= 1) fcsOctets = fcsLength(view.getUint8(at));
  });
  return {
    linkType: view.getUint16(from, littleEndian),
    snapLength: view.getUint32(from + 4, littleEndian),
    fcsOctets,
    clock: packetClock(resolution, offsetSeconds),
  };
}

/** The drafts long said "in bits" beside the example 4, which Wireshark reads, and others write, as octets: bits are told by their size. */
function fcsLength(value: number): number {
  return value <= LONGEST_FCS ? value : value >> 3;
}
