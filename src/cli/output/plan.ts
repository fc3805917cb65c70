import { UsageError } from "../../proxy/listen-spec.ts";

/** `--format`: the text, the document, or events as they happen. */
export const FORMATS = ["text", "json", "ndjson"] as const;
export type Format = (typeof FORMATS)[number];

/** A document and where it goes: a path, or `-` for stdout. */
interface Destination {
  readonly format: Format;
  readonly path: string;
}

export interface OutputPlan {
  /** stdout carries the trace and then the summary; false: it carries a document or a capture. */
  readonly traceOnStdout: boolean;
  /** What `-o` and `--format` ask for, if anything, then `--json`'s; at most one goes to stdout. */
  readonly documents: readonly Destination[];
}

export interface OutputOptions {
  readonly output: string | null;
  readonly format: Format | null;
  readonly json: string | null;
  /** Where a capture is written, if one is. */
  readonly capture?: { readonly path: string } | null;
}

/**
 * What goes where. stdout carries one thing: the trace and the summary, or the document or capture that was asked for.
 * Throws a UsageError when two of them want the same place, or a file's ending says a format that is not built.
 * @param formats those that the command has.
 */
export function planOutput(
  { output, format, json, capture = null }: OutputOptions,
  formats: readonly Format[] = FORMATS,
): OutputPlan {
  const documents: Destination[] = [];
  if (output !== null || format !== null)
    documents.push({ format: format ?? formatOf(output ?? "", formats), path: output ?? "-" });
  if (json !== null) documents.push({ format: "json", path: json });
  const places = documents.map(({ path }) => path);
  const placeOf = (path: string): string => (path === "-" ? "stdout" : path);
  if (capture !== null && places.includes(capture.path)) {
    throw new UsageError(`a document and the capture would go to ${placeOf(capture.path)} (give -w a file of its own)`);
  }
  const [first, second] = places;
  if (first !== undefined && first === second) {
    throw new UsageError(`two documents would go to ${placeOf(first)} (give -o or --json a file of its own)`);
  }
  return { traceOnStdout: !places.includes("-") && capture?.path !== "-", documents };
}

/** Endings of documents that people may well expect, and would get plain text under a wrong name. */
const ENDINGS = /\.(json|ndjson|jsonl|csv|tsv|har|html?|md|xml|ya?ml|pcap|pcapng)$/i;

/** `-o` without `--format`: by the file's ending. */
function formatOf(path: string, formats: readonly Format[]): Format {
  const ending = ENDINGS.exec(path)?.[1]?.toLowerCase() ?? "text";
  const wanted = ending === "jsonl" ? "ndjson" : ending;
  const found = formats.find((format) => format === wanted);
  if (found !== undefined) return found;
  const built = formats.join(", ");
  throw new UsageError(`-o ${path}: the format ${wanted} is not built, only ${built} (--format text writes plain text there)`);
}
