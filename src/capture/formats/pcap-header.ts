/** One of the magic numbers that a classic pcap file can begin with. */
export interface PcapMagic {
  readonly littleEndian: boolean;
  /** Nanoseconds in one unit of the second half of a time. */
  readonly fractionNs: number;
  /** Octets of the file header, magic number included. */
  readonly headerOctets: number;
  /** Octets that a packet header has beyond the usual 16, the likeliest first; more than one: only the packets tell. */
  readonly extras: readonly number[];
}

/** The file header, draft-ietf-opsawg-pcap §4. */
export interface PcapHeader {
  readonly major: number;
  readonly minor: number;
  readonly linkType: number;
  /** Octets of frame check sequence at the end of each packet; 0 when the header doesn't say. */
  readonly fcsOctets: number;
}

const MICROSECOND = 1000;

/**
 * Magic numbers as libpcap and Wireshark know them. 0xa1b2cd34 is Alexey Kuznetsov's patch (1999), whose packet headers also name the
 * interface, the protocol and the kind of packet: 24 octets, in SuSE 6.3 28. Two others kept the common number for headers of their own:
 * Red Hat 6.1 (24 octets) and Nokia (20). 0x1c0001ab and 0x1c0001ac are Ixia's: 4 more octets in the file header.
 */
const MAGICS: ReadonlyMap<number, Omit<PcapMagic, "littleEndian">> = new Map([
  [0xa1b2c3d4, { fractionNs: MICROSECOND, headerOctets: 24, extras: [0, 8, 4] }],
  [0xa1b23c4d, { fractionNs: 1, headerOctets: 24, extras: [0] }],
  [0xa1b2cd34, { fractionNs: MICROSECOND, headerOctets: 24, extras: [8, 12] }],
  [0x1c0001ab, { fractionNs: MICROSECOND, headerOctets: 28, extras: [0] }],
  [0x1c0001ac, { fractionNs: 1, headerOctets: 28, extras: [0] }],
]);

/** The pcap magic number in the first four of `bytes`; undefined when there is none. */
export function pcapMagic(bytes: Uint8Array): PcapMagic | undefined {
  if (bytes.length < 4) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const big = MAGICS.get(view.getUint32(0));
  if (big !== undefined) return { ...big, littleEndian: false };
  const little = MAGICS.get(view.getUint32(0, true));
  return little === undefined ? undefined : { ...little, littleEndian: true };
}

/** Set in the link type field when its upper four bits count the FCS, in units of two octets. */
const FCS_PRESENT = 0x04000000;

/** Read the file header at `at`. */
export function readPcapHeader(view: DataView, at: number, magic: PcapMagic): PcapHeader {
  const link = view.getUint32(at + 20, magic.littleEndian);
  return {
    major: view.getUint16(at + 4, magic.littleEndian),
    minor: view.getUint16(at + 6, magic.littleEndian),
    linkType: link & 0xffff,
    fcsOctets: (link & FCS_PRESENT) === 0 ? 0 : (link >>> 28) * 2,
  };
}
