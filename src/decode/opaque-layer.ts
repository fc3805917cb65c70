import { CATEGORY, type Category } from "./category.ts";
import { C2S, type Direction, S2C } from "./direction.ts";
import type { Exchange } from "./exchange.ts";
import type { Layer } from "./layer.ts";
import { LEVEL } from "./level.ts";
import type { ConnectionSink } from "./sink.ts";

/** Octets that no decoder reads: counted as one run from here to the end of the direction. */
export class OpaqueLayer implements Layer {
  readonly held = 0;
  readonly #sink: ConnectionSink;
  readonly #direction: Direction;
  readonly #category: number;
  readonly #exchange: Exchange | null;
  readonly #text: string;
  #start = -1;
  #octets = 0;

  /**
   * @param exchange the upgraded session they belong to; null when nobody owns them.
   * @param text why they are not read, for the run's note.
   */
  constructor(
    sink: ConnectionSink,
    direction: Direction,
    category: Category & `unattributed.${string}`,
    exchange: Exchange | null,
    text: string,
  ) {
    this.#sink = sink;
    this.#direction = direction;
    this.#category = CATEGORY[category];
    this.#exchange = exchange;
    this.#text = text;
  }

  push(_bytes: Uint8Array, from: number, to: number): number {
    if (to > from) {
      if (this.#start < 0) {
        this.#start = this.#sink.offset(this.#direction);
        this.#sink.note("opaque", "info", this.#direction, this.#start, null, this.#text);
      }
      this.#octets += to - from;
      const level = this.#exchange === null ? LEVEL.unowned : LEVEL.exclusive;
      this.#sink.octets(this.#direction, this.#category, to - from, level, this.#exchange);
    }
    return to;
  }

  /** What is not read has no place to lose. */
  gap(): void {}

  end(): void {
    if (this.#start < 0 || this.#sink.detail === 0) return;
    const octets = this.#octets;
    // The run can be of any size and is in no grammar: its octets are not shown.
    const part = { category: this.#category, octets, secret: true, path: null, shown: new Uint8Array(0) };
    this.#sink.unit({
      direction: this.#direction,
      offset: this.#start,
      octets,
      exchange: this.#exchange,
      detail: { kind: "unattributed" },
      fields: [],
      fieldsOmitted: 0,
      parts: this.#sink.detail === 3 ? [part] : [],
      octetsOmitted: 0,
      truncated: false,
    });
  }
}

/** Both directions of a connection, or of an upgraded session. @param text see {@link OpaqueLayer}. */
export function opaqueLayers(sink: ConnectionSink, exchange: Exchange | null, text: string): readonly [Layer, Layer] {
  return [
    new OpaqueLayer(sink, C2S, "unattributed.opaque", exchange, text),
    new OpaqueLayer(sink, S2C, "unattributed.opaque", exchange, text),
  ];
}
