import type { ContentSink } from "../content-sink.ts";
import { C2S, type Direction, S2C } from "../direction.ts";
import type { ConnectionSink } from "../sink.ts";
import { H2Stream } from "./h2-stream.ts";

/** Finished streams that are still known, so that frames in flight (RFC 9113 §5.1, "closed") find their exchange. */
const FINISHED_KEPT = 1000;

/** The streams of a connection: all open ones, and the newest finished. */
export class H2Streams {
  readonly #sink: ConnectionSink;
  readonly #content: readonly [ContentSink, ContentSink];
  readonly #known = new Map<number, H2Stream>();
  readonly #finished: number[] = [];
  #oldest = 0;
  /** Identifiers up to here were forgotten, by parity: they do not open again. */
  readonly #forgotten = [0, 0];
  readonly #blocked = [0, 0];
  readonly #connectionBlocked = [false, false];

  constructor(sink: ConnectionSink, content: readonly [ContentSink, ContentSink]) {
    this.#sink = sink;
    this.#content = content;
  }

  /** The stream, open or finished lately. */
  get(id: number): H2Stream | undefined {
    return this.#known.get(id);
  }

  /** The stream, opened when it is new; undefined when it was forgotten long ago. */
  open(id: number): H2Stream | undefined {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    if (id === 0 || id <= (this.#forgotten[id & 1] ?? 0)) return undefined;
    return this.adopt(new H2Stream(id, this.#sink.openExchange(id, "h2"), this.#content));
  }

  /** Take in a stream that has an exchange already. */
  adopt(stream: H2Stream): H2Stream {
    this.#known.set(stream.id, stream);
    return stream;
  }

  /** All that are known. */
  values(): Iterable<H2Stream> {
    return this.#known.values();
  }

  /** Both sides ended, or one reset it. Late frames still find it for a while. */
  finish(stream: H2Stream): void {
    if (stream.done) return;
    stream.done = true;
    stream.exchange.complete = stream.ended[C2S] && stream.ended[S2C];
    this.setBlocked(C2S, stream, false);
    this.setBlocked(S2C, stream, false);
    this.#sink.exchangeDone(stream.exchange);
    // A ring, not a queue: shift() on a long array is no longer cheap.
    const forgotten = this.#finished[this.#oldest];
    this.#finished[this.#oldest] = stream.id;
    this.#oldest = (this.#oldest + 1) % FINISHED_KEPT;
    if (forgotten === undefined) return;
    this.#known.delete(forgotten);
    this.#forgotten[forgotten & 1] = Math.max(this.#forgotten[forgotten & 1] ?? 0, forgotten);
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
}
