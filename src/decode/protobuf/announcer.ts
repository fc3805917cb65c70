import type { ContentNote } from "../content/content-note.ts";
import type { ContentSink } from "../content/content-sink.ts";
import { LEAF_OF, WIRE_LEAVES } from "./wire-leaf.ts";

/** Tells a sink what a message's octets are: part by part where it wants parts, else by sums. */
export class Announcer {
  readonly parts: boolean;
  /** Without parts: octets by leaf that are not announced yet. */
  readonly counts = new Float64Array(WIRE_LEAVES);
  readonly #sink: ContentSink;
  readonly #base: number;
  /** By leaf, as the sink knows them; of all messages so far: only differences are asked for. */
  readonly #totals = new Float64Array(WIRE_LEAVES);

  constructor(sink: ContentSink, base: number) {
    this.#sink = sink;
    this.#base = base;
    this.parts = sink.parts;
  }

  /** The next octets of the message, at `bytes[from …)`, are `leaf`. */
  take(leaf: number, octets: number, bytes: Uint8Array, from: number, path: string | null): void {
    if (!this.parts) {
      add(this.counts, leaf, octets);
      return;
    }
    add(this.#totals, leaf, octets);
    this.#sink.content(this.#category(leaf), octets, bytes, from, path);
  }

  /** Announced octets are something else; see ContentSink.moved. */
  move(from: number, to: number, octets: number, back: number): void {
    if (octets === 0 || from === to) return;
    this.flush();
    add(this.#totals, from, -octets);
    add(this.#totals, to, octets);
    this.#sink.moved(this.#category(from), this.#category(to), octets, back);
  }

  note(note: ContentNote): void {
    this.flush();
    this.#sink.contentNote(note);
  }

  /** Octets of a leaf so far, announced or not. */
  octetsOf(leaf: number): number {
    return (this.#totals[leaf] as number) + (this.counts[leaf] as number);
  }

  /** Without parts: announce what has been counted. */
  flush(): void {
    if (this.parts) return;
    for (let leaf = 0; leaf < WIRE_LEAVES; leaf++) {
      const octets = this.counts[leaf] as number;
      if (octets === 0) continue;
      this.counts[leaf] = 0;
      add(this.#totals, leaf, octets);
      this.#sink.content(this.#category(leaf), octets, NO_OCTETS, 0, null);
    }
  }

  #category(leaf: number): number {
    return this.#base + (LEAF_OF[leaf] as number);
  }
}

const NO_OCTETS = new Uint8Array(0);

/** `counts[leaf] += octets`. */
export function add(counts: Float64Array, leaf: number, octets: number): void {
  counts[leaf] = (counts[leaf] as number) + octets;
}
