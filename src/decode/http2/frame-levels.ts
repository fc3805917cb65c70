import { FRAME_TYPE, type Frame } from "http2-frame-parser";
import { type Direction, opposite } from "../direction.ts";
import { LEVEL } from "../level.ts";

/** What a direction's levels depend on beside its own frames. */
export interface LevelContext {
  /** Seen from the middle on: the first SETTINGS we see open nothing. */
  readonly lateJoin: boolean;
  /** DATA octets towards a side that it has not credited yet, by the direction of the DATA. */
  readonly uncredited: readonly [number, number];
}

/** Whose the frames of one direction are (docs/ledger.md). Asked once per frame, in wire order, before the frame has its effect. */
export class FrameLevels {
  readonly #context: LevelContext;
  readonly #direction: Direction;
  #settingsSeen = false;
  #settingsAckSeen = false;
  #headersSeen = false;

  constructor(context: LevelContext, direction: Direction) {
    this.#context = context;
    this.#direction = direction;
  }

  /** The level id of the frame, all its octets included. */
  of(frame: Frame): number {
    const onStream = frame.streamId !== 0;
    switch (frame.type) {
      case FRAME_TYPE.SETTINGS:
        return this.#ofSettings(frame);
      case FRAME_TYPE.PING:
        return LEVEL.connection;
      case FRAME_TYPE.GOAWAY:
        return LEVEL.close;
      case FRAME_TYPE.WINDOW_UPDATE: {
        if (onStream) return LEVEL.stream_flow;
        const grows = frame.increment > this.#context.uncredited[opposite(this.#direction)];
        return grows || !this.#headersSeen ? LEVEL.setup : LEVEL.connection;
      }
      case FRAME_TYPE.PRIORITY:
        return onStream ? LEVEL.stream_flow : LEVEL.connection;
      default:
        if (frame.type === FRAME_TYPE.HEADERS) this.#headersSeen = true;
        return onStream ? LEVEL.exclusive : LEVEL.connection;
    }
  }

  #ofSettings({ ack }: Frame): number {
    const seen = ack ? this.#settingsAckSeen : this.#settingsSeen;
    if (ack) this.#settingsAckSeen = true;
    else this.#settingsSeen = true;
    return seen || this.#context.lateJoin ? LEVEL.connection : LEVEL.setup;
  }
}
