import type { CaptureSink } from "../capture/write/capture-sink.ts";
import { C2S, type Direction, S2C } from "../decode/direction.ts";
import type { Detail } from "../decode/sink.ts";
import type { WireUnit } from "../decode/wire-unit.ts";
import type { ConnectionFacts, LedgerListener } from "../ledger/listener.ts";
import type { CloseTally, ExchangeTally, MessageTally, NoteTally } from "../ledger/tally.ts";

/** Writes a ledger's notes into a capture, and tells another listener all that it would be told. */
export class NoteRecorder implements LedgerListener {
  readonly detail: Detail;
  readonly messages: boolean;
  readonly #sink: Pick<CaptureSink, "note">;
  readonly #next: LedgerListener | null;

  constructor(sink: Pick<CaptureSink, "note">, next: LedgerListener | null) {
    this.detail = next?.detail ?? 0;
    this.messages = next?.messages ?? false;
    this.#sink = sink;
    this.#next = next;
  }

  connection(connection: ConnectionFacts, time: number): void {
    this.#next?.connection(connection, time);
  }

  unit(connection: ConnectionFacts, unit: WireUnit, time: number): void {
    this.#next?.unit(connection, unit, time);
  }

  message(connection: ConnectionFacts, exchange: string, direction: Direction, message: MessageTally, time: number): void {
    this.#next?.message(connection, exchange, direction, message, time);
  }

  exchange(connection: ConnectionFacts, exchange: ExchangeTally, time: number): void {
    this.#next?.exchange(connection, exchange, time);
  }

  note(connection: ConnectionFacts, note: NoteTally, time: number): void {
    const { code, direction, offset, ref, text } = note;
    const comment = `${code} at ${direction} offset ${offset}: ${text}${ref === null ? "" : ` (${ref})`}`;
    this.#sink.note(connection.id, comment, direction === "c2s" ? C2S : S2C);
    this.#next?.note(connection, note, time);
  }

  close(connection: ConnectionFacts, close: CloseTally, octets: readonly [c2s: number, s2c: number], time: number): void {
    this.#next?.close(connection, close, octets, time);
  }
}
