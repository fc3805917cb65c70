import assert from "node:assert/strict";
import { C2S, DIRECTIONS, type Direction, opposite, S2C } from "../src/decode/direction.ts";
import type { Exchange } from "../src/decode/exchange.ts";
import type { Http1Host } from "../src/decode/http1/http1-host.ts";
import { Http1Session } from "../src/decode/http1/http1-session.ts";
import type { Detail } from "../src/decode/sink.ts";
import { RecordingSink } from "./recording-sink.ts";

/**
 * A session with a host that keeps what a layer does not take, and wakes both when one of them has told it something, as the stack does.
 * Checks after every push that announced + held = pushed.
 */
export class Http1Driver implements Http1Host {
  readonly sink: RecordingSink;
  readonly session: Http1Session;
  /** What the host was told, in order. */
  readonly told: string[] = [];
  /** Octets after a switch, by direction. */
  readonly after: readonly [number[], number[]] = [[], []];
  readonly requestsUnseen = false;
  readonly #pushed = [0, 0];
  readonly #waiting: [Uint8Array, Uint8Array] = [new Uint8Array(0), new Uint8Array(0)];
  /** The direction has ended; its layer hears of it when it has taken all octets. */
  readonly #ending = [false, false];
  readonly #finished = [false, false];
  #switched = false;

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
    this.#waiting[direction] = Buffer.concat([this.#waiting[direction], bytes]);
    this.#run(direction);
    this.checkTiling();
  }

  end(direction: Direction): void {
    this.#ending[direction] = true;
    this.#run(direction);
    // A direction that waited for this one waits in vain.
    for (const each of DIRECTIONS) if (this.#ending[C2S] && this.#ending[S2C]) this.#finish(each);
    this.checkTiling();
  }

  checkTiling(): void {
    for (const direction of DIRECTIONS) {
      const layer = direction === C2S ? this.session.request : this.session.response;
      assert.equal(this.sink.offset(direction) + layer.held, this.#pushed[direction], "announced + held = pushed");
    }
  }

  /** Let a layer take what waits for it; then the other one, if it was woken. */
  #run(direction: Direction): void {
    for (let taken = -1; taken !== 0 && this.#waiting[direction].length > 0 && !this.#switched; ) {
      const told = this.told.length;
      taken = this.#pushLayer(direction, Uint8Array.from(this.#waiting[direction]));
      this.#waiting[direction] = this.#waiting[direction].subarray(taken);
      if (this.told.length > told && !this.#switched) this.#run(opposite(direction));
    }
    if (this.#switched) this.#passOn();
    const parked = direction === C2S && this.session.request.parked;
    if (this.#ending[direction] && this.#waiting[direction].length === 0 && !parked) this.#finish(direction);
  }

  #passOn(): void {
    for (const direction of DIRECTIONS) {
      this.after[direction].push(...this.#waiting[direction]);
      this.#waiting[direction] = new Uint8Array(0);
    }
  }

  #finish(direction: Direction): void {
    if (this.#switched || this.#finished[direction]) return;
    this.#finished[direction] = true;
    const told = this.told.length;
    const layer = direction === C2S ? this.session.request : this.session.response;
    layer.end();
    if (this.told.length > told) this.#run(opposite(direction));
  }

  #pushLayer(direction: Direction, bytes: Uint8Array): number {
    const layer = direction === C2S ? this.session.request : this.session.response;
    const taken = layer.push(bytes, 0, bytes.length);
    // The octets were borrowed: what a decoder keeps, it has to copy itself.
    bytes.fill(0x2e);
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
