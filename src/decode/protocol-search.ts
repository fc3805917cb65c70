import { FRAME_HEADER_OCTETS } from "http2-frame-parser";
import type { Direction } from "./direction.ts";
import { StartLineSearch } from "./http1/start-line-search.ts";
import { frameAt, INITIAL_MAX_FRAME_SIZE, LAST_KNOWN_TYPE } from "./http2/frame-shape.ts";
import type { Layer } from "./layer.ts";
import { Resync } from "./resync.ts";
import { BorderSearch, type LostReason } from "./search.ts";
import type { ConnectionSink } from "./sink.ts";
import { RECORD_HEADER_OCTETS, recordAt } from "./tls/record-shape.ts";

/** What a search finds. */
export type FoundProtocol = "h2-late" | "http1" | "tls";

/** A direction that is read from the middle, in nobody knows which protocol: looks for the units of all of them. */
export class ProtocolSearch implements Omit<Layer, "gap"> {
  readonly #resync: Resync;
  readonly #searches: readonly [StartLineSearch, BorderSearch, BorderSearch];
  readonly #found: (protocol: FoundProtocol, rest: Uint8Array) => void;

  /** @param found told when units are found: they begin with `rest`, and with what follows. The search is over then. */
  constructor(
    sink: ConnectionSink,
    direction: Direction,
    reason: LostReason,
    found: (protocol: FoundProtocol, rest: Uint8Array) => void,
  ) {
    this.#found = found;
    this.#searches = [
      new StartLineSearch(direction),
      // Nine octets that could be a frame header are nothing rare, a record that ends with its direction is.
      new BorderSearch(
        (bytes, at, to) => frameAt(bytes, at, to, INITIAL_MAX_FRAME_SIZE, LAST_KNOWN_TYPE),
        FRAME_HEADER_OCTETS,
        false,
      ),
      new BorderSearch(recordAt, RECORD_HEADER_OCTETS, true),
    ];
    this.#resync = new Resync(sink, direction, this.#searches);
    this.#resync.begin(reason);
  }

  get held(): number {
    return this.#resync.held;
  }

  push(bytes: Uint8Array, from: number, to: number): number {
    const at = this.#resync.push(bytes, from, to);
    if (at < 0) return to;
    this.#tell();
    return at;
  }

  end(): void {
    this.#resync.end();
    if (this.#resync.found !== null) this.#tell();
  }

  /** Another direction has told the protocol. @returns what is held, which nobody has announced. */
  release(): Uint8Array {
    return this.#resync.release();
  }

  /** What follows is known, and nothing of what came before it. */
  drop(): void {
    this.#resync.drop();
  }

  #tell(): void {
    const { found } = this.#resync;
    const [http1, h2] = this.#searches;
    this.#found(found === http1 ? "http1" : found === h2 ? "h2-late" : "tls", this.#resync.takeRest());
  }
}
