import type { Rule } from "../core/violation.ts";
import { SETTING } from "./registry.ts";
import { PeerSettings } from "./settings.ts";
import { StreamTable } from "./stream-table.ts";

/** Which way DATA flows: 0 = client to server, 1 = server to client. */
export type FlowDirection = 0 | 1;

/** RFC 9113 §6.9.2: connection windows begin so, and stream windows before any SETTINGS. */
const INITIAL_WINDOW = 65535;
/** RFC 9113 §6.9.1. */
const LARGEST_WINDOW = 0x7fffffff;
/** Streams whose windows are followed at once; beyond it the stream that was first used is forgotten. */
export const FLOW_STREAM_CAP = 65536;

const SPARE_CAP = 256;

/** What flow control demands (RFC 9113 §6.9): the answers of {@link FlowControl}, to be given a span by the caller. */
export const FLOW_RULES = {
  connectionOverflow: { rule: "flow-connection-overflow", errorCode: "FLOW_CONTROL_ERROR", ref: "RFC 9113 §6.9.1" },
  streamOverflow: { rule: "flow-stream-overflow", errorCode: "FLOW_CONTROL_ERROR", ref: "RFC 9113 §6.9.1" },
  settingsOverflow: { rule: "flow-settings-overflow", errorCode: "FLOW_CONTROL_ERROR", ref: "RFC 9113 §6.9.2" },
  connectionExceeded: { rule: "flow-connection-exceeded", errorCode: "FLOW_CONTROL_ERROR", ref: "RFC 9113 §6.9.1" },
  streamExceeded: { rule: "flow-stream-exceeded", errorCode: "FLOW_CONTROL_ERROR", ref: "RFC 9113 §6.9.1" },
} as const satisfies Record<string, Rule>;

/**
 * A stream's windows less the initial window: a change of that applies to all streams at once (RFC 9113 §6.9.2). Linked in the order of
 * first use: the oldest of a map is slow to find once many older ones were deleted.
 */
interface StreamCredit {
  streamId: number;
  c2s: number;
  s2c: number;
  older: StreamCredit | null;
  newer: StreamCredit | null;
}

/**
 * Follows the flow-control windows and settings of one connection, both directions. A window is what the sender of DATA may still send;
 * it can be negative. INITIAL_WINDOW_SIZE takes effect with its ACK, which the sender of DATA gives before it uses the new value; a
 * WINDOW_UPDATE when it passes, which is before the sender of DATA has it, so that no DATA within its window is taken for too much.
 */
export class FlowControl {
  readonly #connection: [number, number] = [INITIAL_WINDOW, INITIAL_WINDOW];
  readonly #initial: [number, number] = [INITIAL_WINDOW, INITIAL_WINDOW];
  readonly #streams = new StreamTable<StreamCredit>();
  /** Of streams that are over, to be used again: they come by the million, and few at a time. */
  readonly #spare: StreamCredit[] = [];
  #oldest: StreamCredit | null = null;
  #newest: StreamCredit | null = null;
  /** No stream has more credit than this, so that most new initial windows need no look at the streams. */
  readonly #mostCredit: [number, number] = [0, 0];
  readonly #settings: readonly [PeerSettings, PeerSettings] = [new PeerSettings(), new PeerSettings()];

  /** Settings announced by the sender of a direction. */
  settingsOf(direction: FlowDirection): PeerSettings {
    return this.#settings[direction];
  }

  /** What the sender of a direction may still send on the connection, in octets. */
  connectionWindow(direction: FlowDirection): number {
    return this.#connection[direction];
  }

  /** What the sender of a direction may still send on a stream, in octets; the initial window for one that was not used yet. */
  streamWindow(direction: FlowDirection, streamId: number): number {
    const credit = this.#streams.get(streamId);
    return this.#initial[direction] + (credit === undefined ? 0 : creditOf(credit, direction));
  }

  /** DATA passed. @param octets its whole payload, padding included. @returns the rule it broke, or null. */
  data(direction: FlowDirection, streamId: number, octets: number): Rule | null {
    this.#connection[direction] -= octets;
    this.#add(direction, streamId, -octets);
    // RFC 9113 §6.9: an empty DATA frame may be sent whatever the window is.
    if (octets === 0) return null;
    if (this.#connection[direction] < 0) return FLOW_RULES.connectionExceeded;
    return this.streamWindow(direction, streamId) < 0 ? FLOW_RULES.streamExceeded : null;
  }

  /**
   * A WINDOW_UPDATE passed.
   * @param direction of the frame: it credits the DATA of the other one.
   * @param streamId 0 for the connection.
   * @returns the rule it broke, or null.
   */
  windowUpdate(direction: FlowDirection, streamId: number, increment: number): Rule | null {
    const credited = opposite(direction);
    if (streamId === 0) {
      this.#connection[credited] += increment;
      return this.#connection[credited] > LARGEST_WINDOW ? FLOW_RULES.connectionOverflow : null;
    }
    this.#add(credited, streamId, increment);
    return this.streamWindow(credited, streamId) > LARGEST_WINDOW ? FLOW_RULES.streamOverflow : null;
  }

  /** A SETTINGS frame without ACK passed. @param pairs identifier, value, … in wire order; copied. */
  settings(direction: FlowDirection, pairs: readonly number[]): void {
    this.#settings[direction].sent(pairs);
  }

  /**
   * A SETTINGS ACK passed: the other side's oldest outstanding SETTINGS is in effect from here on.
   * @param direction of the ACK.
   * @returns the rule that its INITIAL_WINDOW_SIZE broke, or null.
   */
  settingsAck(direction: FlowDirection): Rule | null {
    const settings = this.#settings[opposite(direction)];
    if (!settings.acknowledge()) return null;
    const before = this.#initial[direction];
    this.#initial[direction] = settings.value(SETTING.INITIAL_WINDOW_SIZE) ?? INITIAL_WINDOW;
    if (this.#initial[direction] <= before) return null;
    const allowed = LARGEST_WINDOW - this.#initial[direction];
    if (this.#mostCredit[direction] <= allowed) return null;
    this.#mostCredit[direction] = this.#findMostCredit(direction);
    return this.#mostCredit[direction] <= allowed ? null : FLOW_RULES.settingsOverflow;
  }

  /** A stream was closed in both directions: forget its windows. Its late DATA still counts on the connection. */
  closeStream(streamId: number): void {
    const credit = this.#streams.get(streamId);
    if (credit !== undefined) this.#forget(credit);
  }

  #add(direction: FlowDirection, streamId: number, octets: number): void {
    const credit = this.#streams.get(streamId) ?? this.#begin(streamId);
    if (direction === 0) credit.c2s += octets;
    else credit.s2c += octets;
    if (octets > 0) this.#mostCredit[direction] = Math.max(this.#mostCredit[direction], creditOf(credit, direction));
  }

  #begin(streamId: number): StreamCredit {
    if (this.#oldest !== null && this.#streams.size >= FLOW_STREAM_CAP) this.#forget(this.#oldest);
    const credit = this.#spare.pop() ?? { streamId, c2s: 0, s2c: 0, older: null, newer: null };
    credit.streamId = streamId;
    credit.c2s = 0;
    credit.s2c = 0;
    credit.older = this.#newest;
    credit.newer = null;
    if (this.#newest === null) this.#oldest = credit;
    else this.#newest.newer = credit;
    this.#newest = credit;
    this.#streams.set(streamId, credit);
    return credit;
  }

  #forget(credit: StreamCredit): void {
    const { streamId, older, newer } = credit;
    if (older === null) this.#oldest = newer;
    else older.newer = newer;
    if (newer === null) this.#newest = older;
    else newer.older = older;
    this.#streams.delete(streamId);
    credit.older = null;
    credit.newer = null;
    if (this.#spare.length < SPARE_CAP) this.#spare.push(credit);
  }

  #findMostCredit(direction: FlowDirection): number {
    let most = 0;
    for (let credit = this.#oldest; credit !== null; credit = credit.newer) most = Math.max(most, creditOf(credit, direction));
    return most;
  }
}

function creditOf(credit: StreamCredit, direction: FlowDirection): number {
  return direction === 0 ? credit.c2s : credit.s2c;
}

function opposite(direction: FlowDirection): FlowDirection {
  return direction === 0 ? 1 : 0;
}
