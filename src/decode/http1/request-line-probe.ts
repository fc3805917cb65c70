import { CR, isTokenOctet, LF, SP } from "./octets.ts";

/** Longer ones are told from a body no more: RFC 9112 §3 recommends that recipients support 8000 octets. */
const PROBE_CAP = 8192;
/** The longest registered method, UPDATEREDIRECTREF, has 17. */
const METHOD_CAP = 24;
const VERSION = " HTTP/1.";

/** Tells a request-line from anything else, octet by octet, and holds what it has seen until it knows. */
export class RequestLineProbe {
  verdict: "more" | "request" | "other" = "more";
  readonly #buffer: number[] = [];
  #methodEnd = 0;

  /** Octets held. */
  get held(): number {
    return this.#buffer.length;
  }

  /** Look at `bytes[at, to)` up to the octet that tells. @returns the position after it. */
  push(bytes: Uint8Array, at: number, to: number): number {
    let next = at;
    while (next < to && this.verdict === "more") {
      const octet = bytes[next++] ?? 0;
      this.#buffer.push(octet);
      this.#look(octet);
    }
    return next;
  }

  /** All octets seen; the probe begins anew. */
  takeAll(): Uint8Array {
    const all = Uint8Array.from(this.#buffer);
    this.#buffer.length = 0;
    this.#methodEnd = 0;
    this.verdict = "more";
    return all;
  }

  #look(octet: number): void {
    const length = this.#buffer.length;
    if (length > PROBE_CAP) this.verdict = "other";
    else if (octet === LF) this.verdict = this.#endsInVersion() ? "request" : "other";
    else if (this.#methodEnd === 0) {
      if (octet === SP && length > 1) this.#methodEnd = length - 1;
      else if (!isTokenOctet(octet) || length > METHOD_CAP) this.verdict = "other";
    } else if (octet !== CR && (octet < SP || octet > 0x7e)) {
      // RFC 9112 §3.2: a request-target has visible ASCII only.
      this.verdict = "other";
    }
  }

  #endsInVersion(): boolean {
    let end = this.#buffer.length - 1;
    if (this.#buffer[end - 1] === CR) end -= 1;
    const start = end - 1 - VERSION.length;
    // SP request-target: at least two octets between method and version.
    if (this.#methodEnd === 0 || start < this.#methodEnd + 2) return false;
    return /^ HTTP\/1\.[0-9]$/.test(String.fromCharCode(...this.#buffer.slice(start, end)));
  }
}
