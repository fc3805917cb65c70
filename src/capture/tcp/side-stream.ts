import type { Conversation, ConversationHandler, PacketCounts, Side } from "../conversation.ts";
import { TCP_FLAG, type TcpSegment } from "../tcp-segment.ts";
import { HeldSegments } from "./held-segments.ts";
import type { HeldTotal, Holder } from "./held-total.ts";
import type { TcpLimits } from "./limits.ts";
import { tellDifference } from "./octet-difference.ts";
import { type Allowance, RecentOctets } from "./recent-octets.ts";
import { StreamNotes } from "./stream-notes.ts";

/** What the sides of all conversations share. */
export interface Reassembly {
  readonly handler: ConversationHandler;
  readonly limits: TcpLimits;
  readonly held: HeldTotal;
  readonly recent: Allowance;
}

/** A RST ahead of everything seen is believed so far: what lies between may have been lost to the capture. */
const RESET_AHEAD_OCTETS = 1_048_576;

/**
 * The octets of one side, put in order. Sequence numbers are mapped to offsets: 0 is the octet after SYN, or the first one that was
 * seen; a sequence number means the offset nearest to the edge (serial arithmetic), so they may wrap around at will.
 *
 * An octet is passed on as soon as all before it were, once; of copies the first one counts. Octets behind a hole are copied and wait.
 * The hole is given up, and becomes a gap,
 * - when the other side acknowledged all of it and, after that was seen, `patiencePackets` more packets of the conversation did not
 *   bring it. The acknowledgement proves that the octets existed and will not be sent again; the patience is for captures that hold
 *   an acknowledgement before the data that it is for (merged taps, receive queues of several processors).
 * - when a cap is reached, and when the conversation ends.
 * Data of the other side alone never does it, nor does time. A segment that the capture cut is a gap of the cut length at once.
 */
export class SideStream implements Holder {
  readonly #shared: Reassembly;
  readonly #conversation: Conversation;
  readonly #side: Side;
  readonly #counts: PacketCounts;
  readonly #held = new HeldSegments();
  readonly #recent: RecentOctets;
  readonly #notes: StreamNotes;
  #initialSequence: number | null = null;
  /** What the first octet's sequence number is, by SYN or by the other side's SYN ACK. */
  #firstSequence: number | null = null;
  #begun = false;
  /** Offset of the next octet to pass on, and its sequence number. */
  #edge = 0;
  #edgeSequence = 0;
  /** Offset after the last octet that was seen. */
  #seen = 0;
  /** Offset up to which the other side acknowledged. */
  #acknowledged = 0;
  /** The conversation's packets when the hole at the edge was first known to be acknowledged. */
  #lossKnownAt: number | null = null;
  #finAt: number | null = null;
  #finTimeNs: bigint | null = null;
  #finTold = false;
  /** Times of one side never go back: octets that waited for others have the time of the last of them. */
  #timeNs: bigint | null = null;

  constructor(shared: Reassembly, conversation: Conversation, side: Side) {
    this.#shared = shared;
    this.#conversation = conversation;
    this.#side = side;
    this.#counts = conversation.counts[side];
    this.#recent = new RecentOctets(shared.recent);
    this.#notes = new StreamNotes(shared.handler, conversation, side);
  }

  /** The sequence number of its SYN; null: not seen. */
  get initialSequence(): number | null {
    return this.#initialSequence;
  }

  /** Whether any octet, or FIN, was seen. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Whether FIN is known, however much is missing before it. */
  get finSeen(): boolean {
    return this.#finAt !== null;
  }

  /** Whether FIN was passed on: it was next, and acknowledged. */
  get finished(): boolean {
    return this.#finTold;
  }

  /** Whether the first octet has this sequence number; null: where it begins is not known yet. */
  beginsAt(sequence: number): boolean | null {
    return this.#firstSequence === null ? null : this.#firstSequence === sequence;
  }

  /** Its SYN was seen. */
  synchronize(sequence: number): void {
    this.#initialSequence = sequence;
    if (!this.#begun) this.#firstSequence = (sequence + 1) >>> 0;
  }

  /** The other side's handshake says which sequence number its first octet has. */
  expect(sequence: number): void {
    this.#firstSequence ??= sequence;
  }

  /** Take the payload and the FIN of a segment; `sequence` is that of the first octet of payload. */
  take(segment: TcpSegment, sequence: number, fin: boolean): void {
    // RFC 9293 §3.10.7.3: an end before the beginning does not count where the beginning can still come.
    if (segment.payloadLength === 0 && this.#firstSequence === null && this.#conversation.client !== null) return;
    if (!this.#begun) this.#begin(sequence, segment.timeNs);
    const at = this.#offsetOf(sequence);
    const end = at + segment.payloadLength;
    if (!fin && this.#isNext(segment, at)) {
      this.#passOn(segment.payload, segment.payloadLength, segment.packetNumber, segment.timeNs);
      this.#seen = end;
      return;
    }
    if (isKeepAlive(segment) && (at === this.#edge - 1 || at === this.#finAt)) {
      this.repeat(1);
      return;
    }
    const { retransmitted_octets } = this.#counts;
    this.#place(segment, at, end);
    const fresh = end - Math.max(at, 0) - (this.#counts.retransmitted_octets - retransmitted_octets);
    if (fresh > Math.max(0, end - Math.max(at, this.#seen))) this.#counts.out_of_order++;
    if (end > this.#seen) this.#seen = end;
    // Of several that were not passed on, the last one: an earlier one was not believed, or came again.
    if (fin && !this.#finTold && end !== this.#finAt && end >= Math.max(this.#edge, this.#held.end)) {
      this.#finAt = end;
      this.#finTimeNs = segment.timeNs;
    }
    this.#passOnHeld();
  }

  /** Whether octets are behind all that this side, which is over, had. */
  isBeyond(sequence: number, length: number): boolean {
    return length > 0 && (!this.#begun || this.#offsetOf(sequence) + length > this.#edge);
  }

  /** Octets came again. */
  repeat(length: number): void {
    this.#counts.retransmitted_octets += length;
  }

  /** The other side acknowledged all before `sequence`. */
  acknowledge(sequence: number): void {
    if (this.#firstSequence === null) return;
    const at = this.#begun ? this.#offsetOf(sequence) : (sequence - this.#firstSequence) | 0;
    if (at > this.#acknowledged) this.#acknowledged = at;
    if (this.#finAt !== null && at > this.#finAt) this.#tellFin();
  }

  /** Give up the hole at the edge when it is acknowledged and the patience is at an end; `packets` of the conversation came so far. */
  reconsider(packets: number): void {
    const behind = this.#behindHole();
    if (this.#acknowledged < behind) return;
    this.#lossKnownAt ??= packets;
    if (packets - this.#lossKnownAt >= this.#shared.limits.patiencePackets) this.#giveUpHole();
  }

  /** Give up the hole at the edge because a cap was reached. */
  letGo(): void {
    this.#notes.limit(this.#shared.limits);
    this.#giveUpHole();
  }

  /** Nothing more will come: pass on all that is held, with its gaps. */
  flush(): void {
    while (this.#behindHole() !== Number.POSITIVE_INFINITY) this.#giveUpHole();
    this.#tellFin();
  }

  /** Give back what is kept for comparing. */
  release(): void {
    this.#recent.release();
  }

  /**
   * Whether a RST with this sequence number can be of this side: not before what the other side acknowledged (RFC 9293 §3.10.7.4), and not
   * far ahead of what was seen.
   */
  allowsReset(sequence: number): boolean {
    if (!this.#begun) return this.#firstSequence === null || ((sequence + 1 - this.#firstSequence) | 0) >= 0;
    const at = this.#offsetOf(sequence);
    return at >= Math.min(this.#edge, this.#acknowledged) && at <= this.#seen + RESET_AHEAD_OCTETS;
  }

  /** Tell that this side sent RST. */
  tellReset(timeNs: bigint | null): void {
    this.#shared.handler.reset(this.#conversation, this.#side, this.#later(timeNs));
  }

  /** The hole at the edge, if any, becomes a gap; what is behind it is passed on. */
  #giveUpHole(): void {
    const behind = this.#behindHole();
    if (behind === Number.POSITIVE_INFINITY) return;
    const waiting = this.#held.first();
    this.#gap(behind - this.#edge, waiting === undefined ? this.#finTimeNs : waiting.timeNs);
    this.#passOnHeld();
  }

  #begin(sequence: number, timeNs: bigint | null): void {
    this.#begun = true;
    // The other side may have acknowledged octets that this capture holds only later: what is seen first then counts as the beginning.
    const known = this.#initialSequence !== null || (this.#firstSequence !== null && ((sequence - this.#firstSequence) | 0) >= 0);
    if (!known) {
      this.#acknowledged += ((this.#firstSequence ?? sequence) - sequence) | 0;
      this.#firstSequence = sequence;
    }
    this.#edgeSequence = this.#firstSequence!;
    if (!known) this.#shared.handler.gap(this.#conversation, this.#side, null, this.#later(timeNs));
  }

  #offsetOf(sequence: number): number {
    return this.#edge + ((sequence - this.#edgeSequence) | 0);
  }

  /** Whether its octets are the next ones and nothing else is to be thought of, as with nearly all of them. */
  #isNext(segment: TcpSegment, at: number): boolean {
    return at === this.#edge && at >= this.#seen && this.#finAt === null && this.#held.count === 0 && segment.payloadLength > 0;
  }

  /** Place octets `[first, last)` of a segment: again, next, or behind a hole. */
  #place(segment: TcpSegment, first: number, last: number): void {
    const end = this.#finTold ? Math.min(last, this.#edge) : last;
    if (this.#finAt !== null && last > this.#finAt) {
      this.#notes.afterFin(segment.packetNumber, !this.#finTold);
      if (!this.#finTold) this.#finAt = null;
    }
    for (let at = first; at < end; ) {
      if (at < this.#edge) {
        const again = Math.min(end, this.#edge);
        this.#repeated(segment, first, at, again);
        at = again;
      } else if (at > this.#edge) {
        this.#hold(segment, first, at, end);
        return;
      } else {
        const next = Math.min(end, this.#held.start);
        this.#passOn(octetsOf(segment, first, at, next), next - at, segment.packetNumber, segment.timeNs);
        at = next;
        this.#passOnHeld();
      }
    }
  }

  #passOn(octets: Uint8Array, length: number, packetNumber: number, timeNs: bigint | null): void {
    const time = this.#later(timeNs);
    const at = this.#edge;
    this.#advance(octets.length);
    if (octets.length > 0) {
      this.#recent.add(at, octets, packetNumber);
      this.#shared.handler.data(this.#conversation, this.#side, octets, packetNumber, time);
    }
    if (octets.length < length) this.#gap(length - octets.length, timeNs);
  }

  #passOnHeld(): void {
    while (this.#held.start === this.#edge) {
      const { cost } = this.#held;
      const held = this.#held.shift()!;
      this.#shared.held.change(this, this.#held.cost - cost, this.#held.count);
      this.#passOn(held.octets, held.end - held.at, held.packetNumber, held.timeNs);
    }
    if (this.#finAt !== null && this.#acknowledged > this.#finAt) this.#tellFin();
  }

  /**
   * Pass FIN on when it is next. Only when it is acknowledged, or nothing more can come: a FIN that the receiver did not believe
   * (damaged or forged) would cut the stream short.
   */
  #tellFin(): void {
    if (this.#edge !== this.#finAt || this.#finTold) return;
    this.#finTold = true;
    this.#shared.handler.fin(this.#conversation, this.#side, this.#later(this.#finTimeNs));
  }

  #gap(octets: number, timeNs: bigint | null): void {
    this.#counts.missing_octets += octets;
    this.#advance(octets);
    this.#shared.handler.gap(this.#conversation, this.#side, octets, this.#later(timeNs));
  }

  #advance(octets: number): void {
    this.#edge += octets;
    this.#edgeSequence = (this.#edgeSequence + octets) >>> 0;
    this.#lossKnownAt = null;
  }

  /** Offset of what waits behind the hole at the edge: octets or FIN; Infinity: nothing waits. */
  #behindHole(): number {
    if (this.#held.count > 0) return this.#held.start;
    return this.#finAt !== null && this.#finAt > this.#edge ? this.#finAt : Number.POSITIVE_INFINITY;
  }

  #hold(segment: TcpSegment, first: number, at: number, end: number): void {
    const { packetNumber, timeNs } = segment;
    const { cost } = this.#held;
    this.#held.insert({ at, end, octets: octetsOf(segment, first, at, end), packetNumber, timeNs }, (held, from, to) => {
      this.#counts.retransmitted_octets += to - from;
      const firstCopy = held.octets.subarray(from - held.at, to - held.at);
      tellDifference(firstCopy, octetsOf(segment, first, from, to), from, held.packetNumber, (...range) =>
        this.#notes.conflict(packetNumber, ...range),
      );
    });
    this.#shared.held.change(this, this.#held.cost - cost, this.#held.count);
    const { heldOctets, heldSegments } = this.#shared.limits;
    while (this.#held.cost > heldOctets || this.#held.count > heldSegments) this.letGo();
    this.#shared.held.enforce();
  }

  /** Octets `[at, end)` were passed on, or given up, before; or they are from before the beginning. */
  #repeated(segment: TcpSegment, first: number, at: number, end: number): void {
    this.#counts.retransmitted_octets += Math.max(0, end - Math.max(at, 0));
    if (at < 0) this.#notes.beforeStart(segment.packetNumber);
    this.#recent.compare(at, octetsOf(segment, first, at, end), (...range) =>
      this.#notes.conflict(segment.packetNumber, ...range),
    );
  }

  #later(timeNs: bigint | null): bigint | null {
    if (timeNs !== null && (this.#timeNs === null || timeNs > this.#timeNs)) this.#timeNs = timeNs;
    return this.#timeNs;
  }
}

/** RFC 9293 §3.8.4: a keep-alive may carry one octet of garbage in place of the last one that was sent, SYN and FIN included. */
function isKeepAlive(segment: TcpSegment): boolean {
  return segment.payloadLength === 1 && (segment.flags & (TCP_FLAG.syn | TCP_FLAG.fin | TCP_FLAG.rst)) === 0;
}

/** The captured ones of octets `[at, end)` of a segment whose payload begins at `first`: the payload itself when it is all of it. */
function octetsOf(segment: TcpSegment, first: number, at: number, end: number): Uint8Array {
  const { payload } = segment;
  return at === first && end - first >= payload.length ? payload : payload.subarray(at - first, end - first);
}
