import { cutMiddle } from "../cut-middle.ts";
import { escapeText } from "../escape.ts";

/** A filter that cannot be used: one line that says what is wrong, at which column, and what to write instead. */
export class FilterError extends Error {
  override readonly name = "FilterError";
  /** Of the filter's text, in characters, from 1. */
  readonly column: number;

  /**
   * @param text the whole filter. @param at where in it, in UTF-16 units from 0. @param what is wrong there.
   * @param hint what to do about it; "" when there is nothing to say.
   */
  constructor(text: string, at: number, what: string, hint = "") {
    const column = [...text.slice(0, at)].length + 1;
    super(`${what} at column ${column}${hint === "" ? "" : ` (${hint})`}`);
    this.column = column;
  }
}

const SHOWN_CELLS = 40;

/** A piece of a filter as a message shows it: on one line, and not too long. */
export function shown(piece: string): string {
  return cutMiddle(escapeText(piece), SHOWN_CELLS);
}
