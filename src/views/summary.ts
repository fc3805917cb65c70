import Table, { type Cell } from "cli-table3";
import { DIRECTION_NAMES, type DirectionName } from "../decode/direction.ts";
import type { NoteSeverity } from "../decode/sink.ts";
import { CAUSES } from "../ledger/causes.ts";
import type { NoteTally, RouteTally, Tally } from "../ledger/tally.ts";
import { octetCount } from "./columns.ts";
import { cutMiddle } from "./cut-middle.ts";
import { escapeText } from "./escape.ts";
import type { Redactor } from "./redact.ts";
import { redactTally } from "./redact-tally.ts";
import type { Theme } from "./theme.ts";

/** Routes that the summary lists; the JSON has all. */
const ROUTES_SHOWN = 60;
const ROUTE_CELLS = 44;
const BAR_CELLS = 24;

/** No lines: columns stand apart by two spaces. */
const CHARS = {
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
  middle: "  ",
} as const;

/** What was read of captures, which their tally does not say. */
export interface CaptureFigures {
  /** Their names. */
  readonly files: readonly string[];
  /** Packets that were looked at. */
  readonly packets: number;
  /** Those of them that carry TCP. */
  readonly segments: number;
}

/**
 * What a run's tally comes to, for a person: octets by cause, the dearest routes, notes, and whether the sums close.
 * @param capture what was read; null: the octets did not come from captures.
 * @returns text of several lines, the last one with its line end.
 */
export function summaryText(tally: Tally, theme: Theme, redactor: Redactor, capture: CaptureFigures | null = null): string {
  const shown = redactTally(tally, redactor);
  const about = capture === null ? "" : `${captureLine(capture, shown, theme)}\n`;
  const blocks = [about + headline(shown, theme)];
  if (totalOctets(shown) > 0) blocks.push(causeTable(shown, theme));
  if (shown.routes.length > 0) blocks.push(routeTable(shown.routes, theme));
  blocks.push(noteLines(shown, theme).join("\n"));
  return `${blocks.join("\n\n")}\n`;
}

/** Whether every sum of a direction's octets closes: categories and causes, pending octets included. */
export function sumsClose(tally: Tally): boolean {
  return [tally, ...tally.connections].every((owner) =>
    DIRECTION_NAMES.every((direction) => {
      const octets = "totals" in owner ? owner.totals[direction] : owner[direction];
      const attributed = octets.octets - octets.pending;
      return sum(octets.by_category) === attributed && sum(octets.by_cause) === attributed;
    }),
  );
}

/** `a.pcapng: 60 packets, 58 of TCP, 2026-01-01T00:00:00.000Z to 2026-01-01T00:00:09.120Z`. */
function captureLine({ files, packets, segments }: CaptureFigures, { started, ended }: Tally, theme: Theme): string {
  const [only] = files;
  const name = files.length === 1 && only !== undefined ? escapeText(only) : plural(files.length, "capture");
  const span = packets === 0 ? "" : `, ${upToMs(started)} to ${upToMs(ended)}`;
  return theme.dim(`${name}: ${plural(packets, "packet")}, ${segments} of TCP${span}`);
}

function upToMs(time: string): string {
  return `${time.slice(0, "2026-01-01T00:00:00.000".length)}Z`;
}

function headline(tally: Tally, theme: Theme): string {
  const { connections, omitted, routes, started, ended, totals } = tally;
  const exchanges = routes.reduce((calls, route) => calls + route.calls, 0);
  const seconds = (Date.parse(ended) - Date.parse(started)) / 1000;
  const counts = [plural(connections.length + omitted.connections, "connection"), plural(exchanges, "exchange")];
  const text = `${counts.join(", ")} in ${seconds.toFixed(1)} s: ${octetCount(totals.c2s.octets)} c2s, ${octetCount(totals.s2c.octets)} s2c`;
  return theme.heading(text);
}

/** Octets by cause each way, dearest first. */
function causeTable({ totals }: Tally, theme: Theme): string {
  const all = totals.c2s.octets + totals.s2c.octets;
  const pending = totals.c2s.pending + totals.s2c.pending;
  const of = (direction: DirectionName, cause: (typeof CAUSES)[number]): number => totals[direction].by_cause[cause] ?? 0;
  const both = (cause: (typeof CAUSES)[number]): number => of("c2s", cause) + of("s2c", cause);
  const causes = CAUSES.filter((cause) => both(cause) > 0).sort((a, b) => both(b) - both(a));
  const row = (name: string, c2s: number, s2c: number): Cell[] => [
    name,
    theme.c2s(String(c2s)),
    percent(c2s, totals.c2s.octets),
    theme.s2c(String(s2c)),
    percent(s2c, totals.s2c.octets),
    bar(c2s + s2c, all, theme),
  ];
  const rows = causes.map((cause) => row(cause, of("c2s", cause), of("s2c", cause)));
  if (pending > 0) rows.push(row("(pending)", totals.c2s.pending, totals.s2c.pending));
  rows.push(["total", String(totals.c2s.octets), "", String(totals.s2c.octets), "", ""].map((cell) => theme.heading(cell)));
  return table(
    ["octets by cause", "c2s", "%", "s2c", "%", "share of both"],
    ["left", "right", "right", "right", "right", "left"],
    rows,
    theme,
  );
}

/** What one call of each route costs. */
function routeTable(routes: readonly RouteTally[], theme: Theme): string {
  const octetsOf = (route: RouteTally): number => route.c2s.octets + route.s2c.octets;
  const dearest = [...routes].sort((a, b) => octetsOf(b) - octetsOf(a)).slice(0, ROUTES_SHOWN);
  const rows = dearest.map((route): Cell[] => [
    cutMiddle(escapeText(route.route), ROUTE_CELLS),
    route.protocol,
    String(route.calls),
    theme.c2s(perCall(route.c2s.exclusive, route.calls)),
    theme.s2c(perCall(route.s2c.exclusive, route.calls)),
    theme.c2s(amortised(route, "c2s")),
    theme.s2c(amortised(route, "s2c")),
    String(octetsOf(route)),
  ]);
  const pair = (name: string): Cell => ({ content: theme.dim(name), colSpan: 2, hAlign: "right" });
  const names: Cell[] = ["", "", "", pair("exclusive"), pair("warm, amortised"), theme.dim("total")];
  const head = ["routes, octets per call", "", "calls", "c2s", "s2c", "c2s", "s2c", "octets"].map((cell) => theme.dim(cell));
  const text = table(null, ["left", "left", "right", "right", "right", "right", "right", "right"], [names, head, ...rows], theme);
  const left = routes.length - dearest.length;
  return left === 0 ? text : `${text}\n${theme.dim(`… and ${plural(left, "more route")}: --json FILE has all`)}`;
}

function noteLines(tally: Tally, theme: Theme): string[] {
  const lines: string[] = [];
  const notes = tally.connections.flatMap((connection) => connection.notes);
  for (const severity of ["violation", "limit", "warning", "info"] as const) {
    const found = notes.filter((note) => note.severity === severity);
    if (found.length > 0) lines.push(noteLine(severity, found, theme));
  }
  const left = Object.entries(tally.omitted).filter(([, count]) => count > 0);
  if (left.length > 0) {
    lines.push(
      theme.dim(
        `lists left out: ${left.map(([name, count]) => `${count} ${name.replace("_", " ")}`).join(", ")} (totals are exact)`,
      ),
    );
  }
  const lost = tally.connections.reduce((octets, { undelivered }) => octets + undelivered.c2s + undelivered.s2c, 0);
  if (lost > 0) lines.push(theme.warning(`undelivered: ${octetCount(lost)} were read and never accepted by the other side`));
  lines.push(closing(tally, theme));
  return lines;
}

/** `2 violation notes: te-and-cl 2`. */
function noteLine(severity: NoteSeverity, notes: readonly NoteTally[], theme: Theme): string {
  const codes = new Map<string, number>();
  for (const { code } of notes) codes.set(code, (codes.get(code) ?? 0) + 1);
  const byCount = [...codes].sort((a, b) => b[1] - a[1]).map(([code, count]) => `${code} ${count}`);
  const text = `${plural(notes.length, `${severity} note`)}: ${byCount.join(", ")}`;
  if (severity === "violation") return theme.bad(text);
  return severity === "info" ? theme.dim(text) : theme.warning(text);
}

function closing(tally: Tally, theme: Theme): string {
  const { c2s, s2c } = tally.totals;
  if (!sumsClose(tally))
    return theme.bad("the sums do not close: some octets are counted twice or not at all; please report this");
  const unattributed = (c2s.by_cause.unattributed ?? 0) + (s2c.by_cause.unattributed ?? 0);
  const pending = c2s.pending + s2c.pending;
  const rest = [
    ...(unattributed > 0 ? [theme.warning(`${octetCount(unattributed)} unattributed`)] : []),
    ...(pending > 0 ? [theme.warning(`${octetCount(pending)} pending`)] : []),
  ];
  const text = theme.good(`sums close: ${c2s.octets} + ${s2c.octets} = ${octetCount(totalOctets(tally))}`);
  return rest.length === 0 ? `${text}${theme.good(", all attributed")}` : `${text}, ${rest.join(", ")}`;
}

function table(head: string[] | null, colAligns: ("left" | "right")[], rows: Cell[][], theme: Theme): string {
  const made = new Table({
    ...(head === null ? {} : { head: head.map((cell) => theme.dim(cell)) }),
    colAligns,
    chars: CHARS,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  made.push(...rows);
  return made
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

function amortised(route: RouteTally, direction: DirectionName): string {
  const { warm } = route[direction];
  if (warm === null || warm.connection === null) return "-";
  return perCall(warm.exclusive + warm.stream_flow + warm.connection, warm.calls);
}

/** A mean: an integer as it is, anything else with two decimals. */
function perCall(octets: number, calls: number): string {
  if (calls === 0) return "-";
  const mean = octets / calls;
  return Number.isInteger(mean) ? String(mean) : mean.toFixed(2);
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "-" : ((100 * part) / whole).toFixed(1);
}

/** Eighths of a cell, so that small shares still show. */
function bar(part: number, whole: number, theme: Theme): string {
  const eighths = whole === 0 ? 0 : Math.max(1, Math.round((part / whole) * BAR_CELLS * 8));
  const rest = eighths % 8;
  return theme.bar("█".repeat(Math.floor(eighths / 8)) + (rest === 0 ? "" : String.fromCharCode(0x2590 - rest)));
}

function plural(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

function totalOctets({ totals }: Tally): number {
  return totals.c2s.octets + totals.s2c.octets;
}

function sum(counts: Readonly<Record<string, number | undefined>>): number {
  return Object.values(counts).reduce<number>((total, count) => total + (count ?? 0), 0);
}
