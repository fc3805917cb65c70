import { C2S, type Direction, S2C } from "../decode/direction.ts";
import type { Exchange, Protocol } from "../decode/exchange.ts";
import { LEVEL } from "../decode/level.ts";
import { CompactCounts } from "./compact-counts.ts";
import { countIndex, newCounts, sumOf } from "./counts.ts";
import type { Linked, LinkedList } from "./linked-list.ts";
import { MessageList } from "./message-list.ts";
import { octetsOf } from "./octets.ts";
import type { Route, RouteCall } from "./route.ts";
import type { ExchangeTally } from "./tally.ts";
import { cutText, textOrNull } from "./text.ts";
import { microseconds, rfc3339 } from "./time.ts";

/** Whose exchanges they are: what a record asks of its connection. */
export interface ExchangeHome {
  /** The finished and listed exchanges of the connection. */
  readonly listed: LinkedList<ExchangeRecord>;
  /** Nobody decodes the connection any more. */
  readonly over: boolean;
}

/**
 * An exchange and its counts, which go once it is no longer listed. They are compact from the beginning, as a hostile peer can keep tens
 * of thousands of exchanges open. Its own properties are those of Exchange and no more, as listeners get it within units; what the
 * ledger keeps beside is behind accessors. When nobody asks for it any more it becomes another exchange: see {@link ExchangeRecord.release}.
 */
export class ExchangeRecord implements Exchange, RouteCall, Linked<ExchangeRecord> {
  id = "";
  stream: number | null = null;
  protocol: Protocol = "opaque";
  method: string | null = null;
  authority: string | null = null;
  path: string | null = null;
  status: number | null = null;
  grpcStatus: number | null = null;
  grpcMessage: string | null = null;
  complete = false;

  #home: ExchangeHome;
  #ordinal = 0;
  #openedNs = 0;
  #previous: ExchangeRecord | null = null;
  #next: ExchangeRecord | null = null;
  #slot = -1;
  #forgotten = false;
  #route: Route | null = null;
  readonly #parts = new CompactCounts();
  #messages: MessageList | null = null;
  #exclusiveC2s = 0;
  #exclusiveS2c = 0;
  #flowC2s = 0;
  #flowS2c = 0;
  /** Nanoseconds since the ledger's start; -1 before it has come to that. */
  #startedNs = -1;
  #respondedNs = -1;
  #doneNs = -1;

  constructor(home: ExchangeHome) {
    this.#home = home;
  }

  /**
   * It begins, as a new exchange of `home`.
   * @param ordinal 1 for the first exchange of its connection, and so on. @param openedNs when a decoder opened it.
   */
  begin(home: ExchangeHome, ordinal: number, id: string, stream: number | null, protocol: Protocol, openedNs: number): void {
    this.#home = home;
    this.#ordinal = ordinal;
    this.#openedNs = openedNs;
    this.id = id;
    this.stream = stream;
    this.protocol = protocol;
    this.method = null;
    this.authority = null;
    this.path = null;
    this.status = null;
    this.grpcStatus = null;
    this.grpcMessage = null;
    this.complete = false;
    this.#forgotten = false;
    this.#route = null;
    this.#exclusiveC2s = 0;
    this.#exclusiveS2c = 0;
    this.#flowC2s = 0;
    this.#flowS2c = 0;
    this.#startedNs = -1;
    this.#respondedNs = -1;
    this.#doneNs = -1;
  }

  get ordinal(): number {
    return this.#ordinal;
  }

  get listed(): LinkedList<ExchangeRecord> {
    return this.#home.listed;
  }

  /** No decoder will name it again. */
  set forgotten(forgotten: boolean) {
    this.#forgotten = forgotten;
  }

  /**
   * It is done and listed nowhere, and no decoder names it: nobody holds it, and it can begin again.
   * @returns whether that is so; then once only.
   */
  release(): boolean {
    if (this.#doneNs < 0 || this.#slot >= 0 || !(this.#forgotten || this.#home.over)) return false;
    this.#doneNs = -1;
    return true;
  }

  /** Neighbours among the live or the listed exchanges of its connection. */
  get previous(): ExchangeRecord | null {
    return this.#previous;
  }

  set previous(neighbour: ExchangeRecord | null) {
    this.#previous = neighbour;
  }

  get next(): ExchangeRecord | null {
    return this.#next;
  }

  set next(neighbour: ExchangeRecord | null) {
    this.#next = neighbour;
  }

  /** Its place in the history while it is listed, else -1. */
  get slot(): number {
    return this.#slot;
  }

  set slot(slot: number) {
    this.#slot = slot;
  }

  /** Kept for ever, so that late octets find it; null until the request is known. */
  get route(): Route | null {
    return this.#route;
  }

  set route(route: Route | null) {
    this.#route = route;
  }

  /** Its counts; none once it is no longer listed. */
  get parts(): CompactCounts {
    return this.#parts;
  }

  get done(): boolean {
    return this.#doneNs >= 0;
  }

  /** Octets of its level `exclusive`. */
  exclusive(direction: Direction): number {
    return direction === C2S ? this.#exclusiveC2s : this.#exclusiveS2c;
  }

  /** Octets of its level `stream_flow`. */
  streamFlow(direction: Direction): number {
    return direction === C2S ? this.#flowC2s : this.#flowS2c;
  }

  /** Count octets while it is live. @param cameNs when the first of them came. */
  add(direction: Direction, category: number, count: number, cameNs: number): void {
    this.#parts.add(countIndex(direction, category), count);
    if (this.#startedNs < 0) this.#startedNs = cameNs;
    if (direction === S2C && this.#respondedNs < 0) this.#respondedNs = cameNs;
  }

  /** Count octets at one of its two levels; a decoder that gives it octets of another level leaves them out of windows. */
  addLevel(direction: Direction, level: number, count: number): void {
    if (level === LEVEL.exclusive) {
      if (direction === C2S) this.#exclusiveC2s += count;
      else this.#exclusiveS2c += count;
    } else if (level === LEVEL.stream_flow) {
      if (direction === C2S) this.#flowC2s += count;
      else this.#flowS2c += count;
    }
  }

  /** Octets that came after it was done; nothing is kept of them here once it is no longer listed. */
  addLate(direction: Direction, category: number, count: number): void {
    if (this.#slot >= 0) this.#parts.add(countIndex(direction, category), count);
  }

  /** Octets of it were another category than was said. */
  move(direction: Direction, from: number, to: number, count: number): void {
    if (this.done && this.#slot < 0) return;
    this.#parts.add(countIndex(direction, from), -count);
    this.#parts.add(countIndex(direction, to), count);
  }

  /** Its messages. */
  get messages(): MessageList {
    this.#messages ??= new MessageList();
    return this.#messages;
  }

  /** The request is known: bound its texts, and let go of longer ones that they were cut from. @returns whether one was cut. */
  keepRequestTexts(limit: number): boolean {
    const { method, authority, path } = this;
    if (method !== null) this.method = cutText(method, limit);
    if (authority !== null) this.authority = cutText(authority, limit);
    if (path !== null) this.path = cutText(path, limit);
    return Math.max(method?.length ?? 0, authority?.length ?? 0, path?.length ?? 0) > limit;
  }

  /** The same for the text of the response. */
  keepResponseText(limit: number): boolean {
    const { grpcMessage } = this;
    if (grpcMessage === null) return false;
    this.grpcMessage = cutText(grpcMessage, limit);
    return grpcMessage.length > limit;
  }

  /** It is done. */
  settle(doneNs: number): void {
    if (this.done) throw new TypeError(`exchange ${this.id} is settled twice`);
    this.#doneNs = doneNs;
  }

  /** It is no longer listed: keep only what late octets need. */
  forget(): void {
    this.#parts.clear();
    if (this.#messages !== null && !this.#messages.clear()) this.#messages = null;
  }

  /** The document as of now. @param epochNs UTC epoch nanoseconds of time 0. */
  tally(epochNs: bigint): ExchangeTally {
    const counts = newCounts();
    this.#parts.addTo(counts);
    const startedNs = this.#startedNs < 0 ? this.#openedNs : this.#startedNs;
    return {
      id: this.id,
      stream: this.stream,
      protocol: this.protocol,
      method: textOrNull(this.method),
      authority: textOrNull(this.authority),
      path: textOrNull(this.path),
      route: textOrNull(this.#route?.name ?? null),
      status: this.status,
      grpc_status: this.grpcStatus,
      started: rfc3339(epochNs, startedNs),
      first_octet_us: this.#respondedNs < 0 ? null : microseconds(startedNs, this.#respondedNs),
      duration_us: this.done ? microseconds(startedNs, this.#doneNs) : null,
      complete: this.complete,
      c2s: octetsOf(counts, C2S, sumOf(counts, C2S), 0, null),
      s2c: octetsOf(counts, S2C, sumOf(counts, S2C), 0, null),
      messages: this.#messages?.tally() ?? [],
    };
  }
}
