import { CATEGORY } from "./category.ts";
import { detectProxyHeader } from "./detect.ts";
import { C2S, DIRECTIONS, type Direction, opposite, S2C } from "./direction.ts";
import type { Exchange } from "./exchange.ts";
import { type DecodeAs, type FirstVerdict, protocolOf, sureStart, type Told, verdictOf } from "./first-octets.ts";
import { HelloSearch } from "./hello-search.ts";
import { ALONE, type Http1Host, type NextProtocol } from "./http1/http1-host.ts";
import { Http1Session } from "./http1/http1-session.ts";
import { H2Session } from "./http2/h2-session.ts";
import type { Layer } from "./layer.ts";
import { LEVEL } from "./level.ts";
import { OpaqueLayer, opaqueLayers } from "./opaque-layer.ts";
import type { Schemas } from "./protobuf/message-type.ts";
import { ProtocolSearch } from "./protocol-search.ts";
import { ProxyHeaderLayer } from "./proxy-header.ts";
import type { LostReason } from "./search.ts";
import type { ConnectionSink } from "./sink.ts";
import { Side, type Taker } from "./stack-side.ts";
import { TlsRecordLayer } from "./tls/record-layer.ts";
import { WebSocketLayer } from "./websocket/frame-layer.ts";

/**
 * Octets kept while a direction waits for the other one to say what follows (an upgrade or CONNECT that is not answered yet, or a 101
 * before the request is whole). A peer may send early, but not much: it cannot know that it will be understood.
 */
export const PARKED_CAP = 256 * 1024;

/** What is known of a connection besides its octets. */
export interface StackOptions {
  /** What is known of protobuf messages; null: nothing. */
  readonly schemas?: Schemas | null;
  /** By direction: its beginning was not seen; its first octets may be in the middle of anything. */
  readonly late?: readonly [c2s: boolean, s2c: boolean];
  /** Taken for granted instead of looked for; null: its first octets tell. */
  readonly decodeAs?: DecodeAs | null;
}

/**
 * Picks the protocol layers of one connection from its first octets and connects them: detection, HTTP/1 to HTTP/2 or a tunnel,
 * PROXY header before anything. Pure: octets in, announcements to the sink out.
 */
export class Stack implements Http1Host {
  readonly #sink: ConnectionSink;
  readonly #schemas: Schemas | null;
  readonly #sides: readonly [Side, Side];
  /** Null also behind a tunnel. */
  #decodeAs: DecodeAs | null;
  #tls: readonly [TlsRecordLayer, TlsRecordLayer] | null = null;
  /** Directions that have something to do before the current layer goes on. */
  readonly #woken: Direction[] = [];
  /** The exchange that an upgrade made into a session of its own: over when both directions are. */
  #upgraded: Exchange | null = null;

  constructor(sink: ConnectionSink, { schemas = null, late = [false, false], decodeAs = null }: StackOptions = {}) {
    this.#schemas = schemas;
    this.#sink = sink;
    this.#decodeAs = decodeAs;
    this.#sides = [new Side(late[C2S]), new Side(late[S2C])];
  }

  /** TLS records seen, by outer content type, for each direction; null when the connection is not TLS. */
  get tlsRecords(): readonly [c2s: readonly number[], s2c: readonly number[]] | null {
    return this.#tls === null ? null : [this.#tls[C2S].records, this.#tls[S2C].records];
  }

  /** Octets taken and not announced. */
  pending(direction: Direction): number {
    const { waiting, prefix, search, layer } = this.#sides[direction];
    return waiting.length + (prefix?.held ?? 0) + (search?.held ?? 0) + (layer?.held ?? 0);
  }

  /** Take the next octets of a direction; borrowed until the call returns. */
  push(direction: Direction, bytes: Uint8Array): void {
    const side = this.#sides[direction];
    side.spoke = true;
    if (side.waiting.length > 0) {
      side.waiting.append(bytes, 0, bytes.length);
      this.#resume(direction);
    } else {
      const taken = this.#run(direction, bytes, 0, bytes.length);
      if (taken < bytes.length) side.waiting.append(bytes, taken, bytes.length);
    }
    if (side.waiting.length > PARKED_CAP && side.layer !== null) this.#giveUpWaiting(direction);
  }

  /**
   * Octets of the direction are missing here: as many as `octets`; null: nobody knows. All that is held of it is announced; what follows
   * is `unattributed.after_gap` up to where it can be read again.
   */
  gap(direction: Direction, octets: number | null): void {
    const side = this.#sides[direction];
    if (side.ended || octets === 0) return;
    // What is missing before the first octet, and nobody knows how much, is the beginning.
    const reason: LostReason = octets === null && !side.spoke ? "late_join" : "after_gap";
    side.afterGap = true;
    side.unseen = true;
    if (side.expected !== null) {
      this.#takeExpected(direction);
      this.#resume(direction);
    }
    this.#truncateWaiting(direction, "octets are missing behind these, which waited for what else would come");
    side.prefix?.end();
    side.prefix = null;
    side.probed = true;
    if (side.search !== null) this.#endSearch(direction);
    if (side.layer !== null) side.layer.gap(octets, reason);
    else side.lost = reason;
    this.#wake();
  }

  /** The direction is over (FIN, or the connection closed). */
  end(direction: Direction): void {
    const side = this.#sides[direction];
    if (side.ended) return;
    side.ended = true;
    this.#finishIfOver(direction);
    this.#finishIfOver(opposite(direction));
  }

  // --- Http1Host

  get requestsUnseen(): boolean {
    return this.#sides[C2S].unseen;
  }

  switched(to: NextProtocol, exchange: Exchange, http2Settings: string | null): void {
    this.#wakeBoth();
    if (to === "h2c") {
      const h2 = new H2Session(this.#sink, { lateJoin: false, upgrade: { exchange, http2Settings }, schemas: this.#schemas });
      this.#sink.protocol("h2", false);
      this.#replace([h2.client, h2.server]);
    } else if (to === "tunnel") {
      this.#decodeAs = null;
      this.#replace([null, null]);
    } else if (to === "websocket" || to === "websocket-deflate") {
      this.#upgraded = exchange;
      exchange.protocol = "ws";
      this.#sink.protocol("ws", false);
      const layer = (direction: Direction) => new WebSocketLayer(this.#sink, direction, exchange, to === "websocket-deflate");
      this.#replace([layer(C2S), layer(S2C)]);
    } else {
      this.#upgraded = exchange;
      const text = "upgraded to a protocol that is not decoded";
      this.#replace(opaqueLayers(this.#sink, exchange, text));
    }
  }

  unparked(): void {
    this.#wakeBoth();
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
      const layer = this.#layerFor(direction, bytes, at, to);
      if (layer === null) return at;
      const before = at;
      at = layer.push(bytes, at, to);
      if (side.prefix?.done === true) side.prefix = null;
      if (at > before) side.afterGap = false;
      const woke = this.#wake();
      if (at === before && !woke && side.taker === layer) return at;
    }
    return at;
  }

  #wakeBoth(): void {
    this.#woken.push(S2C, C2S);
  }

  /** Let the directions run that a layer has just unparked or switched; the client's first. */
  #wake(): boolean {
    const woke = this.#woken.length > 0;
    for (let direction = this.#woken.pop(); direction !== undefined; direction = this.#woken.pop()) {
      this.#resume(direction);
      this.#finishIfOver(direction);
    }
    return woke;
  }

  /** Who takes the octet at `from`; null when its first octets do not tell yet. */
  #layerFor(direction: Direction, bytes: Uint8Array, from: number, to: number): Taker | null {
    const side = this.#sides[direction];
    if (direction === C2S && !side.probed) {
      // Whoever spoke first: a PROXY header stands before everything that the client says.
      const header = detectProxyHeader(bytes, from, to);
      if (header === "more") return null;
      side.probed = true;
      if (header === "yes") side.prefix = new ProxyHeaderLayer(this.#sink, direction);
    }
    if (side.taker !== null) return side.taker;
    const verdict = this.#verdict(direction, bytes, from, to);
    if (verdict === "more") return null;
    if (side.expected !== null) this.#answer(direction, verdict, side.expected);
    else if (verdict === null) this.#searchProtocol(direction);
    else this.#choose(direction, verdict);
    return side.taker;
  }

  #searchProtocol(direction: Direction): void {
    const side = this.#sides[direction];
    side.search = new ProtocolSearch(this.#sink, direction, side.lost ?? "after_gap", (found, rest) => {
      side.search = null;
      side.lost = null;
      this.#choose(direction, found);
      side.layer?.push(rest, 0, rest.length);
    });
  }

  /** What the first octets of a direction are, or are to be taken for; null: they may be in the middle of anything, and have to be searched. */
  #verdict(direction: Direction, bytes: Uint8Array, from: number, to: number): FirstVerdict | null {
    const side = this.#sides[direction];
    const decodeAs = this.#decodeAs;
    if (side.lost === null) return verdictOf(direction, decodeAs, bytes, from, to);
    const start = sureStart(direction, decodeAs, bytes, from, to);
    if (start === "more") return "more";
    if (start !== "no") {
      side.lost = null;
      return start;
    }
    return decodeAs === "h2" ? "h2-late" : decodeAs;
  }

  /** The first direction has told what the connection speaks; what the other one is said to speak waits for its first octets. */
  #choose(direction: Direction, verdict: Told): void {
    const layers = this.#layers(verdict, this);
    this.#speaks(verdict);
    this.#takeOver(direction, layers[direction]);
    const side = opposite(direction);
    const answering = this.#sides[side];
    if (answering.layer !== null) return;
    answering.expected = layers[side];
    answering.told = protocolOf(verdict);
    // What it speaks is not asked: it is what was named, it was given up as unknown, or a search already looks for it.
    if (this.#decodeAs !== null || verdict === "opaque" || answering.search !== null) this.#takeExpected(side);
    this.#woken.push(side);
  }

  /** The second direction to speak: reads what the first one has told, unless its own octets surely are something else. */
  #answer(direction: Direction, verdict: Told | null, expected: Layer): void {
    const side = this.#sides[direction];
    const sure = verdict === "http1" || verdict === "tls" || verdict === "h2" || verdict === "tls-v2";
    if (!sure || protocolOf(verdict) === side.told) {
      this.#takeOver(direction, expected);
      return;
    }
    const text = `one side speaks ${side.told}, the other ${protocolOf(verdict)}: each is read as what it is`;
    this.#sink.note("protocol-mismatch", "warning", direction, this.#sink.offset(direction), null, text);
    const layers = this.#layers(verdict, ALONE);
    // No answer comes to a request: what follows one that asks for an upgrade is read on.
    if (direction === C2S) layers[S2C].end();
    this.#takeOver(direction, layers[direction]);
  }

  /** No octets can say otherwise any more. */
  #takeExpected(direction: Direction): void {
    const { expected } = this.#sides[direction];
    if (expected !== null) this.#takeOver(direction, expected);
  }

  /** The layer reads the direction from here on; when that is in the middle of anything, what a search still holds comes first. */
  #takeOver(direction: Direction, layer: Layer): void {
    const side = this.#sides[direction];
    const { lost, search } = side;
    side.layer = layer;
    side.expected = null;
    side.lost = null;
    side.search = null;
    if (lost === null) return;
    layer.gap(null, lost);
    if (search === null) return;
    const held = search.release();
    layer.push(held, 0, held.length);
  }

  #endSearch(direction: Direction): void {
    const side = this.#sides[direction];
    side.search?.end();
    side.search = null;
  }

  /** Other layers take over; a direction that was given up stays so. */
  #replace(layers: readonly [Layer | null, Layer | null]): void {
    for (const direction of DIRECTIONS) {
      const side = this.#sides[direction];
      if (side.givenUp) continue;
      // Of a client whose request was not seen, something may still be looked for.
      side.search?.drop();
      side.search = null;
      if (side.layer !== null && side.layer.held > 0) side.layer.end();
      side.layer = layers[direction];
      side.expected = null;
      if (!side.afterGap) continue;
      if (side.layer === null) side.lost = "after_gap";
      else side.layer.gap(null, "after_gap");
    }
  }

  /** @param host of an HTTP/1 session. */
  #layers(verdict: Told, host: Http1Host): readonly [Layer, Layer] {
    const sink = this.#sink;
    switch (verdict) {
      case "h2":
      case "h2-late": {
        const h2 = new H2Session(sink, { lateJoin: verdict === "h2-late", upgrade: null, schemas: this.#schemas });
        return [h2.client, h2.server];
      }
      case "http1": {
        const http1 = new Http1Session(sink, host, this.#schemas);
        return [http1.request, http1.response];
      }
      case "tls":
      case "tls-v2":
        return this.#tlsLayers(verdict === "tls-v2");
      case "opaque":
        return this.#mayGoOverToTls(opaqueLayers(sink, null, "no protocol that is decoded begins with these octets"));
    }
  }

  #tlsLayers(versionTwo: boolean): readonly [Layer, Layer] {
    this.#tls = [new TlsRecordLayer(this.#sink, C2S, versionTwo), new TlsRecordLayer(this.#sink, S2C)];
    return this.#tls;
  }

  /** The client's hello comes first. */
  #mayGoOverToTls(unread: readonly [Layer, Layer]): readonly [Layer, Layer] {
    if (this.#decodeAs !== null) return unread;
    const search = (direction: Direction): Layer =>
      new HelloSearch(
        direction,
        unread[direction],
        () => direction === C2S || this.#tls !== null,
        (rest) => {
          unread[direction].end();
          const layers = this.#tls ?? this.#tlsLayers(false);
          if (direction === C2S) this.#sink.protocol("tls", false);
          const layer = layers[direction];
          this.#sides[direction].layer = layer;
          layer.push(rest, 0, rest.length);
        },
      );
    return [search(C2S), search(S2C)];
  }

  #speaks(verdict: Told): void {
    const lateJoin = verdict === "h2-late";
    this.#sink.protocol(protocolOf(verdict), lateJoin);
    if (!lateJoin) return;
    const text = "HTTP/2 without its preface: seen from the middle on; earlier table entries and windows are unknown";
    this.#sink.note("late-join", "info", C2S, this.#sink.offset(C2S), "RFC 9113 §3.4", text);
  }

  // --- Ends

  #finishIfOver(direction: Direction): void {
    const side = this.#sides[direction];
    if (!side.ended) return;
    if (side.expected !== null && side.layer === null) {
      // Too few octets to say otherwise.
      side.probed = true;
      this.#takeExpected(direction);
      this.#resume(direction);
    }
    // Behind a parked request: while the other side lives, it may still tell what these octets are.
    const waits = side.waiting.length > 0 && side.layer !== null && !this.#sides[opposite(direction)].ended;
    if (!waits) this.#finish(direction);
  }

  #finish(direction: Direction): void {
    const side = this.#sides[direction];
    if (side.finished) return;
    side.finished = true;
    if (!side.probed) {
      // Too few octets for a PROXY header are what they look like without one.
      side.probed = true;
      this.#resume(direction);
    }
    side.prefix?.end();
    this.#endSearch(direction);
    side.layer?.end();
    // The end of an answering side unparks the request that waited for it.
    this.#wake();
    this.#truncateWaiting(
      direction,
      "the direction ended before its first octets told a protocol, or before an upgrade was answered",
    );
    if (this.#upgraded !== null && this.#sides[opposite(direction)].finished) {
      this.#upgraded.complete = true;
      this.#sink.exchangeDone(this.#upgraded);
      this.#upgraded = null;
    }
  }

  #truncateWaiting(direction: Direction, text: string): void {
    const { waiting } = this.#sides[direction];
    const left = waiting.length;
    if (left === 0) return;
    waiting.take(left);
    this.#sink.note("truncated", "warning", direction, this.#sink.offset(direction), null, text);
    this.#sink.octets(direction, CATEGORY["unattributed.truncated"], left, LEVEL.unowned, null);
  }

  #giveUpWaiting(direction: Direction): void {
    const side = this.#sides[direction];
    const text = "octets that wait for an upgrade to be decided exceed 256 KiB; they are counted, not decoded";
    this.#sink.note("limit-parked", "limit", direction, this.#sink.offset(direction), null, text);
    side.layer?.end();
    side.givenUp = true;
    side.layer = new OpaqueLayer(this.#sink, direction, "unattributed.opaque", null, text);
    this.#resume(direction);
  }
}
