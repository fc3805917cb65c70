import type { LedgerListener } from "../../ledger/listener.ts";
import type { Tally } from "../../ledger/tally.ts";
import { FanOut } from "../../views/fan-out.ts";
import type { Filter } from "../../views/filter/filter.ts";
import { FilteredListener } from "../../views/filter/filtered-listener.ts";
import { type NdjsonOptions, NdjsonStream } from "../../views/ndjson.ts";
import { TRACE_DETAIL } from "../../views/trace/levels.ts";
import { Trace, type TraceOptions } from "../../views/trace/trace.ts";

/** Which views there are, and how they look; null: there is no such view. */
export interface RunViewsOptions {
  readonly filter: Filter | null;
  readonly trace: Omit<TraceOptions, "startedNs"> | null;
  readonly events: Omit<NdjsonOptions, "startedNs"> | null;
}

/** What follows one ledger as it counts: trace and events, of what the filter matches. */
export class RunViews {
  /** For the ledger. Null: no view follows it, and no call costs more than its counts. */
  readonly listener: LedgerListener | null;
  readonly #options: RunViewsOptions;
  readonly #fanOut: FanOut;
  readonly #filtered: FilteredListener | null;

  constructor(options: RunViewsOptions) {
    const { events, filter, trace } = options;
    const detail = trace === null ? 0 : TRACE_DETAIL[trace.level];
    this.#options = options;
    this.#fanOut = new FanOut(events !== null && detail < 2 ? 2 : detail, events !== null || detail > 0);
    this.#filtered = filter === null ? null : new FilteredListener(filter, this.#fanOut);
    const traces = trace !== null && (trace.level !== "off" || trace.notes);
    this.listener = this.#filtered ?? (traces || events !== null ? this.#fanOut : null);
  }

  /** The ledger has begun; what it told before is told now. @param listeners where it listens. */
  begin(startedNs: bigint, listeners: Tally["source"]["listeners"] = []): void {
    const { events, trace } = this.#options;
    const views: LedgerListener[] = [];
    if (trace !== null) views.push(new Trace({ ...trace, startedNs }));
    if (events !== null) {
      const stream = new NdjsonStream({ ...events, startedNs });
      for (const listener of listeners) stream.listening(listener, 0);
      views.push(stream);
    }
    this.#fanOut.begin(views);
  }

  /** The ledger's tally, of whose exchanges those are listed that the filter matches. */
  select(tally: Tally): Tally {
    return this.#filtered?.select(tally) ?? tally;
  }
}
