import type { ContentLeaf } from "../../content/content-leaf.ts";

const STRING = String.raw`"(?:[^"\\]|\\.)*"`;
const TOKEN = new RegExp(
  [
    String.raw`(?<whitespace>[ \t\n\r]+)`,
    String.raw`(?<punctuation>[{}[\]:,])`,
    `(?<key>${STRING})(?=[ \\t\\n\\r]*:)`,
    `(?<string>${STRING})`,
    String.raw`(?<number>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)`,
    "(?<literal>true|false|null)",
  ].join("|"),
  "suy",
);

/**
 * Octets of valid JSON by leaf, base64 counted as text. Of octets: by another technique than the decoder's, regular expressions;
 * of the decoder's sums: with base64 put back.
 */
export function tokenSums(of: Uint8Array | Readonly<Partial<Record<ContentLeaf, number>>>): Record<string, number> {
  return of instanceof Uint8Array ? sumsOf(Buffer.from(of).toString("latin1")) : withoutBase64(of);
}

function sumsOf(text: string): Record<string, number> {
  const sums: Record<string, number> = {};
  const add = (leaf: string, octets: number) => {
    if (octets > 0) sums[leaf] = (sums[leaf] ?? 0) + octets;
  };
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const groups = TOKEN.exec(text)?.groups;
    if (groups === undefined) throw new Error(`no JSON token at ${at}`);
    const [kind, token] = Object.entries(groups).find(([, value]) => value !== undefined) as [string, string];
    if (kind !== "key" && kind !== "string") {
      add(`json.${kind}`, token.length);
      continue;
    }
    const escapes = (token.match(/\\(?:u[0-9a-fA-F]{4}|.)/g) ?? []).join("").length;
    add(`json.${kind}.quote`, 2);
    add(`json.${kind}.escape`, escapes);
    add(`json.${kind}.text`, token.length - 2 - escapes);
  }
  return sums;
}

function withoutBase64(sums: Readonly<Partial<Record<ContentLeaf, number>>>): Record<string, number> {
  const { "json.base64.data": data = 0, "json.base64.inflation": inflation = 0, "json.string.text": text = 0, ...others } = sums;
  return text + data + inflation === 0 ? others : { ...others, "json.string.text": text + data + inflation };
}
