import type { Writable } from "node:stream";

/** Text that may wait for a slow reader; beyond it lines are dropped, so that memory does not grow. */
const QUEUE_CAP = 16 * 1024 * 1024;
/** What may wait for a reader while the writer goes on, where the writer can wait. */
const ROOM = 1024 * 1024;
/** Lines are handed on together once there is this much, or the current turn of the event loop is over. */
const BATCH = 32 * 1024;

export interface BoundedOutputOptions {
  readonly stream: Writable;
  /** Says in the stream's own form how many writes were dropped. */
  readonly droppedLine: (writes: number) => string;
  /** Called once, with the first error of the stream. Nothing is written after that. */
  readonly onError: (error: NodeJS.ErrnoException) => void;
  readonly cap?: number;
}

/**
 * Whole lines to a stream whose reader may be slow or go away. Writing never waits and never throws: the relay does not slow down for
 * its trace. What does not fit into the queue is dropped and counted, and once there is room again the reader is told.
 */
export class BoundedOutput {
  readonly #options: BoundedOutputOptions;
  readonly #cap: number;
  #batch = "";
  #scheduled = false;
  #dropped = 0;
  #droppedUntold = 0;
  #failed = false;
  /** Who waits for the reader. */
  #wake: (() => void) | null = null;

  constructor(options: BoundedOutputOptions) {
    this.#options = options;
    this.#cap = options.cap ?? QUEUE_CAP;
    options.stream.on("error", (error) => this.#fail(error));
    options.stream.on("drain", () => this.#wake?.());
  }

  /** Writes that were dropped so far. */
  get dropped(): number {
    return this.#dropped;
  }

  /** @param lines one or more lines that belong together, with their line ends. */
  readonly write = (lines: string): void => {
    if (this.#failed) return;
    if (this.#options.stream.writableLength + this.#batch.length + lines.length > this.#cap) {
      this.#dropped += 1;
      this.#droppedUntold += 1;
      return;
    }
    if (this.#droppedUntold > 0) this.#tellDropped();
    this.#batch += lines;
    if (this.#batch.length >= BATCH) this.#flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(this.#turnOver);
    }
  };

  /** Resolves when little waits for the reader, or the stream failed: for writers that can wait, so that nothing need be dropped. */
  async room(): Promise<void> {
    this.#flush();
    while (!this.#failed && this.#options.stream.writableLength > ROOM) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#wake = null;
  }

  /**
   * The last text, however long. Resolves when the stream took all, or failed.
   * @param text may be empty.
   */
  async finish(text: string): Promise<void> {
    if (this.#failed) return;
    if (this.#droppedUntold > 0) this.#tellDropped();
    const last = this.#batch + text;
    this.#batch = "";
    await new Promise<void>((resolve) => {
      this.#options.stream.write(last, () => resolve());
    });
  }

  #tellDropped(): void {
    this.#batch += this.#options.droppedLine(this.#droppedUntold);
    this.#droppedUntold = 0;
  }

  readonly #turnOver = (): void => {
    this.#scheduled = false;
    this.#flush();
  };

  #flush(): void {
    if (this.#batch === "" || this.#failed) return;
    const batch = this.#batch;
    this.#batch = "";
    this.#options.stream.write(batch);
  }

  #fail(error: NodeJS.ErrnoException): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#batch = "";
    this.#wake?.();
    this.#options.onError(error);
  }
}
