import { CATEGORY } from "./category.ts";
import { detect, type Verdict } from "./detect.ts";
import { C2S, DIRECTIONS, type Direction, opposite, S2C } from "./direction.ts";
import type { Exchange, Protocol } from "./exchange.ts";
import type { Http1Host } from "./http1/http1-host.ts";
import { Http1Session } from "./http1/http1-session.ts";
import { H2Session } from "./http2/h2-session.ts";
import type { Layer } from "./layer.ts";
import { LEVEL } from "./level.ts";
import { OctetBuffer } from "./octet-buffer.ts";
import { OpaqueLayer } from "./opaque-layer.ts";
import { ProxyHeaderLayer } from "./proxy-header.ts";
import type { ConnectionSink } from "./sink.ts";
import { TlsRecordLayer } from "./tls/record-layer.ts";

/**
 * Octets kept while a direction waits for the other one to say what follows (an upgrade or CONNECT that is not answered yet). A client
 * may send early, but not much: it cannot know that it will be understood.
 */
export const PARKED_CAP = 256 * 1024;

/**
 * Picks the protocol layers of one connection from its first octets and connects them: detection, HTTP/1 to HTTP/2 or a tunnel,
 * PROXY header before anything. Pure: octets in, announcements to the sink out.
 */
export class Stack implements Http1Host {
  readonly #sink: ConnectionSink;
  readonly #sides: readonly [Side, Side] = [new Side(), new Side()];
  #tls: readonly [TlsRecordLayer, TlsRecordLayer] | null = null;
  /** Directions that have something to do before the current layer goes on. */
  readonly #woken: Direction[] = [];

  constructor(sink: ConnectionSink) {
    this.#sink = sink;
  }

  /** TLS records seen, by outer content type, for each direction; null when the connection is not TLS. */
  get tlsRecords(): readonly [c2s: readonly number[], s2c: readonly number[]] | null {
    return this.#tls === null ? null : [this.#tls[C2S].records, this.#tls[S2C].records];
  }

  /** Octets taken and not announced. */
  pending(direction: Direction): number {
    const { waiting, layer } = this.#sides[direction];
    return waiting.length + (layer?.held ?? 0);
  }

  /** Take the next octets of a direction; borrowed until the call returns. */
  push(direction: Direction, bytes: Uint8Array): void {
    const side = this.#sides[direction];
    if (side.waiting.length > 0) {
      side.waiting.append(bytes, 0, bytes.length);
      this.#resume(direction);
    } else {
      const taken = this.#run(direction, bytes, 0, bytes.length);
      if (taken < bytes.length) side.waiting.append(bytes, taken, bytes.length);
    }
    if (side.waiting.length > PARKED_CAP && side.layer !== null) this.#giveUpWaiting(direction);
  }

  /** The direction is over (FIN, or the connection closed). */
  end(direction: Direction): void {
    const side = this.#sides[direction];
    if (side.ended) return;
    side.ended = true;
    // A parked direction may still be told what its octets are, while the other one lives.
    const waits = side.waiting.length > 0 && side.layer !== null && !this.#sides[opposite(direction)].ended;
    if (!waits) this.#finish(direction);
    const other = opposite(direction);
    if (this.#sides[other].ended) this.#finish(other);
  }

  // --- Http1Host

  switched(to: "h2c" | "tunnel" | "opaque", exchange: Exchange, http2Settings: string | null): void {
    if (to === "h2c") {
      const h2 = new H2Session(this.#sink, { lateJoin: false, upgrade: { exchange, http2Settings } });
      this.#sink.protocol("h2", false);
      this.#sides[C2S].layer = h2.client;
      this.#sides[S2C].layer = h2.server;
    } else {
      for (const direction of DIRECTIONS) {
        this.#sides[direction].layer =
          to === "tunnel"
            ? null
            : new OpaqueLayer(
                this.#sink,
                direction,
                "unattributed.opaque",
                exchange,
                "upgraded to a protocol that is not decoded",
              );
      }
    }
    this.#woken.push(C2S);
  }

  unparked(): void {
    this.#woken.push(C2S);
  }

  // --- Running layers

  #resume(direction: Direction): void {
    const side = this.#sides[direction];
    const { waiting } = side;
    // Already running: its own loop goes on when the layer that woke it returns.
    if (waiting.length === 0 || side.running) return;
    const bytes = waiting.bytes;
    side.running = true;
    waiting.take(this.#run(direction, bytes, 0, bytes.length));
    side.running = false;
  }

  /** @returns the position up to which octets were taken. */
  #run(direction: Direction, bytes: Uint8Array, from: number, to: number): number {
    const side = this.#sides[direction];
    let at = from;
    while (at < to) {
      const layer = side.layer ?? this.#layerFor(direction, bytes, at, to);
      if (layer === null) return at;
      const before = at;
      at = layer.push(bytes, at, to);
      if (layer instanceof ProxyHeaderLayer && layer.done) side.layer = null;
      const woke = this.#wake();
      if (at === before && !woke && side.layer === layer) return at;
    }
    return at;
  }

  /** Let the directions run that a layer has just unparked or switched. */
  #wake(): boolean {
    const woke = this.#woken.length > 0;
    for (let direction = this.#woken.pop(); direction !== undefined; direction = this.#woken.pop()) {
      this.#resume(direction);
      if (this.#sides[direction].ended) this.#finish(direction);
    }
    return woke;
  }

  #layerFor(direction: Direction, bytes: Uint8Array, from: number, to: number): Layer | null {
    const verdict = detect(direction, bytes, from, to);
    if (verdict === "more") return null;
    this.#choose(direction, verdict);
    return this.#sides[direction].layer;
  }

  #choose(direction: Direction, verdict: Exclude<Verdict, "more">): void {
    const side = this.#sides[direction];
    const other = this.#sides[opposite(direction)];
    if (verdict === "proxy-header") {
      side.layer = new ProxyHeaderLayer(this.#sink, direction);
      return;
    }
    const layers = this.#layers(verdict);
    side.layer = layers[direction];
    if (other.layer !== null) return;
    other.layer = layers[opposite(direction)];
    this.#woken.push(opposite(direction));
  }

  #layers(verdict: Exclude<Verdict, "more" | "proxy-header">): readonly [Layer, Layer] {
    const sink = this.#sink;
    switch (verdict) {
      case "h2":
      case "h2-late": {
        this.#speaks("h2", verdict === "h2-late");
        const h2 = new H2Session(sink, { lateJoin: verdict === "h2-late", upgrade: null });
        return [h2.client, h2.server];
      }
      case "http1": {
        this.#speaks("http1", false);
        const http1 = new Http1Session(sink, this);
        return [http1.request, http1.response];
      }
      case "tls":
        this.#speaks("tls", false);
        this.#tls = [new TlsRecordLayer(sink, C2S), new TlsRecordLayer(sink, S2C)];
        return this.#tls;
      case "opaque": {
        this.#speaks("opaque", false);
        const text = "no protocol that is decoded begins with these octets";
        return [
          new OpaqueLayer(sink, C2S, "unattributed.opaque", null, text),
          new OpaqueLayer(sink, S2C, "unattributed.opaque", null, text),
        ];
      }
    }
  }

  #speaks(protocol: Protocol, lateJoin: boolean): void {
    this.#sink.protocol(protocol, lateJoin);
    if (!lateJoin) return;
    const text = "HTTP/2 without its preface: seen from the middle on; earlier table entries and windows are unknown";
    this.#sink.note("late-join", "info", C2S, this.#sink.offset(C2S), "RFC 9113 §3.4", text);
  }

  // --- Ends

  #finish(direction: Direction): void {
    const side = this.#sides[direction];
    if (side.finished) return;
    side.finished = true;
    side.layer?.end();
    // The end of an answering side unparks the request that waited for it.
    this.#wake();
    const left = side.waiting.length;
    if (left === 0) return;
    side.waiting.take(left);
    const text = "the direction ended before its first octets told a protocol, or before an upgrade was answered";
    this.#sink.note("truncated", "warning", direction, this.#sink.offset(direction), null, text);
    this.#sink.octets(direction, CATEGORY["unattributed.truncated"], left, LEVEL.unowned, null);
  }

  #giveUpWaiting(direction: Direction): void {
    const side = this.#sides[direction];
    const text = "octets after an unanswered upgrade exceed 256 KiB; they are counted, not decoded";
    this.#sink.note("limit-parked", "limit", direction, this.#sink.offset(direction), null, text);
    side.layer?.end();
    side.layer = new OpaqueLayer(this.#sink, direction, "unattributed.opaque", null, text);
    this.#resume(direction);
  }
}

/** What the stack knows of one direction. */
class Side {
  /** null until its first octets have told a protocol. */
  layer: Layer | null = null;
  /** Octets that no layer has taken: not enough to tell a protocol, or behind a parked request. */
  readonly waiting = new OctetBuffer();
  running = false;
  ended = false;
  finished = false;
}
