import { createWriteStream } from "node:fs";
import type { Tally } from "../../ledger/tally.ts";
import type { ItemKind } from "../../views/filter/possible-match.ts";
import { Redactor } from "../../views/redact.ts";
import { type CaptureFigures, summaryText } from "../../views/summary.ts";
import { tallyJson } from "../../views/tally-json.ts";
import { colourLevel, createTheme, type Theme } from "../../views/theme.ts";
import type { TraceLevel } from "../../views/trace/levels.ts";
import { writeFailure } from "../errors.ts";
import type { RunOptions } from "../run-options.ts";
import { narrate, type Streams } from "../streams.ts";
import { BoundedOutput } from "./bounded-output.ts";
import { droppedEvents, droppedLines } from "./dropped.ts";
import { type OutputPlan, planOutput } from "./plan.ts";
import { checkReplaceable, replaceFile } from "./replace-file.ts";
import { RunViews } from "./run-views.ts";

/**
 * Who waits for whom: live traffic does not wait for a slow reader of its trace, which loses lines; a capture is read no faster than its
 * trace is, and loses none.
 */
export type Pace = "live" | "patient";

/** Everything that a run writes, apart from narration. What cannot be written is told once, and the run goes on. */
export class RunOutput {
  /** Resolves when whoever read stdout went away (`| head`). */
  readonly readerGone: Promise<void>;
  readonly #options: RunOptions;
  readonly #streams: Streams;
  readonly #pace: Pace;
  readonly #plan: OutputPlan;
  readonly #redactor: Redactor;
  readonly #theme: Theme;
  readonly #level: TraceLevel;
  readonly #stdout: BoundedOutput;
  #events: BoundedOutput | null = null;
  #stdoutBroken = false;
  #failed = false;
  #snapshot: Promise<void> | null = null;
  #snapshotFailed = false;

  /** Throws a UsageError when two documents want the same place. */
  constructor(options: RunOptions, streams: Streams, pace: Pace) {
    this.#options = options;
    this.#streams = streams;
    this.#pace = pace;
    this.#plan = planOutput(options);
    this.#redactor = new Redactor({ showSecrets: options.showSecrets, names: options.redact });
    this.#theme = createTheme(colourLevel(options.color, streams.stdout, streams.env));
    this.#level = this.#plan.traceOnStdout ? options.trace : "off";
    let gone: () => void = () => {};
    this.readerGone = new Promise((resolve) => {
      gone = resolve;
    });
    this.#stdout = new BoundedOutput({
      stream: streams.stdout,
      ...this.#bounds(this.#writesEventsTo("-") ? droppedEvents : droppedLines),
      onError: (error) => {
        this.#stdoutBroken = true;
        if (error.code === "EPIPE") gone();
        else this.#fail("-", error);
      },
    });
  }

  /** Something could not be written. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Whether lines appear on stdout as things happen. */
  get traceOnStdout(): boolean {
    return this.#plan.traceOnStdout && (this.#level !== "off" || this.#options.notes);
  }

  /** Try the files before anything is served or read, and say what cannot be meant. Rejects with a RunError. */
  async open(): Promise<void> {
    for (const { format, path } of this.#plan.documents) {
      if (path === "-") continue;
      try {
        if (format === "ndjson") this.#events = await this.#openEvents(path);
        else await checkReplaceable(path);
      } catch (error) {
        throw writeFailure(path, error);
      }
    }
    if (!this.#plan.traceOnStdout && this.#options.traceAsked) {
      const what = this.#options.capture?.path === "-" ? "capture" : "document";
      narrate(this.#streams, `stdout carries the ${what}, so the trace is off`);
    }
    this.#hintAtFilter();
  }

  /**
   * The views of one ledger.
   * @param frameNumber the packet that is being read, for events; null: what is told has none.
   */
  views(frameNumber: (() => number | null) | null = null): RunViews {
    const { filter, notes, time } = this.#options;
    const looks = { redactor: this.#redactor, theme: this.#theme, time, notes };
    return new RunViews({
      filter,
      trace: this.#plan.traceOnStdout ? { ...looks, level: this.#level, write: this.#stdout.write } : null,
      events: this.#eventsOutput === null ? null : { redactor: this.#redactor, write: this.#eventsOutput.write, frameNumber },
    });
  }

  /** What comes next on stdout is about this; nothing where stdout carries a document. @param text one line, safe to print. */
  heading(text: string): void {
    if (this.#plan.traceOnStdout) this.#stdout.write(`${this.#theme.heading(text)}\n`);
  }

  /** Resolves when what was told is written, apart from a little: for a run that is patient. */
  async caughtUp(): Promise<void> {
    await this.#stdout.room();
    await this.#events?.room();
  }

  /** Rewrite `--json FILE` now, unless that is being done already. @returns false when there is no such file. */
  snapshot(tally: () => Tally): boolean {
    const { json } = this.#options;
    if (json === null || json === "-") return false;
    this.#snapshot ??= replaceFile(json, tallyJson(tally(), this.#redactor))
      .catch((error: unknown) => {
        if (!this.#snapshotFailed) narrate(this.#streams, writeFailure(json, error).message);
        this.#snapshotFailed = true;
      })
      .finally(() => {
        this.#snapshot = null;
      });
    return true;
  }

  /**
   * Write the results. Resolves when all is written, or told to be impossible. More may follow on stdout.
   * @param capture what the summary says of the captures that were read; null: there were none.
   */
  async finish(tally: Tally, capture: CaptureFigures | null = null): Promise<void> {
    await this.#snapshot;
    await this.#events?.finish("");
    const summary = (theme: Theme): string => summaryText(tally, theme, this.#redactor, capture);
    let summaryDue = this.#plan.traceOnStdout;
    for (const { format, path } of this.#plan.documents) {
      if (format === "ndjson") continue;
      const text = format === "json" ? tallyJson(tally, this.#redactor) : summary(path === "-" ? this.#theme : createTheme(0));
      if (path === "-") await this.#stdout.finish(text);
      else if ((await this.#write(path, text)) && format === "text") summaryDue = false;
    }
    await this.#stdout.finish(summaryDue ? summary(this.#theme) : "");
    // stdout is full or gone for another reason than its reader: what was counted should still be seen.
    if (this.#stdoutBroken && this.#failed) this.#streams.stderr.write(summary(createTheme(0)));
  }

  get #eventsOutput(): BoundedOutput | null {
    return this.#events ?? (this.#writesEventsTo("-") ? this.#stdout : null);
  }

  async #write(path: string, text: string): Promise<boolean> {
    try {
      await replaceFile(path, text);
      return true;
    } catch (error) {
      this.#fail(path, error);
      return false;
    }
  }

  async #openEvents(path: string): Promise<BoundedOutput> {
    const stream = createWriteStream(path);
    await new Promise<void>((resolve, reject) => {
      stream.once("open", () => resolve());
      stream.once("error", reject);
    });
    return new BoundedOutput({ stream, ...this.#bounds(droppedEvents), onError: (error) => this.#fail(path, error) });
  }

  #bounds(droppedLine: (writes: number) => string): { droppedLine: (writes: number) => string; cap?: number } {
    return this.#pace === "live" ? { droppedLine } : { droppedLine, cap: Number.POSITIVE_INFINITY };
  }

  #writesEventsTo(place: string): boolean {
    return this.#plan.documents.some(({ format, path }) => format === "ndjson" && path === place);
  }

  /** A filter may ask for what the trace does not show: a frame's type, where it has a line an exchange. */
  #hintAtFilter(): void {
    const { filter, notes } = this.#options;
    if (filter === null || !this.traceOnStdout) return;
    const shown: ItemKind[] = notes ? ["note"] : [];
    if (this.#level !== "off") shown.push("exchange");
    if (this.#level !== "off" && this.#level !== "exchanges") shown.push("unit", "message");
    if (shown.some((kind) => filter.couldMatch(kind))) return;
    const tries = filter.couldMatch("unit") ? "try -v, for frames" : filter.couldMatch("note") ? "try --notes" : "";
    narrate(this.#streams, `nothing that --trace ${this.#level} shows can match the filter${tries === "" ? "" : ` (${tries})`}`);
  }

  #fail(path: string, error: unknown): void {
    this.#failed = true;
    narrate(this.#streams, writeFailure(path, error).message);
  }
}
