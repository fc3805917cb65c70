import assert from "node:assert/strict";
import type { Conversation, ConversationHandler, Side } from "../../conversation.ts";

/** What one side of a conversation came to. */
export interface RecordedSide {
  readonly pieces: Buffer[];
  readonly gaps: (number | null)[];
  /** Packet numbers of its pieces. */
  readonly packets: number[];
  finished: boolean;
}

/** All calls about one conversation. */
export interface RecordedConversation {
  readonly facts: Conversation;
  readonly sides: readonly [RecordedSide, RecordedSide];
  /** One line a call: `data 0 "GET"`, `gap 1 20`, `gap 1 null`, `fin 0`, `reset 1`, `close`, in the order of the calls. */
  readonly calls: string[];
  readonly notes: string[];
  readonly times: (bigint | null)[];
  closed: boolean;
}

/** Keeps every call, and asserts the order that ConversationHandler promises. */
export class ConversationRecorder implements ConversationHandler {
  readonly conversations: RecordedConversation[] = [];
  /** One line a call, as `calls`, with the conversation's ordinal in front. */
  readonly calls: string[] = [];

  open(facts: Conversation, timeNs: bigint | null): void {
    this.conversations.push({ facts, sides: [emptySide(), emptySide()], calls: [], notes: [], times: [], closed: false });
    assert.equal(facts.ordinal, this.conversations.length, "conversations are counted from 1");
    this.#add(facts, "open", timeNs);
  }

  data(facts: Conversation, side: Side, octets: Uint8Array, packetNumber: number, timeNs: bigint | null): void {
    assert.ok(octets.length > 0, "data is never empty");
    const recorded = this.#sideOf(facts, side);
    const copy = Buffer.from(octets);
    recorded.pieces.push(copy);
    recorded.packets.push(packetNumber);
    this.#add(facts, `data ${side} ${JSON.stringify(copy.toString("latin1"))}`, timeNs);
  }

  gap(facts: Conversation, side: Side, octets: number | null, timeNs: bigint | null): void {
    const recorded = this.#sideOf(facts, side);
    if (octets === null) assert.equal(recorded.pieces.length + recorded.gaps.length, 0, "an unknown beginning comes first");
    else assert.ok(octets > 0, "a gap has octets");
    recorded.gaps.push(octets);
    this.#add(facts, `gap ${side} ${octets}`, timeNs);
  }

  fin(facts: Conversation, side: Side, timeNs: bigint | null): void {
    this.#sideOf(facts, side).finished = true;
    this.#add(facts, `fin ${side}`, timeNs);
  }

  reset(facts: Conversation, side: Side, timeNs: bigint | null): void {
    this.#add(facts, `reset ${side}`, timeNs);
  }

  close(facts: Conversation, timeNs: bigint | null): void {
    this.#add(facts, "close", timeNs);
    this.conversations[facts.ordinal - 1]!.closed = true;
  }

  note(facts: Conversation, side: Side, code: string, text: string): void {
    this.#add(facts, `note ${side} ${code}`, null);
    this.conversations[facts.ordinal - 1]!.notes.push(`${side} ${code}: ${text}`);
  }

  /** The octets of one side that were told, without the holes. */
  octets(ordinal: number, side: Side): Buffer {
    return Buffer.concat(this.conversations[ordinal - 1]!.sides[side].pieces);
  }

  #sideOf(facts: Conversation, side: Side): RecordedSide {
    const recorded = this.conversations[facts.ordinal - 1]!.sides[side];
    assert.ok(!recorded.finished, "nothing of a side comes after its FIN");
    return recorded;
  }

  #add(facts: Conversation, call: string, timeNs: bigint | null): void {
    const conversation = this.conversations[facts.ordinal - 1]!;
    assert.equal(conversation.facts, facts, "one object for one conversation");
    assert.ok(!conversation.closed, `nothing comes after close: ${call}`);
    conversation.calls.push(call);
    if (!call.startsWith("note ")) conversation.times.push(timeNs);
    this.calls.push(`${facts.ordinal} ${call}`);
  }
}

function emptySide(): RecordedSide {
  return { pieces: [], gaps: [], packets: [], finished: false };
}
