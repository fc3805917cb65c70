import { StreamTable } from "http2-frame-parser";
import { C2S, type Direction, S2C } from "../direction.ts";
import type { ConnectionSink } from "../sink.ts";
import { H2Stream } from "./h2-stream.ts";
import type { StreamBodySink } from "./stream-body.ts";

/**
 * Finished streams that are still known, so that frames in flight (RFC 9113 §5.1, "closed") find their exchange: all that were open
 * together may be reset together, within these bounds.
 */
const FINISHED_KEPT = { least: 256, most: 1000 } as const;
/**
 * Open streams of a connection that are followed at once. Servers allow some hundred (MAX_CONCURRENT_STREAMS); a peer that opens more than
 * this without ending any costs memory and nothing else.
 */
export const OPEN_STREAMS_CAP = 16_384;

/** Who reads the frames of a direction, as far as streams ask. */
export interface StreamReader extends StreamBodySink {
  /** It is in the middle of something of that stream. */
  isReading(stream: H2Stream): boolean;
}

/** The streams of a connection: the open ones, and the newest finished. */
export class H2Streams {
  readonly #sink: ConnectionSink;
  readonly #readers: readonly [StreamReader, StreamReader];
  /** Those open and those finished lately, by identifier. */
  readonly #known = new StreamTable<H2Stream>();
  /** The one that was asked for last: most frames come in the company of others of their stream. */
  #newest: H2Stream | undefined;
  #open = 0;
  /** The most that were open together. */
  #mostOpen = 0;
  /** Open streams by age, from #eldest on; others where they ended meanwhile. */
  #byAge: number[] = [];
  #eldest = 0;
  /** Those that are still known, from #oldestFinished on: shift() on a long array is no longer cheap. */
  #finishedIds: number[] = [];
  #oldestFinished = 0;
  /** Identifiers up to here were forgotten, by parity: they do not open again. */
  readonly #forgotten = [0, 0];
  /** Forgotten, to be used again: streams come by the million, and few at a time. */
  readonly #spare: H2Stream[] = [];
  #capped = false;
  readonly #blocked = [0, 0];
  readonly #connectionBlocked = [false, false];

  constructor(sink: ConnectionSink, readers: readonly [StreamReader, StreamReader]) {
    this.#sink = sink;
    this.#readers = readers;
  }

  /** Streams not finished, by age. */
  get open(): H2Stream[] {
    return this.#byAge
      .slice(this.#eldest)
      .map((id) => this.#known.get(id))
      .filter((stream) => stream !== undefined)
      .filter(({ done }) => !done);
  }

  /** The stream, open or finished lately. */
  get(id: number): H2Stream | undefined {
    if (this.#newest !== undefined && this.#newest.id === id) return this.#newest;
    const known = this.#known.get(id);
    if (known !== undefined) this.#newest = known;
    return known;
  }

  /** Whether the stream was never used as far as we know: not open, and not finished long ago either. */
  isIdle(id: number): boolean {
    return id > (this.#forgotten[id & 1] ?? 0) && this.get(id) === undefined;
  }

  /** The stream, opened when it is idle; undefined for stream 0 and for one forgotten long ago. */
  use(id: number, direction: Direction): H2Stream | undefined {
    const known = this.get(id);
    if (known !== undefined || id === 0 || id <= (this.#forgotten[id & 1] ?? 0)) return known;
    if (this.#open >= OPEN_STREAMS_CAP) this.#finishEldest(direction);
    const exchange = this.#sink.openExchange(id, "h2");
    const spare = this.#spare.pop();
    if (spare === undefined) return this.adopt(new H2Stream(id, exchange, this.#readers));
    spare.reuse(id, exchange);
    return this.adopt(spare);
  }

  /** Take in a stream that has an exchange already. */
  adopt(stream: H2Stream): H2Stream {
    this.#known.set(stream.id, stream);
    this.#newest = stream;
    this.#open += 1;
    if (this.#open > this.#mostOpen) this.#mostOpen = this.#open;
    this.#byAge.push(stream.id);
    // Without this a connection of many short streams would keep the identifiers of all.
    if (this.#byAge.length > 2 * this.#open + FINISHED_KEPT.most) {
      this.#byAge = this.open.map(({ id }) => id);
      this.#eldest = 0;
    }
    return stream;
  }

  /** Both sides ended, or one reset it. Late frames still find it for a while. */
  finish(stream: H2Stream): void {
    if (stream.done) return;
    stream.done = true;
    stream.exchange.complete = stream.ended[C2S] && stream.ended[S2C];
    this.setBlocked(C2S, stream, false);
    this.setBlocked(S2C, stream, false);
    this.#open -= 1;
    this.#keepFinished(stream);
    this.#sink.exchangeDone(stream.exchange);
  }

  /** Whether DATA of that direction has no window left, on a stream or (null) on the whole connection. */
  setBlocked(direction: Direction, stream: H2Stream | null, blocked: boolean): void {
    const before = stream === null ? this.#connectionBlocked[direction] : stream.blocked[direction];
    if (blocked === before) return;
    const was = this.#isBlocked(direction);
    if (stream === null) {
      this.#connectionBlocked[direction] = blocked;
    } else {
      stream.blocked[direction] = blocked;
      this.#blocked[direction] = (this.#blocked[direction] ?? 0) + (blocked ? 1 : -1);
    }
    const is = this.#isBlocked(direction);
    if (is !== was) this.#sink.blocked(direction, is);
  }

  #isBlocked(direction: Direction): boolean {
    return this.#connectionBlocked[direction] === true || (this.#blocked[direction] ?? 0) > 0;
  }

  #keepFinished(stream: H2Stream): void {
    const { least, most } = FINISHED_KEPT;
    this.#finishedIds.push(stream.id);
    if (this.#finishedIds.length - this.#oldestFinished <= Math.min(most, Math.max(least, this.#mostOpen))) return;
    const forgotten = this.#finishedIds[this.#oldestFinished++] ?? 0;
    if (this.#oldestFinished > most) {
      this.#finishedIds = this.#finishedIds.slice(this.#oldestFinished);
      this.#oldestFinished = 0;
    }
    this.#forgotten[forgotten & 1] = Math.max(this.#forgotten[forgotten & 1] ?? 0, forgotten);
    const known = this.#known.get(forgotten);
    if (known !== undefined) this.#forget(known);
  }

  #forget(stream: H2Stream): void {
    this.#known.delete(stream.id);
    if (this.#newest === stream) this.#newest = undefined;
    const [client, server] = this.#readers;
    // Of one that was reset, a body may never have ended.
    stream.bodies[C2S].end(true);
    stream.bodies[S2C].end(true);
    if (client.isReading(stream) || server.isReading(stream)) return;
    if (!stream.upgraded) this.#sink.exchangeForgotten(stream.exchange);
    if (this.#spare.length < FINISHED_KEPT.most) this.#spare.push(stream);
  }

  #finishEldest(direction: Direction): void {
    if (!this.#capped) {
      this.#capped = true;
      const text = `over ${OPEN_STREAMS_CAP} streams are open at once; the eldest are counted as incomplete`;
      this.#sink.note("limit-open-streams", "limit", direction, this.#sink.offset(direction), "RFC 9113 §5.1.2", text);
    }
    for (;;) {
      const stream = this.#known.get(this.#byAge[this.#eldest++] ?? 0);
      if (stream === undefined || stream.done) continue;
      this.finish(stream);
      return;
    }
  }
}
