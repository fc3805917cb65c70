type Row = Readonly<{ format: string; octets: readonly number[]; ref: string }>;

/**
 * What well-known formats begin with, by their first octet: at least 24 bits that say no more than the format. Shorter ones are weak: of
 * 65,536 random strings one has them; `isZlib` and `isDerSequence` ask for more.
 */
const MAGIC = [
  { format: "wasm", octets: [0x00, 0x61, 0x73, 0x6d], ref: "WebAssembly Core §5.5.16" },
  { format: "lz4", octets: [0x04, 0x22, 0x4d, 0x18], ref: "LZ4 Frame Format, General structure" },
  { format: "pcapng", octets: [0x0a, 0x0d, 0x0d, 0x0a], ref: "draft-ietf-opsawg-pcapng §4.1" },
  { format: "ebml", octets: [0x1a, 0x45, 0xdf, 0xa3], ref: "RFC 8794 §11.2.1" },
  { format: "gzip", octets: [0x1f, 0x8b, 0x08], ref: "RFC 1952 §2.3.1" },
  { format: "pdf", octets: ascii("%PDF-"), ref: "ISO 32000-1 §7.5.2" },
  { format: "zstd", octets: [0x28, 0xb5, 0x2f, 0xfd], ref: "RFC 8878 §3.1.1" },
  { format: "7z", octets: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], ref: "7zFormat.txt, Signature" },
  { format: "bzip2", octets: ascii("BZh91AY&SY"), ref: "bzip2 compress.c: stream and block header" },
  { format: "gif", octets: ascii("GIF87a"), ref: "GIF89a §17" },
  { format: "gif", octets: ascii("GIF89a"), ref: "GIF89a §17" },
  { format: "id3", octets: [...ascii("ID3"), 0x03], ref: "ID3v2.3 §3.1" },
  { format: "id3", octets: [...ascii("ID3"), 0x04], ref: "ID3v2.4 §3.1" },
  { format: "tiff", octets: [0x49, 0x49, 0x2a, 0x00], ref: "TIFF 6.0 §2" },
  { format: "tiff", octets: [0x4d, 0x4d, 0x00, 0x2a], ref: "TIFF 6.0 §2" },
  { format: "ogg", octets: [...ascii("OggS"), 0x00], ref: "RFC 3533 §6" },
  { format: "opentype", octets: ascii("OTTO"), ref: "OpenType, Table directory" },
  { format: "zip", octets: [0x50, 0x4b, 0x03, 0x04], ref: "APPNOTE.TXT 4.3.7" },
  { format: "zip", octets: [0x50, 0x4b, 0x05, 0x06], ref: "APPNOTE.TXT 4.3.16" },
  { format: "riff", octets: ascii("RIFF"), ref: "RFC 9649 §2.4" },
  { format: "sqlite", octets: [...ascii("SQLite format 3"), 0x00], ref: "SQLite fileformat2 §1.3.1" },
  { format: "rar", octets: [...ascii("Rar!"), 0x1a, 0x07], ref: "RAR 5.0 archive format, Signature" },
  { format: "elf", octets: [0x7f, 0x45, 0x4c, 0x46], ref: "System V ABI, ELF Identification" },
  { format: "png", octets: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], ref: "PNG (W3C) §5.2" },
  { format: "pcap", octets: [0xa1, 0xb2, 0xc3, 0xd4], ref: "draft-ietf-opsawg-pcap §4" },
  { format: "java-serialized", octets: [0xac, 0xed, 0x00, 0x05], ref: "Java Object Serialization Specification §6.4.2" },
  { format: "java-class", octets: [0xca, 0xfe, 0xba, 0xbe], ref: "JVMS §4.1" },
  { format: "mach-o", octets: [0xcf, 0xfa, 0xed, 0xfe], ref: "mach-o/loader.h: MH_MAGIC_64" },
  { format: "ole", octets: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], ref: "[MS-CFB] §2.2" },
  { format: "pcap", octets: [0xd4, 0xc3, 0xb2, 0xa1], ref: "draft-ietf-opsawg-pcap §4" },
  { format: "cbor", octets: [0xd9, 0xd9, 0xf7], ref: "RFC 8949 §3.4.6" },
  { format: "flac", octets: ascii("fLaC"), ref: "RFC 9639 §8" },
  { format: "xz", octets: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], ref: "The .xz File Format §2.1.1.1" },
  { format: "jpeg", octets: [0xff, 0xd8, 0xff], ref: "ITU-T T.81 §B.1.1.3: SOI and the first octet of the next marker" },
  { format: "woff", octets: ascii("wOFF"), ref: "WOFF 1.0 §4" },
  { format: "woff2", octets: ascii("wOF2"), ref: "WOFF 2.0 §4" },
] as const satisfies readonly Row[];

/** RFC 1950 §2.2: the check bits for each level, after 0x78. */
const ZLIB_FLAGS = [0x01, 0x5e, 0x9c, 0xda];

const BY_FIRST_OCTET: readonly (readonly Row[])[] = Array.from({ length: 256 }, (_, first) =>
  MAGIC.filter(({ octets }) => octets[0] === first),
);

/** The format that `octets[0, held)` begins as; null when that is no known one. */
export function magicOf(octets: Uint8Array, held: number): string | null {
  for (const row of BY_FIRST_OCTET[octets[0] ?? 0] ?? []) if (begins(octets, 0, held, row.octets)) return row.format;
  // ISO/IEC 14496-12 §4.3: the first box of an MP4 file; its length, below 256, comes first.
  if (octets[0] === 0 && octets[1] === 0 && octets[2] === 0 && begins(octets, 4, held, FTYP)) return "mp4";
  // RFC 8878 §3.1.2: sixteen magic numbers of skippable frames.
  if (((octets[0] ?? 0) & 0xf0) === 0x50 && begins(octets, 1, held, SKIPPABLE)) return "zstd";
  return null;
}

/** The first two octets of everything that this file knows. */
export const MAGIC_PAIRS: readonly (readonly [first: number, second: number])[] = [
  ...MAGIC.map(({ octets }) => [octets[0], octets[1]] as const),
  [0x00, 0x00], // MP4
  ...Array.from({ length: 0x84 }, (_, second) => [0x30, second] as const), // DER, of 16 MiB at most
  ...ZLIB_FLAGS.map((second) => [0x78, second] as const),
  ...Array.from({ length: 16 }, (_, low) => [0x50 | low, 0x2a] as const), // zstd skippable frames
];

const FTYP = ascii("ftyp");
const SKIPPABLE = [0x2a, 0x4d, 0x18];

/** Tags that the first element of a SEQUENCE mostly has (X.690 §8.1.2): INTEGER, strings, OID, times, SEQUENCE, SET, [0], [1]. */
const DER_INNER = new Set([0x02, 0x03, 0x04, 0x05, 0x06, 0x0a, 0x0c, 0x13, 0x16, 0x17, 0x18, 0x30, 0x31, 0xa0, 0xa1]);

/** Whether it is a DER SEQUENCE (X.690) that is exactly `length` octets long in all: the tag alone would be weak. */
export function isDerSequence(octets: Uint8Array, held: number, length: number): boolean {
  if (octets[0] !== 0x30 || held < 6) return false;
  const first = octets[1] ?? 0;
  // X.690 §8.1.3: short form below 128, else the number of length octets that follow.
  const lengthOctets = first < 0x80 ? 0 : first & 0x7f;
  if (lengthOctets > 3) return false;
  let content = lengthOctets === 0 ? first : 0;
  for (let at = 2; at < 2 + lengthOctets; at++) content = content * 256 + (octets[at] ?? 0);
  return 2 + lengthOctets + content === length && DER_INNER.has(octets[2 + lengthOctets] ?? 0);
}

/** Whether the zlib header (RFC 1950 §2.2: deflate, 32 KiB window, no dictionary) is followed by a block that deflate has. */
export function isZlib(octets: Uint8Array, held: number): boolean {
  if (octets[0] !== 0x78 || !ZLIB_FLAGS.includes(octets[1] ?? 0) || held < 7) return false;
  const block = octets[2] ?? 0;
  const type = (block >> 1) & 3;
  // RFC 1951 §3.2.4: a stored block's LEN is followed by its complement.
  if (type === 0) return ((octets[3] ?? 0) ^ (octets[5] ?? 0)) === 0xff && ((octets[4] ?? 0) ^ (octets[6] ?? 0)) === 0xff;
  // RFC 1951 §3.2.7: at most 286 literal/length codes and 30 distance codes. Type 3 is reserved.
  return type === 1 || (type === 2 && block >> 3 <= 29 && ((octets[3] ?? 0) & 0x1f) <= 29);
}

function begins(octets: Uint8Array, at: number, held: number, magic: readonly number[]): boolean {
  if (at + magic.length > held) return false;
  for (let index = 0; index < magic.length; index++) if (octets[at + index] !== magic[index]) return false;
  return true;
}

function ascii(text: string): number[] {
  return Array.from(text, (letter) => letter.charCodeAt(0));
}
