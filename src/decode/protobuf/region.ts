import type { MessageType } from "./message-type.ts";
import { WIRE_LEAVES } from "./wire-leaf.ts";

/** Open regions (messages and groups) inside of a message; what is nested deeper is counted, not decoded. */
export const MAX_DEPTH = 100;

/** What the octets between two ends are. */
export const REGION = {
  /** The whole message. */
  top: 0,
  /** The value of a message field, by schema. */
  message: 1,
  /** Between a start group and its end group tag. */
  group: 2,
  /** A LEN value that no schema knows: text, a message or bytes, which shows when it is over. */
  question: 3,
} as const;

/** A run of fields. One object for each depth, reused: the walk allocates nothing for a message. Offsets count from the message's start. */
export class Region {
  kind: number = REGION.top;
  /** Of the first octet of its field's tag. */
  tagAt = 0;
  start = 0;
  /** Behind its last octet; Infinity while nobody knows. A group's is that of the region around it: it must be over by then. */
  end = 0;
  type: MessageType | null = null;
  /** A group's field number: its end group tag has to carry it. */
  number = 0;
  /** Names from the top to here, null when nobody can know them; see ContentSink.content. */
  path: string | null = "";
  levels = 0;
  /** Octets by leaf when its field (of a question: its content) began. */
  readonly before: number[] = Array<number>(WIRE_LEAVES).fill(0);
}
