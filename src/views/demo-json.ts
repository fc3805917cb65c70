import type { ByCategory, PerDirection, Tally } from "../ledger/tally.ts";
import type { DemoBridgeFigures, DemoFigures, DemoRowFigures, DemoSums, DemoWindowFigures } from "./demo-figures.ts";
import { safeJson } from "./escape.ts";

/** The document `wiretally.demo/1`. All figures are integer sums; octets per call are a sum divided by its window's calls. */
export interface DemoDocument {
  readonly schema: "wiretally.demo/1";
  readonly generator: Tally["generator"];
  /** By size, gRPC first in each. */
  readonly figures: readonly DemoFigure[];
  /** What JSON costs more than gRPC, by size. */
  readonly bridges: readonly DemoBridgeFigures[];
}

/** One item over one protocol, on a connection of its own. */
interface DemoFigure {
  readonly size: DemoRowFigures["size"];
  readonly stack: DemoRowFigures["stack"];
  /** The connection's first call, with all that opens it. */
  readonly cold: DemoWindow;
  readonly warm: DemoWindow;
  /** Octets of the warm window. */
  readonly by_category: PerDirection<ByCategory>;
}

interface DemoWindow extends PerDirection<DemoLevels> {
  readonly calls: number;
  readonly edges: "closed" | "open";
}

interface DemoLevels {
  readonly exclusive: number;
  readonly stream_flow: number;
  readonly connection: number;
  readonly setup: number;
}

/** The document `wiretally.demo/1` as JSON text with two spaces a level and a line end. */
export function demoJson({ rows, bridges }: DemoFigures, { generator }: Pick<Tally, "generator">): string {
  const document: DemoDocument = {
    schema: "wiretally.demo/1",
    generator,
    figures: rows.map(({ size, stack, cold, warm, categories }) => ({
      size,
      stack,
      cold: windowOf(cold),
      warm: windowOf(warm),
      by_category: categories,
    })),
    bridges: bridges.map(({ size, from, to, calls, c2s, s2c }) => ({ size, from, to, calls, c2s, s2c })),
  };
  return `${safeJson(document, 2)}\n`;
}

function windowOf({ calls, edges, c2s, s2c }: DemoWindowFigures): DemoWindow {
  return { calls, edges, c2s: levelsOf(c2s), s2c: levelsOf(s2c) };
}

function levelsOf({ exclusive, streamFlow, connection, setup }: DemoSums): DemoLevels {
  return { exclusive, stream_flow: streamFlow, connection, setup };
}
