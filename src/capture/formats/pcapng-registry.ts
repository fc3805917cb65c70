/** Block types of draft-ietf-opsawg-pcapng §11.1 (and of §10.1 in the hands of others) that are told apart by name; others are skipped alike. */
export const BLOCK = {
  interfaceDescription: 0x00000001,
  /** Obsolete. */
  packet: 0x00000002,
  simplePacket: 0x00000003,
  interfaceStatistics: 0x00000005,
  enhancedPacket: 0x00000006,
  /** The same in both byte orders. */
  sectionHeader: 0x0a0d0d0a,
} as const;

type Row = Readonly<{ code: number; name: string; frame: boolean }>;

/**
 * Block types by name. `frame`: tshark gives it a frame number although it holds no packet, so packets after it are numbered on.
 * Codes from 0x204 are sysdig events as Wireshark reads them.
 */
export const BLOCK_TYPES = [
  { code: 0x00000001, name: "interface-description", frame: false },
  { code: 0x00000002, name: "packet", frame: true },
  { code: 0x00000003, name: "simple-packet", frame: true },
  { code: 0x00000004, name: "name-resolution", frame: false },
  { code: 0x00000005, name: "interface-statistics", frame: false },
  { code: 0x00000006, name: "enhanced-packet", frame: true },
  { code: 0x00000009, name: "systemd-journal", frame: true },
  { code: 0x0000000a, name: "decryption-secrets", frame: false },
  { code: 0x00000204, name: "sysdig-event", frame: true },
  { code: 0x00000216, name: "sysdig-event", frame: true },
  { code: 0x00000221, name: "sysdig-event", frame: true },
  { code: 0x00000bad, name: "custom", frame: true },
  { code: 0x40000bad, name: "custom", frame: true },
  { code: 0x0a0d0d0a, name: "section-header", frame: false },
] as const satisfies readonly Row[];

/** Option codes: opt_endofopt and opt_comment mean the same in every block, the others only in their own. */
export const OPTION = { end: 0, comment: 1, packetFlags: 2, timeResolution: 9, fcsLength: 13, timeOffset: 14 } as const;

/** The byte-order magic of a section header, §4.1. */
export const BYTE_ORDER_MAGIC = 0x1a2b3c4d;
