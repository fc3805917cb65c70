import { C2S, type Direction, S2C } from "../direction.ts";
import type { ConnectionSink } from "../sink.ts";
import { H2Stream } from "./h2-stream.ts";
import type { StreamBodySink } from "./stream-body.ts";

/** Finished streams that are still known, so that frames in flight (RFC 9113 §5.1, "closed") find their exchange. */
const FINISHED_KEPT = 1000;
/**
 * Open streams of a connection that are followed at once. Servers allow some hundred (MAX_CONCURRENT_STREAMS); a peer that opens more than
 * this without ending any costs memory and nothing else.
 */
export const OPEN_STREAMS_CAP = 16_384;

/** The streams of a connection: the open ones, and the newest finished. */
export class H2Streams {
  readonly #sink: ConnectionSink;
  readonly #content: readonly [StreamBodySink, StreamBodySink];
  readonly #open = new Map<number, H2Stream>();
  /** Open streams by age, from #eldest on; holes where they ended meanwhile. */
  #byAge: number[] = [];
  #eldest = 0;
  readonly #finished = new Map<number, H2Stream>();
  /** A ring, not a queue: shift() on a long array is no longer cheap. */
  readonly #finishedIds: number[] = [];
  #oldestFinished = 0;
  /** Identifiers up to here were forgotten, by parity: they do not open again. */
  readonly #forgotten = [0, 0];
  #capped = false;
  readonly #blocked = [0, 0];
  readonly #connectionBlocked = [false, false];

  constructor(sink: ConnectionSink, content: readonly [StreamBodySink, StreamBodySink]) {
    this.#sink = sink;
    this.#content = content;
  }

  /** Streams not finished. */
  get open(): Iterable<H2Stream> {
    return this.#open.values();
  }

  /** The stream, open or finished lately. */
  get(id: number): H2Stream | undefined {
    return this.#open.get(id) ?? this.#finished.get(id);
  }

  /** Whether the stream was never used as far as we know: not open, and not finished long ago either. */
  isIdle(id: number): boolean {
    return id > (this.#forgotten[id & 1] ?? 0) && this.get(id) === undefined;
  }

  /** The stream, opened when it is idle; undefined for stream 0 and for one forgotten long ago. */
  use(id: number, direction: Direction): H2Stream | undefined {
    const known = this.get(id);
    if (known !== undefined || id === 0 || !this.isIdle(id)) return known;
    if (this.#open.size >= OPEN_STREAMS_CAP) this.#finishEldest(direction);
    return this.adopt(new H2Stream(id, this.#sink.openExchange(id, "h2"), this.#content));
  }

  /** Take in a stream that has an exchange already. */
  adopt(stream: H2Stream): H2Stream {
    this.#open.set(stream.id, stream);
    this.#byAge.push(stream.id);
    // Without this a connection of many short streams would keep the identifiers of all.
    if (this.#byAge.length > 2 * this.#open.size + FINISHED_KEPT) {
      this.#byAge = [...this.#open.keys()];
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
    this.#open.delete(stream.id);
    this.#keepFinished(stream);
    this.#sink.exchangeDone(stream.exchange);
  }

  /** Whether DATA of that direction has no window left, on a stream or (null) on the whole connection. */
  setBlocked(direction: Direction, stream: H2Stream | null, blocked: boolean): void {
    const before = this.#isBlocked(direction);
    if (stream === null) {
      this.#connectionBlocked[direction] = blocked;
    } else if (stream.blocked[direction] !== blocked) {
      stream.blocked[direction] = blocked;
      this.#blocked[direction] = (this.#blocked[direction] ?? 0) + (blocked ? 1 : -1);
    }
    const after = this.#isBlocked(direction);
    if (after !== before) this.#sink.blocked(direction, after);
  }

  #isBlocked(direction: Direction): boolean {
    return this.#connectionBlocked[direction] === true || (this.#blocked[direction] ?? 0) > 0;
  }

  #keepFinished(stream: H2Stream): void {
    const forgotten = this.#finishedIds[this.#oldestFinished];
    this.#finishedIds[this.#oldestFinished] = stream.id;
    this.#oldestFinished = (this.#oldestFinished + 1) % FINISHED_KEPT;
    this.#finished.set(stream.id, stream);
    if (forgotten === undefined) return;
    // Of one that was reset, a body may never have ended.
    for (const body of this.#finished.get(forgotten)?.bodies ?? []) body.end(true);
    this.#finished.delete(forgotten);
    this.#forgotten[forgotten & 1] = Math.max(this.#forgotten[forgotten & 1] ?? 0, forgotten);
  }

  #finishEldest(direction: Direction): void {
    if (!this.#capped) {
      this.#capped = true;
      const text = `over ${OPEN_STREAMS_CAP} streams are open at once; the eldest are counted as incomplete`;
      this.#sink.note("limit-open-streams", "limit", direction, this.#sink.offset(direction), "RFC 9113 §5.1.2", text);
    }
    for (;;) {
      const stream = this.#open.get(this.#byAge[this.#eldest++] ?? 0);
      if (stream === undefined) continue;
      this.finish(stream);
      return;
    }
  }
}
