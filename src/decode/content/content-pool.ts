import { Content } from "./content.ts";
import type { ContentSink } from "./content-sink.ts";

/** Decoders that wait for the next body. More streams than this are rarely open at once. */
const KEPT = 16;
/**
 * Bodies of one direction that are decoded at the same time: a deeply nested one holds some 20 KiB. With parts it holds their places, some
 * 100 KiB, and a person reads along.
 */
export const OPEN_CONTENT_CAP = 2048;
const OPEN_CONTENT_CAP_WITH_PARTS = 128;

/** The Contents of one direction: a stream takes one for its body and gives it back, so that streams make no decoders of their own. */
export class ContentPool {
  readonly #sink: ContentSink;
  readonly #base: number;
  readonly #free: Content[] = [];
  #taken = 0;

  /** @param base the category of its root's first leaf, see CONTENT_BASE. */
  constructor(sink: ContentSink, base: number) {
    this.#sink = sink;
    this.#base = base;
  }

  /** @returns null when too many are taken: that content is not decoded. */
  take(): Content | null {
    if (this.#taken >= (this.#sink.parts ? OPEN_CONTENT_CAP_WITH_PARTS : OPEN_CONTENT_CAP)) {
      this.#sink.contentNote("limit-open-content");
      return null;
    }
    this.#taken += 1;
    return this.#free.pop() ?? new Content(this.#sink, this.#base);
  }

  /** It has ended. */
  give(content: Content): void {
    this.#taken -= 1;
    if (this.#free.length < KEPT) this.#free.push(content);
  }
}
