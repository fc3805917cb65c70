import type { Direction } from "../decode/direction.ts";
import type { Detail } from "../decode/sink.ts";
import type { WireUnit } from "../decode/wire-unit.ts";
import type { ConnectionFacts, LedgerListener } from "../ledger/listener.ts";
import type { CloseTally, ExchangeTally, MessageTally, NoteTally } from "../ledger/tally.ts";

/**
 * Tells several listeners, in their order. They come with {@link begin}, as a view needs to know when its ledger started; what happens
 * before is held until then.
 */
export class FanOut implements LedgerListener {
  readonly detail: Detail;
  readonly messages: boolean;
  #listeners: readonly LedgerListener[] | null = null;
  #held: ((listener: LedgerListener) => void)[] = [];

  /** @param detail the most that any of the listeners will want. */
  constructor(detail: Detail, messages: boolean) {
    this.detail = detail;
    this.messages = messages;
  }

  begin(listeners: readonly LedgerListener[]): void {
    const held = this.#held;
    this.#held = [];
    this.#listeners = listeners;
    for (const tell of held) this.#tell(tell);
  }

  connection(connection: ConnectionFacts, time: number): void {
    this.#tell((listener) => listener.connection(connection, time));
  }

  unit(connection: ConnectionFacts, unit: WireUnit, time: number): void {
    this.#tell((listener) => listener.detail > 0 && listener.unit(connection, unit, time));
  }

  message(connection: ConnectionFacts, exchange: string, direction: Direction, message: MessageTally, time: number): void {
    this.#tell((listener) => listener.messages && listener.message(connection, exchange, direction, message, time));
  }

  exchange(connection: ConnectionFacts, exchange: ExchangeTally, time: number): void {
    this.#tell((listener) => listener.exchange(connection, exchange, time));
  }

  note(connection: ConnectionFacts, note: NoteTally, time: number): void {
    this.#tell((listener) => listener.note(connection, note, time));
  }

  close(connection: ConnectionFacts, close: CloseTally | null, octets: readonly [c2s: number, s2c: number], time: number): void {
    this.#tell((listener) => listener.close(connection, close, octets, time));
  }

  #tell(tell: (listener: LedgerListener) => void): void {
    if (this.#listeners === null) this.#held.push(tell);
    else for (const listener of this.#listeners) tell(listener);
  }
}
