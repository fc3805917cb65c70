import { type CaptureStop, CaptureWriteError } from "../../capture/write/capture-failure.ts";
import { CaptureFile, type WrittenCapture } from "../../capture/write/capture-file.ts";
import type { CaptureSink, ConversationSink } from "../../capture/write/capture-sink.ts";
import { UsageError } from "../../proxy/listen-spec.ts";
import { GENERATOR } from "../../proxy/version.ts";
import type { CaptureOptions } from "../capture-options.ts";
import { RunError } from "../errors.ts";
import { narrate, type Streams } from "../streams.ts";

/** The capture that a run writes. That it cannot go on is told once, and the run goes on. */
export class RunCapture {
  readonly #file: CaptureFile;
  readonly #toStdout: boolean;
  readonly #streams: Streams;

  private constructor(file: CaptureFile, toStdout: boolean, streams: Streams) {
    this.#file = file;
    this.#toStdout = toStdout;
    this.#streams = streams;
  }

  /**
   * Open it, and warn of what will be in it. What is in an existing file stays until something is recorded. Rejects with a UsageError
   * when stdout is a terminal, with a RunError when there can be no such file.
   */
  static async open({ path, maxFileOctets, ringFiles }: CaptureOptions, streams: Streams): Promise<RunCapture> {
    const toStdout = path === "-";
    if (toStdout && streams.stdout.isTTY === true) {
      throw new UsageError("-w -: stdout is a terminal (try -w FILE, or -w - | tshark -r -)");
    }
    const options = {
      path: toStdout ? "on stdout" : path,
      stream: toStdout ? streams.stdout : null,
      application: `${GENERATOR.name} ${GENERATOR.version}`,
      maxFileOctets,
      ringFiles,
      onStop: (stop: CaptureStop) => {
        if (!isReaderGone(stop, toStdout)) narrate(streams, stop.text);
      },
    };
    const file = await CaptureFile.open(options).catch((error: unknown) => {
      throw error instanceof CaptureWriteError ? new RunError(error.message) : error;
    });
    const place = toStdout ? "on stdout" : `${path} (mode 0600)`;
    narrate(streams, `the capture ${place} holds all that passes, secrets included`);
    return new RunCapture(file, toStdout, streams);
  }

  /** What is told of what passes. */
  get sink(): CaptureSink & ConversationSink {
    return this.#file;
  }

  /** Resolves when little waits for the disk: for a run that is patient. */
  caughtUp(): Promise<void> {
    return this.#file.caughtUp();
  }

  /** There was no run: what was in the file before is still there. */
  discard(): Promise<void> {
    return this.#file.discard();
  }

  /** Resolves when all is written that can be. @returns whether that is all that was to be recorded. */
  async finish(): Promise<boolean> {
    const written = await this.#file.finish();
    if (written.stop !== null) return isReaderGone(written.stop, this.#toStdout);
    if (!this.#toStdout) narrate(this.#streams, writtenText(written));
    return true;
  }
}

/** Whoever reads stdout may leave when he has seen enough: that ends the run, and is no failure. */
function isReaderGone({ code }: CaptureStop, toStdout: boolean): boolean {
  return toStdout && code === "EPIPE";
}

function writtenText({ packets, paths }: WrittenCapture): string {
  const [first = "", ...more] = paths;
  const files = more.length === 0 ? first : `${paths.length} files, ${first} to ${more.at(-1)}`;
  return `wrote ${packets} packets to ${files}`;
}
