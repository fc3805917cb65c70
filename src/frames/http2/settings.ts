import { SETTINGS } from "./registry.ts";

/** SETTINGS frames awaiting their ACK that are told apart; a peer that lets more pile up has the oldest taken as acknowledged. */
const OUTSTANDING_CAP = 64;
/** Settings with identifiers that the registry does not have: so many are followed. */
const UNKNOWN_CAP = 64;

/** The settings that one side of a connection announced: what it sent, and what its peer has acknowledged (RFC 9113 §6.5.3). */
export class PeerSettings {
  readonly #acknowledged = new Map<number, number>();
  readonly #outstanding: (readonly number[])[] = [];

  /** SETTINGS frames sent and not yet acknowledged. */
  get outstanding(): number {
    return this.#outstanding.length;
  }

  /** A SETTINGS frame without ACK was sent. @param pairs identifier, value, … in wire order; copied. */
  sent(pairs: readonly number[]): void {
    this.#outstanding.push(pairs.slice());
    if (this.#outstanding.length > OUTSTANDING_CAP) this.acknowledge();
  }

  /** The peer's ACK: the oldest outstanding SETTINGS takes effect. @returns false when none was outstanding. */
  acknowledge(): boolean {
    const pairs = this.#outstanding.shift();
    if (pairs === undefined) return false;
    for (let at = 0; at < pairs.length; at += 2) this.#set(pairs[at] as number, pairs[at + 1] as number);
    return true;
  }

  /** Value in effect: acknowledged, else the registry's initial one; undefined for an unknown setting that never came. */
  value(identifier: number): number | undefined {
    return this.#acknowledged.get(identifier) ?? SETTINGS.find((row) => row.code === identifier)?.initial;
  }

  /** Settings in effect that were announced, by identifier. */
  entries(): IterableIterator<[identifier: number, value: number]> {
    return this.#acknowledged.entries();
  }

  #set(identifier: number, value: number): void {
    if (this.#acknowledged.size < SETTINGS.length + UNKNOWN_CAP || this.#acknowledged.has(identifier)) {
      this.#acknowledged.set(identifier, value);
    }
  }
}
