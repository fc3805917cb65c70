import type { NoteTally } from "./tally.ts";

/** What a note takes in memory beside its text (measured, Node 20). */
const NOTE_OVERHEAD = 120;

/** The first notes of a connection. */
export class NoteList {
  readonly #limit: number;
  readonly #omitted: { notes: number };
  #notes: NoteTally[] = [];
  #memory = 0;

  /** @param omitted counts the notes that are not kept. */
  constructor(limit: number, omitted: { notes: number }) {
    this.#limit = limit;
    this.#omitted = omitted;
  }

  /** Octets of memory that it takes, about. */
  get memory(): number {
    return this.#memory;
  }

  add(note: NoteTally): void {
    if (this.#notes.length >= this.#limit) {
      this.#omitted.notes += 1;
      return;
    }
    this.#notes.push(note);
    this.#memory += NOTE_OVERHEAD + note.text.length;
  }

  /** Keep none of those that there are. */
  drop(): void {
    this.#omitted.notes += this.#notes.length;
    this.#notes = [];
    this.#memory = 0;
  }

  /** A copy, in the order they were made. */
  tally(): readonly NoteTally[] {
    return [...this.#notes];
  }
}
