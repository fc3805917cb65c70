/** RFC 7541 §6: how a field line stood in the block. The order is fixed: it indexes REPRESENTATION_NAMES. */
export const REPRESENTATION_NAMES = ["indexed", "literal_indexed", "literal", "never"] as const;
/** Name of a representation. */
export type RepresentationName = (typeof REPRESENTATION_NAMES)[number];

/** Index in {@link REPRESENTATION_NAMES}: `REPRESENTATION.never`. */
export const REPRESENTATION = { indexed: 0, literal_indexed: 1, literal: 2, never: 3 } as const satisfies Record<
  RepresentationName,
  number
>;

/**
 * One field line as an HPACK decoder saw it. The decoder reuses one object: copy what you keep.
 * Names and values are *octet strings*: one UTF-16 unit per octet, 0x00 to 0xff (`Buffer.from(s, "latin1")` gives the octets back).
 */
export interface FieldLine {
  /** null when the name cannot be known: an index from before a late join. */
  name: string | null;
  /** null when the value cannot be known. */
  value: string | null;
  /** Index into REPRESENTATION_NAMES. */
  representation: number;
  /** Index of the fully indexed line, or of the name; 0 for a literal with a new name. RFC 7541 §2.3.3 numbering. */
  index: number;
  nameHuffman: boolean;
  valueHuffman: boolean;
  /** `indexed`: all octets of the representation. Literals: opcode, index and both length integers. */
  prefixOctets: number;
  /** Octets of the name string as coded; 0 when the name was indexed. */
  nameOctets: number;
  /** Octets of the value string as coded. */
  valueOctets: number;
  /** Octets of the name and value as decoded; -1 when unknown. */
  nameLength: number;
  valueLength: number;
  /** The line was inserted into the dynamic table (an entry larger than the table empties it and is not inserted). */
  inserted: boolean;
  /** Entries evicted by it. */
  evicted: number;
  /**
   * The lengths in wire order, for attribution: opcode+index octets, name-length octets, name, value-length octets, value.
   * prefixOctets = first + nameLengthOctets + valueLengthOctets.
   */
  nameLengthOctets: number;
  valueLengthOctets: number;
}

/** A field line to write into, with nothing in it. Plain data: an accessor would cost every line ten times its time. */
export function createFieldLine(): FieldLine {
  return {
    name: null,
    value: null,
    representation: 0,
    index: 0,
    nameHuffman: false,
    valueHuffman: false,
    prefixOctets: 0,
    nameOctets: 0,
    valueOctets: 0,
    nameLength: -1,
    valueLength: -1,
    inserted: false,
    evicted: 0,
    nameLengthOctets: 0,
    valueLengthOctets: 0,
  };
}

/** A copy to keep of the line that a decoder reuses. */
export function copyFieldLine(line: FieldLine): FieldLine {
  return { ...line };
}
