import { CATEGORIES } from "../decode/category.ts";
import type { Direction } from "../decode/direction.ts";
import type { Exchange } from "../decode/exchange.ts";
import { OctetBuffer } from "../decode/octet-buffer.ts";
import type { ConnectionSink } from "../decode/sink.ts";
import type { StackLike } from "../ledger/books.ts";

/** Whose body is wanted. */
export interface BodyTarget {
  /** Of the exchange: `c1.s3`. */
  readonly id: string;
  readonly direction: Direction;
}

/** What is content, once the framing of HTTP is taken off. */
const CONTENT = /^(body|grpc|ws)\b/;
const IS_CONTENT: readonly boolean[] = CATEGORIES.map((category) => CONTENT.test(category));

/**
 * Decodes a connection as the stack does that `stackFor` makes, and gives away the body of one exchange: its octets as they stood on the
 * wire, without frames and chunks, codings as they are.
 * @param into takes them in order, borrowed.
 */
export class BodyTap implements StackLike {
  readonly #target: BodyTarget;
  readonly #into: (octets: Uint8Array) => void;
  readonly #stack: StackLike;
  /** Octets of the direction that were not announced yet. */
  readonly #held = new OctetBuffer();

  constructor(
    target: BodyTarget,
    into: (octets: Uint8Array) => void,
    sink: ConnectionSink,
    stackFor: (sink: ConnectionSink) => StackLike,
  ) {
    this.#target = target;
    this.#into = into;
    this.#stack = stackFor(
      tapped(sink, (direction, category, count, exchange) => this.#announced(direction, category, count, exchange)),
    );
  }

  get tlsRecords(): StackLike["tlsRecords"] {
    return this.#stack.tlsRecords;
  }

  push(direction: Direction, bytes: Uint8Array): void {
    if (direction === this.#target.direction) this.#held.append(bytes, 0, bytes.length);
    this.#stack.push(direction, bytes);
  }

  gap(direction: Direction, octets: number | null): void {
    this.#stack.gap(direction, octets);
  }

  end(direction: Direction): void {
    this.#stack.end(direction);
  }

  pending(direction: Direction): number {
    return this.#stack.pending(direction);
  }

  #announced(direction: Direction, category: number, count: number, exchange: Exchange | null): void {
    const { direction: wanted, id } = this.#target;
    if (direction !== wanted || count === 0) return;
    if (exchange?.id === id && IS_CONTENT[category] === true) this.#into(this.#held.bytes.subarray(0, count));
    this.#held.take(count);
  }
}

type Announced = (direction: Direction, category: number, count: number, exchange: Exchange | null) => void;

/** The same sink, of which somebody else hears what octets were, too. */
function tapped(sink: ConnectionSink, announced: Announced): ConnectionSink {
  return {
    detail: sink.detail,
    octets: (direction, category, count, level, exchange) => {
      sink.octets(direction, category, count, level, exchange);
      announced(direction, category, count, exchange);
    },
    moved: (...args) => sink.moved(...args),
    offset: (...args) => sink.offset(...args),
    unit: (...args) => sink.unit(...args),
    protocol: (...args) => sink.protocol(...args),
    openExchange: (...args) => sink.openExchange(...args),
    requestKnown: (...args) => sink.requestKnown(...args),
    becomeStream: (...args) => sink.becomeStream(...args),
    exchangeDone: (...args) => sink.exchangeDone(...args),
    exchangeForgotten: (...args) => sink.exchangeForgotten(...args),
    message: (...args) => sink.message(...args),
    field: (...args) => sink.field(...args),
    fieldRun: (...args) => sink.fieldRun(...args),
    fieldInflation: (...args) => sink.fieldInflation(...args),
    control: (...args) => sink.control(...args),
    ping: (...args) => sink.ping(...args),
    setting: (...args) => sink.setting(...args),
    blocked: (...args) => sink.blocked(...args),
    note: (...args) => sink.note(...args),
  };
}
