import type { CaptureError } from "../../capture/capture-error.ts";
import type { CaptureNote } from "../../capture/merged-captures.ts";
import { escapeText } from "../../views/escape.ts";
import { narrate, type Streams } from "../streams.ts";

/** Notes that are told one by one: a damaged capture can have one at every packet. */
const TOLD = 20;

/** What is odd about the captures themselves, told on stderr. */
export class CaptureNotes {
  readonly #streams: Streams;
  readonly #before: () => void;
  #count = 0;

  /** @param before called before each line: takes what else is on that line of a terminal away. */
  constructor(streams: Streams, before: () => void) {
    this.#streams = streams;
    this.#before = before;
  }

  tell({ capture, text }: CaptureNote): void {
    this.#count += 1;
    if (this.#count <= TOLD) this.#say(capture === null ? text : `${escapeText(capture)}: ${text}`);
  }

  /** A capture that cannot be read among others that can. */
  failed(error: CaptureError): void {
    this.#say(`left out: ${error.message}`);
  }

  /** Say how many were not told. */
  finish(): void {
    if (this.#count > TOLD) this.#say(`${this.#count - TOLD} more notes about the captures are not shown`);
    this.#count = 0;
  }

  #say(text: string): void {
    this.#before();
    narrate(this.#streams, text);
  }
}
