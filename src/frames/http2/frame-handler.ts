import type { Violation } from "../core/violation.ts";
import type { FieldLine } from "../hpack/field-line.ts";
import type { FieldRun } from "../hpack/field-run.ts";
import type { Frame } from "./frame.ts";

/**
 * What an octet of an HTTP/2 direction was. The order is fixed: it indexes PART_NAMES.
 * `frame_header` is announced by {@link FrameHandler.frameStart}, `data` by {@link FrameHandler.data}; neither comes through `part`.
 */
export const PART_NAMES = [
  "pad_length",
  "padding",
  "priority",
  "promised_stream",
  "settings",
  "window_update",
  "ping",
  "goaway",
  "rst_stream",
  "unknown_payload",
  "malformed",
  "indexed",
  "prefix",
  "name",
  "value",
  "size_update",
  "undecoded",
] as const;
/** Name of a part of a frame's payload. */
export type PartName = (typeof PART_NAMES)[number];

/** Index of a part in {@link PART_NAMES}: `PART.padding`. */
export const PART = Object.fromEntries(PART_NAMES.map((name, id) => [name, id])) as { readonly [N in PartName]: number };

/** Caps of a {@link FrameReader}, by what they bound. */
export type FrameCap = "field_block" | "control_frame";

/**
 * Driven by {@link FrameReader} in strict stream order; the octets announced by all calls sum to the octets pushed, less those held.
 * The order within a frame is: `frameStart` (its 9 header octets) · `fieldLine` / `part` / `data` · `violation` at its place · `frameEnd`.
 *
 * When a call comes:
 * - `preface`: when the 24 octets have been read.
 * - DATA and unknown or extension types: `frameStart` as soon as the header is complete (with PADDED: and the Pad Length octet, so that
 *   `padLength` is known); the payload as it arrives, never held.
 * - SETTINGS, PING, WINDOW_UPDATE, RST_STREAM, GOAWAY, PRIORITY: all of it when the frame is complete, so that the values are on the
 *   `frame` already in `frameStart` (held octets are `pending`). Of a SETTINGS or GOAWAY above CONTROL_FRAME_CAP the values within the cap
 *   are read, and the rest of the payload streams as the same part. A frame of illegal length is not held: it streams as `malformed`.
 * - HEADERS, PUSH_PROMISE and their CONTINUATIONs: all frames of the field block when it is complete (END_HEADERS), in stream order.
 *   `fieldSection` comes after the block's last octet and before the last frame's `frameEnd`; only where a block that went over the cap
 *   never ended does it come after, before whatever follows.
 *
 * Every argument is borrowed: `frame`, `line` and `bytes` are reused after the call returns. Copy what you keep.
 */
export interface FrameHandler {
  /** The 24-octet connection preface was read. */
  preface(): void;
  /** A frame's 9-octet header; interpreted values are on it for the held types. */
  frameStart(frame: Frame): void;
  /** The next `octets` octets are this part of the current frame's payload. `octets` > 0. */
  part(part: number, octets: number, bytes: Uint8Array, from: number): void;
  /** The next octets of a DATA frame's content (padding excluded): `bytes[from, to)`. */
  data(bytes: Uint8Array, from: number, to: number): void;
  /** `octets` octets of the DATA frame's content are missing here: only for a reader that is told of gaps. `octets` > 0. */
  dataGap?(octets: number): void;
  /** One field line of the open field block, before its own parts. */
  fieldLine(line: FieldLine): void;
  /**
   * Field lines of the open field block that came before just so, told together, before the `indexed` part of them all. A handler without
   * this, or one that returns false, is told of them one by one.
   */
  fieldRun?(run: FieldRun): boolean;
  /** The field block is complete and decoded, or `complete` is false: an HPACK error, a cap, or it never ended. */
  fieldSection(frame: Frame, complete: boolean): void;
  /** All payload octets of the frame have been announced; `truncated` when the direction ended inside it, or a gap cut it off. */
  frameEnd(frame: Frame, truncated: boolean): void;
  /** The peer broke the specification here. */
  violation(violation: Violation): void;
  /** One of our caps was reached; octets are still counted, not interpreted. */
  limit(cap: FrameCap, offset: number): void;
  /** The direction ended, and these last octets were inside the preface, a frame header or a held control frame. `octets` > 0. */
  truncated(octets: number): void;
}
