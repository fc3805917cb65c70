import type { DecodeAs } from "../decode/first-octets.ts";
import type { Schemas } from "../decode/protobuf/message-type.ts";
import type { StackFor } from "../ledger/books.ts";
import type { LedgerListener } from "../ledger/listener.ts";
import type { Tally } from "../ledger/tally.ts";
import type { CaptureError } from "./capture-error.ts";
import type { CaptureSummary } from "./capture-file.ts";
import { CaptureLedger } from "./capture-ledger.ts";
import { Dissector } from "./dissect/dissector.ts";
import { type CaptureNote, MergedCaptures } from "./merged-captures.ts";
import type { Packet } from "./packet.ts";
import { TcpTracker } from "./tcp/tcp-tracker.ts";
import { type TimeBound, TimeWindow } from "./time-window.ts";
import type { ConversationSink } from "./write/capture-sink.ts";

/** How captures are read and counted. */
export interface ReadCapturesOptions {
  /** Who writes the tally. */
  readonly generator: Tally["generator"];
  /**
   * Called once, with the time of the first packet, for a listener that is then told of units, exchanges, notes and connections as they
   * are found. @param startedNs UTC nanoseconds since 1970. @param frameNumber the packet whose octets are being told.
   */
  readonly listenerFor?: (startedNs: bigint, frameNumber: () => number | null) => LedgerListener | null;
  /** Protobuf schemas: messages are then read by field and named by type. */
  readonly schemas?: Schemas | null;
  /** What is spoken on a server's port, whatever its octets look like. */
  readonly decodeAs?: ReadonlyMap<number, DecodeAs>;
  /** Calls on a connection before its warm window begins; default 10. */
  readonly warmUp?: number;
  /** Only packets from there to there, both included, are looked at. */
  readonly first?: TimeBound | null;
  readonly last?: TimeBound | null;
  /** Look at no more than so many packets. */
  readonly count?: number;
  /** Told of every connection's octets in order, to record them. */
  readonly sink?: ConversationSink | null;
  /**
   * Decodes a connection in the place of the stack.
   * @internal
   */
  readonly stackFor?: StackFor;
  /** Something odd in a capture, such as a missing end. */
  readonly onNote?: (note: CaptureNote) => void;
  /** One of several captures cannot be read, and is left out. Without it that rejects, as it does when none can be read. */
  readonly onFailure?: (error: CaptureError) => void;
  /** Called now and then. @param total octets of all files; null: one is a stream, or not a file. */
  readonly onProgress?: (octets: number, total: number | null) => void;
  /** Waited for now and then: who takes the results says when it can take more. */
  readonly caughtUp?: () => Promise<void>;
  /** Ends the reading; what was read is counted. */
  readonly signal?: AbortSignal;
}

/** What was read. */
export interface CaptureReading {
  readonly tally: Tally;
  /** What each of the captures was that could be read. */
  readonly captures: readonly CaptureSummary[];
  /** Packets that were looked at, and those of them that carry TCP. */
  readonly packets: number;
  readonly segments: number;
  /** Octets under `unattributed`. */
  readonly unattributed: number;
  /** Directions whose sums did not close: 0 unless there is a fault in us. */
  readonly broken: number;
}

/**
 * Read captures as one, in the order of time, and count every octet of their TCP conversations.
 * @param paths of files, `-` for standard input: pcap or pcapng, also compressed with gzip or zstd.
 * @returns what was read; damage and missing ends are notes. Rejects with a {@link CaptureError} when nothing can be read.
 */
export async function readCaptures(paths: readonly string[], options: ReadCapturesOptions): Promise<CaptureReading> {
  const reader = new CountingReader(paths, options);
  const captures = await MergedCaptures.open(paths, reader);
  const close = (): void => void captures.close();
  options.signal?.addEventListener("abort", close);
  try {
    if (options.signal?.aborted === true) close();
    while (!reader.full && (await captures.step())) {
      const { octets, total } = captures.progress;
      options.onProgress?.(octets, total);
      await options.caughtUp?.();
    }
    return reader.finish(captures.summaries);
  } finally {
    options.signal?.removeEventListener("abort", close);
    await captures.close();
  }
}

/** Packets in, a document out. */
class CountingReader {
  readonly #options: ReadCapturesOptions;
  readonly #ledger: CaptureLedger;
  readonly #tracker: TcpTracker;
  readonly #dissector: Dissector;
  readonly #window: TimeWindow;
  readonly #most: number;
  #packets = 0;

  constructor(files: readonly string[], options: ReadCapturesOptions) {
    const { generator, listenerFor, schemas = null, decodeAs = new Map(), first = null, last = null, sink = null } = options;
    const { stackFor, warmUp } = options;
    this.#options = options;
    this.#window = new TimeWindow({ first, last });
    this.#most = options.count ?? Number.POSITIVE_INFINITY;
    this.#ledger = new CaptureLedger({
      generator,
      files,
      listenerFor: (startedNs) => listenerFor?.(startedNs, () => this.#ledger.frameNumber) ?? null,
      schemas,
      decodeAs,
      sink,
      ...(warmUp === undefined ? {} : { warmUp }),
      ...(stackFor === undefined ? {} : { stackFor }),
    });
    this.#tracker = new TcpTracker(this.#ledger);
    this.#dissector = new Dissector({
      segment: (segment) => this.#tracker.segment(segment),
      note: (code, _packetNumber, text) => this.#note(code, "warning", text),
    });
  }

  /** As many packets were looked at as were asked for. */
  get full(): boolean {
    return this.#packets >= this.#most;
  }

  packet(packet: Packet): void {
    if (!this.#window.has(packet.timeNs) || this.full) return;
    this.#packets += 1;
    this.#ledger.packet(packet.timeNs);
    this.#dissector.packet(packet);
  }

  note(note: CaptureNote): void {
    this.#options.onNote?.(note);
  }

  failed(error: CaptureError): void {
    if (this.#options.onFailure === undefined) throw error;
    this.#options.onFailure(error);
  }

  finish(captures: readonly CaptureSummary[]): CaptureReading {
    this.#tracker.end();
    this.#noteLosses();
    const { unattributed, broken } = this.#ledger;
    const { segments } = this.#dissector.counts;
    return { tally: this.#ledger.tally(), captures, packets: this.#packets, segments, unattributed, broken };
  }

  /** Packets that were there and could not be looked into. */
  #noteLosses(): void {
    const { cut, malformed, incompleteDatagrams } = this.#dissector.counts;
    if (cut > 0)
      this.#note("packets-cut", "info", `${packets(cut)} too short to find TCP in: the capture kept too little (snaplen)`);
    if (malformed > 0)
      this.#note("packets-malformed", "info", `${packets(malformed)} passed over: their headers contradict themselves`);
    if (incompleteDatagrams > 0) {
      this.#note("fragments-missing", "info", `${incompleteDatagrams} fragmented IP datagrams lack fragments and were left out`);
    }
  }

  #note(code: string, severity: CaptureNote["severity"], text: string): void {
    this.#options.onNote?.({ capture: null, code, severity, text });
  }
}

function packets(count: number): string {
  return count === 1 ? "1 packet was" : `${count} packets were`;
}
