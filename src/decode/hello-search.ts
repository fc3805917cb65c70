import type { Direction } from "./direction.ts";
import type { Layer } from "./layer.ts";
import { OctetBuffer } from "./octet-buffer.ts";
import { helloAt } from "./tls/record-shape.ts";

/** A hello is looked for as far as this: protocols that go over to TLS do so after a few lines. */
const SEARCHED_OCTETS = 64 * 1024;
const HANDSHAKE = 22;
const NONE = new Uint8Array(0);

/**
 * Octets that no decoder reads, at the beginning of a direction, of a protocol that may go over to TLS: SOCKS, STARTTLS, database
 * greetings. Passes them on to who counts them, and stops where a hello begins. Holds what may be the beginning of one.
 */
export class HelloSearch implements Layer {
  readonly #direction: Direction;
  readonly #unread: Layer;
  readonly #ready: () => boolean;
  readonly #found: (rest: Uint8Array) => void;
  readonly #held = new OctetBuffer();
  #seen = 0;
  #over = false;

  /**
   * @param unread counts what is before the hello. @param ready whether one can come at all. @param found told when one begins: with `rest`,
   * and what follows. The search is over then.
   */
  constructor(direction: Direction, unread: Layer, ready: () => boolean, found: (rest: Uint8Array) => void) {
    this.#direction = direction;
    this.#unread = unread;
    this.#ready = ready;
    this.#found = found;
  }

  get held(): number {
    return this.#held.length;
  }

  push(bytes: Uint8Array, from: number, to: number): number {
    const before = this.#held.length;
    if (this.#over || (before === 0 && !this.#ready())) {
      this.#seen += to - from;
      return this.#unread.push(bytes, from, to);
    }
    if (before === 0) {
      const at = this.#look(bytes, from, to);
      if (at === to) return to;
      if (this.#over) this.#found(NONE);
      else this.#held.append(bytes, at, to);
      return this.#over ? at : to;
    }
    this.#held.append(bytes, from, to);
    const view = this.#held.bytes;
    const at = this.#look(view, 0, view.length);
    if (at === view.length || !this.#over) {
      this.#held.take(at);
      return to;
    }
    const rest = view.slice(at, Math.max(at, before));
    this.#held.take(view.length);
    this.#found(rest);
    return from + Math.max(0, at - before);
  }

  /** What is not read has no place to lose. */
  gap(): void {
    this.#flush();
  }

  end(): void {
    this.#flush();
    this.#unread.end();
  }

  /** @returns the first position that may begin a hello, what is before counted; when one does, or none can any more, it is over. */
  #look(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    for (; at < to; at++) {
      if (this.#seen + at - from >= SEARCHED_OCTETS) {
        at = to;
        this.#over = true;
        break;
      }
      if (bytes[at] !== HANDSHAKE) continue;
      const answer = helloAt(this.#direction, bytes, at, to);
      if (answer === "no") continue;
      this.#over = answer === "yes";
      break;
    }
    if (at > from) this.#unread.push(bytes, from, at);
    this.#seen += at - from;
    return at;
  }

  #flush(): void {
    const view = this.#held.bytes;
    if (view.length > 0) this.#unread.push(view, 0, view.length);
    this.#held.take(view.length);
  }
}
