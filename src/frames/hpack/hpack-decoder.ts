import type { Rule } from "../core/violation.ts";
import { DynamicTable } from "./dynamic-table.ts";
import { copyFieldLine, createFieldLine, type FieldLine, REPRESENTATION } from "./field-line.ts";
import { type FieldRun, FieldRuns, RUN_TEXT_CAP } from "./field-run.ts";
import { HPACK_RULES } from "./hpack-rules.ts";
import { HUFFMAN_ERROR, huffmanDecode, maxDecodedLength } from "./huffman.ts";
import { internedOctetString } from "./octet-string.ts";
import { STATIC_ENTRIES, staticName, staticValue } from "./static-table.ts";

/** SETTINGS_HEADER_TABLE_SIZE before any SETTINGS (RFC 9113 §6.5.2). */
const INITIAL_TABLE_SIZE = 4096;
/**
 * Octets (RFC 7541 §4.1) that a decoder's table holds at most, whatever was agreed: the sizes are claims of two peers, the memory is
 * ours. No known implementation goes above 64 KiB by default. Beyond it the oldest entries are given up, as if joined late.
 */
export const TABLE_CAP = 1024 * 1024;
/** RFC 7541 §5.1 leaves the bound to the implementation: no length, index or size is larger. */
const MAX_INTEGER = 0xffffffff;
/** Octets after the prefix that MAX_INTEGER needs. */
const MAX_INTEGER_OCTETS = 5;
/** A scratch buffer above this goes when its block is done. */
const KEPT_SCRATCH = 16 * 1024;

/** Options of {@link HpackDecoder}. */
export interface HpackDecoderOptions {
  /** The limit that SETTINGS_HEADER_TABLE_SIZE sets at the start, in octets. Default 4096. */
  readonly maxTableSize?: number;
  /**
   * The context began before the first block seen: an index that cannot be known is a line with null name and value instead of an
   * error, and the limit is unknown until {@link HpackDecoder.setMaxTableSize}. Default false.
   */
  readonly lateJoin?: boolean;
}

/** Receives what {@link HpackDecoder.decode} finds, in order. */
export interface HpackSink {
  /** The next field line. @param line reused for every line: copy what you keep ({@link copyFieldLine} or a spread). */
  fieldLine(line: FieldLine): void;
  /**
   * The next field lines, which came before just so: told instead of each of them. A sink without this, or one that returns false, is told
   * of them one by one.
   */
  readonly fieldRun?: ((run: FieldRun) => boolean) | undefined;
  /** A table size update of `octets` octets set the table to `size` and evicted entries. */
  sizeUpdate(size: number, octets: number, evicted: number): void;
  /** A rule was broken just before the next representation, and decoding goes on. */
  fault(rule: Rule): void;
}

/** How far a block was decoded. Reused by its decoder. */
export interface HpackResult {
  /** Octets of whole representations before the end or the error. */
  decoded: number;
  /** Why the rest could not be decoded; null when there is no rest. */
  fault: Rule | null;
}

/** A whole block, as {@link HpackDecoder.decodeBlock} returns it. */
export interface DecodedBlock {
  readonly lines: readonly FieldLine[];
  readonly sizeUpdates: readonly Readonly<{ size: number; octets: number; evicted: number }>[];
  readonly violations: readonly Rule[];
  /** Octets from the first representation that could not be decoded to the end. */
  readonly undecoded: number;
}

/**
 * Decodes the field blocks of one direction of one connection (RFC 7541). Never throws on wire input: what is broken comes back as a
 * rule, the rest of that block is not decoded, and as the peer's table can then not be known any more the decoder goes on as if it had
 * joined late (RFC 9113 §4.3 would close the connection).
 */
export class HpackDecoder {
  readonly #table: DynamicTable;
  readonly #line: FieldLine = createFieldLine();
  readonly #result: HpackResult = { decoded: 0, fault: null };
  readonly #runs = new FieldRuns();
  #limit: number;
  #limitKnown: boolean;
  #late: boolean;
  /** The next block must begin with a size update to at most this; -1 when it need not. */
  #required = -1;

  #block: Uint8Array = new Uint8Array(0);
  #at = 0;
  #end = 0;
  #fault: Rule | null = null;

  #scratch = new Uint8Array(0);
  /** The string that was read last: `source[from, to)`, decoded. */
  #source: Uint8Array = this.#scratch;
  #sourceFrom = 0;
  #sourceTo = 0;
  #huffman = false;
  #codedOctets = 0;
  #lengthOctets = 0;

  constructor({ maxTableSize = INITIAL_TABLE_SIZE, lateJoin = false }: HpackDecoderOptions = {}) {
    this.#limit = maxTableSize;
    this.#limitKnown = !lateJoin;
    this.#late = lateJoin;
    this.#table = new DynamicTable(Math.min(maxTableSize, TABLE_CAP));
  }

  /** The dynamic table as it is now. */
  get table(): DynamicTable {
    return this.#table;
  }

  /** Entries from before this decoder's time may exist: unknown indexes are not errors. */
  get lateJoin(): boolean {
    return this.#late;
  }

  /**
   * The receiver's SETTINGS_HEADER_TABLE_SIZE took effect (its SETTINGS were acknowledged). A limit below the table's size obliges the
   * next block to begin with a size update (RFC 7541 §4.2, RFC 9113 §4.3.1).
   * @param octets 0 to 2^32-1.
   */
  setMaxTableSize(octets: number): void {
    if (octets < this.#table.maxSize && (this.#required < 0 || octets < this.#required)) this.#required = octets;
    this.#limit = octets;
    this.#limitKnown = true;
  }

  /** Octets of the context were lost: forget the table, and go on as if joined late. */
  lose(): void {
    this.#table.clear();
    this.#late = true;
    this.#required = -1;
  }

  /** The receiver may have set another limit, unseen: none is known until {@link setMaxTableSize}. */
  forgetMaxTableSize(): void {
    this.#limitKnown = false;
    this.#required = -1;
  }

  /**
   * Decode the field block `block[from, to)`.
   * @param block borrowed until the call returns.
   * @returns how far it went; reused by the next call.
   */
  decode(block: Uint8Array, from: number, to: number, sink: HpackSink): HpackResult {
    this.#block = block;
    this.#at = from;
    this.#end = to;
    this.#fault = null;
    let start = from;
    let sizeUpdateAllowed = true;
    /** Up to here there is no run that is known. */
    let noRun = sink.fieldRun === undefined ? to : from;
    while (this.#at < to) {
      start = this.#at;
      const octet = block[start] as number;
      if ((octet & 0xe0) === 0x20) {
        if (!this.#readSizeUpdate(start, sizeUpdateAllowed, sink)) break;
        continue;
      }
      if (sizeUpdateAllowed) {
        sizeUpdateAllowed = false;
        this.#expectNoSizeUpdate(sink);
      }
      if (octet >= 0x80) {
        if (start >= noRun) {
          if (this.#takeRun(start, sink)) continue;
          noRun = start + this.#runs.length;
        }
        if (!this.#readIndexed(start)) break;
      } else if (octet >= 0x40) {
        if (!this.#readLiteral(start, 0x3f, REPRESENTATION.literal_indexed)) break;
      } else if (!this.#readLiteral(start, 0x0f, octet >= 0x10 ? REPRESENTATION.never : REPRESENTATION.literal)) break;
      sink.fieldLine(this.#line);
    }
    this.#result.fault = this.#fault;
    this.#result.decoded = (this.#fault === null ? to : start) - from;
    if (this.#fault !== null) this.lose();
    this.#release();
    return this.#result;
  }

  /** Decode a whole block into copies: the convenient form, for one block at a time. */
  decodeBlock(block: Uint8Array): DecodedBlock {
    const lines: FieldLine[] = [];
    const sizeUpdates: { size: number; octets: number; evicted: number }[] = [];
    const violations: Rule[] = [];
    const { decoded, fault } = this.decode(block, 0, block.length, {
      fieldLine: (line) => lines.push(copyFieldLine(line)),
      sizeUpdate: (size, octets, evicted) => sizeUpdates.push({ size, octets, evicted }),
      fault: (rule) => violations.push(rule),
    });
    if (fault !== null) violations.push(fault);
    return { lines, sizeUpdates, violations, undecoded: block.length - decoded };
  }

  /** A run of indexed lines that came before. @returns whether the sink took it. */
  #takeRun(start: number, sink: HpackSink): boolean {
    const runs = this.#runs;
    const run = runs.find(this.#block, start, this.#end, this.#table.version) ?? (runs.again ? this.#makeRun(start) : null);
    const taken = run !== null && sink.fieldRun?.(run) === true;
    this.#at = taken ? start + run.octets : start;
    return taken;
  }

  /** @returns null where some line cannot be known, or their texts are too long to be kept. */
  #makeRun(start: number): FieldRun | null {
    const runs = this.#runs;
    const known = STATIC_ENTRIES + this.#table.length;
    const lines: FieldLine[] = [];
    let text = 0;
    for (let at = start; at < start + runs.length; at++) {
      if (((this.#block[at] as number) & 0x7f) > known) return null;
      this.#at = at;
      this.#readIndexed(at);
      if (this.#line.name === null || this.#line.value === null) return null;
      text += this.#line.nameLength + this.#line.valueLength;
      if (text > RUN_TEXT_CAP) return null;
      lines.push(copyFieldLine(this.#line));
    }
    return runs.keep(this.#block, start, this.#table.version, lines);
  }

  /** RFC 7541 §6.1. */
  #readIndexed(start: number): boolean {
    const index = this.#readInteger(0x7f);
    if (index < 0) return false;
    if (index === 0) return this.#fail(HPACK_RULES.indexZero);
    const known = index <= STATIC_ENTRIES + this.#table.length;
    if (!known && !this.#late) return this.#fail(HPACK_RULES.indexBeyondTable);
    const line = this.#line;
    line.name = this.#nameAt(index);
    line.value = index <= STATIC_ENTRIES ? (staticValue(index) as string) : this.#table.value(index - STATIC_ENTRIES - 1);
    line.representation = REPRESENTATION.indexed;
    line.index = index;
    line.nameHuffman = false;
    line.valueHuffman = false;
    line.prefixOctets = this.#at - start;
    line.nameOctets = 0;
    line.valueOctets = 0;
    line.nameLength = line.name === null ? -1 : line.name.length;
    line.valueLength = line.value === null ? -1 : line.value.length;
    line.inserted = false;
    line.evicted = 0;
    line.nameLengthOctets = 0;
    line.valueLengthOctets = 0;
    return true;
  }

  /** RFC 7541 §6.2. */
  #readLiteral(start: number, mask: number, representation: number): boolean {
    const line = this.#line;
    const index = this.#readInteger(mask);
    if (index < 0) return false;
    const opcodeOctets = this.#at - start;
    if (index === 0) {
      if (!this.#readString()) return false;
      line.name = internedOctetString(this.#source, this.#sourceFrom, this.#sourceTo);
      line.nameHuffman = this.#huffman;
      line.nameOctets = this.#codedOctets;
      line.nameLengthOctets = this.#lengthOctets;
    } else {
      if (index > STATIC_ENTRIES + this.#table.length && !this.#late) return this.#fail(HPACK_RULES.indexBeyondTable);
      line.name = this.#nameAt(index);
      line.nameHuffman = false;
      line.nameOctets = 0;
      line.nameLengthOctets = 0;
    }
    if (!this.#readString()) return false;
    line.value = internedOctetString(this.#source, this.#sourceFrom, this.#sourceTo);
    line.representation = representation;
    line.index = index;
    line.valueHuffman = this.#huffman;
    line.valueOctets = this.#codedOctets;
    line.valueLengthOctets = this.#lengthOctets;
    line.prefixOctets = opcodeOctets + line.nameLengthOctets + line.valueLengthOctets;
    line.nameLength = line.name === null ? -1 : line.name.length;
    line.valueLength = this.#sourceTo - this.#sourceFrom;
    line.evicted = 0;
    line.inserted = representation === REPRESENTATION.literal_indexed && this.#table.fits(line.name, line.value);
    if (representation === REPRESENTATION.literal_indexed) line.evicted = this.#table.insert(line.name, line.value);
    return true;
  }

  /** RFC 7541 §6.3. What is above the limit or late is reported, and honoured all the same: the peer's table has that size now. */
  #readSizeUpdate(start: number, allowed: boolean, sink: HpackSink): boolean {
    const size = this.#readInteger(0x1f);
    if (size < 0) return false;
    if (!allowed) sink.fault(HPACK_RULES.sizeUpdateLate);
    if (this.#limitKnown && size > this.#limit) sink.fault(HPACK_RULES.sizeUpdateAboveLimit);
    if (this.#required >= 0 && size <= this.#required) this.#required = -1;
    if (size > TABLE_CAP) this.#late = true;
    sink.sizeUpdate(size, this.#at - start, this.#table.resize(Math.min(size, TABLE_CAP)));
    return true;
  }

  /** The block's first field line is here: a size update that was due did not come. Said once. */
  #expectNoSizeUpdate(sink: HpackSink): void {
    if (this.#required < 0) return;
    this.#required = -1;
    sink.fault(HPACK_RULES.sizeUpdateMissing);
  }

  /** RFC 7541 §5.1. @returns the integer, or -1 after a fault. */
  #readInteger(mask: number): number {
    const block = this.#block;
    let value = (block[this.#at++] as number) & mask;
    if (value < mask) return value;
    let scale = 1;
    for (let octets = 1; this.#at < this.#end; octets++) {
      const octet = block[this.#at++] as number;
      value += (octet & 0x7f) * scale;
      if (value > MAX_INTEGER || octets > MAX_INTEGER_OCTETS) {
        this.#fail(HPACK_RULES.integerOverflow);
        return -1;
      }
      if (octet < 0x80) return value;
      scale *= 128;
    }
    this.#fail(HPACK_RULES.truncated);
    return -1;
  }

  /** RFC 7541 §5.2. Leaves the decoded octets at #source. */
  #readString(): boolean {
    if (this.#at >= this.#end) return this.#fail(HPACK_RULES.truncated);
    const start = this.#at;
    this.#huffman = (this.#block[start] as number) >= 0x80;
    const length = this.#readInteger(0x7f);
    if (length < 0) return false;
    if (length > this.#end - this.#at) return this.#fail(HPACK_RULES.truncated);
    this.#lengthOctets = this.#at - start;
    this.#codedOctets = length;
    const from = this.#at;
    this.#at += length;
    if (!this.#huffman) {
      this.#source = this.#block;
      this.#sourceFrom = from;
      this.#sourceTo = this.#at;
      return true;
    }
    const room = maxDecodedLength(length);
    if (this.#scratch.length < room) this.#scratch = new Uint8Array(Math.max(room, this.#scratch.length * 2, 256));
    const decoded = huffmanDecode(this.#block, from, this.#at, this.#scratch);
    if (decoded < 0) return this.#fail(huffmanRule(decoded));
    this.#source = this.#scratch;
    this.#sourceFrom = 0;
    this.#sourceTo = decoded;
    return true;
  }

  #nameAt(index: number): string | null {
    return index <= STATIC_ENTRIES ? (staticName(index) as string) : this.#table.name(index - STATIC_ENTRIES - 1);
  }

  #fail(rule: Rule): false {
    this.#fault = rule;
    return false;
  }

  /** Keep nothing that was borrowed, and no large scratch buffer. */
  #release(): void {
    this.#block = EMPTY;
    this.#source = EMPTY;
    if (this.#scratch.length > KEPT_SCRATCH) this.#scratch = new Uint8Array(0);
  }
}

const EMPTY = new Uint8Array(0);

function huffmanRule(error: number): Rule {
  if (error === HUFFMAN_ERROR.eos) return HPACK_RULES.huffmanEos;
  return error === HUFFMAN_ERROR.longPadding ? HPACK_RULES.huffmanLongPadding : HPACK_RULES.huffmanBadPadding;
}
