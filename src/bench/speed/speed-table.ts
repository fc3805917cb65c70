import type { Spread } from "./rounds.ts";
import type { SpeedReport, SpeedRow } from "./speed.ts";

const HEAD = ["what", "input", "MB/s", "min – max", "ratio", "min – max", "to"] as const;
/** Numbers stand at the right of their columns. */
const RIGHT = [false, false, true, true, true, true, false] as const;

/** The report as text: a row a contender, then how it was measured. */
export function speedTable(report: SpeedReport): string {
  const lines = [HEAD, ...report.rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? "").length)));
  const text = lines.map((cells) =>
    cells
      .map((cell, column) => (RIGHT[column] === true ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
  const { node, cpu, cores, rounds, sample_ms: sampleMs, skipped } = report;
  return [
    ...text,
    "",
    ...skipped.map(({ rows, reason }) => `Not measured (${reason}): ${rows.join("; ")}.`),
    ...fewerRounds(report),
    `Medians of ${rounds} interleaved rounds of at least ${sampleMs} ms; MB = 10^6 octets; ratios round by round.`,
    `Node ${node.slice(1)}, ${cores} cores of ${cpu}.`,
    ...(rounds < FEWEST_ROUNDS ? ["So few rounds show that it works; the figures mean nothing."] : []),
    "",
  ].join("\n");
}

function fewerRounds({ rounds, rows }: SpeedReport): readonly string[] {
  const fewer = rows.filter((row) => row.rounds < rounds);
  return [...new Set(fewer.map((row) => `${row.rounds} rounds of ${row.what}, a run each.`))];
}

/** Below this a median is hardly one. */
const FEWEST_ROUNDS = 5;

function cellsOf({ what, input, mb_per_s: speed, reference, ratio }: SpeedRow): readonly string[] {
  const times = (value: number): string => value.toFixed(2);
  return [
    what,
    input,
    megabytes(speed.median),
    range(speed, megabytes),
    ratio === null ? "" : `${times(ratio.median)}×`,
    ratio === null ? "" : range(ratio, times),
    reference ?? "",
  ];
}

function range({ min, max }: Spread, write: (value: number) => string): string {
  return `${write(min)} – ${write(max)}`;
}

/** Three digits that count, or all before the point: `1,234`, `204`, `9.6`. */
function megabytes(value: number): string {
  if (value < 100) return value.toPrecision(value < 10 ? 2 : 3);
  return Math.round(value).toLocaleString("en-GB");
}
