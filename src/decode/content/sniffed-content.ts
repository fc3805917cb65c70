import type { ContentDecoder } from "./content-decoder.ts";
import { LEAF } from "./content-leaf.ts";
import type { ContentSink } from "./content-sink.ts";

/** Octets that are looked at to tell text from anything else. */
const SNIFFED_OCTETS = 512;

/** Content of which nobody said what it is: `text`, or `binary` all of it when an octet that no text has is among its first ones. */
export class SniffedContent implements ContentDecoder {
  readonly #sink: ContentSink;
  readonly #text: number;
  readonly #binary: number;
  #category: number;
  /** Octets of text so far, while it may still turn out otherwise. */
  #seen = 0;

  /** @param base the category of its root's first leaf. */
  constructor(sink: ContentSink, base: number) {
    this.#sink = sink;
    this.#text = base + LEAF.text;
    this.#binary = base + LEAF.binary;
    this.#category = this.#text;
  }

  begin(): void {
    this.#category = this.#text;
    this.#seen = 0;
  }

  push(bytes: Uint8Array, from: number, to: number): void {
    let at = from;
    if (this.#category === this.#text && this.#seen < SNIFFED_OCTETS) {
      const end = Math.min(to, from + SNIFFED_OCTETS - this.#seen);
      at = firstForeign(bytes, from, end);
      // What comes before the foreign octet has been text, however it was cut.
      this.#announce(bytes, from, at);
      this.#seen += at - from;
      if (at < end) {
        if (this.#seen > 0) this.#sink.moved(this.#text, this.#binary, this.#seen, 0);
        this.#category = this.#binary;
      }
    }
    this.#announce(bytes, at, to);
  }

  end(_cut: boolean): void {}

  #announce(bytes: Uint8Array, from: number, to: number): void {
    if (from < to) this.#sink.content(this.#category, to - from, bytes, from, null);
  }
}

/** The first octet that no text has, or `to`: a control octet but tab, line feed, form feed and carriage return. */
function firstForeign(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const octet = bytes[at] ?? 0;
    if ((octet < 0x20 && octet !== 0x09 && octet !== 0x0a && octet !== 0x0c && octet !== 0x0d) || octet === 0x7f) return at;
  }
  return to;
}
