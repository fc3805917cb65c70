import type { BrokenRule } from "./frame-rules.ts";
import { Utf8Check } from "./utf8-check.ts";

const CODE_OCTETS = 2;
/** RFC 6455 §7.4.1: for programs to tell each other within a host, never on the wire. */
const NEVER_SENT = new Set([1005, 1006, 1015]);
/** RFC 6455 §7.4.2: codes below the first are not used, above the last there are none. */
const LOWEST_CODE = 1000;
const HIGHEST_CODE = 4999;

/** What a Close frame says, without its mask: a status code, then a reason in UTF-8 (RFC 6455 §5.5.1). Reused from frame to frame. */
export class CloseBody {
  readonly #reason = new Utf8Check();
  #seen = 0;
  #code = 0;
  #cut = false;

  /** A Close frame begins. */
  begin(): void {
    this.#reason.begin();
    this.#seen = 0;
    this.#code = 0;
    this.#cut = false;
  }

  /** Take `bytes[from, to)`. */
  push(bytes: Uint8Array, from: number, to: number): void {
    let at = from;
    for (; at < to && this.#seen < CODE_OCTETS; this.#seen++) this.#code = this.#code * 256 + (bytes[at++] as number);
    this.#reason.push(bytes, at, to);
  }

  /** Octets of it are missing: nothing is said of the rest. */
  cut(): void {
    this.#cut = true;
  }

  /** The rules that it breaks, now that all of it has come. */
  brokenRules(): readonly BrokenRule[] {
    if (this.#cut || this.#seen < CODE_OCTETS) return [];
    const code = this.#code;
    const broken: BrokenRule[] = [];
    if (NEVER_SENT.has(code))
      broken.push({ code: "ws-close-code", ref: "RFC 6455 §7.4.1", text: `status code ${code} is never sent` });
    else if (code < LOWEST_CODE || code > HIGHEST_CODE)
      broken.push({ code: "ws-close-code", ref: "RFC 6455 §7.4.2", text: `there is no status code ${code}` });
    if (!this.#reason.end()) broken.push({ code: "ws-utf8", ref: "RFC 6455 §5.5.1", text: "the reason of a close is not UTF-8" });
    return broken;
  }
}
