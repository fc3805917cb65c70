import Table, { type Cell, type HorizontalAlignment } from "cli-table3";
import type { Category } from "../decode/category.ts";
import { DIRECTION_NAMES } from "../decode/direction.ts";
import type { Bridge, BridgeLine } from "../ledger/bridge.ts";
import { CAUSES } from "../ledger/causes.ts";
import { type CategoryLabels, categoryLabels } from "./category-labels.ts";
import { cells } from "./columns.ts";
import type { Theme } from "./theme.ts";

/** One bridge of a table, with what stands above its two columns. */
export interface BridgeColumns {
  readonly heading: string;
  readonly bridge: Bridge;
}

/**
 * Bridges side by side, differences in octets per call: each cause with its categories below it, then the difference that they sum to.
 * A cell is empty where neither side has such octets. Three bridges take 80 cells at most, unless a mean has more than six digits or
 * two categories can only be told apart by their full paths.
 * @param withCategories whether each cause's categories stand below it. @returns lines without the last line's end.
 */
export function bridgeTable(bridges: readonly BridgeColumns[], theme: Theme, withCategories = true): string {
  const columns = bridges.flatMap(({ bridge }) => DIRECTION_NAMES.map((direction) => columnOf(bridge, direction)));
  const labels = categoryLabels(columns.flatMap(({ categories }) => [...categories.keys()]));
  const rows = rowsOf(columns, labels).filter(({ kind }) => withCategories || kind !== "category");
  const table = new Table({
    chars: NO_LINES,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  table.push(...headingsOf(bridges, theme), ...rows.map((row) => cellsOf(row, columns, theme)));
  const lines = table.toString().split("\n");
  const rule = "─".repeat(Math.max(...lines.map(cells)));
  return [rule, ...lines.map((line) => line.trimEnd()), rule].join("\n");
}

/** No lines: cli-table3 would draw pieces of them around a heading of two columns. */
const NO_LINES = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: " ",
} as const;

/** One direction of one bridge, its lines by what their row is for. */
interface Column {
  readonly calls: number;
  readonly total: BridgeLine;
  readonly causes: ReadonlyMap<string, BridgeLine>;
  readonly categories: ReadonlyMap<Category, BridgeLine>;
  /** Whether a mean has decimals: then whole ones leave room for them, so that digits of one weight stand below each other. */
  readonly fractions: boolean;
}

interface Row {
  readonly kind: "cause" | "category" | "total";
  readonly label: string;
  readonly lineOf: (column: Column) => BridgeLine | undefined;
}

function columnOf({ calls, ...directions }: Bridge, direction: (typeof DIRECTION_NAMES)[number]): Column {
  const { causes, ...total } = directions[direction];
  const categories = causes.flatMap((cause) => cause.categories);
  return {
    calls: calls.difference,
    total,
    causes: new Map(causes.map((line) => [line.cause, line])),
    categories: new Map(categories.map((line) => [line.category, line])),
    fractions: [total, ...causes, ...categories].some(({ difference }) => difference % calls.difference !== 0),
  };
}

function rowsOf(columns: readonly Column[], labels: CategoryLabels): Row[] {
  const rows: Row[] = [];
  for (const cause of CAUSES) {
    if (!columns.some(({ causes }) => causes.has(cause))) continue;
    rows.push({ kind: "cause", label: cause, lineOf: ({ causes }) => causes.get(cause) });
    for (const [category, label] of labels.get(cause) ?? []) {
      rows.push({ kind: "category", label: ` ${label}`, lineOf: ({ categories }) => categories.get(category) });
    }
  }
  return [...rows, { kind: "total", label: "difference", lineOf: ({ total }) => total }];
}

/** Above each pair its bridge's heading, below that the directions. Pairs stand apart by a cell more than the columns of a pair. */
function headingsOf(bridges: readonly BridgeColumns[], theme: Theme): Cell[][] {
  const above = bridges.map(({ heading }): Cell => ({ ...right(theme.heading(heading), 1), colSpan: 2 }));
  const below = bridges.flatMap((): Cell[] => [right(theme.dim("request"), 1), right(theme.dim("response"), 0)]);
  return [
    ["", ...above],
    [theme.dim("octets per call"), ...below],
  ];
}

function cellsOf({ kind, label, lineOf }: Row, columns: readonly Column[], theme: Theme): Cell[] {
  const paint = kind === "category" ? theme.dim : theme.heading;
  const means = columns.map((column, index): Cell => {
    const line = lineOf(column);
    if (line === undefined) return right("", index % 2 === 0 ? 1 : 0);
    const mean = signedMean(line.difference, column.calls);
    // Outside of the colours, so that it goes at a line's end.
    const room = column.fractions && line.difference % column.calls === 0 ? "   " : "";
    return right(paint(weigh(line.difference, kind, theme)(mean)) + room, index % 2 === 0 ? 1 : 0);
  });
  return [paint(label), ...means];
}

/** More is told from less at a glance, in the lines that are read first. */
function weigh(difference: number, kind: Row["kind"], theme: Theme): (text: string) => string {
  if (kind === "category" || difference === 0) return (text) => text;
  return difference > 0 ? theme.warning : theme.good;
}

function right(content: string, paddingLeft: number) {
  const hAlign: HorizontalAlignment = "right";
  return { content, hAlign, style: { "padding-left": paddingLeft } };
}

/** `+125`, `-4.25`, `0`: two decimals where the mean is no integer. */
function signedMean(difference: number, calls: number): string {
  const mean = Math.abs(difference / calls);
  const sign = difference === 0 ? "" : difference > 0 ? "+" : "-";
  return sign + (difference % calls === 0 ? String(mean) : mean.toFixed(2));
}
