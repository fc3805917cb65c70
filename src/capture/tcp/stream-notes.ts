import type { Conversation, ConversationHandler, Side } from "../conversation.ts";
import type { TcpLimits } from "./limits.ts";

const NONE: readonly string[] = [];

/** The notes about one side's octets. All but conflicts are told once: what follows is more of the same. */
export class StreamNotes {
  readonly #handler: ConversationHandler;
  readonly #conversation: Conversation;
  readonly #side: Side;
  #told: readonly string[] = NONE;

  constructor(handler: ConversationHandler, conversation: Conversation, side: Side) {
    this.#handler = handler;
    this.#conversation = conversation;
    this.#side = side;
  }

  /** `overlap-conflict`: octets `[at, end)` came in two packets and differ. */
  conflict(packetNumber: number, at: number, end: number, firstPacket: number): void {
    const text = `stream octets ${at}-${end - 1} in packet ${packetNumber} differ from those in packet ${firstPacket}, which count`;
    this.#handler.note(this.#conversation, this.#side, "overlap-conflict", text);
  }

  /** `data-after-fin`: octets behind a FIN. @param counted whether they count, as the FIN was not passed on yet. */
  afterFin(packetNumber: number, counted: boolean): void {
    const what = counted ? "count, and FIN does not" : "do not count";
    this.#once("data-after-fin", `octets behind FIN, in packet ${packetNumber} first, ${what}`);
  }

  /** `data-before-start`: octets from before what is taken for the beginning. */
  beforeStart(packetNumber: number): void {
    this.#once(
      "data-before-start",
      `octets from before the beginning of the stream, in packet ${packetNumber} first, do not count`,
    );
  }

  /** `limit-held-segments`: a hole was given up because of a cap. */
  limit({ heldOctets, heldSegments, heldOctetsOverall }: TcpLimits): void {
    const caps = `${heldOctets} octets or ${heldSegments} segments, or ${heldOctetsOverall} octets over all conversations`;
    this.#once("limit-held-segments", `a hole was given up early: more than ${caps}, waited behind holes`);
  }

  #once(code: string, text: string): void {
    if (this.#told.includes(code)) return;
    this.#told = [...this.#told, code];
    this.#handler.note(this.#conversation, this.#side, code, text);
  }
}
