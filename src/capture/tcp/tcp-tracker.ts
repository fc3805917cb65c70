import type { ConversationHandler, Side } from "../conversation.ts";
import { type SegmentHandler, TCP_FLAG, type TcpSegment } from "../tcp-segment.ts";
import { ConversationQueue } from "./conversation-queue.ts";
import { type Flow, FlowTable } from "./flow-table.ts";
import { HeldTotal } from "./held-total.ts";
import { DEFAULT_TCP_LIMITS, type TcpLimits } from "./limits.ts";
import { countHeaders } from "./packet-counts.ts";
import type { Reassembly } from "./side-stream.ts";
import { TrackedConversation } from "./tracked-conversation.ts";

/**
 * After a RST, octets that were under way still count, and all of a peer that did not believe it, until the conversation has been quiet for
 * so long.
 */
const RESET_LINGER_NS = 60_000_000_000n;

/**
 * Finds the conversation of each TCP segment and puts its octets in order: segments in, ConversationHandler calls out. Never throws on
 * input; memory is bounded by `limits` and never follows from a sequence number.
 *
 * - **Begin.** The first segment of a pair of endpoints opens a conversation, whatever it is. Where the first octet of a side is not
 *   known by SYN or by the other side's SYN ACK, the side's first call is `gap(null)`: what came before was not captured.
 *   `client` is null until a SYN was seen; it does not change after the first octets.
 * - **Order, copies and holes**: see SideStream.
 * - **End.** A FIN is passed on when it is next and acknowledged. A conversation is closed when both were; after a RST, when it has been
 *   quiet for a minute of the capture's time; when its ports are used again (a SYN with another initial sequence number, octets behind
 *   both FINs); and at `end()`. Late packets of the newest `endedConversations` still count in `counts` after `close`, and open nothing.
 */
export class TcpTracker implements SegmentHandler {
  readonly #shared: Reassembly;
  readonly #flows = new FlowTable<TrackedConversation>();
  readonly #open = new ConversationQueue<TrackedConversation>();
  readonly #reset = new ConversationQueue<TrackedConversation>();
  readonly #closed = new ConversationQueue<TrackedConversation>();
  #opened = 0;

  constructor(handler: ConversationHandler, limits: Partial<TcpLimits> = {}) {
    const all = { ...DEFAULT_TCP_LIMITS, ...limits };
    this.#shared = {
      handler,
      limits: all,
      held: new HeldTotal(all.heldOctetsOverall),
      recent: { left: all.recentOctetsOverall },
    };
  }

  segment(segment: TcpSegment): void {
    this.#closeQuiet(segment.timeNs);
    const { conversation, side } = this.#flowOf(segment);
    conversation.packets++;
    if (segment.timeNs !== null) conversation.timeNs = segment.timeNs;
    countHeaders(conversation.facts.counts[side], segment);
    if (conversation.state === "closed") {
      conversation.streams[side].repeat(segment.payloadLength);
    } else {
      this.#queueOf(conversation).touch(conversation);
      this.#follow(conversation, side, segment);
    }
  }

  /** The capture is over: what is held is passed on with its gaps, and every conversation is closed, in the order they were opened. */
  end(): void {
    const left = [...this.#open, ...this.#reset].sort((one, other) => one.facts.ordinal - other.facts.ordinal);
    for (const conversation of left) this.#forget(conversation);
  }

  #follow(conversation: TrackedConversation, side: Side, segment: TcpSegment): void {
    const { flags } = segment;
    const stream = conversation.streams[side];
    const peer = conversation.streams[side === 0 ? 1 : 0];
    if ((flags & TCP_FLAG.rst) !== 0) {
      this.#resetBy(conversation, side, segment);
      return;
    }
    if ((flags & TCP_FLAG.syn) !== 0) synchronize(conversation, side, segment);
    if ((flags & TCP_FLAG.ack) !== 0) {
      if (isHandshake(segment, stream.initialSequence)) peer.expect(segment.acknowledgement);
      peer.acknowledge(segment.acknowledgement);
    }
    const fin = (flags & TCP_FLAG.fin) !== 0;
    if (segment.payloadLength > 0 || fin) stream.take(segment, firstOctetOf(segment), fin);
    stream.reconsider(conversation.packets);
    peer.reconsider(conversation.packets);
    if (conversation.state === "open" && stream.finished && peer.finished) this.#close(conversation);
  }

  /** The flow of a segment: one that is known, or of a conversation that it opens. */
  #flowOf(segment: TcpSegment): Flow<TrackedConversation> {
    const known = this.#flows.find(segment);
    if (known !== undefined && !usesPortsAgain(known, segment)) return known;
    if (known !== undefined) this.#forget(known.conversation);
    if (this.#open.size >= this.#shared.limits.openConversations) this.#closeIdle(this.#open.oldest!);
    const conversation = new TrackedConversation(this.#shared, ++this.#opened, segment);
    synchronize(conversation, 0, segment);
    const [flow, reverse] = conversation.flows;
    // Of an endpoint that speaks with itself both have one name: all is said by the first side.
    this.#flows.add(reverse);
    this.#flows.add(flow);
    this.#open.append(conversation);
    this.#shared.handler.open(conversation.facts, segment.timeNs);
    return flow;
  }

  #resetBy(conversation: TrackedConversation, side: Side, segment: TcpSegment): void {
    const stream = conversation.streams[side];
    if (!stream.allowsReset(segment.sequence)) {
      const text = `the RST of packet ${segment.packetNumber} is not within the window and does not count`;
      this.#shared.handler.note(conversation.facts, side, "reset-ignored", text);
      return;
    }
    // RFC 1122 §4.2.2.12: a RST may carry octets that explain it. They were on the wire, so they count like any others.
    if (segment.payloadLength > 0) stream.take(segment, firstOctetOf(segment), false);
    stream.tellReset(segment.timeNs);
    if (conversation.state === "reset") return;
    this.#open.remove(conversation);
    conversation.state = "reset";
    this.#reset.append(conversation);
    if (this.#reset.size > this.#shared.limits.endedConversations) this.#close(this.#reset.oldest!);
  }

  #closeQuiet(timeNs: bigint | null): void {
    for (let oldest = this.#reset.oldest; oldest !== null && timeNs !== null; oldest = this.#reset.oldest) {
      if (oldest.timeNs === null || timeNs - oldest.timeNs < RESET_LINGER_NS) return;
      this.#close(oldest);
    }
  }

  #closeIdle(conversation: TrackedConversation): void {
    const { openConversations } = this.#shared.limits;
    const text = `more than ${openConversations} conversations were open: the one that was idle for longest is closed`;
    this.#shared.handler.note(conversation.facts, 0, "limit-open-conversations", text);
    this.#forget(conversation);
  }

  /** Tell that it is closed, and keep it for late packets. */
  #close(conversation: TrackedConversation): void {
    this.#queueOf(conversation).remove(conversation);
    for (const stream of conversation.streams) {
      stream.flush();
      stream.release();
    }
    conversation.state = "closed";
    this.#closed.append(conversation);
    this.#shared.handler.close(conversation.facts, conversation.timeNs);
    if (this.#closed.size > this.#shared.limits.endedConversations) this.#forget(this.#closed.oldest!);
  }

  /** Close it where it is not, and let its next packet open another one. */
  #forget(conversation: TrackedConversation): void {
    if (conversation.state !== "closed") this.#close(conversation);
    if (!this.#flows.has(conversation.flows[0])) return;
    this.#closed.remove(conversation);
    for (const flow of conversation.flows) this.#flows.remove(flow);
  }

  #queueOf(conversation: TrackedConversation): ConversationQueue<TrackedConversation> {
    if (conversation.state === "open") return this.#open;
    return conversation.state === "reset" ? this.#reset : this.#closed;
  }
}

/** SYN takes one sequence number. */
function firstOctetOf(segment: TcpSegment): number {
  return (segment.flags & TCP_FLAG.syn) === 0 ? segment.sequence : (segment.sequence + 1) >>> 0;
}

/** Whether this is a segment of a handshake whose acknowledgement is of the other side's SYN: SYN ACK, or what follows a SYN of ours. */
function isHandshake(segment: TcpSegment, initialSequence: number | null): boolean {
  if ((segment.flags & TCP_FLAG.syn) !== 0) return true;
  return initialSequence !== null && segment.sequence === (initialSequence + 1) >>> 0;
}

/** Note a SYN: where its side begins, and who the client is. */
function synchronize(conversation: TrackedConversation, side: Side, segment: TcpSegment): void {
  const { flags, sequence } = segment;
  if ((flags & TCP_FLAG.syn) === 0 || (flags & TCP_FLAG.rst) !== 0) return;
  const stream = conversation.streams[side];
  if (stream.initialSequence !== null || stream.beginsAt((sequence + 1) >>> 0) === false) return;
  stream.synchronize(sequence);
  const peer: Side = side === 0 ? 1 : 0;
  conversation.facts.client ??= (flags & TCP_FLAG.ack) === 0 ? side : peer;
}

/**
 * Whether a segment means that the ports are used again. A SYN without ACK always does when it does not fit what was seen of its side,
 * as tshark has it: captures that lost a FIN are common, SYNs that an established peer refuses (RFC 9293 §3.10.7.4) are not.
 */
function usesPortsAgain({ conversation, side }: Flow<TrackedConversation>, segment: TcpSegment): boolean {
  const { flags, sequence } = segment;
  const closed = conversation.state === "closed";
  if ((flags & TCP_FLAG.rst) !== 0 || ((flags & TCP_FLAG.syn) === 0 && !closed)) return false;
  const stream = conversation.streams[side];
  const peer = conversation.streams[side === 0 ? 1 : 0];
  if ((flags & TCP_FLAG.syn) === 0) return stream.isBeyond(sequence, segment.payloadLength);
  const same = stream.initialSequence === null ? stream.beginsAt((sequence + 1) >>> 0) : stream.initialSequence === sequence;
  if ((flags & TCP_FLAG.ack) !== 0) {
    const answers = peer.initialSequence !== null && (peer.initialSequence + 1) >>> 0 === segment.acknowledgement;
    return same !== true && conversation.ended && !answers;
  }
  if (same !== null) return !same;
  const seenMidway = peer.begun && peer.initialSequence === null;
  return conversation.ended || seenMidway || conversation.facts.counts[side].packets > 0;
}
