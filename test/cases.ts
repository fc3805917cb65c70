import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { C2S, type Direction, type DirectionName, S2C } from "../src/decode/direction.ts";
import { shared } from "./shared.ts";

/** Octets in the order they were sent: `[start, end)` of one direction's octets. */
export interface Turn {
  readonly direction: Direction;
  readonly start: number;
  readonly end: number;
}

/** `length` octets from `offset` are `label`; labels are coarse (`http1.field_line`) where our leaves are finer. */
export type ByteRange = readonly [offset: number, length: number, label: string];

/** The parts of expected.json that tests read; the rest of it is described in the cases' own cases.md. */
export interface ExpectedCase {
  readonly id: string;
  readonly title: string;
  // biome-ignore lint/suspicious/noExplicitAny: the result has another shape in every area
  readonly expect: any;
  readonly turns?: readonly (readonly [DirectionName, number, number])[];
  readonly byte_ranges?: Readonly<Partial<Record<DirectionName, readonly ByteRange[]>>>;
  readonly byte_attribution?: Readonly<
    Partial<Record<DirectionName, { readonly total: number; readonly by_label: Readonly<Record<string, number>> }>>
  >;
  readonly h2_frames?: readonly {
    readonly dir: DirectionName;
    readonly offset: number;
    readonly type: number;
    readonly flags: number;
    readonly stream: number;
    readonly length: number;
  }[];
  readonly port?: number;
}

/** One folder of the shared cases. */
export interface Case {
  readonly id: string;
  readonly folder: string;
  readonly expected: ExpectedCase;
  /** The octets by direction; empty when the case has none. */
  readonly octets: readonly [c2s: Uint8Array, s2c: Uint8Array];
  /** In the order sent; c2s whole and then s2c whole when the case names no order. */
  readonly turns: readonly Turn[];
}

/** Load the case whose folder begins with `id` ("V-H1-01"). Throws when there is no such folder: see `skipWithoutShared`. */
export function loadCase(id: string): Case {
  const name = readdirSync(shared("cases")).find((entry) => entry === id || entry.startsWith(`${id}-`));
  if (name === undefined) throw new Error(`no case ${id} in ${shared("cases")}`);
  const folder = shared("cases", name);
  const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as ExpectedCase;
  const octets = [octetsOf(folder, "c2s.bin"), octetsOf(folder, "s2c.bin")] as const;
  return { id, folder, expected, octets, turns: turnsOf(expected, octets) };
}

/** The label that a category has in the cases: theirs are coarser than our leaves. */
export function labelOf(category: string): string {
  return category.replace(/^(h2\.frame_header|h2\.field_block|http1\.field_line|grpc\.message|body|ws\.payload)\..*$/, "$1");
}

/** Ids of the cases of one area: `caseIds("V-H1")` is V-H1-01 … V-H1-08. */
export function caseIds(area: string): string[] {
  const id = new RegExp(`^(${area}-\\d+)-`);
  return readdirSync(shared("cases")).flatMap((entry) => id.exec(entry)?.[1] ?? []);
}

function octetsOf(folder: string, file: string): Uint8Array {
  const path = join(folder, file);
  return existsSync(path) ? readFileSync(path) : new Uint8Array(0);
}

function turnsOf(expected: ExpectedCase, octets: readonly [Uint8Array, Uint8Array]): Turn[] {
  if (expected.turns !== undefined) {
    return expected.turns.map(([name, start, end]) => ({ direction: name === "c2s" ? C2S : S2C, start, end }));
  }
  return [
    { direction: C2S, start: 0, end: octets[C2S].length },
    { direction: S2C, start: 0, end: octets[S2C].length },
  ];
}
