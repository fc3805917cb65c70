import { UsageError } from "../../proxy/listen-spec.ts";

/** `--format`: the summary, the tally, or events as they happen. */
export const FORMATS = ["text", "json", "ndjson"] as const;
export type Format = (typeof FORMATS)[number];

/** A document and where it goes: a path, or `-` for stdout. */
interface Destination {
  readonly format: Format;
  readonly path: string;
}

export interface OutputPlan {
  /** stdout carries the trace and then the summary; false: it carries a document. */
  readonly traceOnStdout: boolean;
  /** Documents by destination; at most one goes to stdout. */
  readonly documents: readonly Destination[];
}

export interface OutputOptions {
  readonly output: string | null;
  readonly format: Format | null;
  readonly json: string | null;
}

/**
 * What goes where. stdout carries one thing: the trace and the summary, or the document that was asked for.
 * Throws a UsageError when two documents want the same place, or a file's ending says a format that is not built.
 */
export function planOutput({ output, format, json }: OutputOptions): OutputPlan {
  const documents: Destination[] = [];
  if (output !== null || format !== null) documents.push({ format: format ?? formatOf(output ?? ""), path: output ?? "-" });
  if (json !== null) documents.push({ format: "json", path: json });
  const [first, second] = documents;
  if (first !== undefined && first.path === second?.path) {
    const place = first.path === "-" ? "stdout" : first.path;
    throw new UsageError(`two documents would go to ${place} (give -o or --json a file of its own)`);
  }
  return { traceOnStdout: documents.every(({ path }) => path !== "-"), documents };
}

/** Endings of documents that people may well expect, and would get a summary under a wrong name. */
const NOT_BUILT = /\.(csv|tsv|har|html?|md|xml|ya?ml|pcap|pcapng)$/i;

/** `-o` without `--format`: by the file's ending. */
function formatOf(path: string): Format {
  const other = NOT_BUILT.exec(path)?.[1]?.toLowerCase();
  if (other !== undefined) {
    const built = FORMATS.join(", ");
    throw new UsageError(`-o ${path}: the format ${other} is not built, only ${built} (--format text writes the summary there)`);
  }
  if (/\.json$/i.test(path)) return "json";
  return /\.(ndjson|jsonl)$/i.test(path) ? "ndjson" : "text";
}
