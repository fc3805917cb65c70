import { CaptureError } from "./capture-error.ts";
import { CaptureFile, type CaptureSummary } from "./capture-file.ts";
import type { CaptureHandler, Packet } from "./packet.ts";

/** Something odd in a capture. */
export interface CaptureNote {
  /** Which; null: it is about all of them. */
  readonly capture: string | null;
  readonly code: string;
  readonly severity: "warning" | "info";
  /** One line, without octets of the wire. */
  readonly text: string;
}

/** Where packets and notes go. */
export interface MergeHandler {
  /** One packet after the other in the order of their times; borrowed until the call returns. */
  packet(packet: Packet): void;
  note(note: CaptureNote): void;
  /** One of several captures cannot be read, or not even opened: it is left out. */
  failed(error: CaptureError): void;
}

/**
 * Several captures read as one, in the order of time. Of captures that follow each other (a ring) hardly anything is copied; of those
 * that overlap, what one step of each delivers. Packets without a time stay behind the one before them. Numbers count the merged packets,
 * as mergecap and tshark would.
 */
export class MergedCaptures {
  readonly #handler: MergeHandler;
  readonly #inputs: Input[] = [];
  /** Of several: the number of the last packet. */
  #number = 0;
  /** While a capture is being read: what the others have waiting first. Undefined: a packet cannot be passed on at once. */
  #limit: Head | null | undefined;
  #closing = false;

  private constructor(handler: MergeHandler) {
    this.#handler = handler;
  }

  /** Opens them all; `-` is standard input. Rejects with the first CaptureError when none can be opened. */
  static async open(paths: readonly string[], handler: MergeHandler): Promise<MergedCaptures> {
    const merged = new MergedCaptures(handler);
    const failures: CaptureError[] = [];
    for (const [order, path] of paths.entries()) {
      const input = new Input(order);
      try {
        input.file = await CaptureFile.open(path, merged.#receiver(input, path));
        merged.#inputs.push(input);
      } catch (error) {
        failures.push(captureErrorOf(error));
      }
    }
    const [first] = failures;
    if (first !== undefined && merged.#inputs.length === 0) throw first;
    try {
      for (const failure of failures) handler.failed(failure);
    } catch (error) {
      await merged.close();
      throw error;
    }
    return merged;
  }

  /** Octets read of all there are; `total` is null where a stream has no known end. */
  get progress(): { readonly octets: number; readonly total: number | null } {
    let octets = 0;
    let total: number | null = 0;
    for (const { file } of this.#inputs) {
      octets += file?.octetsRead ?? 0;
      const size: number | null = file?.size ?? null;
      total = total === null || size === null ? null : total + size;
    }
    return { octets, total };
  }

  /** What the readable ones were, in the order they were named; one that was let go of before it began is none. */
  get summaries(): readonly CaptureSummary[] {
    return this.#inputs.flatMap((input) => input.summary ?? []);
  }

  /** Read on, a piece of one of them. @returns whether there may be more. Rejects with a CaptureError when none could be read. */
  async step(): Promise<boolean> {
    const hungry = this.#inputs.find((input) => input.waiting === 0 && !input.ended);
    if (hungry === undefined) return this.#passOn();
    const others = this.#inputs.filter((input) => input !== hungry);
    const complete = others.every((input) => input.waiting > 0 || input.ended);
    this.#limit = complete ? earliest(others) : undefined;
    await this.#read(hungry);
    return true;
  }

  /** Let go of all; what is held is delivered by the steps that follow. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all(this.#inputs.map(({ file }) => file?.close()));
  }

  async #read(input: Input): Promise<void> {
    try {
      input.ended = (await input.file?.step()) !== true;
    } catch (error) {
      const failure = captureErrorOf(error);
      input.ended = true;
      input.failed = true;
      if (this.#inputs.every(({ failed }) => failed)) throw failure;
      this.#handler.failed(failure);
    }
  }

  #receiver(input: Input, path: string): CaptureHandler {
    return {
      packet: (packet) => {
        // One capture alone has its own order.
        if (this.#inputs.length === 1) {
          this.#handler.packet(packet);
          return;
        }
        const head = { keyNs: packet.timeNs ?? input.lastNs, order: input.order };
        input.lastNs = head.keyNs;
        const first = input.waiting === 0 && this.#limit !== undefined;
        if (first && (this.#limit == null || comesBefore(head, this.#limit))) this.#deliver(packet);
        else input.hold(packet, head);
      },
      note: (code, severity, _offset, text) => {
        // Who lets go of a stream cuts it, most likely inside a packet: that is no damage.
        if (this.#closing && code === "capture-truncated") return;
        this.#handler.note({ capture: path === "-" ? "standard input" : path, code, severity, text });
      },
    };
  }

  /** Pass on what waits, until one has nothing left. @returns whether there may be more. */
  #passOn(): boolean {
    for (;;) {
      const next = this.#inputs.filter(({ waiting }) => waiting > 0).reduce(earlierInput, null);
      if (next === null) return this.#inputs.some(({ ended }) => !ended);
      const limit = earliest(this.#inputs.filter((input) => input !== next));
      for (let head = next.head; head !== null && (limit === null || comesBefore(head, limit)); head = next.head) {
        this.#deliver(next.take());
      }
      if (next.waiting === 0 && !next.ended) return true;
    }
  }

  #deliver(packet: Packet): void {
    this.#number += 1;
    this.#handler.packet({ ...packet, octets: packet.octets, number: this.#number });
  }
}

/** Where a packet belongs: by time, then by the order in which captures were named. */
interface Head {
  /** Null: before all that have a time. */
  readonly keyNs: bigint | null;
  readonly order: number;
}

/** One capture and what of it waits for the others. */
class Input {
  readonly order: number;
  file: CaptureFile | null = null;
  /** The time of its last packet that has one. */
  lastNs: bigint | null = null;
  ended = false;
  failed = false;
  readonly #held: { readonly packet: Packet; readonly head: Head }[] = [];
  #taken = 0;

  constructor(order: number) {
    this.order = order;
  }

  get summary(): CaptureSummary | null {
    try {
      return this.failed ? null : (this.file?.summary ?? null);
    } catch (error) {
      captureErrorOf(error);
      return null;
    }
  }

  get waiting(): number {
    return this.#held.length - this.#taken;
  }

  get head(): Head | null {
    return this.#held[this.#taken]?.head ?? null;
  }

  hold(packet: Packet, head: Head): void {
    this.#held.push({ packet: { ...packet, octets: packet.octets.slice() }, head });
  }

  /** Only while something waits. */
  take(): Packet {
    const { packet } = this.#held[this.#taken++]!;
    if (this.#taken === this.#held.length) {
      this.#held.length = 0;
      this.#taken = 0;
    }
    return packet;
  }
}

function comesBefore(one: Head, other: Head): boolean {
  if (one.keyNs === other.keyNs) return one.order <= other.order;
  if (one.keyNs === null || other.keyNs === null) return one.keyNs === null;
  return one.keyNs < other.keyNs;
}

function earlierInput(best: Input | null, input: Input): Input {
  if (best?.head == null || input.head === null) return best ?? input;
  return comesBefore(best.head, input.head) ? best : input;
}

function earliest(inputs: readonly Input[]): Head | null {
  return (
    inputs.reduce<Input | null>((best, input) => (input.head === null ? best : earlierInput(best, input)), null)?.head ?? null
  );
}

function captureErrorOf(error: unknown): CaptureError {
  if (error instanceof CaptureError) return error;
  throw error;
}
