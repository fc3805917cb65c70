import { C2S, type Direction, opposite, S2C } from "../../decode/direction.ts";
import type { ConnectionFacts } from "../../ledger/listener.ts";
import { TCP_FLAG } from "../tcp-segment.ts";
import { formatEndpoint } from "./address.ts";
import type { CaptureSink, ConversationSink } from "./capture-sink.ts";
import { type EndpointPair, Endpoints } from "./endpoints.ts";
import type { PcapngWriter } from "./pcapng-writer.ts";
import { PendingNotes } from "./pending-notes.ts";
import { MAX_SEGMENT_OCTETS, PacketForm } from "./tcp-packet.ts";

const NO_OCTETS = new Uint8Array(0);
const WHOLE: readonly [boolean, boolean] = [false, false];
const ACK = TCP_FLAG.ack;
/** What each side says it takes. Not scaled: the other side acknowledges before more than one full segment is under way. */
const WINDOW = 0xffff;
/** 2^32 divided by the golden ratio, and odd: multiples of it differ for 2^32 conversations, and lie far apart. */
const SEQUENCE_STEP = 0x9e3779b1;

/** One conversation under way; pairs are by direction, of its sender. */
interface Conversation {
  readonly id: string;
  readonly interfaceNumber: number;
  readonly endpoints: EndpointPair;
  readonly forms: readonly [PacketForm, PacketForm];
  /** Sequence number of the next octet. */
  readonly next: [number, number];
  /** Octets that the receiver has not acknowledged. */
  readonly underWay: [number, number];
  readonly finished: [boolean, boolean];
  /** Whose FIN came first. */
  endedFirst: Direction | null;
  readonly notes: PendingNotes;
  reset: boolean;
  /** The file of its last packet; 0: it has none yet. */
  file: number;
}

/**
 * Makes of each relayed connection the TCP conversation that would have carried it: a handshake, each delta as segments below
 * 64 KiB of which the last one has PSH, FIN or RST as it was. Receivers acknowledge with what they send, by packets of their
 * own when a full segment is under way, and at a FIN. Initial sequence numbers differ, so that addresses and ports can come
 * again.
 */
export class ConversationWriter implements CaptureSink, ConversationSink {
  readonly #writer: PcapngWriter;
  readonly #endpoints = new Endpoints();
  readonly #interfaces = new Map<string, number>();
  readonly #open = new Map<string, Conversation>();
  #conversations = 0;

  constructor(writer: PcapngWriter) {
    this.#writer = writer;
  }

  listener(name: string, listen: string, target: string): void {
    this.#interfaces.set(name, this.#writer.interface(name, `${name} ${listen} -> ${target}`));
  }

  open(connection: ConnectionFacts, timeNs: bigint, late: readonly [c2s: boolean, s2c: boolean] = WHOLE): void {
    const { id, listener } = connection;
    const endpoints = this.#endpoints.take(connection.client, connection.server);
    const { client, server } = endpoints;
    const first = Math.imul(++this.#conversations, SEQUENCE_STEP) >>> 0;
    const conversation: Conversation = {
      id,
      interfaceNumber: this.#interfaceNumber(listener),
      endpoints,
      forms: [new PacketForm(client, server), new PacketForm(server, client)],
      next: [first, ~first >>> 0],
      underWay: [0, 0],
      finished: [false, false],
      endedFirst: null,
      notes: new PendingNotes(),
      reset: false,
      file: 0,
    };
    this.#open.set(id, conversation);
    conversation.notes.add([id, listener, endpoints.invented].filter((part) => part !== "").join("; "), C2S);
    // A handshake says where both sides begin.
    if (late[C2S] || late[S2C]) return;
    this.#packet(conversation, C2S, TCP_FLAG.syn, NO_OCTETS, timeNs);
    this.#packet(conversation, S2C, TCP_FLAG.syn | ACK, NO_OCTETS, timeNs);
    this.#packet(conversation, C2S, ACK, NO_OCTETS, timeNs);
  }

  delta(id: string, direction: Direction, octets: Uint8Array, timeNs: bigint): void {
    const conversation = this.#open.get(id);
    if (conversation === undefined || conversation.finished[direction]) return;
    for (let at = 0; at < octets.length; at += MAX_SEGMENT_OCTETS) {
      const segment = octets.subarray(at, at + MAX_SEGMENT_OCTETS);
      if (conversation.underWay[direction] + segment.length > MAX_SEGMENT_OCTETS) {
        this.#packet(conversation, opposite(direction), ACK, NO_OCTETS, timeNs);
      }
      const last = at + segment.length === octets.length;
      this.#packet(conversation, direction, last ? ACK | TCP_FLAG.psh : ACK, segment, timeNs);
    }
  }

  gap(id: string, direction: Direction, octets: number | null, _timeNs: bigint): void {
    const conversation = this.#open.get(id);
    if (conversation === undefined || conversation.finished[direction]) return;
    if (octets === null) conversation.notes.add("octets are missing before this, nobody knows how many: shown as one", direction);
    conversation.next[direction] = (conversation.next[direction] + (octets ?? 1)) >>> 0;
  }

  fin(id: string, direction: Direction, timeNs: bigint): void {
    const conversation = this.#open.get(id);
    if (conversation === undefined || conversation.reset || conversation.finished[direction]) return;
    this.#packet(conversation, direction, TCP_FLAG.fin | ACK, NO_OCTETS, timeNs);
    conversation.finished[direction] = true;
    // The acknowledgement of the second FIN comes with `close`: its time is when all was over.
    if (conversation.endedFirst !== null) return;
    conversation.endedFirst = direction;
    this.#packet(conversation, opposite(direction), ACK, NO_OCTETS, timeNs);
  }

  reset(id: string, direction: Direction, timeNs: bigint): void {
    const conversation = this.#open.get(id);
    if (conversation === undefined || conversation.reset) return;
    this.#packet(conversation, direction, TCP_FLAG.rst | ACK, NO_OCTETS, timeNs);
    conversation.reset = true;
  }

  note(id: string, text: string, direction: Direction | null): void {
    this.#open.get(id)?.notes.add(text, direction);
  }

  close(id: string, timeNs: bigint): void {
    const conversation = this.#open.get(id);
    if (conversation === undefined) return;
    const { finished } = conversation;
    if (!(finished[C2S] && finished[S2C])) this.reset(id, S2C, timeNs);
    this.leave(id, timeNs);
  }

  leave(id: string, timeNs: bigint): void {
    const conversation = this.#open.get(id);
    if (conversation === undefined) return;
    const { endedFirst, finished, notes, reset } = conversation;
    if (!reset && endedFirst !== null && finished[opposite(endedFirst)]) {
      this.#packet(conversation, endedFirst, ACK, NO_OCTETS, timeNs);
    }
    for (const direction of [C2S, S2C] as const) {
      // A window of its own, as a repeated acknowledgement would say that a segment was lost.
      if (notes.has(direction)) this.#packet(conversation, direction, ACK, NO_OCTETS, timeNs, WINDOW - 1);
    }
    this.#open.delete(id);
    this.#endpoints.release(conversation.endpoints);
  }

  #interfaceNumber(listener: string): number {
    const known = this.#interfaces.get(listener);
    if (known !== undefined) return known;
    const added = this.#writer.interface(listener, "");
    this.#interfaces.set(listener, added);
    return added;
  }

  /** One packet of the sender of `direction`, with what is waiting to be said. */
  #packet(
    conversation: Conversation,
    direction: Direction,
    flags: number,
    payload: Uint8Array,
    timeNs: bigint,
    window = WINDOW,
  ): void {
    const { interfaceNumber, next, underWay } = conversation;
    const form = conversation.forms[direction];
    const back = opposite(direction);
    const headers = (flags & TCP_FLAG.syn) === 0 ? form.headerOctets : form.synOctets;
    const comments = this.#comments(conversation, direction, headers + payload.length);
    const packet = this.#writer.packet(interfaceNumber, timeNs, headers + payload.length, comments);
    const acknowledgement = (flags & ACK) === 0 ? 0 : next[back];
    form.write(packet, { sequence: next[direction], acknowledgement, flags, window }, payload);

    // RFC 9293 §3.4: SYN and FIN take a sequence number each.
    const taken = payload.length + ((flags & (TCP_FLAG.syn | TCP_FLAG.fin)) === 0 ? 0 : 1);
    next[direction] = (next[direction] + taken) >>> 0;
    underWay[direction] += payload.length;
    underWay[back] = 0;
    conversation.file = this.#writer.files;
  }

  /** The first packet in a file that the conversation did not begin in says so. */
  #comments(conversation: Conversation, direction: Direction, octets: number): readonly string[] {
    const comments = conversation.notes.take(direction);
    const { file } = conversation;
    if (file === 0 || (file === this.#writer.files && this.#writer.fits(octets, comments))) return comments;
    const { client } = conversation.endpoints;
    return [`${conversation.id} goes on from an earlier file; its client is ${formatEndpoint(client)}`, ...comments];
  }
}
