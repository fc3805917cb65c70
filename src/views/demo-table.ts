import Table from "cli-table3";
import { CAUSES } from "../ledger/causes.ts";
import { createTheme, type Theme } from "./theme.ts";
import { wrapText } from "./wrap-text.ts";

/** What the view needs of a demo's result; integer sums over the calls of a window. */
export interface DemoFigures {
  /** Calls of the warm window. */
  readonly calls: number;
  /** By size, gRPC first in each. */
  readonly rows: readonly DemoRowFigures[];
}

/** One item over one protocol. */
export interface DemoRowFigures {
  readonly size: string;
  readonly stack: "grpc" | "http2" | "http1";
  readonly cold: DemoWindowFigures;
  readonly warm: DemoWindowFigures;
  /** Octets of the warm window by cause, both directions together. */
  readonly causes: { readonly [cause: string]: number };
  readonly ratioToGrpc: number;
}

/** A window's octets by direction and level. */
export interface DemoWindowFigures {
  readonly calls: number;
  readonly edges: "closed" | "open";
  readonly c2s: DemoSums;
  readonly s2c: DemoSums;
}
type DemoSums = Readonly<Record<"exclusive" | "streamFlow" | "connection" | "setup", number>>;

/**
 * The demo's tables: what a call costs, what its octets are for, and the conclusion in a sentence. The tables take 80 cells at most.
 * @param columns of the terminal, where they are known: sentences are wrapped to them.
 * @returns text with a line end after the last line.
 */
export function demoTable(figures: DemoFigures, theme: Theme = createTheme(0), columns: number | undefined = undefined): string {
  const { calls, rows } = figures;
  const open = rows.some(({ cold, warm }) => cold.edges === "open" || warm.edges === "open");
  const width = Math.min(columns === undefined || columns === 0 ? DEFAULT_COLUMNS : columns, MAX_COLUMNS);
  const wrapped = (text: string): string => wrapText(text, width).join("\n");
  const heading = (text: string): string[] => wrapText(text, width).map((line) => theme.heading(line));
  const mean = calls === 1 ? "one warm call" : `mean of ${calls} warm calls`;
  return [
    ...heading(`One item as gRPC and as JSON: octets per call on one connection, ${mean}`),
    costTable(rows, theme),
    wrapped(EXCLUSIVE),
    "",
    ...heading("What the octets of a warm call are for, request and response together"),
    causeTable(rows, theme),
    ...(open ? ["", wrapped(OPEN_EDGES)] : []),
    "",
    ...heading(conclusion(rows)),
    "",
  ].join("\n");
}

const DEFAULT_COLUMNS = 80;
/** Longer lines are hard to read. */
const MAX_COLUMNS = 100;
const EXCLUSIVE =
  "exclusive: the call's own HEADERS and DATA (HTTP/1.1: all of it). The rest is flow control, and in a first call the connection's set-up. Fractions: not every call needs a window update or a new date.";
const OPEN_EDGES = "The machine was too busy for a pause between the windows: each edge may have moved up to 47 octets.";
const PROTOCOL_NAMES = { grpc: "gRPC", http2: "JSON, HTTP/2", http1: "JSON, HTTP/1.1" } as const;
const RULES = {
  top: "─",
  "top-mid": "──",
  "top-left": "",
  "top-right": "",
  bottom: "─",
  "bottom-mid": "──",
  "bottom-left": "",
  "bottom-right": "",
};
const LINES = { ...RULES, left: "", right: "", mid: "", "mid-mid": "", "left-mid": "", "right-mid": "", middle: "  " };

function costTable(rows: readonly DemoRowFigures[], theme: Theme): string {
  const headings = [
    "octets per call",
    "request",
    "response",
    "both",
    "vs\ngRPC",
    "both,\nexclusive",
    "first\ncall",
    "first,\nexcl.",
  ];
  return table(headings, rows, theme, ({ cold, warm, ratioToGrpc }) => [
    perCall(total(warm.c2s), warm.calls),
    perCall(total(warm.s2c), warm.calls),
    perCall(total(warm.c2s) + total(warm.s2c), warm.calls),
    `${ratioToGrpc.toFixed(2)}×`,
    perCall(warm.c2s.exclusive + warm.s2c.exclusive, warm.calls),
    perCall(total(cold.c2s) + total(cold.s2c), cold.calls),
    perCall(cold.c2s.exclusive + cold.s2c.exclusive, cold.calls),
  ]);
}

function causeTable(rows: readonly DemoRowFigures[], theme: Theme): string {
  const causes = CAUSES.filter((cause) => rows.some((row) => (row.causes[cause] ?? 0) > 0));
  return table(["octets per call", ...causes], rows, theme, (row) =>
    causes.map((cause) => perCall(row.causes[cause] ?? 0, row.warm.calls)),
  );
}

/** The protocols of one item stand below its name: a column for the name would not fit into 80 cells. */
function table(
  headings: readonly string[],
  rows: readonly DemoRowFigures[],
  theme: Theme,
  cellsOf: (row: DemoRowFigures) => readonly string[],
): string {
  const view = new Table({
    chars: LINES,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
    colAligns: headings.map((_, column) => (column === 0 ? "left" : "right")),
  });
  view.push(headings.map((heading) => ({ content: theme.dim(heading), vAlign: "bottom" })));
  for (const [index, row] of rows.entries()) {
    if (rows[index - 1]?.size !== row.size) view.push([theme.heading(row.size), ...headings.slice(1).map(() => "")]);
    view.push([PROTOCOL_NAMES[row.stack], ...cellsOf(row)]);
  }
  return view
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

/** One sentence from the first size and, where there is another, the last one. */
function conclusion(rows: readonly DemoRowFigures[]): string {
  const sizes = [...new Set(rows.map(({ size }) => size))];
  const ratio = (size: string | undefined, stack: string) =>
    (rows.find((row) => row.size === size && row.stack === stack)?.ratioToGrpc ?? 1).toFixed(2);
  const first = sizes[0];
  const last = sizes.at(-1);
  const costs = (stack: string, of: (size: string | undefined) => string) =>
    [first, ...(last === first ? [] : [last])].map((size) => `${ratio(size, stack)}×${of(size)}`).join(" to ");
  return `Against gRPC, JSON over HTTP/1.1 costs ${costs("http1", (size) => ` (${size})`)}, over HTTP/2 ${costs("http2", () => "")}.`;
}

function total({ exclusive, streamFlow, connection, setup }: DemoSums): number {
  return exclusive + streamFlow + connection + setup;
}

/** A mean is exact, or it has two decimals. */
function perCall(octets: number, calls: number): string {
  return octets % calls === 0 ? String(octets / calls) : (octets / calls).toFixed(2);
}
