import { createWriteStream } from "node:fs";
import type { LedgerListener } from "../../ledger/listener.ts";
import type { Tally } from "../../ledger/tally.ts";
import { NdjsonStream } from "../../views/ndjson.ts";
import { Redactor } from "../../views/redact.ts";
import { summaryText } from "../../views/summary.ts";
import { tallyJson } from "../../views/tally-json.ts";
import { colourLevel, createTheme, type Theme } from "../../views/theme.ts";
import { TRACE_DETAIL, type TraceLevel } from "../../views/trace/levels.ts";
import { Trace } from "../../views/trace/trace.ts";
import { writeFailure } from "../errors.ts";
import type { ProxyCommandOptions } from "../proxy-options.ts";
import { narrate, type Streams } from "../streams.ts";
import { BoundedOutput } from "./bounded-output.ts";
import { droppedEvents, droppedLines } from "./dropped.ts";
import { type OutputPlan, planOutput } from "./plan.ts";
import { checkReplaceable, replaceFile } from "./replace-file.ts";

/** Everything that `proxy` writes, apart from narration. What cannot be written is told once; the relay never notices. */
export class ProxyOutput {
  /** Resolves when whoever read stdout went away (`| head`). */
  readonly readerGone: Promise<void>;
  readonly #options: ProxyCommandOptions;
  readonly #streams: Streams;
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
  constructor(options: ProxyCommandOptions, streams: Streams) {
    this.#options = options;
    this.#streams = streams;
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
      droppedLine: this.#writesEventsTo("-") ? droppedEvents : droppedLines,
      onError: (error) => {
        this.#stdoutBroken = true;
        if (error.code === "EPIPE") gone();
        else this.#fail("-", error);
      },
    });
  }

  /** Whether any view follows the ledger: else nothing need be told, and no call costs more than its counts. */
  get follows(): boolean {
    return (this.#plan.traceOnStdout && (this.#level !== "off" || this.#options.notes)) || this.#writesEvents();
  }

  /** How much of units the views will want. */
  get detail(): LedgerListener["detail"] {
    const trace = TRACE_DETAIL[this.#level];
    return this.#writesEvents() && trace < 2 ? 2 : trace;
  }

  /** Whether the views will want messages. */
  get messages(): boolean {
    return this.#writesEvents() || TRACE_DETAIL[this.#level] > 0;
  }

  /** Something could not be written. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Try the files before anything is served. Rejects with a RunError. */
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
  }

  /** The views that follow the ledger. @param started its tally at the start. */
  listeners({ started, source }: Tally): readonly LedgerListener[] {
    const startedNs = epochNs(started);
    const listeners: LedgerListener[] = [];
    if (this.#plan.traceOnStdout) {
      const { time, notes } = this.#options;
      const looks = { level: this.#level, time, notes, theme: this.#theme, redactor: this.#redactor };
      listeners.push(new Trace({ ...looks, startedNs, write: this.#stdout.write }));
    } else if (this.#options.traceAsked) {
      narrate(this.#streams, "stdout carries the document, so the trace is off");
    }
    const events = this.#events ?? (this.#writesEventsTo("-") ? this.#stdout : null);
    if (events !== null) {
      const stream = new NdjsonStream({ redactor: this.#redactor, startedNs, write: events.write });
      for (const listener of source.listeners) stream.listening(listener, 0);
      listeners.push(stream);
    }
    return listeners;
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

  /** Write the results. Resolves when all is written, or told to be impossible. */
  async finish(tally: Tally): Promise<void> {
    await this.#snapshot;
    await this.#events?.finish("");
    const summary = (theme: Theme): string => summaryText(tally, theme, this.#redactor);
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
    return new BoundedOutput({ stream, droppedLine: droppedEvents, onError: (error) => this.#fail(path, error) });
  }

  #writesEvents(): boolean {
    return this.#plan.documents.some(({ format }) => format === "ndjson");
  }

  #writesEventsTo(place: string): boolean {
    return this.#plan.documents.some(({ format, path }) => format === "ndjson" && path === place);
  }

  #fail(path: string, error: unknown): void {
    this.#failed = true;
    narrate(this.#streams, writeFailure(path, error).message);
  }
}

/** Nanoseconds since 1970 of an RFC 3339 time with nine fractional digits. */
function epochNs(time: string): bigint {
  const toMilliseconds = "2026-01-01T00:00:00.000".length;
  const ms = Date.parse(`${time.slice(0, toMilliseconds)}Z`);
  return BigInt(ms) * 1_000_000n + BigInt(time.slice(toMilliseconds, -1));
}
