import { CONTENT_BASE } from "../../decode/category.ts";
import { CONTENT_LEAVES, type ContentLeaf, LEAF } from "../../decode/content/content-leaf.ts";
import type { ContentSink } from "../../decode/content/content-sink.ts";

/** The base that decoders of these benchmarks announce their leaves at. */
export const BASE = CONTENT_BASE.body;

/** Adds up what a content decoder announces, as the relay does: no parts. */
export class CountingSink implements ContentSink {
  readonly parts = false;
  notes = 0;
  readonly #counts = new Float64Array(CONTENT_LEAVES.length);

  content(category: number, octets: number): void {
    this.#counts[category - BASE] = (this.#counts[category - BASE] as number) + octets;
  }

  moved(from: number, to: number, octets: number): void {
    this.content(from, -octets);
    this.content(to, octets);
  }

  contentNote(): void {
    this.notes++;
  }

  /** All octets announced. */
  get octets(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  of(leaf: ContentLeaf): number {
    return this.#counts[LEAF[leaf]] as number;
  }

  reset(): void {
    this.#counts.fill(0);
    this.notes = 0;
  }
}
