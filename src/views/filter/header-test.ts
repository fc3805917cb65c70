import type { UnitField } from "../../decode/wire-unit.ts";
import { textOf } from "../../ledger/text.ts";

/** One `header("x") …` of a filter. A field may have several lines: what they came to is {@link HEADER_SEEN}. */
export interface HeaderTest {
  /** Its place among the filter's header tests. */
  readonly index: number;
  /** In lower case. */
  readonly field: string;
  readonly accepts: (value: string) => boolean;
}

/** What lines of one field came to, in rising order: there was none; none was accepted; one was. */
export const HEADER_SEEN = { none: 0, refused: 1, accepted: 2 } as const;

/** What `fields` come to for a test. A line whose name or value cannot be known is none. */
export function lookAt(fields: readonly UnitField[], { field, accepts }: HeaderTest): number {
  let seen: number = HEADER_SEEN.none;
  for (const { name, value } of fields) {
    if (name === null || value === null || name.length !== field.length || name.toLowerCase() !== field) continue;
    if (accepts(textOf(value))) return HEADER_SEEN.accepted;
    seen = HEADER_SEEN.refused;
  }
  return seen;
}

/** What the field lines of one exchange have come to so far, for every header test of a filter: an octet each, and no text. */
export class HeaderMemory {
  readonly #seen: Uint8Array;

  /** @param tests how many the filter has. */
  constructor(tests: number) {
    this.#seen = new Uint8Array(tests);
  }

  /** More lines of the exchange. */
  add(fields: readonly UnitField[], tests: readonly HeaderTest[]): void {
    for (const test of tests) {
      const before = this.of(test);
      if (before !== HEADER_SEEN.accepted) this.#seen[test.index] = Math.max(before, lookAt(fields, test));
    }
  }

  of(test: HeaderTest): number {
    return this.#seen[test.index] ?? HEADER_SEEN.none;
  }
}
