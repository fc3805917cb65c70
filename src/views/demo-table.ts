import Table from "cli-table3";
import { CAUSES, type Cause } from "../ledger/causes.ts";
import { bridgeTable } from "./bridge-table.ts";
import type { DemoBridgeFigures, DemoFigures, DemoRowFigures, DemoSums } from "./demo-figures.ts";
import { createTheme, type Theme } from "./theme.ts";
import { wrapText } from "./wrap-text.ts";

/** How the tables are shown. */
export interface DemoTableOptions {
  readonly theme?: Theme;
  /** Cells of the terminal, where they are known: sentences are wrapped to them. */
  readonly columns?: number | undefined;
  /** Which protocol's JSON the bridge leads to. Default: HTTP/1.1. */
  readonly bridge?: DemoBridgeFigures["to"] | undefined;
  /** Whether the bridge shows each cause's categories. Default: when all fits into `rows`, or these are not known. */
  readonly categories?: boolean | undefined;
  /** Lines of the terminal, where they are known. */
  readonly rows?: number | undefined;
}

/**
 * The demo's tables: what a call costs, the bridge from gRPC to JSON, and last, where a terminal shows it, the conclusion in two sentences.
 * They take 80 cells at most.
 * @returns text with a line end after the last line.
 */
export function demoTable(figures: DemoFigures, options: DemoTableOptions = {}): string {
  const { categories, rows } = options;
  if (categories !== undefined) return tables(figures, options, categories);
  const whole = tables(figures, options, true);
  // A prompt follows.
  return rows === undefined || whole.split("\n").length < rows ? whole : tables(figures, options, false);
}

function tables(figures: DemoFigures, options: DemoTableOptions, categories: boolean): string {
  const { calls, rows } = figures;
  const { theme = createTheme(0), columns, bridge: to = "http1" } = options;
  const bridges = figures.bridges.filter((candidate) => candidate.to === to);
  const open = rows.some(({ cold, warm }) => cold.edges === "open" || warm.edges === "open");
  const width = Math.min(columns === undefined || columns === 0 ? DEFAULT_COLUMNS : columns, MAX_COLUMNS);
  const wrapped = (text: string): string => wrapText(text, width).join("\n");
  const heading = (text: string): string[] => wrapText(text, width).map((line) => theme.heading(line));
  const mean = calls === 1 ? "one warm call" : `mean of ${calls} warm calls`;
  return [
    ...heading(`One item as gRPC and as JSON: octets per call, ${mean}`),
    costTable(rows, theme),
    wrapped(EXCLUSIVE),
    ...(open ? ["", wrapped(OPEN_EDGES)] : []),
    "",
    ...heading(`JSON over ${HTTP_NAMES[to]} minus gRPC, a warm call: what the difference is made of`),
    bridgeTable(
      bridges.map((bridge) => ({ heading: bridge.size, bridge })),
      theme,
      categories,
    ),
    wrapped(categories ? EMPTY : NO_CATEGORIES),
    "",
    ...heading(`${ratios(rows)} ${dearest(bridges, to)}`.trimEnd()),
    "",
  ].join("\n");
}

const EMPTY = "Empty: neither side has such octets. The payload differs where a number is a text, and where JSON says null.";
const NO_CATEGORIES = "Empty: neither side has such octets. Each cause by its categories: --categories";
const DEFAULT_COLUMNS = 80;
/** Longer lines are hard to read. */
const MAX_COLUMNS = 100;
const EXCLUSIVE =
  "exclusive: the call's own HEADERS and DATA (HTTP/1.1: all of it). The rest is flow control, and in a first call the connection's set-up. Fractions: not every call needs a window update or a new date.";
const OPEN_EDGES = "The machine was too busy for a pause between the windows: each edge may have moved up to 47 octets.";
const PROTOCOL_NAMES = { grpc: "gRPC", http2: "JSON, HTTP/2", http1: "JSON, HTTP/1.1" } as const;
const HEADINGS = [
  "octets per call",
  "request",
  "response",
  "both",
  "vs\ngRPC",
  "both,\nexclusive",
  "first\ncall",
  "first,\nexcl.",
];
const HTTP_NAMES = { http2: "HTTP/2", http1: "HTTP/1.1" } as const;
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

/** The protocols of one item stand below its name: a column for the name would not fit into 80 cells. */
function costTable(rows: readonly DemoRowFigures[], theme: Theme): string {
  const view = new Table({
    chars: LINES,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
    colAligns: HEADINGS.map((_, column) => (column === 0 ? "left" : "right")),
  });
  view.push(HEADINGS.map((heading) => ({ content: theme.dim(heading), vAlign: "bottom" })));
  for (const [index, row] of rows.entries()) {
    if (rows[index - 1]?.size !== row.size) view.push([theme.heading(row.size), ...HEADINGS.slice(1).map(() => "")]);
    view.push([PROTOCOL_NAMES[row.stack], ...costsOf(row)]);
  }
  return view
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

function costsOf({ cold, warm, ratioToGrpc }: DemoRowFigures): string[] {
  return [
    perCall(total(warm.c2s), warm.calls),
    perCall(total(warm.s2c), warm.calls),
    perCall(total(warm.c2s) + total(warm.s2c), warm.calls),
    `${ratioToGrpc.toFixed(2)}×`,
    perCall(warm.c2s.exclusive + warm.s2c.exclusive, warm.calls),
    perCall(total(cold.c2s) + total(cold.s2c), cold.calls),
    perCall(cold.c2s.exclusive + cold.s2c.exclusive, cold.calls),
  ];
}

/** One sentence from the first size and, where there is another, the last one. */
function ratios(rows: readonly DemoRowFigures[]): string {
  const sizes = [...new Set(rows.map(({ size }) => size))];
  const ratio = (size: string | undefined, stack: string) =>
    (rows.find((row) => row.size === size && row.stack === stack)?.ratioToGrpc ?? 1).toFixed(2);
  const first = sizes[0];
  const last = sizes.at(-1);
  const costs = (stack: string, of: (size: string | undefined) => string) =>
    [first, ...(last === first ? [] : [last])].map((size) => `${ratio(size, stack)}×${of(size)}`).join(" to ");
  return `Against gRPC, JSON over HTTP/1.1 costs ${costs("http1", (size) => ` (${size})`)}, over HTTP/2 ${costs("http2", () => "")}.`;
}

/** What the difference is above all, at the first size and, where there is another, the last one; nothing when JSON is no dearer. */
function dearest(bridges: readonly DemoBridgeFigures[], to: DemoBridgeFigures["to"]): string {
  const ends = [bridges[0], ...(bridges.length > 1 ? [bridges.at(-1)] : [])];
  const named = ends.flatMap((bridge) => {
    const cause = bridge === undefined ? undefined : dearestCause(bridge);
    return bridge === undefined || cause === undefined ? [] : [{ cause, size: bridge.size }];
  });
  const [first, last] = named;
  if (first === undefined) return "";
  const what =
    last === undefined || last.cause === first.cause
      ? first.cause
      : `${first.cause} (${first.size}) and ${last.cause} (${last.size})`;
  return `What JSON over ${HTTP_NAMES[to]} adds is above all ${what}.`;
}

function dearestCause({ c2s, s2c }: DemoBridgeFigures): Cause | undefined {
  const added = (cause: Cause): number =>
    [...c2s.causes, ...s2c.causes].filter((line) => line.cause === cause).reduce((sum, { difference }) => sum + difference, 0);
  return CAUSES.filter((cause) => added(cause) > 0).sort((a, b) => added(b) - added(a))[0];
}

function total({ exclusive, streamFlow, connection, setup }: DemoSums): number {
  return exclusive + streamFlow + connection + setup;
}

/** A mean is exact, or it has two decimals. */
function perCall(octets: number, calls: number): string {
  return octets % calls === 0 ? String(octets / calls) : (octets / calls).toFixed(2);
}
