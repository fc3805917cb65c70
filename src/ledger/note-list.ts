import type { NoteTally } from "./tally.ts";

/** The first notes of a connection. */
export class NoteList {
  readonly #limit: number;
  readonly #omitted: { notes: number };
  readonly #notes: NoteTally[] = [];

  /** @param omitted counts the notes that are not kept. */
  constructor(limit: number, omitted: { notes: number }) {
    this.#limit = limit;
    this.#omitted = omitted;
  }

  add(note: NoteTally): void {
    if (this.#notes.length < this.#limit) this.#notes.push(note);
    else this.#omitted.notes += 1;
  }

  /** A copy, in the order they were made. */
  tally(): readonly NoteTally[] {
    return [...this.#notes];
  }
}
