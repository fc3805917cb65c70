import { C2S, DIRECTION_NAMES, type Direction, S2C } from "../decode/direction.ts";
import type { MessageTally } from "./tally.ts";

/** Compressed-Flag and Message-Length before each payload: gRPC over HTTP2, "Length-Prefixed-Message". */
const GRPC_PREFIX_OCTETS = 5;

/** The first messages of an exchange, numbered by direction. */
export class MessageList {
  /** One number a message: payload × 4 + direction × 2 + compressed. There can be 1,000 in each of 10,000 exchanges. */
  readonly #packed: number[] = [];
  /** All messages of a direction have one type. */
  readonly #types: [c2s: string | null, s2c: string | null] = [null, null];
  #c2s = 0;
  #s2c = 0;

  /** @returns what it was, and whether there was room for it; its index is used up all the same. */
  add(
    direction: Direction,
    payload: number,
    compressed: boolean,
    type: string | null,
    limit: number,
  ): { readonly message: MessageTally; readonly listed: boolean } {
    const index = direction === C2S ? this.#c2s++ : this.#s2c++;
    const packed = payload * 4 + direction * 2 + (compressed ? 1 : 0);
    if (type !== null) this.#types[direction] = type;
    const listed = this.#packed.length < limit;
    if (listed) this.#packed.push(packed);
    return { message: messageOf(packed, index, type), listed };
  }

  /** In the order they passed. */
  tally(): readonly MessageTally[] {
    const next = [0, 0];
    return this.#packed.map((packed) => {
      const direction = directionOf(packed);
      const index = next[direction] ?? 0;
      next[direction] = index + 1;
      return messageOf(packed, index, this.#types[direction]);
    });
  }
}

function directionOf(packed: number): Direction {
  return Math.floor(packed / 2) % 2 === 1 ? S2C : C2S;
}

function messageOf(packed: number, index: number, type: string | null): MessageTally {
  const payload = Math.floor(packed / 4);
  return {
    index,
    direction: DIRECTION_NAMES[directionOf(packed)],
    octets: payload + GRPC_PREFIX_OCTETS,
    compressed: packed % 2 === 1,
    payload_octets: payload,
    type,
  };
}
