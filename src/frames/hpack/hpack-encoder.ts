import { DynamicTable } from "./dynamic-table.ts";
import type { RepresentationName } from "./field-line.ts";
import { huffmanEncode, huffmanLength } from "./huffman.ts";
import { writeInteger } from "./integer.ts";
import { octetsOf } from "./octet-string.ts";
import { STATIC_ENTRIES, STATIC_TABLE } from "./static-table.ts";

/** A field line to encode. Name and value are octet strings (one UTF-16 unit per octet). */
export interface FieldToEncode {
  readonly name: string;
  readonly value: string;
  /**
   * `indexed` (default): fully indexed where a table has the line, else inserted as a literal. The others force that representation
   * (RFC 7541 §6.2).
   */
  readonly representation?: RepresentationName;
  /** Spell the name out although a table has it. Default false. */
  readonly newName?: boolean;
}

/** Options of {@link HpackEncoder}. */
export interface HpackEncoderOptions {
  /** Huffman-code strings: always, never, or (default) where that is shorter. */
  readonly huffman?: boolean | "auto";
  /** Octets of the dynamic table at the start. Default 4096. */
  readonly maxTableSize?: number;
}

/** Encodes the field blocks of one direction of one connection (RFC 7541). */
export class HpackEncoder {
  readonly #table: DynamicTable;
  readonly #huffman: boolean | "auto";
  /** Size updates that the next block begins with: the smallest size since the last block, then the final one. */
  #smallest = -1;
  #final = -1;

  constructor({ huffman = "auto", maxTableSize = 4096 }: HpackEncoderOptions = {}) {
    this.#huffman = huffman;
    this.#table = new DynamicTable(maxTableSize);
  }

  /** The dynamic table as it is now. */
  get table(): DynamicTable {
    return this.#table;
  }

  /** Change the table's size; the next block says so (RFC 7541 §4.2). @param octets up to what the decoder's SETTINGS allow. */
  setMaxTableSize(octets: number): void {
    this.#smallest = this.#smallest < 0 ? octets : Math.min(this.#smallest, octets);
    this.#final = octets;
  }

  /** Encode one field block. @throws TypeError when a name or value is not an octet string. */
  encode(fields: readonly FieldToEncode[]): Uint8Array {
    const out: number[] = [];
    this.#writeSizeUpdates(out);
    for (const field of fields) this.#writeField(out, field);
    return Uint8Array.from(out);
  }

  #writeSizeUpdates(out: number[]): void {
    if (this.#final < 0) return;
    if (this.#smallest < this.#final) this.#writeSizeUpdate(out, this.#smallest);
    this.#writeSizeUpdate(out, this.#final);
    this.#smallest = -1;
    this.#final = -1;
  }

  #writeSizeUpdate(out: number[], octets: number): void {
    writeInteger(out, 0x20, 5, octets);
    this.#table.resize(octets);
  }

  #writeField(out: number[], { name, value, representation = "indexed", newName = false }: FieldToEncode): void {
    const whole = representation === "indexed" && !newName ? this.#find(name, value) : 0;
    if (whole > 0) {
      writeInteger(out, 0x80, 7, whole);
      return;
    }
    const nameIndex = newName ? 0 : this.#find(name, undefined);
    if (representation === "literal") writeInteger(out, 0x00, 4, nameIndex);
    else if (representation === "never") writeInteger(out, 0x10, 4, nameIndex);
    else writeInteger(out, 0x40, 6, nameIndex);
    if (nameIndex === 0) this.#writeString(out, name);
    this.#writeString(out, value);
    if (representation === "indexed" || representation === "literal_indexed") this.#table.insert(name, value);
  }

  /** Index of the first entry with this name (and value, when given); 0 when there is none. */
  #find(name: string, value: string | undefined): number {
    const position = STATIC_TABLE.findIndex((entry) => entry[0] === name && (value === undefined || entry[1] === value));
    if (position >= 0) return position + 1;
    for (let at = 0; at < this.#table.length; at++) {
      const found = this.#table.name(at) === name && (value === undefined || this.#table.value(at) === value);
      if (found) return STATIC_ENTRIES + 1 + at;
    }
    return 0;
  }

  #writeString(out: number[], text: string): void {
    const octets = octetsOf(text);
    const huffman = this.#huffman === "auto" ? huffmanLength(text) < octets.length : this.#huffman;
    const coded = huffman ? huffmanEncode(text) : octets;
    writeInteger(out, huffman ? 0x80 : 0x00, 7, coded.length);
    for (const octet of coded) out.push(octet);
  }
}
