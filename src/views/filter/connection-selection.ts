import type { Detail } from "../../decode/sink.ts";
import type { LedgerListener } from "../../ledger/listener.ts";
import type { Filter } from "./filter.ts";
import { FilteredListener } from "./filtered-listener.ts";

/** The connections of which a filter matches anything: a unit, a message, an exchange or a note. */
export class ConnectionSelection extends FilteredListener {
  readonly #ids: Set<string>;

  constructor(filter: Filter) {
    const ids = new Set<string>();
    super(filter, new OpeningsOnly(ids));
    this.#ids = ids;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }
}

/** Notes which connections are told of at all. */
class OpeningsOnly implements LedgerListener {
  readonly detail: Detail = 1;
  readonly messages = true;
  readonly #ids: Set<string>;

  constructor(ids: Set<string>) {
    this.#ids = ids;
  }

  connection({ id }: Parameters<LedgerListener["connection"]>[0]): void {
    this.#ids.add(id);
  }

  unit(): void {}
  message(): void {}
  exchange(): void {}
  note(): void {}
  close(): void {}
}
