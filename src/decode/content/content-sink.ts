import type { ContentNote } from "./content-note.ts";

/** Where the decoders of a body announce its octets: the frame or message that carries them knows their owner and level. */
export interface ContentSink {
  /**
   * Every part is wanted by itself, in stream order and with its place. Else counts suffice: within one `push` of a decoder their order
   * does not matter, and `bytes` and `from` are not looked at.
   */
  readonly parts: boolean;
  /**
   * The next `octets` octets of content, at `bytes[from …)` (borrowed), are `category` (id).
   * @param path the field whose value they are part of, names joined by dots (`user.password`, "" at the top), or of whose container for
   * punctuation, keys, tags and lengths; null when nobody can know it: then a hex view does not show them. Only with `parts`.
   */
  content(category: number, octets: number, bytes: Uint8Array, from: number, path: string | null): void;
  /**
   * Refinement: `octets` octets that were announced as category `from` are `to`. The sum stays closed.
   * @param back how many octets of this content have been announced after the last of them. Only with `parts`; without, any number.
   */
  moved(from: number, to: number, octets: number, back: number): void;
  /** Something to tell about the octet that is announced next. Without `parts`, everything before it has to be announced first. */
  contentNote(note: ContentNote): void;
}
