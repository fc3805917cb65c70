import { DIRECTION_NAMES, type Direction, type DirectionName } from "../../decode/direction.ts";
import type { Exchange, Protocol } from "../../decode/exchange.ts";
import type { Detail } from "../../decode/sink.ts";
import type { WireUnit } from "../../decode/wire-unit.ts";
import type { ConnectionFacts, LedgerListener } from "../../ledger/listener.ts";
import type { CloseTally, ExchangeTally, MessageTally, NoteTally } from "../../ledger/tally.ts";
import { atColumn, octetCount } from "../columns.ts";
import type { Redactor } from "../redact.ts";
import { TextRedactor } from "../redact-text.ts";
import type { Theme } from "../theme.ts";
import { type TimeStyle, TraceClock } from "./clock.ts";
import { closeText, messageText, noteText, openText } from "./connection-lines.ts";
import { exchangeLine } from "./exchange-line.ts";
import { fieldLines } from "./field-lines.ts";
import { TRACE_DETAIL, type TraceLevel } from "./levels.ts";
import { partLines } from "./part-lines.ts";
import { unitLines, unitTitle } from "./unit-lines.ts";

export interface TraceOptions {
  readonly level: TraceLevel;
  readonly time: TimeStyle;
  /** Whether notes are lines of the trace. */
  readonly notes: boolean;
  readonly theme: Theme;
  readonly redactor: Redactor;
  /** UTC nanoseconds since 1970 of the ledger's start. */
  readonly startedNs: bigint;
  /** Takes what happened as whole lines, each with its line end. */
  readonly write: (lines: string) => void;
}

/** Cell at which the octets of a unit stand. */
const OCTETS_COLUMN = 75;

/** Tells what passes as lines of text, in nghttp's layout with the octets added. Does no I/O: `write` does. */
export class Trace implements LedgerListener {
  readonly detail: Detail;
  readonly messages: boolean;
  readonly #options: TraceOptions;
  readonly #texts: TextRedactor;
  readonly #clock: TraceClock;
  /** Of the unit that was told last. */
  #lastExchange: Exchange | null = null;

  constructor(options: TraceOptions) {
    this.#options = options;
    this.#texts = new TextRedactor(options.redactor);
    this.#clock = new TraceClock(options.time, options.startedNs);
    this.detail = TRACE_DETAIL[options.level];
    this.messages = this.detail > 0;
  }

  connection(connection: ConnectionFacts, time: number): void {
    if (this.detail > 0) this.#line(connection, time, null, openText(connection, this.#options.theme));
  }

  unit(connection: ConnectionFacts, unit: WireUnit, time: number): void {
    if (this.detail === 0) return;
    this.#lastExchange = unit.exchange;
    const { redactor, theme } = this.#options;
    const below = [...unitLines(unit, redactor, theme)];
    if (this.detail >= TRACE_DETAIL.fields) {
      for (const field of unit.fields) below.push(...fieldLines(field, redactor, theme));
      if (unit.fieldsOmitted > 0) below.push(theme.warning(`; ${unit.fieldsOmitted} more field lines are not shown`));
    }
    if (this.detail >= TRACE_DETAIL.octets) {
      below.push(...partLines(unit, redactor, theme));
      if (unit.octetsOmitted > 0) below.push(theme.warning(`; ${unit.octetsOmitted} more octets are not shown`));
    }
    this.#line(connection, time, DIRECTION_NAMES[unit.direction], unitTitle(unit, redactor, theme), unit.octets, below);
  }

  /** Of the exchange whose message is told: a unit of it was told just before. */
  #protocolOf(exchange: string): Protocol {
    return this.#lastExchange?.id === exchange ? this.#lastExchange.protocol : "grpc";
  }

  message(connection: ConnectionFacts, exchange: string, direction: Direction, message: MessageTally, time: number): void {
    if (!this.messages) return;
    this.#line(
      connection,
      time,
      DIRECTION_NAMES[direction],
      messageText(exchange, this.#protocolOf(exchange), message, this.#options.theme),
      message.octets,
    );
  }

  exchange(_connection: ConnectionFacts, exchange: ExchangeTally, time: number): void {
    const { level, theme, write } = this.#options;
    if (level === "off") return;
    write(`${theme.time(this.#clock.stamp(time))} ${exchangeLine(exchange, this.#texts, theme)}\n`);
  }

  note(connection: ConnectionFacts, note: NoteTally, time: number): void {
    if (this.#options.notes) this.#line(connection, time, note.direction, noteText(note, this.#texts, this.#options.theme));
  }

  close(connection: ConnectionFacts, close: CloseTally | null, octets: readonly [c2s: number, s2c: number], time: number): void {
    if (this.detail > 0) this.#line(connection, time, null, closeText(close, octets, this.#options.theme));
  }

  #line(
    connection: ConnectionFacts,
    time: number,
    direction: DirectionName | null,
    text: string,
    octets?: number,
    below: readonly string[] = [],
  ): void {
    const { theme, write } = this.#options;
    const way = direction === null ? "" : ` ${theme[direction](direction)}`;
    const left = `${theme.time(this.#clock.stamp(time))} ${theme.id(connection.id)}${way} ${text}`;
    const indent = " ".repeat(this.#clock.width);
    const column = OCTETS_COLUMN - 10 + this.#clock.width;
    let block = octets === undefined ? `${left}\n` : `${atColumn(left, column, theme.octets(octetCount(octets)))}\n`;
    for (const line of below) block += `${indent}${line}\n`;
    write(block);
  }
}
