import assert from "node:assert/strict";
import { C2S, DIRECTIONS, type Direction, S2C } from "../src/decode/direction.ts";
import type { Exchange } from "../src/decode/exchange.ts";
import type { Http1Host } from "../src/decode/http1/http1-host.ts";
import { Http1Session } from "../src/decode/http1/http1-session.ts";
import type { Detail } from "../src/decode/sink.ts";
import { RecordingSink } from "./recording-sink.ts";

/**
 * A session with a host that keeps what a parked request layer does not take, as the stack does. Checks after every push
 * that announced + held = pushed.
 */
export class Http1Driver implements Http1Host {
  readonly sink: RecordingSink;
  readonly session: Http1Session;
  /** What the host was told, in order. */
  readonly told: string[] = [];
  /** Octets after a switch, by direction. */
  readonly after: readonly [number[], number[]] = [[], []];
  readonly #pushed = [0, 0];
  readonly #waiting: number[] = [];
  #switched = false;
  /** The client's end came while its layer was parked: it is told when the layer goes on. */
  #endWaits = false;

  constructor(detail: Detail = 0) {
    this.sink = new RecordingSink(detail);
    this.session = new Http1Session(this.sink, this);
  }

  switched(to: string, exchange: Exchange, http2Settings: string | null): void {
    this.told.push(`${to} ${exchange.id} ${http2Settings ?? "-"}`);
    this.#switched = true;
  }

  unparked(): void {
    this.told.push("unparked");
  }

  push(direction: Direction, bytes: Uint8Array): void {
    // A copy that is overwritten: what a decoder keeps, it has to copy itself.
    const borrowed = Uint8Array.from(bytes);
    if (direction === C2S) this.#pushRequest(borrowed);
    else this.#pushResponse(borrowed);
    borrowed.fill(0x2e);
    this.checkTiling();
  }

  end(direction: Direction): void {
    if (this.#switched) return;
    if (direction === C2S) {
      if (this.session.request.parked) this.#endWaits = true;
      else this.session.request.end();
    } else {
      this.session.response.end();
      this.#flush();
    }
    this.checkTiling();
  }

  checkTiling(): void {
    for (const direction of DIRECTIONS) {
      const layer = direction === C2S ? this.session.request : this.session.response;
      assert.equal(this.sink.offset(direction) + layer.held, this.#pushed[direction], "announced + held = pushed");
    }
  }

  #pushRequest(bytes: Uint8Array): void {
    if (this.#switched) this.after[C2S].push(...bytes);
    else if (this.#waiting.length > 0) this.#waiting.push(...bytes);
    else this.#waiting.push(...bytes.subarray(this.#pushLayer(C2S, bytes)));
  }

  #pushResponse(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length && !this.#switched) {
      at += this.#pushLayer(S2C, bytes.subarray(at));
      this.#flush();
    }
    if (this.#switched) {
      this.after[S2C].push(...bytes.subarray(at));
      this.after[C2S].push(...this.#waiting.splice(0));
    }
  }

  #flush(): void {
    if (this.session.request.parked) return;
    if (this.#waiting.length > 0) this.#waiting.splice(0, this.#pushLayer(C2S, Uint8Array.from(this.#waiting)));
    if (!this.#endWaits || this.session.request.parked) return;
    this.#endWaits = false;
    this.session.request.end();
  }

  #pushLayer(direction: Direction, bytes: Uint8Array): number {
    const layer = direction === C2S ? this.session.request : this.session.response;
    const taken = layer.push(bytes, 0, bytes.length);
    this.#pushed[direction] = (this.#pushed[direction] ?? 0) + taken;
    return taken;
  }
}

/** An octet string as octets. */
export function octets(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Turns of a conversation in one go: `["c2s", "GET …"], ["s2c", "HTTP/1.1 …"]`; then both directions end, c2s first. */
export function converse(turns: readonly (readonly ["c2s" | "s2c", string])[], detail: Detail = 0): Http1Driver {
  const driver = new Http1Driver(detail);
  for (const [name, text] of turns) driver.push(name === "c2s" ? C2S : S2C, octets(text));
  driver.end(C2S);
  driver.end(S2C);
  return driver;
}

/** What the octets of a direction were, as `[category without "http1.", text]`. */
export function readable(driver: Http1Driver, direction: Direction, text: string): [string, string][] {
  return driver.sink.runs[direction].map(({ offset, length, category }) => [
    category.replace("http1.", ""),
    text.slice(offset, offset + length),
  ]);
}
