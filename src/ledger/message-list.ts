import { C2S, DIRECTION_NAMES, type Direction, S2C } from "../decode/direction.ts";
import type { MessageTally } from "./tally.ts";

/** What nearly all messages have around them: the prefix of an envelope. */
const USUAL_OVERHEAD = 5;

/** Room for more than so many messages goes with the exchange that needed it. */
const KEPT_MESSAGES = 16;

/** The first messages of an exchange, numbered by direction. */
export class MessageList {
  /** One number a message: payload × 4 + direction × 2 + compressed. There can be 1,000 in each of 10,000 exchanges. */
  readonly #packed: number[] = [];
  #length = 0;
  /** Octets around each of them; null while all are the usual. */
  #overheads: number[] | null = null;
  /** All messages of a direction have one type. */
  readonly #types: [c2s: string | null, s2c: string | null] = [null, null];
  #c2s = 0;
  #s2c = 0;

  /** @returns whether there was room for it; its index is used up all the same. */
  add(direction: Direction, payload: number, overhead: number, compressed: boolean, type: string | null, limit: number): boolean {
    if (direction === C2S) this.#c2s += 1;
    else this.#s2c += 1;
    if (type !== null) this.#types[direction] = type;
    if (this.#length >= limit) return false;
    if (overhead !== USUAL_OVERHEAD) this.#overheads ??= Array<number>(this.#length).fill(USUAL_OVERHEAD);
    if (this.#overheads !== null) this.#overheads[this.#length] = overhead;
    this.#packed[this.#length++] = packedOf(direction, payload, compressed);
    return true;
  }

  /** The message of a direction that was added last: what `add` was told. */
  newest(direction: Direction, payload: number, overhead: number, compressed: boolean, type: string | null): MessageTally {
    const index = (direction === C2S ? this.#c2s : this.#s2c) - 1;
    return messageOf(packedOf(direction, payload, compressed), overhead, index, type);
  }

  /** Those of another exchange follow. @returns whether its room is worth keeping. */
  clear(): boolean {
    this.#length = 0;
    this.#overheads = null;
    this.#c2s = 0;
    this.#s2c = 0;
    this.#types.fill(null);
    return this.#packed.length <= KEPT_MESSAGES;
  }

  /** In the order they passed. */
  tally(): readonly MessageTally[] {
    const next = [0, 0];
    return this.#packed.slice(0, this.#length).map((packed, at) => {
      const direction = directionOf(packed);
      const index = next[direction] ?? 0;
      next[direction] = index + 1;
      return messageOf(packed, this.#overheads?.[at] ?? USUAL_OVERHEAD, index, this.#types[direction]);
    });
  }
}

function packedOf(direction: Direction, payload: number, compressed: boolean): number {
  return payload * 4 + direction * 2 + (compressed ? 1 : 0);
}

function directionOf(packed: number): Direction {
  return Math.floor(packed / 2) % 2 === 1 ? S2C : C2S;
}

function messageOf(packed: number, overhead: number, index: number, type: string | null): MessageTally {
  const payload = Math.floor(packed / 4);
  return {
    index,
    direction: DIRECTION_NAMES[directionOf(packed)],
    octets: payload + overhead,
    compressed: packed % 2 === 1,
    payload_octets: payload,
    type,
  };
}
