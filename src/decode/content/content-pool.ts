import { Content } from "./content.ts";
import type { ContentSink } from "./content-sink.ts";

/** Decoders that wait for the next body. More streams than this are rarely open at once. */
const KEPT = 16;

/** The Contents of one direction: a stream takes one for its body and gives it back, so that streams make no decoders of their own. */
export class ContentPool {
  readonly #sink: ContentSink;
  readonly #base: number;
  readonly #free: Content[] = [];

  /** @param base the category of its root's first leaf, see CONTENT_BASE. */
  constructor(sink: ContentSink, base: number) {
    this.#sink = sink;
    this.#base = base;
  }

  take(): Content {
    return this.#free.pop() ?? new Content(this.#sink, this.#base);
  }

  /** It has ended. */
  give(content: Content): void {
    if (this.#free.length < KEPT) this.#free.push(content);
  }
}
