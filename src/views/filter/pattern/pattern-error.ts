/** A regular expression that cannot be used. `at` is where in it, in UTF-16 units from 0; the message says nothing of it. */
export class PatternError extends Error {
  override readonly name = "PatternError";
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}
