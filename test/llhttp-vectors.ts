import { readdirSync, readFileSync } from "node:fs";
import { shared } from "./shared.ts";

/** An event of llhttp's parser: a span of the input, or something that happened at an offset. */
export interface LlhttpEvent {
  readonly offset: number;
  /** `header_field`, `body` … for a span, else null. */
  readonly span: string | null;
  readonly length: number;
  /** What happened, when it is no span: `headers complete method=1 …`. */
  readonly text: string;
}

export interface LlhttpVector {
  /** File and heading, `request/method.md: REPORT request`. */
  readonly name: string;
  /** `request`, `response`, `url`, or a lenient form of them. */
  readonly type: string;
  /** A pausing vector stops the parser where an inspector goes on. */
  readonly pause: string | null;
  readonly input: Uint8Array;
  readonly events: readonly LlhttpEvent[];
}

/** All vectors of the corpus; the recipe is in its ORIGIN.md. */
export function llhttpVectors(): LlhttpVector[] {
  const files = ["request", "response"].flatMap((folder) =>
    readdirSync(shared("corpora", "llhttp", folder)).map((file) => `${folder}/${file}`),
  );
  return [...files.sort(), "url.md"].flatMap((file) => vectorsOf(file, readFileSync(shared("corpora", "llhttp", file), "utf8")));
}

function vectorsOf(file: string, text: string): LlhttpVector[] {
  const vectors: LlhttpVector[] = [];
  let heading = "";
  let meta: { type?: string; pause?: string } = {};
  let input: Uint8Array | null = null;
  for (const match of text.matchAll(/^#+ (.+)$|^.+\n=+$|<!-- meta=(\{.*\}) -->|^```(http|url|log)\n([\s\S]*?)^```$/gm)) {
    const [, title, json, kind, block = ""] = match;
    if (title !== undefined) heading = title;
    else if (json !== undefined) meta = JSON.parse(json) as typeof meta;
    else if (kind === "http" || kind === "url") input = octetsOf(block);
    else if (kind === "log" && input !== null) {
      const type = file === "url.md" ? "url" : (meta.type ?? "");
      vectors.push({ name: `${file}: ${heading}`, type, pause: meta.pause ?? null, input, events: eventsOf(block) });
      input = null;
      meta = {};
    }
  }
  return vectors;
}

function octetsOf(block: string): Uint8Array {
  const text = block
    .replace(/\n$/, "")
    .replace(/\\(\r\n|\r|\n)/g, "")
    .replace(/\r\n|\r|\n/g, "\r\n")
    .replace(/\\r/g, "\r")
    .replace(/\\n/g, "\n")
    .replace(/\\t/g, "\t")
    .replace(/\\f/g, "\f")
    .replace(/\\x([0-9a-fA-F]+)/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\([0-7]{1,3})/g, (_all, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
  // Escapes name characters, as the lengths in the logs show: `\xff` is two octets.
  return new TextEncoder().encode(text);
}

function eventsOf(block: string): LlhttpEvent[] {
  return block
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const span = /^off=(\d+) len=(\d+) span\[([^\]]+)\]/.exec(line);
      if (span !== null) return { offset: Number(span[1]), length: Number(span[2]), span: span[3] ?? "", text: "" };
      const event = /^off=(\d+) (.*)$/.exec(line);
      return { offset: Number(event?.[1] ?? -1), length: 0, span: null, text: event?.[2] ?? line };
    });
}
