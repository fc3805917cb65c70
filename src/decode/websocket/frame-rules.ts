import { C2S, type Direction } from "../direction.ts";
import { isControl, OPCODE, OPCODE_NAMES } from "./opcodes.ts";

/** RFC 6455 §5.5. */
const LONGEST_CONTROL = 125;

/** What a frame header says, RFC 6455 §5.2. */
export interface FrameHeader {
  readonly fin: boolean;
  /** RSV1 to RSV3 as bits 4, 2 and 1. */
  readonly rsv: number;
  readonly opcode: number;
  readonly masked: boolean;
  /** Octets of payload. */
  readonly length: number;
  /** The 7 bits of length in the second octet. */
  readonly lengthCode: number;
}

/** What of the connection a frame is held against. */
export interface FrameContext {
  readonly direction: Direction;
  /** permessage-deflate was agreed on (RFC 7692): RSV1 means something. */
  readonly deflate: boolean;
  /** A message is open: its last frame has not come. */
  readonly inMessage: boolean;
  /** A Close frame has passed. */
  readonly closed: boolean;
}

/** A rule that a frame breaks. */
export interface BrokenRule {
  readonly code: string;
  readonly ref: string;
  readonly text: string;
}

/** RSV1, see {@link FrameHeader.rsv}. */
export const RSV1 = 4;

/** Everything that is wrong with a frame header where it stands. */
export function brokenRules(frame: FrameHeader, { direction, deflate, inMessage, closed }: FrameContext): readonly BrokenRule[] {
  const broken: BrokenRule[] = [];
  const breaks = (code: string, section: string, text: string): void => {
    broken.push({ code: `ws-${code}`, ref: `RFC 6455 §${section}`, text });
  };
  const { fin, rsv, opcode, masked, length, lengthCode } = frame;
  const control = isControl(opcode);
  const compressed = (rsv & RSV1) !== 0;
  const allowed = deflate && !control && opcode !== OPCODE.continuation ? RSV1 : 0;
  if ((rsv & ~allowed) !== 0) breaks("reserved-bits", "5.2", "a reserved bit is set that no extension gives a meaning");
  if (!OPCODE_NAMES.has(opcode)) breaks("opcode", "5.2", `opcode ${opcode} is reserved`);
  if (masked !== (direction === C2S))
    breaks("mask", "5.1", masked ? "a frame from the server is masked" : "a frame from the client is not masked");
  if (!isShortest(length, lengthCode)) breaks("length", "5.2", "the length is not in its shortest form");
  if (control && !fin) breaks("control-fragmented", "5.5", "a control frame is fragmented");
  if (control && length > LONGEST_CONTROL)
    breaks("control-length", "5.5", `a control frame has ${length} octets; 125 are the most`);
  if (opcode === OPCODE.close && length === 1) breaks("close-length", "5.5.1", "a Close frame has half a status code");
  if (!control && opcode === OPCODE.continuation && !inMessage) breaks("continuation", "5.4", "a continuation of no message");
  if (!control && opcode !== OPCODE.continuation && inMessage)
    breaks("interleaved", "5.4", "a message begins before the one before it has ended");
  if (closed) breaks("after-close", "5.5.1", "a frame behind the Close frame");
  return compressed && opcode === OPCODE.continuation && deflate
    ? [...broken.filter(({ code }) => code !== "ws-reserved-bits"), CONTINUATION_COMPRESSED]
    : broken;
}

const CONTINUATION_COMPRESSED: BrokenRule = {
  code: "ws-reserved-bits",
  ref: "RFC 7692 §6.1",
  text: "RSV1 is set on a continuation: only the first frame of a message says that it is compressed",
};

/** RFC 6455 §5.2: the minimal number of octets, and no more than 63 bits. */
function isShortest(length: number, lengthCode: number): boolean {
  if (lengthCode === 126) return length > 125;
  return lengthCode < 126 || (length > 0xffff && length < 2 ** 63);
}
