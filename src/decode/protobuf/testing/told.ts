import { CONTENT_BASE } from "../../category.ts";
import { CONTENT_LEAVES, type ContentLeaf } from "../../content/content-leaf.ts";
import type { ContentNote } from "../../content/content-note.ts";
import type { ContentSink } from "../../content/content-sink.ts";
import type { MessageType } from "../message-type.ts";
import { ProtobufDecoder } from "../protobuf-decoder.ts";

/** How a message is given to the decoder. */
export interface Reading {
  /** null: no schema. */
  readonly type: MessageType | null;
  /** As `expect` is told. */
  readonly length: number | null;
  /** As `end` is told. */
  readonly cut: boolean;
  /** Ends of the chunks, see `everyCut`. */
  readonly chunks: readonly number[];
  readonly parts: boolean;
}

/** What a decoder has said of a message. */
export interface Told {
  /** Adjacent octets of one leaf: `tag 1, varint 2`; empty without parts. Leaves lose `protobuf.`. */
  readonly runs: string;
  /** One path for each octet; empty without parts. */
  readonly paths: readonly (string | null)[];
  /** Octets by leaf, without those that have none. */
  readonly sums: Readonly<Partial<Record<ContentLeaf, number>>>;
  /** `protobuf-malformed@2`: with the offset of the octet that is announced next. */
  readonly notes: readonly string[];
}

/** Decode one message whole, with the defaults of a test. */
export function told(octets: Uint8Array, reading: Partial<Reading> = {}): Told {
  const { type = null, length = octets.length, cut = false, chunks = [octets.length], parts = true } = reading;
  const sink = new CollectingSink(parts);
  const decoder = new ProtobufDecoder(sink, CONTENT_BASE.body);
  decoder.expect(type, length);
  decoder.begin();
  let at = 0;
  for (const end of chunks) {
    // A copy that is spoilt afterwards: a decoder that keeps borrowed octets shows. It does not begin at 0.
    const borrowed = Uint8Array.from([0x08, ...octets.subarray(at, end), 0x08]);
    decoder.push(borrowed, 1, 1 + end - at);
    borrowed.fill(0xff);
    at = end;
    must(sink.octets === at, `${sink.octets} octets are announced when ${at} have come`);
  }
  decoder.end(cut);
  return sink.told();
}

/** Applies `moved` at its exact place, and checks that the octets there were what they are moved from. */
class CollectingSink implements ContentSink {
  readonly parts: boolean;
  octets = 0;
  readonly #leaves: number[] = [];
  readonly #paths: (string | null)[] = [];
  readonly #sums: number[] = CONTENT_LEAVES.map(() => 0);
  readonly #notes: string[] = [];

  constructor(parts: boolean) {
    this.parts = parts;
  }

  content(category: number, octets: number, _bytes: Uint8Array, _from: number, path: string | null): void {
    must(octets > 0, "announced octets are some");
    this.octets += octets;
    this.#add(category, octets);
    if (!this.parts) return;
    for (let n = 0; n < octets; n++) {
      this.#leaves.push(category);
      this.#paths.push(path);
    }
  }

  moved(from: number, to: number, octets: number, back: number): void {
    must(octets > 0 && from !== to, "moved octets are some, and move");
    this.#add(from, -octets);
    this.#add(to, octets);
    if (!this.parts) return;
    const end = this.octets - back;
    for (let at = end - octets; at < end; at++) {
      must(this.#leaves[at] === from, `octet ${at} is moved from ${leafOf(from)}, and is not that`);
      this.#leaves[at] = to;
    }
  }

  contentNote(note: ContentNote): void {
    this.#notes.push(`${note}@${this.octets}`);
  }

  told(): Told {
    const runs: [leaf: string, octets: number][] = [];
    for (const category of this.#leaves) {
      const leaf = leafOf(category).replace("protobuf.", "");
      const last = runs.at(-1);
      if (last?.[0] === leaf) last[1]++;
      else runs.push([leaf, 1]);
    }
    const sums: Partial<Record<ContentLeaf, number>> = {};
    for (const [leaf, octets] of this.#sums.entries()) if (octets !== 0) sums[leafOf(CONTENT_BASE.body + leaf)] = octets;
    return { runs: runs.map((run) => run.join(" ")).join(", "), paths: this.#paths, sums, notes: this.#notes };
  }

  #add(category: number, octets: number): void {
    const leaf = category - CONTENT_BASE.body;
    const sum = (this.#sums[leaf] ?? Number.NaN) + octets;
    must(sum >= 0, `octets of ${leafOf(category)} are not below 0`);
    this.#sums[leaf] = sum;
  }
}

function leafOf(category: number): ContentLeaf {
  const leaf = CONTENT_LEAVES[category - CONTENT_BASE.body];
  if (leaf === undefined) throw new TypeError(`category ${category}`);
  return leaf;
}

function must(holds: boolean, claim: string): void {
  if (!holds) throw new Error(`not so: ${claim}`);
}
