import { BLOCK, BYTE_ORDER_MAGIC } from "./pcapng-registry.ts";

/** Octets that every format is told by; fewer are enough for most. */
export const SIGNATURE_OCTETS = 64;

const SECTION_HEADER_OCTETS = 12;

/** Files that are known, and are not captures that we read; `way` is what to do about it. */
const FORMATS: readonly Readonly<{ magic: string; name: string; way: "convert" | "unpack" | "other" }>[] = [
  { magic: "snoop\0\0\0", name: "a snoop capture (RFC 1761)", way: "convert" },
  { magic: "btsnoop\0", name: "a Bluetooth btsnoop log", way: "other" },
  { magic: "GMBU", name: "a Microsoft Network Monitor 2 capture", way: "convert" },
  { magic: "RTSS", name: "a Microsoft Network Monitor 1 capture", way: "convert" },
  { magic: "TRSNIFF data    \x1a", name: "a Sniffer capture", way: "convert" },
  { magic: "XCP\0", name: "a NetXRay or Windows Sniffer capture", way: "convert" },
  { magic: "ObserverPktBuffe", name: "a Viavi Observer capture", way: "convert" },
  { magic: "iptrace 1.0", name: "an AIX iptrace capture", way: "convert" },
  { magic: "iptrace 2.0", name: "an AIX iptrace capture", way: "convert" },
  { magic: "\x7fELF", name: "a program (ELF)", way: "other" },
  { magic: "%PDF-", name: "a PDF document", way: "other" },
  { magic: "PK\x03\x04", name: "a ZIP archive", way: "unpack" },
  { magic: "7z\xbc\xaf\x27\x1c", name: "a 7z archive", way: "unpack" },
  { magic: "BZh", name: "compressed with bzip2", way: "unpack" },
  { magic: "\xfd7zXZ\0", name: "compressed with xz", way: "unpack" },
  { magic: "\x04\x22\x4d\x18", name: "compressed with lz4", way: "unpack" },
  { magic: "\x1f\x9d", name: "compressed with compress", way: "unpack" },
  { magic: "\x1f\x8b", name: "compressed with gzip more than once", way: "unpack" },
  { magic: "\x28\xb5\x2f\xfd", name: "compressed with zstd more than once", way: "unpack" },
];

const WAYS = {
  convert: "not a capture we read; try: editcap -F pcapng FILE OUT.pcapng",
  unpack: "not a capture we read; unpack it first",
  other: "not a capture; pcap and pcapng files are read",
} as const;

/** Whether first octets are pcapng: the section header's type, then a byte-order magic. `more`: they do not tell yet. */
export function isPcapng(bytes: Uint8Array): "yes" | "no" | "more" {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < 4) return "more";
  if (view.getUint32(0) !== BLOCK.sectionHeader) return "no";
  if (bytes.length < SECTION_HEADER_OCTETS) return "more";
  return view.getUint32(8) === BYTE_ORDER_MAGIC || view.getUint32(8, true) === BYTE_ORDER_MAGIC ? "yes" : "no";
}

/** What a file that begins with `start` is, and what to do about it, to follow its name: "is empty: …". */
export function notACapture(start: Uint8Array): string {
  const bytes = start.subarray(0, SIGNATURE_OCTETS);
  if (bytes.length === 0) return "is empty: a recorder may not have written yet (tcpdump -U writes each packet at once)";
  const text = String.fromCharCode(...bytes);
  const known = FORMATS.find(({ magic }) => text.startsWith(magic));
  if (known !== undefined) return `is ${known.name}: ${WAYS[known.way]}`;
  if (isText(bytes)) return "is text, not a capture: pcap and pcapng files are read, as tcpdump -w FILE writes them";
  if (bytes.length < SECTION_HEADER_OCTETS) return `has only ${bytes.length} octets: too few for a capture`;
  return "is no capture that we know: pcap and pcapng files are read; capinfos FILE may tell what it is";
}

/** Printable ASCII, blanks and what could be UTF-8. */
function isText(bytes: Uint8Array): boolean {
  return bytes.every((octet) => (octet >= 0x20 && octet !== 0x7f) || (octet >= 0x09 && octet <= 0x0d) || octet === 0x1b);
}
