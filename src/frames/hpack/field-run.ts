import type { FieldLine } from "./field-line.ts";

/** Indexed field lines that stood one behind the other, an octet each. It never changes: keep it as it is. */
export interface FieldRun {
  /** As {@link HpackSink.fieldLine} would be told of them, in their order. */
  readonly lines: readonly Readonly<FieldLine>[];
  /** As many as lines. */
  readonly octets: number;
  /** Below {@link RUN_SLOTS}: a place for what a sink keeps of it. Another run may have the same place later, this one never another. */
  readonly slot: number;
}

/** Runs that a decoder knows at once. A power of two. */
export const RUN_SLOTS = 32;
/** A longer run is taken for several. */
const LONGEST_RUN = 64;
/**
 * Octets of names and values of a run that is kept, at most: what keeps it keeps its texts, after the table has given them up. Longer ones
 * are read line by line.
 */
export const RUN_TEXT_CAP = 4096;

/**
 * The runs of indexed representations that a decoder has seen lately. The requests of a connection are much alike, and once their
 * fields are in the tables a request is such a run, or begins with one: then there is no need to look up line by line what was known
 * before. A run means the same as long as the dynamic table is the same.
 */
export class FieldRuns {
  readonly #known: (Known | undefined)[] = Array<undefined>(RUN_SLOTS).fill(undefined);
  /** What was seen at a slot last: a run is kept when it comes a second time. */
  readonly #seen = new Int32Array(RUN_SLOTS);
  #slot = 0;
  #length = 0;
  #again = false;

  /** Octets of the run that was looked for last. */
  get length(): number {
    return this.#length;
  }

  /** The run that was looked for last came before, and is worth keeping. */
  get again(): boolean {
    return this.#again;
  }

  /** The run at `block[from, …)`, not behind `to`, if it is known. @param version of the dynamic table. */
  find(block: Uint8Array, from: number, to: number, version: number): FieldRun | null {
    const end = Math.min(to, from + LONGEST_RUN);
    let hash = version;
    let at = from;
    for (; at < end; at++) {
      const octet = block[at] as number;
      if (octet <= 0x80 || octet === 0xff) break;
      hash = (Math.imul(hash, 31) + octet) | 0;
    }
    this.#again = false;
    this.#length = at - from;
    // An index of more than one octet, or none at all (RFC 7541 §6.1), is in no run.
    if (at === from) return null;
    hash ^= hash >>> 15;
    const slot = (hash ^ (hash >>> 5)) & (RUN_SLOTS - 1);
    this.#slot = slot;
    const known = this.#known[slot];
    if (known !== undefined && known.version === version && isAt(block, from, this.#length, known.octets)) return known.run;
    this.#again = this.#seen[slot] === hash;
    this.#seen[slot] = hash;
    return null;
  }

  /** Keep the run that was looked for last, at `block[from, …)`. @param lines are its own from now on. */
  keep(block: Uint8Array, from: number, version: number, lines: readonly FieldLine[]): FieldRun {
    const octets = block.slice(from, from + this.#length);
    const run = { lines, octets: octets.length, slot: this.#slot };
    this.#known[this.#slot] = { version, octets, run };
    return run;
  }
}

interface Known {
  readonly version: number;
  readonly octets: Uint8Array;
  readonly run: FieldRun;
}

function isAt(block: Uint8Array, from: number, length: number, octets: Uint8Array): boolean {
  if (octets.length !== length) return false;
  for (let at = 0; at < length; at++) if (block[from + at] !== octets[at]) return false;
  return true;
}
