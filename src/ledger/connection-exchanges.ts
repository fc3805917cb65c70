import type { Direction } from "../decode/direction.ts";
import type { Exchange, Protocol } from "../decode/exchange.ts";
import type { Books } from "./books.ts";
import { type ExchangeHome, ExchangeRecord } from "./exchange-record.ts";
import type { H2Facts } from "./h2-facts.ts";
import { LinkedList } from "./linked-list.ts";
import type { ConnectionFacts, Tell } from "./listener.ts";
import type { Route } from "./route.ts";
import type { ConnectionWindows } from "./windows.ts";

/** The exchanges of one connection, from their opening to their end in a route. */
export class ConnectionExchanges implements ExchangeHome {
  /** Those not done, in the order they were opened. */
  readonly live = new LinkedList<ExchangeRecord>();
  /** Those done that the history still lists. */
  readonly listed = new LinkedList<ExchangeRecord>();
  /** Nobody decodes the connection any more. */
  over = false;
  readonly #facts: ConnectionFacts;
  readonly #books: Books;
  readonly #windows: ConnectionWindows<Route>;
  readonly #h2: H2Facts;
  readonly #tell: Tell;
  readonly #onCut: (record: ExchangeRecord) => void;
  #requests = 0;

  /** @param tell see {@link Tell}. @param onCut a text from the wire was longer than its cap. */
  constructor(
    facts: ConnectionFacts,
    books: Books,
    windows: ConnectionWindows<Route>,
    h2: H2Facts,
    tell: Tell,
    onCut: (record: ExchangeRecord) => void,
  ) {
    this.#facts = facts;
    this.#books = books;
    this.#windows = windows;
    this.#h2 = h2;
    this.#tell = tell;
    this.#onCut = onCut;
  }

  open(stream: number | null, protocol: Protocol, now: number): ExchangeRecord {
    const ordinal = this.#windows.open();
    if (stream === null) this.#requests += 1;
    else this.#h2.streamOpened();
    const { history, listener } = this.#books;
    // A listener may have kept one.
    const record = (listener === null ? history.spare() : undefined) ?? new ExchangeRecord(this);
    const id = stream === null ? `${this.#facts.id}.r${this.#requests}` : this.#streamId(stream);
    record.begin(this, ordinal, id, stream, protocol, now);
    this.live.add(record);
    return record;
  }

  /** The request is as known as it will be: from now on it has a route. */
  known(exchange: Exchange): void {
    this.#route(recordOf(exchange));
  }

  becomeStream(exchange: Exchange, stream: number): void {
    const record = recordOf(exchange);
    if (record.stream === null && !record.done) this.#h2.streamOpened();
    record.id = this.#streamId(stream);
    record.stream = stream;
  }

  message(
    exchange: Exchange,
    direction: Direction,
    payload: number,
    overhead: number,
    compressed: boolean,
    type: string | null,
    now: number,
  ): void {
    const { id, messages } = recordOf(exchange);
    const { limits, listener, omitted } = this.#books;
    if (!messages.add(direction, payload, overhead, compressed, type, limits.messages)) omitted.messages += 1;
    if (listener === null || !listener.messages) return;
    const message = messages.newest(direction, payload, overhead, compressed, type);
    this.#tell((told) => told.message(this.#facts, id, direction, message, now));
  }

  /** Count octets; late ones go to the route at once. @param cameNs when the first of them came. */
  octets(exchange: Exchange, direction: Direction, category: number, count: number, level: number, cameNs: number): void {
    const record = recordOf(exchange);
    if (record.done) {
      record.route?.late(record, direction, category, level, count);
      record.addLate(direction, category, count);
    } else {
      record.add(direction, category, count, cameNs);
    }
    record.addLevel(direction, level, count);
  }

  /** Octets of it were another category than was said. */
  moved(exchange: Exchange, direction: Direction, from: number, to: number, count: number): void {
    const record = recordOf(exchange);
    if (record.done) record.route?.moved(direction, from, to, count);
    record.move(direction, from, to, count);
  }

  /** Nothing more is expected of it; only the first call does anything. */
  done(exchange: Exchange, now: number): void {
    const record = recordOf(exchange);
    if (record.done) return;
    const { limits, history, omitted, listener, startedNs } = this.#books;
    const route = this.#route(record);
    if (record.keepResponseText(limits.textOctets)) this.#onCut(record);
    record.settle(now);
    route.finish(record, record.parts);
    this.live.delete(record);
    if (record.stream !== null) this.#h2.streamDone();
    if (history.add(record)) omitted.exchanges += 1;
    if (listener !== null) this.#tell((told) => told.exchange(this.#facts, record.tally(startedNs), now));
  }

  /** No decoder will name it again. */
  forgotten(exchange: Exchange): void {
    const record = recordOf(exchange);
    record.forgotten = true;
    this.#books.history.offer(record);
  }

  /** The connection is over: so is what is still open. */
  finish(now: number): void {
    for (const record of this.live.toArray()) this.done(record, now);
  }

  #route(record: ExchangeRecord): Route {
    if (record.route !== null) return record.route;
    if (record.keepRequestTexts(this.#books.limits.textOctets)) this.#onCut(record);
    const route = this.#books.routes.of(record);
    record.route = route;
    this.#windows.carried(route, record.ordinal);
    return route;
  }

  #streamId(stream: number): string {
    return `${this.#facts.id}.s${stream}`;
  }
}

/** Decoders get their exchanges from the ledger alone. */
function recordOf(exchange: Exchange): ExchangeRecord {
  return exchange as ExchangeRecord;
}
