import type { FieldRun } from "http2-frame-parser";
import { CATEGORY } from "../decode/category.ts";
import { C2S, DIRECTION_NAMES, DIRECTIONS, type Direction, S2C } from "../decode/direction.ts";
import type { Exchange, Protocol } from "../decode/exchange.ts";
import { LEVEL, LEVELS } from "../decode/level.ts";
import type { ConnectionSink, Detail, NoteSeverity } from "../decode/sink.ts";
import type { WireUnit } from "../decode/wire-unit.ts";
import { Account } from "./account.ts";
import { Arrivals } from "./arrivals.ts";
import type { Books, DecodeOptions, StackLike } from "./books.ts";
import { ConnectionExchanges } from "./connection-exchanges.ts";
import { type ConnectionPieces, piecesOf } from "./connection-tally.ts";
import { add, countIndex } from "./counts.ts";
import { FieldTable } from "./field-table.ts";
import { H2Facts } from "./h2-facts.ts";
import type { ConnectionFacts, LedgerListener, Tell } from "./listener.ts";
import { NoteList } from "./note-list.ts";
import { OctetRun } from "./octet-run.ts";
import type { Route } from "./route.ts";
import type { CloseTally, NoteTally, PacketTally, PerDirection } from "./tally.ts";
import { cutText, textOf } from "./text.ts";
import type { TlsRecords } from "./tls-records.ts";
import { ConnectionWindows, type WindowShare } from "./windows.ts";

/** What is known of a connection besides its octets. */
export interface ConnectionOptions extends DecodeOptions {
  /** Asked whenever its document is made; without it there are no packets. */
  readonly packets?: () => PerDirection<PacketTally>;
}

/**
 * One connection: hands what the relay read to the decoders and counts what they announce. No method throws on wire input, and a
 * decoder that throws is contained: from then on the connection's octets are `unattributed.after_error`. Times are nanoseconds since
 * the ledger's start.
 */
export class ConnectionLedger implements ConnectionSink {
  readonly facts: ConnectionFacts;
  readonly detail: Detail;
  readonly account = new Account();
  readonly exchanges: ConnectionExchanges;
  /** What the newest exchange still has to be given; all sums of the connection have it already. */
  readonly #run: OctetRun;
  readonly #books: Books;
  readonly #onClose: (connection: ConnectionLedger, pieces: ConnectionPieces) => void;
  readonly #openedNs: number;
  readonly #arrivals: Arrivals;
  readonly #windows: ConnectionWindows<Route>;
  readonly #fields: readonly [FieldTable, FieldTable];
  readonly #h2: H2Facts;
  readonly #notes: NoteList;
  readonly #undelivered = new Float64Array(2);
  /** Octets that are known to be missing, by direction: they count in offsets, and nowhere else. */
  readonly #missing = new Float64Array(2);
  readonly #late: readonly [boolean, boolean];
  readonly #packets: (() => PerDirection<PacketTally>) | null;
  readonly #ended = [false, false];
  readonly #broken = [false, false];
  /** Null after a fault or the close. */
  #stack: StackLike | null;
  /** What a decoder threw, and the directions that have the note of it. */
  #fault = "";
  readonly #faultNoted = [false, false];
  #tls: TlsRecords = null;
  #protocol: Protocol | null = null;
  #isH2 = false;
  #closed = false;

  /** Made by Ledger.open. @param onClose told once, with what the connection came to. */
  constructor(
    facts: ConnectionFacts,
    books: Books,
    openedNs: number,
    onClose: (connection: ConnectionLedger, pieces: ConnectionPieces) => void,
    { packets, ...options }: ConnectionOptions = {},
  ) {
    const { limits, omitted } = books;
    this.facts = facts;
    this.detail = books.listener?.detail ?? 0;
    this.#books = books;
    this.#onClose = onClose;
    this.#openedNs = openedNs;
    this.#arrivals = new Arrivals(openedNs);
    this.#windows = new ConnectionWindows(books.warmUp, this.account.levels);
    this.#fields = [new FieldTable(limits.fieldNames, omitted), new FieldTable(limits.fieldNames, omitted)];
    this.#h2 = new H2Facts(limits);
    this.#notes = new NoteList(limits.notes, omitted);
    const tell: Tell = (say) => this.#tell(say);
    this.exchanges = new ConnectionExchanges(facts, books, this.#windows, this.#h2, tell, ({ id }) => {
      this.note("text-cap", "limit", C2S, this.offset(C2S), null, `${id}: texts are kept up to ${limits.textOctets} octets`);
    });
    this.#run = new OctetRun(this.exchanges);
    this.#late = options.late ?? [false, false];
    this.#packets = packets ?? null;
    this.#stack = books.stackFor(this, options);
  }

  /** Tell the listener that it is open. */
  announce(): void {
    this.#tell((listener) => listener.connection(this.facts, this.#openedNs));
  }

  /** One read: counted, then decoded. `bytes` are borrowed. After the close it is too late: the sums no longer close then. */
  delta(direction: Direction, bytes: Uint8Array, time: number): void {
    if (bytes.length === 0) return;
    if (this.#closed) {
      this.#breaks(direction);
      return;
    }
    if (this.#isQuiet(time)) this.#windows.pause();
    this.#arrivals.now = time;
    this.#arrivals.lastNs = time;
    add(this.account.relayed, direction, bytes.length);
    add(this.account.deltas, direction, 1);
    if (this.#stack === null) {
      this.#unattributed(direction, bytes.length);
      return;
    }
    try {
      this.#stack.push(direction, bytes);
      this.#check(this.#stack);
    } catch (error) {
      this.#contain(error, direction);
    }
    this.#arrivals.decoded(direction, bytes.length, this.account.relayed, this.account.pending[direction] ?? 0);
  }

  /**
   * Octets of `direction` are missing here: as many as `octets`; null: nobody knows. They are never counted, but offsets behind them
   * count a length that is known.
   */
  gap(direction: Direction, octets: number | null, time: number): void {
    if (this.#closed || this.#ended[direction] === true || octets === 0) return;
    this.#arrivals.now = time;
    const { relayed } = this.account;
    // That the beginning is missing is known; it is told with the first octets.
    const isBeginning = this.#late[direction] && relayed[direction] === 0 && octets === null;
    const text = octets === null ? "octets are missing, nobody knows how many" : `${octets} octets are missing`;
    if (!isBeginning)
      this.note("gap", "warning", direction, (relayed[direction] ?? 0) + (this.#missing[direction] ?? 0), null, text);
    if (this.#stack !== null) {
      try {
        this.#stack.gap(direction, octets);
        this.#check(this.#stack);
      } catch (error) {
        this.#contain(error, direction);
      }
    }
    // What was held stood before them.
    add(this.#missing, direction, octets ?? 0);
  }

  /** The sender of `direction` sent its FIN. */
  end(direction: Direction, time: number): void {
    if (this.#closed || this.#ended[direction] === true) return;
    this.#ended[direction] = true;
    this.#arrivals.now = time;
    if (this.#stack === null) return;
    try {
      this.#stack.end(direction);
      this.#check(this.#stack);
    } catch (error) {
      this.#contain(error, direction);
    }
  }

  /** Octets of `direction` that were read and never accepted by the other side. */
  undelivered(direction: Direction, octets: number): void {
    add(this.#undelivered, direction, octets);
  }

  /** Both directions are over; null: the capture is, first. A second call does nothing. */
  close(close: CloseTally | null, time: number): void {
    if (this.#closed) return;
    if (this.#isQuiet(time)) this.#windows.pause();
    for (const direction of DIRECTIONS) this.end(direction, time);
    this.#arrivals.now = time;
    this.exchanges.finish(time);
    for (const direction of DIRECTIONS) if (!this.account.closesForGood(direction)) this.#breaks(direction);
    this.#books.routes.settle(this.#windows.shares(false));
    for (const fields of this.#fields) fields.close();
    this.#onClose(this, this.pieces(time, close));
    this.#dropStack();
    this.#closed = true;
    const { relayed } = this.account;
    this.#tell((listener) => listener.close(this.facts, close, [relayed[C2S] ?? 0, relayed[S2C] ?? 0], time));
  }

  /** What it adds to the windows of its routes, as of `time`. */
  shares(time: number): readonly WindowShare<Route>[] {
    return this.#windows.shares(this.#isQuiet(time));
  }

  /** Everything of its document but the exchanges. @param close null while it is open, or when it never closed. */
  pieces(time: number, close: CloseTally | null): ConnectionPieces {
    return piecesOf({
      facts: this.facts,
      startedNs: this.#books.startedNs,
      openedNs: this.#openedNs,
      now: time,
      close,
      protocol: this.#protocol,
      account: this.account,
      undelivered: this.#undelivered,
      fields: this.#fields,
      h2: this.#isH2 ? this.#h2 : null,
      tls: this.#stack?.tlsRecords ?? this.#tls,
      notes: this.#notes,
      packets: this.#packets?.() ?? null,
    });
  }

  octets(direction: Direction, category: number, count: number, level: number, exchange: Exchange | null): void {
    if (count === 0) return;
    const { attributed, counts, levels } = this.account;
    if (level === LEVEL.close) this.#windows.closing();
    if (exchange !== null) {
      const run = this.#run;
      if (!run.goesOn(exchange, direction, level)) {
        run.end();
        run.begin(exchange, direction, level, this.#arrivals.of(direction, attributed[direction] ?? 0));
      }
      run.add(category, count);
    }
    add(attributed, direction, count);
    add(counts, countIndex(direction, category), count);
    add(levels, direction * LEVELS.length + level, count);
  }

  moved(direction: Direction, from: number, to: number, count: number, exchange: Exchange | null): void {
    const { counts } = this.account;
    this.#run.end();
    if (exchange !== null) this.exchanges.moved(exchange, direction, from, to, count);
    add(counts, countIndex(direction, from), -count);
    add(counts, countIndex(direction, to), count);
  }

  offset(direction: Direction): number {
    return (this.account.attributed[direction] ?? 0) + (this.#missing[direction] ?? 0);
  }

  unit(unit: WireUnit): void {
    this.#tell((listener) => listener.unit(this.facts, unit, this.#arrivals.now));
  }

  protocol(protocol: Protocol, _inferred: boolean): void {
    this.#protocol = protocol;
    if (protocol === "h2") this.#isH2 = true;
  }

  openExchange(stream: number | null, protocol: Protocol): Exchange {
    return this.exchanges.open(stream, protocol, this.#arrivals.now);
  }

  requestKnown(exchange: Exchange): void {
    this.exchanges.known(exchange);
  }

  becomeStream(exchange: Exchange, stream: number): void {
    this.exchanges.becomeStream(exchange, stream);
  }

  exchangeDone(exchange: Exchange): void {
    this.#run.end();
    this.exchanges.done(exchange, this.#arrivals.now);
  }

  exchangeForgotten(exchange: Exchange): void {
    this.#run.end();
    this.exchanges.forgotten(exchange);
  }

  message(
    exchange: Exchange,
    direction: Direction,
    payload: number,
    overhead: number,
    compressed: boolean,
    type: string | null,
  ): void {
    this.exchanges.message(exchange, direction, payload, overhead, compressed, type, this.#arrivals.now);
  }

  field(
    direction: Direction,
    name: string | null,
    octets: number,
    nameLength: number,
    valueLength: number,
    representation: number,
    inserted: boolean,
    evicted: number,
  ): void {
    this.#fields[direction].add(name, octets, nameLength, valueLength, representation, inserted, evicted);
  }

  fieldRun(direction: Direction, run: FieldRun): void {
    this.#fields[direction].addRun(run);
  }

  fieldInflation(direction: Direction, name: string, octets: number): void {
    this.#fields[direction].inflate(name, octets);
  }

  control(direction: Direction, kind: number): void {
    this.#windows.frame(direction, kind);
  }

  ping(direction: Direction, ack: boolean, opaque: string): void {
    this.#h2.ping(direction, ack, opaque, this.#arrivals.now);
  }

  setting(direction: Direction, identifier: number, value: number): void {
    this.#h2.setting(direction, identifier, value);
  }

  blocked(direction: Direction, blocked: boolean): void {
    this.#h2.blocked(direction, blocked, this.#arrivals.now);
  }

  note(code: string, severity: NoteSeverity, direction: Direction, offset: number, ref: string | null, text: string): void {
    const cut = cutText(textOf(text), this.#books.limits.textOctets);
    const note: NoteTally = { code, severity, direction: DIRECTION_NAMES[direction], offset, ref, text: cut };
    this.#notes.add(note);
    this.#tell((listener) => listener.note(this.facts, note, this.#arrivals.now));
  }

  /** A view's bug is neither the relay's nor the ledger's: the whole ledger goes on without the listener. */
  #tell(say: (listener: LedgerListener) => void): void {
    const { listener } = this.#books;
    if (listener === null) return;
    try {
      say(listener);
    } catch (error) {
      this.#books.listener = null;
      this.note("listener-fault", "warning", C2S, this.offset(C2S), null, messageOf(error));
    }
  }

  /** A window's edge: long enough without octets, nothing open and nothing held. */
  #isQuiet(time: number): boolean {
    const { pending } = this.account;
    const still = this.exchanges.live.size === 0 && pending[C2S] === 0 && pending[S2C] === 0;
    return still && time - this.#arrivals.lastNs >= this.#books.pauseNs;
  }

  #check(stack: StackLike): void {
    this.#run.end();
    for (const direction of DIRECTIONS) {
      this.account.pending[direction] = stack.pending(direction);
      if (!this.account.closes(direction)) this.#breaks(direction);
    }
  }

  #breaks(direction: Direction): void {
    if (this.#broken[direction] === true) return;
    this.#broken[direction] = true;
    this.#books.broken += 1;
    const { attributed, pending, relayed } = this.account;
    const text = `${attributed[direction]} octets attributed and ${pending[direction]} pending of ${relayed[direction]} relayed`;
    this.note("ledger-open", "warning", direction, this.offset(direction), null, text);
  }

  /** A decoder threw while it handled `direction`: what it had not announced yet, and all that follows, has no owner. */
  #contain(error: unknown, direction: Direction): void {
    this.#fault = messageOf(error);
    this.#run.end();
    this.#dropStack();
    this.#noteFault(direction);
    const { relayed, attributed, pending } = this.account;
    for (const side of DIRECTIONS) {
      pending[side] = 0;
      const left = (relayed[side] ?? 0) - (attributed[side] ?? 0);
      if (left > 0) this.#unattributed(side, left);
      else if (left < 0) this.#breaks(side);
    }
  }

  #unattributed(direction: Direction, count: number): void {
    this.#noteFault(direction);
    this.octets(direction, CATEGORY["unattributed.after_error"], count, LEVEL.unowned, null);
  }

  #noteFault(direction: Direction): void {
    if (this.#faultNoted[direction] === true) return;
    this.#faultNoted[direction] = true;
    this.note("decoder-fault", "warning", direction, this.offset(direction), null, this.#fault);
  }

  #dropStack(): void {
    this.#tls = this.#stack?.tlsRecords ?? this.#tls;
    this.#stack = null;
    this.exchanges.over = true;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
