import { CONTENT_LEAVES, type ContentLeaf } from "../../content/content-leaf.ts";
import type { ContentNote } from "../../content/content-note.ts";
import type { ContentSink } from "../../content/content-sink.ts";
import { JsonDecoder } from "../json-decoder.ts";

/** One letter per leaf, so that a line of them stands under the octets that it is about. */
const LETTERS: Readonly<Partial<Record<ContentLeaf, string>>> = {
  "json.punctuation": "p",
  "json.whitespace": "_",
  "json.bom": "b",
  "json.prefix": "x",
  "json.number": "n",
  "json.literal": "l",
  "json.key.quote": "k",
  "json.key.text": "K",
  "json.key.escape": "e",
  "json.string.quote": "s",
  "json.string.text": "S",
  "json.string.escape": "E",
  "json.base64.data": "D",
  "json.base64.inflation": "I",
  "json.malformed": "m",
  undecoded: "u",
};

/** The base that the recorder expects; not 0, so that a mistaken one shows. */
export const BASE = 1000;

/** A ContentSink that checks what it is told: octets are those of the input, in order; moves take what is there. */
export class JsonRecorder implements ContentSink {
  readonly parts: boolean;
  readonly notes: (readonly [code: ContentNote, offset: number])[] = [];
  /** Octets by leaf, after all moves. */
  readonly sums: Partial<Record<ContentLeaf, number>> = {};
  /** With parts: one letter per octet, after all moves. */
  readonly letters: string[] = [];
  /** With parts: by octet. */
  readonly paths: (string | null)[] = [];
  /** Calls of `content` since it was set to 0. */
  calls = 0;
  offset = 0;
  readonly #input: Uint8Array | null;

  /** @param input what is going to be decoded; null: not known, then octets are not compared. */
  constructor(parts: boolean, input: Uint8Array | null) {
    this.parts = parts;
    this.#input = input;
  }

  content(category: number, octets: number, bytes: Uint8Array, from: number, path: string | null): void {
    const leaf = leafOf(category);
    if (!(octets > 0)) throw new Error(`${octets} octets of ${leaf}`);
    this.calls++;
    this.#add(leaf, octets);
    if (this.parts) {
      for (let at = 0; at < octets; at++) {
        if (this.#input !== null && bytes[from + at] !== this.#input[this.offset + at])
          throw new Error(`not the octet at ${this.offset + at}`);
        this.letters.push(LETTERS[leaf] ?? "?");
        this.paths.push(path);
      }
    }
    this.offset += octets;
  }

  moved(from: number, to: number, octets: number, back: number): void {
    this.sum(from, to, octets);
    if (!this.parts) return;
    const [source, target] = [leafOf(from), leafOf(to)];
    const end = this.offset - back;
    for (let at = end - octets; at < end; at++) {
      if (this.letters[at] !== LETTERS[source]) throw new Error(`octet ${at} is ${this.letters[at]}, not ${source}`);
      this.letters[at] = LETTERS[target] ?? "?";
    }
  }

  /** The part of a move that is about the sums. */
  sum(from: number, to: number, octets: number): void {
    this.#add(leafOf(from), -octets);
    this.#add(leafOf(to), octets);
  }

  contentNote(note: ContentNote): void {
    this.notes.push([note, this.offset]);
  }

  #add(leaf: ContentLeaf, octets: number): void {
    const sum = (this.sums[leaf] ?? 0) + octets;
    if (sum < 0) throw new Error(`${sum} octets of ${leaf}`);
    if (sum === 0) delete this.sums[leaf];
    else this.sums[leaf] = sum;
  }
}

function leafOf(category: number): ContentLeaf {
  const leaf = CONTENT_LEAVES[category - BASE];
  if (leaf === undefined) throw new Error(`no category ${category}`);
  return leaf;
}

/** What came of a body. */
export interface Recorded {
  readonly recorder: JsonRecorder;
  readonly decoder: JsonDecoder;
}

/** Decode `input` in the chunks that end at `cut`, each as a part of a longer buffer that is spoilt afterwards. */
export function record(input: Uint8Array, parts = true, cut: readonly number[] = [input.length], lost = false): Recorded {
  const recorder = new JsonRecorder(parts, input);
  const decoder = new JsonDecoder(recorder, BASE);
  decoder.begin();
  let start = 0;
  for (const end of cut) {
    const borrowed = new Uint8Array(end - start + 3).fill(0x22);
    borrowed.set(input.subarray(start, end), 1);
    decoder.push(borrowed, 1, 1 + end - start);
    borrowed.fill(0xaa);
    if (recorder.offset !== end) throw new Error(`${recorder.offset} octets announced of ${end}`);
    start = end;
  }
  decoder.end(lost);
  return { recorder, decoder };
}

/** Everything that must not depend on the cut nor, but for places and paths, on the mode. */
export function figures({ recorder, decoder }: Recorded): unknown {
  const { sums, notes, letters, paths } = recorder;
  const { documents, malformed, open } = decoder;
  return { sums, notes, letters: letters.join(""), paths, documents, malformed, open };
}
