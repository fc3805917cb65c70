/** What an octet of content was, below its root (`body`, `grpc.message`, `ws.payload`). The position is the leaf's id. */
export const CONTENT_LEAVES = [
  "json.punctuation",
  "json.whitespace",
  "json.bom",
  "json.prefix",
  "json.number",
  "json.literal",
  "json.key.quote",
  "json.key.text",
  "json.key.escape",
  "json.string.quote",
  "json.string.text",
  "json.string.escape",
  "json.base64.data",
  "json.base64.inflation",
  "json.malformed",
  "protobuf.tag",
  "protobuf.length",
  "protobuf.varint",
  "protobuf.fixed",
  "protobuf.string",
  "protobuf.bytes",
  "protobuf.group",
  "protobuf.malformed",
  "compressed",
  "text",
  "binary",
  "undecoded",
] as const;
export type ContentLeaf = (typeof CONTENT_LEAVES)[number];

/** Leaf ids by path: `LEAF["json.number"]`. */
export const LEAF = Object.fromEntries(CONTENT_LEAVES.map((path, id) => [path, id])) as { readonly [L in ContentLeaf]: number };

type PathsUnder<R extends string, L extends readonly string[]> = { readonly [I in keyof L]: `${R}.${L[I]}` };

/** The leaves as categories below a root, in their order. */
export function leavesUnder<const R extends string>(root: R): PathsUnder<R, typeof CONTENT_LEAVES> {
  return CONTENT_LEAVES.map((leaf) => `${root}.${leaf}`) as unknown as PathsUnder<R, typeof CONTENT_LEAVES>;
}
