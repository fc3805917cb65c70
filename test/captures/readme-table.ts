import { readFileSync, writeFileSync } from "node:fs";
import type { Tally } from "../../src/ledger/tally.ts";
import { CAPTURE_FOLDER, CAPTURES, type CaptureEntry } from "./catalogue.ts";
import { h2Frames } from "./golden.ts";

const README = `${CAPTURE_FOLDER}README.md`;

/** The columns of a capture's row. */
export interface TableRow {
  readonly shows: string;
  /** `client → server`, with versions. */
  readonly peers: string;
  /** `c2s + s2c`. */
  readonly octets: string;
  readonly frames: string;
}

export function rowOf({ shows }: CaptureEntry, peers: string, tally: Tally): TableRow {
  const { c2s, s2c } = tally.totals;
  return { shows, peers, octets: `${c2s.octets} + ${s2c.octets}`, frames: `${h2Frames(tally)}` };
}

/** The rows of captures/README.md, by name. */
export function readRows(): ReadonlyMap<string, TableRow> {
  const rows = new Map<string, TableRow>();
  for (const line of readFileSync(README, "utf8").split("\n")) {
    const [, name, shows, peers, octets, frames] = ROW.exec(line) ?? [];
    if (name !== undefined) rows.set(name, { shows: shows!, peers: peers!, octets: octets!, frames: frames! });
  }
  return rows;
}

/** Put a capture's row in its place, which it has by the catalogue. */
export function writeRow(name: string, row: TableRow): void {
  const rows = new Map(readRows()).set(name, row);
  const table = CAPTURES.flatMap((entry) => {
    const { shows, peers, octets, frames } = rows.get(entry.name) ?? {};
    return peers === undefined
      ? []
      : [`| [${entry.name}](${entry.name}.trace.txt) | ${shows} | ${peers} | ${octets} | ${frames} |`];
  });
  const text = readFileSync(README, "utf8").split("\n");
  const head = text.findIndex((line) => line.startsWith("|---"));
  const kept = text.filter((line) => !ROW.test(line));
  writeFileSync(README, [...kept.slice(0, head + 1), ...table, ...kept.slice(head + 1)].join("\n"));
}

const ROW = /^\| \[([^\]]+)\]\([^)]+\) \| (.*) \| (.*) \| (.*) \| (.*) \|$/;
