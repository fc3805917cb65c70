import { BLOCK_TYPES } from "./pcapng-registry.ts";

type Row = Readonly<{ name: string; frame: boolean }>;

const TYPES: ReadonlyMap<number, Row> = new Map(BLOCK_TYPES.map((row) => [row.code, row]));
const UNKNOWN: Row = { name: "unknown", frame: false };
/** No type has this number. */
const NONE = -1;

/** Counts blocks by name. They come in long runs of one type: a run is counted by itself, and added when it ends. */
export class BlockCounts {
  readonly #byName = new Map<string, number>();
  #type = NONE;
  #row = UNKNOWN;
  #run = 0;

  /** One more. @returns whether tshark gives it a frame number. */
  add(type: number): boolean {
    if (type !== this.#type) {
      this.#endRun();
      this.#type = type;
      this.#row = TYPES.get(type) ?? UNKNOWN;
    }
    this.#run += 1;
    return this.#row.frame;
  }

  /** All so far, in the order in which their names came first. */
  get byName(): ReadonlyMap<string, number> {
    this.#endRun();
    return this.#byName;
  }

  #endRun(): void {
    if (this.#run > 0) this.#byName.set(this.#row.name, (this.#byName.get(this.#row.name) ?? 0) + this.#run);
    this.#run = 0;
  }
}
