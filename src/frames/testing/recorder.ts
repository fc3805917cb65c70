import type { Violation } from "../core/violation.ts";
import { copyFieldLine, type FieldLine } from "../hpack/field-line.ts";
import { HpackDecoder } from "../hpack/hpack-decoder.ts";
import type { Frame } from "../http2/frame.ts";
import { type FrameCap, type FrameHandler, PART_NAMES } from "../http2/frame-handler.ts";
import { FRAME_HEADER_OCTETS, frameHeader } from "../http2/frame-header.ts";
import { FrameReader, type FrameReaderOptions } from "../http2/frame-reader.ts";

/** One field section as it was recorded. */
export interface RecordedSection {
  readonly streamId: number;
  readonly complete: boolean;
  readonly lines: readonly FieldLine[];
}

/** One frame as it was recorded at its end. */
export interface RecordedFrame {
  readonly offset: number;
  readonly type: number;
  readonly flags: number;
  readonly reserved: number;
  readonly streamId: number;
  readonly length: number;
  readonly truncated: boolean;
}

/** A handler that writes down every call. `log` does not depend on how the input was cut: adjacent octets of one meaning are one entry. */
export class Recorder implements FrameHandler {
  readonly log: string[] = [];
  readonly frames: RecordedFrame[] = [];
  readonly sections: RecordedSection[] = [];
  readonly violations: Violation[] = [];
  readonly limits: string[] = [];
  /** What each run of octets was: label and octets, from offset 0. */
  readonly runs: (readonly [label: string, octets: number])[] = [];
  /** Octets announced by all calls. */
  announced = 0;
  /** Content octets of DATA, as they came. */
  readonly content: number[] = [];
  #lines: FieldLine[] = [];
  #run = { label: "", octets: 0 };

  preface(): void {
    this.#octets("preface", 24);
    this.#write("preface");
  }

  frameStart(frame: Frame): void {
    this.#octets("frame_header", FRAME_HEADER_OCTETS);
    const { settings, padLength, malformed } = frame;
    this.#write(
      `start ${JSON.stringify({ ...frameHeader(frame), padLength: frame.type <= 1 ? padLength : -1, malformed, settings })}`,
    );
  }

  part(part: number, octets: number, bytes: Uint8Array, from: number): void {
    if (octets <= 0 || from + octets > bytes.length) throw new RangeError("part outside its octets");
    this.#octets(PART_NAMES[part] as string, octets);
  }

  data(bytes: Uint8Array, from: number, to: number): void {
    this.#octets("data", to - from);
    this.content.push(...bytes.subarray(from, to));
  }

  fieldLine(line: FieldLine): void {
    const copy = copyFieldLine(line);
    this.#lines.push(copy);
    this.#write(`line ${JSON.stringify(copy)}`);
  }

  fieldSection(frame: Frame, complete: boolean): void {
    this.sections.push({ streamId: frame.streamId, complete, lines: this.#lines });
    this.#lines = [];
    this.#write(`section ${frame.streamId} ${frame.blockType} ${complete}`);
  }

  frameEnd(frame: Frame, truncated: boolean): void {
    const { offset, type, flags, reserved, streamId, length } = frame;
    this.frames.push({ offset, type, flags, reserved, streamId, length, truncated });
    this.#write(`end ${offset} ${type} ${truncated}`);
  }

  violation(violation: Violation): void {
    this.violations.push(violation);
    this.#write(`violation ${JSON.stringify(violation)}`);
  }

  limit(cap: FrameCap, offset: number): void {
    this.limits.push(`${cap}@${offset}`);
    this.#write(`limit ${cap} ${offset}`);
  }

  truncated(octets: number): void {
    this.#octets("truncated", octets);
  }

  /** Close the run that is open; call before reading `log` and `runs`. */
  flush(): this {
    if (this.#run.octets > 0) {
      this.log.push(`${this.#run.label} ${this.#run.octets}`);
      this.runs.push([this.#run.label, this.#run.octets]);
    }
    this.#run = { label: "", octets: 0 };
    return this;
  }

  #octets(label: string, octets: number): void {
    this.announced += octets;
    if (this.#run.label !== label || label === "frame_header") this.flush();
    this.#run.label = label;
    this.#run.octets += octets;
  }

  #write(entry: string): void {
    this.flush();
    this.log.push(entry);
  }
}

/** A handler that does nothing but what is given. */
export function silent(calls: Partial<FrameHandler>): FrameHandler {
  const nothing = () => {};
  return {
    ...{ preface: nothing, frameStart: nothing, part: nothing, data: nothing, fieldLine: nothing, fieldSection: nothing },
    ...{ frameEnd: nothing, violation: nothing, limit: nothing, truncated: nothing },
    ...calls,
  };
}

/** Options of {@link record}: those of a reader, with an HPACK context of its own by default. */
export type RecordOptions = Partial<FrameReaderOptions> & { readonly end?: boolean };

/** Push chunks through a new reader and write down what it says. Checks at every step that nothing is lost or counted twice. */
export function record(chunks: readonly Uint8Array[], options: RecordOptions = {}): Recorder {
  const recorder = new Recorder();
  const { end = true, ...rest } = options;
  const reader = new FrameReader(recorder, { preface: false, hpack: new HpackDecoder(), ...rest });
  let pushed = 0;
  for (const chunk of chunks) {
    // A copy that is wiped afterwards: what is borrowed must not be used after the call.
    const borrowed = new Uint8Array(chunk);
    reader.push(borrowed);
    borrowed.fill(0xaa);
    pushed += chunk.length;
    if (recorder.announced + reader.held !== pushed) {
      throw new RangeError(`announced ${recorder.announced} + held ${reader.held} is not ${pushed}`);
    }
  }
  if (end) {
    reader.end();
    if (recorder.announced !== pushed || reader.held !== 0)
      throw new RangeError(`${recorder.announced} of ${pushed} announced at the end`);
  }
  return recorder.flush();
}

/** Cut octets into chunks of one size. */
export function chunksOf(bytes: Uint8Array, size: number): readonly Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return chunks;
}

/**
 * Every cut that the project's tests replay: up to 4 KiB all two-part cuts and all chunk sizes; above, the listed chunk sizes and cuts one
 * octet around each of `borders`.
 */
export function* everyCut(bytes: Uint8Array, borders: readonly number[] = []): Generator<readonly Uint8Array[]> {
  const small = bytes.length <= 4096;
  const sizes = small ? Array.from(bytes, (_, index) => index + 1) : [1, 2, 3, 5, 7, 9, 13, 64, 1460, 4096, 16384, 65536];
  for (const size of sizes) yield chunksOf(bytes, size);
  const cuts = small ? sizes : borders.flatMap((border) => [border - 1, border, border + 1]);
  for (const cut of cuts) {
    if (cut > 0 && cut < bytes.length) yield [bytes.subarray(0, cut), bytes.subarray(cut)];
  }
}
