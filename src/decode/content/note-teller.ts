import type { Direction } from "../direction.ts";
import type { ConnectionSink } from "../sink.ts";
import { CONTENT_NOTES, type ContentNote } from "./content-note.ts";

/** Notes that one a direction says enough of. */
const ONCE: ReadonlySet<ContentNote> = new Set(["inferred-protobuf", "limit-open-content"]);

/** Tells what the content decoders of one direction have to say, at the octet that is announced next. */
export class NoteTeller {
  readonly #sink: ConnectionSink;
  readonly #direction: Direction;
  readonly #told = new Set<ContentNote>();

  constructor(sink: ConnectionSink, direction: Direction) {
    this.#sink = sink;
    this.#direction = direction;
  }

  tell(note: ContentNote): void {
    if (ONCE.has(note)) {
      if (this.#told.has(note)) return;
      this.#told.add(note);
    }
    const { severity, ref, text } = CONTENT_NOTES[note];
    this.#sink.note(note, severity, this.#direction, this.#sink.offset(this.#direction), ref, text);
  }
}
