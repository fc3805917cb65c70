import { SMALLEST_CAPTURE_OCTETS } from "../capture/write/capture-file.ts";
import { UsageError } from "../proxy/listen-spec.ts";
import { type Layers, parseText } from "./layers.ts";
import { parseCount, parseSize } from "./values.ts";

/** `-w` as asked for. */
export interface CaptureOptions {
  /** `-`: stdout. */
  readonly path: string;
  /** null: one file without a limit. */
  readonly maxFileOctets: number | null;
  /** null: all files are kept. */
  readonly ringFiles: number | null;
}

/** Read `-w` and what goes with it; null: nothing is recorded. Throws a UsageError with one line. */
export function captureOptions(layers: Layers): CaptureOptions | null {
  const path = layers.text("write", parseText) ?? null;
  const maxFileOctets = layers.text("capture-size", parseFileSize) ?? null;
  const ringFiles = layers.text("ring", parseCount) ?? null;
  if (ringFiles !== null && maxFileOctets === null) {
    throw new UsageError(`${layers.origin("ring")} keeps the newest files of a size: it needs --capture-size SIZE`);
  }
  if (path === null && maxFileOctets === null) return null;
  const size = layers.origin("capture-size");
  if (path === null) throw new UsageError(`${size} is the size of a capture file: it needs -w FILE`);
  if (path === "-" && maxFileOctets !== null) throw new UsageError(`${size}: stdout cannot be cut into files (give -w a FILE)`);
  return { path, maxFileOctets, ringFiles };
}

function parseFileSize(origin: string, text: string): number {
  const octets = parseSize(origin, text);
  if (octets >= SMALLEST_CAPTURE_OCTETS) return octets;
  throw new UsageError(`${origin}: a file of ${octets} octets is too small (try 100M; 128K or more)`);
}
