import type { CaptureHandler } from "../packet.ts";

/** Notes of one code that are told one by one: a damaged capture has one at every packet. */
const TOLD = 10;

/** Passes on the first notes of each code and counts the others. */
export class NoteLimit {
  readonly #handler: CaptureHandler;
  readonly #counts = new Map<string, number>();

  constructor(handler: CaptureHandler) {
    this.#handler = handler;
  }

  /** @param offset in the capture's own octets. @param text one line. */
  note(code: string, severity: "warning" | "info", offset: number, text: string): void {
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count <= TOLD) this.#handler.note(code, severity, offset, text);
  }

  /** The capture is over: say how many were not told. */
  end(offset: number): void {
    for (const [code, count] of this.#counts) {
      if (count > TOLD) this.#handler.note(code, "info", offset, `${count - TOLD} more notes of this kind`);
    }
  }
}
