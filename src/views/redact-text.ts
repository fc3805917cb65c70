import type { Redactor } from "./redact.ts";

/** A {@link Redactor} for texts that are decoded already (a tally's), so that what it says is still octets. */
export class TextRedactor {
  readonly #redactor: Redactor;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** A request method; see {@link Redactor.method}. */
  method(method: string): string {
    return this.#apply(method, (octets) => this.#redactor.method(octets));
  }

  /** A request-target; see {@link Redactor.target}. */
  target(target: string): string {
    return this.#apply(target, (octets) => this.#redactor.target(octets));
  }

  /** See {@link Redactor.authority}. */
  authority(authority: string): string {
    return this.#apply(authority, (octets) => this.#redactor.authority(octets));
  }

  /** See {@link Redactor.route}. */
  route(route: string): string {
    return this.#apply(route, (octets) => this.#redactor.route(octets));
  }

  /** See {@link Redactor.fieldName}. */
  fieldName(name: string): string {
    return this.#apply(name, (octets) => this.#redactor.fieldName(octets));
  }

  /** See {@link Redactor.text}. */
  text(text: string): string {
    return this.#apply(text, (octets) => this.#redactor.text(octets));
  }

  #apply(text: string, redact: (octets: string) => string): string {
    const octets = Buffer.from(text, "utf8").toString("latin1");
    const result = redact(octets);
    return result === octets ? text : Buffer.from(result, "latin1").toString("utf8");
  }
}
