import type { Direction } from "../../decode/direction.ts";

/** Texts that may wait at a time, of one conversation; more are counted only. */
const MOST_WAITING = 16;
const NONE: readonly string[] = [];

interface Waiting {
  readonly text: string;
  readonly direction: Direction | null;
}

/** Texts of one conversation that wait for the next packet of their direction. */
export class PendingNotes {
  #waiting: Waiting[] = [];
  #omitted = 0;

  /** @param direction null: any packet will do. */
  add(text: string, direction: Direction | null): void {
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push({ text, direction });
    else this.#omitted++;
  }

  /** Whether a packet of that direction would have something to say. */
  has(direction: Direction): boolean {
    return this.#waiting.some((note) => isFor(note, direction));
  }

  /** What a packet of that direction says: it waits no longer. */
  take(direction: Direction): readonly string[] {
    if (this.#waiting.length === 0) return NONE;
    const texts = this.#waiting.filter((note) => isFor(note, direction)).map((note) => note.text);
    if (texts.length === 0) return NONE;
    this.#waiting = this.#waiting.filter((note) => !isFor(note, direction));
    if (this.#omitted > 0) texts.push(`and ${this.#omitted} more notes`);
    this.#omitted = 0;
    return texts;
  }
}

function isFor(note: Waiting, direction: Direction): boolean {
  return note.direction === null || note.direction === direction;
}
