import type { Bridge } from "../ledger/bridge.ts";
import type { ByCategory, PerDirection } from "../ledger/tally.ts";

/** What the demo's views need of its result; integer sums over the calls of a window. */
export interface DemoFigures {
  /** Calls of the warm window. */
  readonly calls: number;
  /** By size, gRPC first in each. */
  readonly rows: readonly DemoRowFigures[];
  /** By size. */
  readonly bridges: readonly DemoBridgeFigures[];
}

/** One item over one protocol. */
export interface DemoRowFigures {
  readonly size: "small" | "medium" | "large";
  readonly stack: "grpc" | "http2" | "http1";
  readonly cold: DemoWindowFigures;
  readonly warm: DemoWindowFigures;
  /** Octets of the warm window. */
  readonly categories: PerDirection<ByCategory>;
  readonly ratioToGrpc: number;
}

/** What a warm call as JSON costs more than the same as gRPC. */
export interface DemoBridgeFigures extends Bridge {
  readonly size: DemoRowFigures["size"];
  readonly from: "grpc";
  readonly to: "http2" | "http1";
}

/** A window's octets by direction and level. */
export interface DemoWindowFigures extends PerDirection<DemoSums> {
  readonly calls: number;
  readonly edges: "closed" | "open";
}

/** Octets by level, over all calls of a window. */
export type DemoSums = Readonly<Record<"exclusive" | "streamFlow" | "connection" | "setup", number>>;
