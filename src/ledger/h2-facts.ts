import { settingName } from "http2-frame-parser";
import { C2S, type Direction, opposite, S2C } from "../decode/direction.ts";
import type { Limits } from "./limits.ts";
import type { H2Tally, PerDirection } from "./tally.ts";
import { microseconds } from "./time.ts";

/** What is worth knowing about an HTTP/2 connection beside its octets. Times are nanoseconds since the ledger's start. */
export class H2Facts {
  readonly #limits: Limits;
  readonly #settings: readonly [Map<number, number>, Map<number, number>] = [new Map(), new Map()];
  readonly #pings: readonly [Pings, Pings];
  readonly #blockedNs = [0, 0];
  /** -1 while there is window. */
  readonly #blockedSinceNs = [-1, -1];
  #open = 0;
  #maxOpen = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#pings = [new Pings(limits.pendingPings), new Pings(limits.pendingPings)];
  }

  streamOpened(): void {
    this.#open += 1;
    if (this.#open > this.#maxOpen) this.#maxOpen = this.#open;
  }

  streamDone(): void {
    this.#open -= 1;
  }

  /** A setting as announced by the sender of `direction`. */
  setting(direction: Direction, identifier: number, value: number): void {
    const settings = this.#settings[direction];
    if (settings.size < this.#limits.settings || settings.has(identifier)) settings.set(identifier, value);
  }

  /** A PING, or the answer to one that went the other way. @param opaque its eight octets. */
  ping(direction: Direction, ack: boolean, opaque: string, now: number): void {
    if (ack) this.#pings[opposite(direction)].answered(opaque, now);
    else this.#pings[direction].sent(opaque, now);
  }

  /** The sender of `direction` ran out of flow-control window, or has some again. */
  blocked(direction: Direction, blocked: boolean, now: number): void {
    const since = this.#blockedSinceNs[direction] ?? -1;
    if (blocked === since >= 0) return;
    this.#blockedSinceNs[direction] = blocked ? now : -1;
    if (!blocked) this.#blockedNs[direction] = (this.#blockedNs[direction] ?? 0) + Math.max(0, now - since);
  }

  tally(headerSaving: PerDirection<number | null>, now: number): H2Tally {
    return {
      settings: { c2s: this.#settingsOf(C2S), s2c: this.#settingsOf(S2C) },
      max_concurrent: this.#maxOpen,
      blocked_us: { c2s: this.#blockedUs(C2S, now), s2c: this.#blockedUs(S2C, now) },
      ping_rtt_us: { c2s: this.#pings[C2S].tally(), s2c: this.#pings[S2C].tally() },
      header_saving: headerSaving,
    };
  }

  #settingsOf(direction: Direction): { readonly [name: string]: number } {
    return Object.fromEntries([...this.#settings[direction]].map(([identifier, value]) => [settingName(identifier), value]));
  }

  #blockedUs(direction: Direction, now: number): number {
    const since = this.#blockedSinceNs[direction] ?? -1;
    return microseconds(0, (this.#blockedNs[direction] ?? 0) + (since < 0 ? 0 : Math.max(0, now - since)));
  }
}

/** The PINGs of one direction and their answers. Stacks reuse their opaque data: the oldest PING with it is the one answered. */
class Pings {
  readonly #limit: number;
  readonly #waiting: { readonly opaque: string; readonly sentNs: number }[] = [];
  #sent = 0;
  #answered = 0;
  #minUs: number | null = null;
  #maxUs: number | null = null;

  constructor(limit: number) {
    this.#limit = limit;
  }

  sent(opaque: string, now: number): void {
    this.#sent += 1;
    if (this.#waiting.length >= this.#limit) this.#waiting.shift();
    this.#waiting.push({ opaque, sentNs: now });
  }

  answered(opaque: string, now: number): void {
    const at = this.#waiting.findIndex((ping) => ping.opaque === opaque);
    const [ping] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (ping === undefined) return;
    const us = microseconds(ping.sentNs, now);
    this.#answered += 1;
    this.#minUs = Math.min(this.#minUs ?? us, us);
    this.#maxUs = Math.max(this.#maxUs ?? us, us);
  }

  tally(): H2Tally["ping_rtt_us"]["c2s"] {
    return { sent: this.#sent, answered: this.#answered, min: this.#minUs, max: this.#maxUs };
  }
}
