import { CaptureError } from "../../capture/capture-error.ts";
import { type CaptureReading, type ReadCapturesOptions, readCaptures } from "../../capture/read-captures.ts";
import type { Schemas } from "../../decode/protobuf/message-type.ts";
import type { LedgerListener } from "../../ledger/listener.ts";
import { NoteRecorder } from "../../proxy/note-recorder.ts";
import { GENERATOR } from "../../proxy/version.ts";
import { escapeText } from "../../views/escape.ts";
import { ConnectionSelection } from "../../views/filter/connection-selection.ts";
import { EXIT } from "../exit-codes.ts";
import { CaptureNotes } from "../output/capture-notes.ts";
import { openReadProgress, type ReadProgress } from "../output/read-progress.ts";
import { refuseInputs } from "../output/refuse-inputs.ts";
import { RunCapture } from "../output/run-capture.ts";
import { RunOutput } from "../output/run-output.ts";
import type { ReadCommandOptions } from "../read-options.ts";
import { readSchemas } from "../run-schemas.ts";
import { onSignals } from "../stop.ts";
import type { Streams } from "../streams.ts";
import { strictCode } from "../strict.ts";
import { followOctets } from "./follow-octets.ts";
import { selectedOnly } from "./selected-only.ts";

/**
 * `wiretally read`: read captures, trace; then write the tally. Resolves to the exit code. Rejects with a UsageError, with a CaptureError
 * when nothing can be read, or with a RunError when a result cannot be written.
 */
export async function runRead(options: ReadCommandOptions, streams: Streams): Promise<number> {
  const schemas = await readSchemas(options);
  await refuseInputs(options);
  const stop = new AbortController();
  const giveUp = (): void => process.exit(EXIT.failed);
  const unwatch = onSignals({ stop: () => stop.abort(), abort: giveUp, giveUp });
  try {
    if (options.follow !== null) return await followOctets(options, options.follow, schemas, streams, stop.signal);
    return await new ReadRun(options, schemas, streams, stop).run();
  } finally {
    unwatch();
  }
}

/** One run of the command. */
class ReadRun {
  readonly #options: ReadCommandOptions;
  readonly #schemas: Schemas | null;
  readonly #streams: Streams;
  readonly #stop: AbortController;
  readonly #output: RunOutput;
  readonly #progress: ReadProgress;
  readonly #notes: CaptureNotes;
  /** A capture could not be read, or what was to be recorded is not. */
  #failed = false;

  constructor(options: ReadCommandOptions, schemas: Schemas | null, streams: Streams, stop: AbortController) {
    this.#options = options;
    this.#schemas = schemas;
    this.#streams = streams;
    this.#stop = stop;
    this.#output = new RunOutput(options, streams, "patient");
    // On one terminal, trace and progress would overwrite each other.
    this.#progress = openReadProgress(streams, this.#output.traceOnStdout);
    this.#notes = new CaptureNotes(streams, this.#progress.clear);
    void this.#output.readerGone.then(() => stop.abort());
  }

  async run(): Promise<number> {
    const { capture, files, separate, strict } = this.#options;
    await this.#output.open();
    const recording = capture === null ? null : await RunCapture.open(capture, this.#streams);
    let [unattributed, broken] = [0, 0];
    try {
      for (const paths of separate ? files.map((file) => [file]) : [files]) {
        const reading = await this.#read(paths, recording);
        unattributed += reading?.unattributed ?? 0;
        broken += reading?.broken ?? 0;
      }
    } catch (error) {
      await recording?.discard();
      throw error;
    } finally {
      this.#progress.clear();
      this.#notes.finish();
    }
    if (recording !== null && !(await recording.finish())) this.#failed = true;
    if (this.#failed || this.#output.failed) return EXIT.failed;
    return strict ? strictCode({ unattributed, broken }, this.#streams) : EXIT.done;
  }

  /** @returns null when it cannot be read, which was told; rejects when it is all there is. */
  async #read(paths: readonly string[], recording: RunCapture | null): Promise<CaptureReading | null> {
    if (this.#options.separate && this.#options.files.length > 1) this.#output.heading(`== ${escapeText(paths.join(" "))}`);
    try {
      const reading = await this.#count(paths, recording);
      const { captures, packets, segments } = reading;
      this.#progress.clear();
      await this.#output.finish(reading.tally, { files: captures.map(({ name }) => name), packets, segments });
      return reading;
    } catch (error) {
      if (!(error instanceof CaptureError) || this.#options.files.length === paths.length) throw error;
      this.#couldNot(error);
      return null;
    }
  }

  async #count(paths: readonly string[], recording: RunCapture | null): Promise<CaptureReading> {
    const { filter } = this.#options;
    const frame: { number: () => number | null } = { number: () => null };
    const views = this.#output.views(() => frame.number());
    const selection = recording !== null && filter !== null ? new ConnectionSelection(filter) : null;
    if (selection !== null) await readCaptures(paths, { ...this.#how(), listenerFor: () => selection });
    const sink = recording === null || selection === null ? (recording?.sink ?? null) : selectedOnly(recording.sink, selection);
    const follow = (startedNs: bigint): LedgerListener | null => {
      views.begin(startedNs);
      return sink === null ? views.listener : new NoteRecorder(sink, views.listener);
    };
    const reading = await readCaptures(paths, {
      ...this.#how(),
      sink,
      listenerFor: (startedNs, frameNumber) => {
        frame.number = frameNumber;
        return follow(startedNs);
      },
      onNote: (note) => this.#notes.tell(note),
      onFailure: (error) => this.#couldNot(error),
      caughtUp: async () => {
        await this.#output.caughtUp();
        await recording?.caughtUp();
      },
    });
    return { ...reading, tally: views.select(reading.tally) };
  }

  #how(): ReadCapturesOptions {
    const { count, decodeAs, first, last } = this.#options;
    return {
      generator: GENERATOR,
      schemas: this.#schemas,
      decodeAs,
      first,
      last,
      ...(count === undefined ? {} : { count }),
      onFailure: () => {},
      onProgress: this.#progress.show,
      signal: this.#stop.signal,
    };
  }

  #couldNot(error: CaptureError): void {
    this.#failed = true;
    this.#notes.failed(error);
  }
}
