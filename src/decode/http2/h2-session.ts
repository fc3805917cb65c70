import { FlowControl, HpackDecoder, type Rule, SETTING } from "http2-frame-parser";
import { C2S, DIRECTIONS, type Direction, opposite, S2C } from "../direction.ts";
import type { Exchange } from "../exchange.ts";
import type { Layer } from "../layer.ts";
import type { Schemas } from "../protobuf/message-type.ts";
import type { ConnectionSink } from "../sink.ts";
import { H2Direction } from "./h2-direction.ts";
import { H2Stream } from "./h2-stream.ts";
import { H2Streams } from "./h2-streams.ts";

/** RFC 7540 §3.2: the HTTP/1.1 request that asked for h2c. */
export interface UpgradeRequest {
  readonly exchange: Exchange;
  /** Value of its HTTP2-Settings field: base64url of a SETTINGS payload, as an octet string. */
  readonly http2Settings: string | null;
}

/** How the connection came to be HTTP/2. */
export interface H2SessionOptions {
  /** It is seen from the middle on: no preface, unknown dynamic tables and windows. */
  readonly lateJoin: boolean;
  readonly upgrade: UpgradeRequest | null;
  readonly schemas: Schemas | null;
}

/** What both directions of an HTTP/2 connection share: streams, settings, windows and one HPACK context a direction. */
export class H2Session {
  /** Not all was seen: streams, settings and windows may be others than those that are known. */
  lateJoin: boolean;
  readonly sink: ConnectionSink;
  readonly schemas: Schemas | null;
  readonly streams: H2Streams;
  readonly flow = new FlowControl();
  readonly hpack: readonly [HpackDecoder, HpackDecoder];
  /** DATA octets towards a side that it has not credited with WINDOW_UPDATE on stream 0, by the direction of the DATA. */
  readonly uncredited: [number, number] = [0, 0];
  readonly client: Layer;
  readonly server: Layer;
  readonly #directions: readonly [H2Direction, H2Direction];
  /** Announced and not acknowledged, oldest first, by the direction of the SETTINGS. */
  readonly #unacknowledged: readonly [Limits[], Limits[]] = [[], []];
  readonly #limits: readonly [Limits, Limits] = [DEFAULTS, DEFAULTS];

  constructor(sink: ConnectionSink, { lateJoin, upgrade, schemas }: H2SessionOptions) {
    this.lateJoin = lateJoin;
    this.sink = sink;
    this.schemas = schemas;
    this.hpack = [new HpackDecoder({ lateJoin }), new HpackDecoder({ lateJoin })];
    const client = new H2Direction(this, C2S, !lateJoin);
    const server = new H2Direction(this, S2C, false);
    this.#directions = [client, server];
    this.client = client;
    this.server = server;
    this.streams = new H2Streams(sink, [client, server]);
    if (upgrade !== null) this.#upgrade(upgrade);
  }

  /** SETTINGS of `direction`: identifier, value, … in wire order. */
  announce(direction: Direction, settings: readonly number[]): void {
    this.flow.settings(direction, settings);
    const pending = this.#unacknowledged[direction];
    const limits = { ...(pending.at(-1) ?? this.#limits[direction]) };
    for (let at = 0; at + 1 < settings.length; at += 2) {
      const identifier = settings[at] ?? 0;
      const value = settings[at + 1] ?? 0;
      this.sink.setting(direction, identifier, value);
      if (identifier === SETTING.HEADER_TABLE_SIZE) limits.tableSize = value;
      if (identifier === SETTING.MAX_FRAME_SIZE) limits.frameSize = value;
    }
    pending.push(limits);
    // RFC 9113 §6.5.3: the peer applies them when it receives them and then acknowledges; until we see that, both values are right.
    this.#apply(direction);
    if (pending.length > UNACKNOWLEDGED_CAP) pending.shift();
  }

  /**
   * The acknowledgement, in `direction`, of the other side's oldest SETTINGS.
   * @returns the flow-control rule that they break, or null.
   */
  acknowledge(direction: Direction): Rule | null {
    const side = opposite(direction);
    const applied = this.#unacknowledged[side].shift();
    if (applied !== undefined) {
      (this.#limits as [Limits, Limits])[side] = applied;
      this.#apply(side);
    }
    const before = this.flow.streamWindow(direction, UNUSED_STREAM);
    const rule = this.flow.settingsAck(direction);
    if (this.lateJoin) return null;
    // Looked at stream by stream only where the initial window changed: acknowledgements cost their sender 9 octets.
    if (this.flow.streamWindow(direction, UNUSED_STREAM) !== before) {
      for (const stream of this.streams.open) this.#followStream(direction, stream);
    }
    return rule;
  }

  /** Frames of `direction` were not seen: content, table entries, settings, window updates. */
  lose(direction: Direction): void {
    this.lateJoin = true;
    this.hpack[opposite(direction)].forgetMaxTableSize();
    for (const stream of this.streams.open) {
      stream.bodies[direction].gap(null);
      for (const side of DIRECTIONS) this.streams.setBlocked(side, stream, false);
    }
    for (const side of DIRECTIONS) this.streams.setBlocked(side, null, false);
  }

  /** Both sides of the stream ended, or one reset it. */
  finish(stream: H2Stream): void {
    this.flow.closeStream(stream.id);
    this.streams.finish(stream);
  }

  /** The window of DATA in `direction` changed, of one stream or (0) of the connection: whether its sender is blocked now. */
  followWindow(direction: Direction, streamId: number): void {
    if (this.lateJoin) return;
    if (streamId === 0) {
      this.streams.setBlocked(direction, null, this.flow.connectionWindow(direction) <= 0);
      return;
    }
    const stream = this.streams.get(streamId);
    if (stream !== undefined) this.#followStream(direction, stream);
  }

  #followStream(direction: Direction, stream: H2Stream): void {
    this.streams.setBlocked(direction, stream, stream.sends(direction) && this.flow.streamWindow(direction, stream.id) <= 0);
  }

  /** The settings of one side bind what the other side sends. */
  #apply(side: Direction): void {
    const candidates = [this.#limits[side], ...this.#unacknowledged[side]];
    const sender = opposite(side);
    this.hpack[sender].setMaxTableSize(Math.max(...candidates.map((limits) => limits.tableSize)));
    this.#directions[sender].maxFrameSize = Math.max(...candidates.map((limits) => limits.frameSize));
  }

  #upgrade({ exchange, http2Settings }: UpgradeRequest): void {
    this.sink.becomeStream(exchange, 1);
    const stream = this.streams.adopt(new H2Stream(1, exchange, this.#directions));
    // RFC 7540 §3.2: stream 1 is half-closed from the client; the 101 is implied to acknowledge the settings.
    stream.upgraded = true;
    stream.requested = true;
    stream.ended[C2S] = true;
    const settings = http2Settings === null ? [] : settingsOfField(http2Settings);
    if (settings.length === 0) return;
    this.announce(C2S, settings);
    this.acknowledge(S2C);
  }
}

/** SETTINGS that nobody acknowledges must not pile up; past this the oldest count as applied never. */
const UNACKNOWLEDGED_CAP = 64;

/** A stream identifier that no frame can have: its window is the initial one. */
const UNUSED_STREAM = -1;

interface Limits {
  tableSize: number;
  frameSize: number;
}

/** RFC 9113 §6.5.2: initial values. */
const DEFAULTS: Limits = { tableSize: 4096, frameSize: 16384 };

/** RFC 7540 §3.2.1: base64url of a SETTINGS payload, without padding. Octets that do not fill a setting give none. */
function settingsOfField(value: string): number[] {
  const payload = Buffer.from(value.trim(), "base64url");
  const settings: number[] = [];
  for (let at = 0; at + 6 <= payload.length; at += 6) settings.push(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
  return settings;
}
