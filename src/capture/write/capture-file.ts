import { arch, release, type } from "node:os";
import type { Writable } from "node:stream";
import type { Direction } from "../../decode/direction.ts";
import type { ConnectionFacts } from "../../ledger/listener.ts";
import { type BlockDestination, StreamDestination } from "./block-destination.ts";
import { BlockQueue, type QueueItem } from "./block-queue.ts";
import { type CaptureStop, CaptureWriteError, codeOf, reasonOf } from "./capture-failure.ts";
import type { CaptureSink, ConversationSink } from "./capture-sink.ts";
import { ConversationWriter } from "./conversation-writer.ts";
import { FileSequence } from "./file-sequence.ts";
import { PcapngWriter } from "./pcapng-writer.ts";

/** So many octets that wait are written, and fewer… */
const FLUSH_OCTETS = 256 * 1024;
/** … after this time: no octet waits longer for its write to begin, unless a write is under way. */
const FLUSH_MS = 200;
/** What may wait while who can wait goes on. */
const CAUGHT_UP_OCTETS = 8 * 1024 * 1024;
/** What may wait for the disk. At 1 GB/s that is a stall of 64 ms, at 10 MB/s one of 6 s. */
const BUFFER_OCTETS = 64 * 1024 * 1024;
/** The least `maxFileOctets`: room for the header, and for a full packet with comments. */
export const SMALLEST_CAPTURE_OCTETS = 128 * 1024;

const COMMENT =
  "Octets and times are a relay's; handshakes, headers and acknowledgements are made up around them. Secrets are not redacted.";

/** What is asked of a capture file. */
export interface CaptureFileOptions {
  /** Written over when it exists, once there is something to write. Pipes and devices will do, without `maxFileOctets`. */
  readonly path: string;
  /** Written to in the place of a file, and left open; `path` is then what to call it. Not with `maxFileOctets`. */
  readonly stream?: Writable | null;
  /** Name and version of the program, for the section header. */
  readonly application: string;
  /**
   * Files of at most that many octets: `NAME-00001.EXT`, `NAME-00002.EXT`, … for a path of `NAME.EXT`, from the first number
   * after all that exist. Each can be read alone; all of them in order are one capture. null: one file without a limit.
   */
  readonly maxFileOctets?: number | null;
  /** With `maxFileOctets`: so many files are kept, older ones of this capture are removed. null: all. */
  readonly ringFiles?: number | null;
  /** The capture stopped by itself; called once at most. Nothing is recorded any more, and nothing else happens. */
  readonly onStop: (stop: CaptureStop) => void;
}

/** What became of a capture. */
export interface WrittenCapture {
  /** The files that hold it, oldest first. */
  readonly paths: readonly string[];
  readonly packets: number;
  readonly stop: CaptureStop | null;
}

/**
 * Records connections to pcapng files, without ever holding up its caller: blocks wait in a buffer of 64 MiB, and are written
 * when 256 KiB are there or 200 ms have passed. What is written survives the death of the process. A disk that is full, broken
 * or too slow stops the capture: what was accepted until then is written if it can be.
 */
export class CaptureFile implements CaptureSink, ConversationSink {
  readonly #options: CaptureFileOptions;
  readonly #files: BlockDestination;
  readonly #queue = new BlockQueue();
  readonly #writer: PcapngWriter;
  #conversations: ConversationWriter | null;
  #timer: NodeJS.Timeout | undefined;
  #draining: Promise<void> | null = null;
  /** What has not filled a chunk is to be written, too. */
  #flushDue = false;
  #stop: CaptureStop | null = null;

  private constructor(options: CaptureFileOptions, files: BlockDestination) {
    const { application, maxFileOctets = null } = options;
    const section = { hardware: arch(), os: `${type()} ${release()}`, application, comment: COMMENT };
    this.#options = options;
    this.#files = files;
    this.#writer = new PcapngWriter(this.#queue, section, maxFileOctets);
    this.#conversations = new ConversationWriter(this.#writer);
  }

  /**
   * Opens the file, with mode 0600. Rejects with {@link CaptureWriteError}: it cannot be opened, or what is asked for cannot be.
   */
  static async open(options: CaptureFileOptions): Promise<CaptureFile> {
    const { path, stream = null, maxFileOctets = null, ringFiles = null } = options;
    if (maxFileOctets !== null && !(maxFileOctets >= SMALLEST_CAPTURE_OCTETS)) {
      throw new CaptureWriteError(
        `a capture file of ${maxFileOctets} octets is too small: give ${SMALLEST_CAPTURE_OCTETS} (128 KiB) or more`,
      );
    }
    if (ringFiles !== null && maxFileOctets === null) {
      throw new CaptureWriteError("a ring of capture files needs the size of a file: give both");
    }
    if (ringFiles !== null && !(Number.isInteger(ringFiles) && ringFiles >= 1)) {
      throw new CaptureWriteError(`a ring of ${ringFiles} capture files cannot be: give 1 or more`);
    }
    if (stream !== null && maxFileOctets !== null) throw new CaptureWriteError("a stream cannot be cut into files");
    const files =
      stream === null
        ? new FileSequence({ path, numbered: maxFileOctets !== null, keep: ringFiles })
        : new StreamDestination(stream);
    try {
      await files.next();
    } catch (error) {
      throw new CaptureWriteError(`cannot write the capture ${path}: ${reasonOf(codeOf(error))}; try another file`, {
        cause: error,
      });
    }
    return new CaptureFile(options, files);
  }

  listener(name: string, listen: string, target: string): void {
    this.#conversations?.listener(name, listen, target);
    this.#blocksCame();
  }

  /** A connection begins. @param late see {@link ConversationSink}. */
  open(connection: ConnectionFacts, timeNs: bigint, late?: readonly [c2s: boolean, s2c: boolean]): void {
    this.#conversations?.open(connection, timeNs, late);
    this.#blocksCame();
  }

  delta(id: string, direction: Direction, octets: Uint8Array, timeNs: bigint): void {
    this.#conversations?.delta(id, direction, octets, timeNs);
    this.#blocksCame();
  }

  gap(id: string, direction: Direction, octets: number | null, timeNs: bigint): void {
    this.#conversations?.gap(id, direction, octets, timeNs);
  }

  fin(id: string, direction: Direction, timeNs: bigint): void {
    this.#conversations?.fin(id, direction, timeNs);
    this.#blocksCame();
  }

  reset(id: string, direction: Direction, timeNs: bigint): void {
    this.#conversations?.reset(id, direction, timeNs);
    this.#blocksCame();
  }

  note(id: string, text: string, direction: Direction | null): void {
    this.#conversations?.note(id, text, direction);
  }

  close(id: string, timeNs: bigint): void {
    this.#conversations?.close(id, timeNs);
    this.#blocksCame();
  }

  leave(id: string, timeNs: bigint): void {
    this.#conversations?.leave(id, timeNs);
    this.#blocksCame();
  }

  /** Resolves when little waits for the disk: for who can wait, and so need not lose the capture to a slow one. Never rejects. */
  async caughtUp(): Promise<void> {
    if (this.#queue.waitingOctets > CAUGHT_UP_OCTETS) await this.#drain();
  }

  /** Ends the capture: what waits is written, and the file closed. Never rejects: what failed is in the summary, and was told. */
  async finish(): Promise<WrittenCapture> {
    this.#conversations = null;
    clearTimeout(this.#timer);
    this.#flushDue = true;
    await this.#drain();
    await this.#closeFile();
    return { paths: [...this.#files.paths], packets: this.#writer.packets, stop: this.#stop };
  }

  /** Ends a capture that was told nothing: the file is as it was, or not there if it was not. */
  async discard(): Promise<void> {
    this.#conversations = null;
    this.#queue.clear();
    await this.#files.discard();
  }

  #blocksCame(): void {
    if (this.#conversations === null) return;
    if (this.#queue.waitingOctets > BUFFER_OCTETS) {
      this.#stopped("OVERRUN");
      this.#flushDue = true;
      void this.#drain().then(() => this.#closeFile());
    } else if (this.#due) void this.#drain();
    else if (this.#queue.waitingOctets > 0) this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
  }

  /** Whether something is to be written now. */
  get #due(): boolean {
    return this.#queue.ready || this.#flushDue || this.#queue.unsealedOctets >= FLUSH_OCTETS;
  }

  /** While a write is under way chunks go on being filled: sealing them half empty would only fill the buffer with air. */
  #flush(): void {
    this.#timer = undefined;
    this.#flushDue = true;
    void this.#drain();
  }

  /** Writes what is ready, one write at a time; never rejects. */
  #drain(): Promise<void> {
    this.#draining ??= this.#writeReady().finally(() => {
      this.#draining = null;
      // What came between the last look and now.
      return this.#due ? this.#drain() : undefined;
    });
    return this.#draining;
  }

  async #writeReady(): Promise<void> {
    try {
      for (let item = this.#nextItem(); item !== undefined; item = this.#nextItem()) {
        if (item.kind === "next-file") await this.#files.next();
        else await this.#files.append(item.pieces);
        this.#queue.release(item);
      }
    } catch (error) {
      this.#queue.clear();
      this.#stopped(codeOf(error));
      await this.#closeFile();
    }
  }

  #nextItem(): QueueItem | undefined {
    if (this.#due && !this.#queue.ready) {
      this.#flushDue = false;
      this.#queue.seal();
    }
    return this.#queue.take();
  }

  /** Some systems tell only now that a write has failed. */
  async #closeFile(): Promise<void> {
    try {
      await this.#files.close();
    } catch (error) {
      this.#stopped(codeOf(error));
    }
  }

  #stopped(code: string): void {
    this.#conversations = null;
    clearTimeout(this.#timer);
    if (this.#stop !== null) return;
    const kept = "what it holds is kept, and traffic goes on without it";
    const text = `the capture ${this.#options.path} stopped: ${reasonOf(code)}; ${kept}`;
    this.#stop = { code, text };
    this.#options.onStop(this.#stop);
  }
}
