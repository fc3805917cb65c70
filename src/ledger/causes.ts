import { CATEGORIES, type Category } from "../decode/category.ts";

/** The short list a reader sees first. Every category has exactly one; the position is the cause's id. */
export const CAUSES = [
  "headers",
  "framing",
  "control",
  "padding",
  "base64",
  "protobuf",
  "json_text",
  "body_syntax",
  "compressed",
  "tls",
  "proxy",
  "payload",
  "unattributed",
] as const;
/** Name of a cause, as documents have it. */
export type Cause = (typeof CAUSES)[number];

/** Longest prefix wins; a prefix ends at a dot or at the path's end. */
const RULES: readonly (readonly [prefix: string, cause: Cause])[] = [
  ["h2.field_block", "headers"],
  ["h2.promised_stream", "headers"],
  ["http1.start_line", "headers"],
  ["http1.field_line", "headers"],
  ["http1.head_end", "headers"],
  ["http1.trailer", "headers"],
  ["h2.preface", "framing"],
  ["h2.frame_header.data", "framing"],
  ["h2.frame_header.headers", "framing"],
  ["h2.frame_header.continuation", "framing"],
  ["h2.frame_header.push_promise", "framing"],
  ["h2.malformed", "framing"],
  ["http1.chunk_size", "framing"],
  ["http1.chunk_end", "framing"],
  ["http1.last_chunk", "framing"],
  ["http1.trailer_end", "framing"],
  ["http1.leading_crlf", "framing"],
  ["http1.malformed", "framing"],
  ["grpc.prefix", "framing"],
  ["h2.frame_header", "control"],
  ["h2.settings", "control"],
  ["h2.window_update", "control"],
  ["h2.ping", "control"],
  ["h2.goaway", "control"],
  ["h2.rst_stream", "control"],
  ["h2.priority", "control"],
  ["h2.unknown_payload", "control"],
  ["h2.pad_length", "padding"],
  ["h2.padding", "padding"],
  ...contentRules("grpc.message"),
  ["grpc.message.trailers", "headers"],
  ...contentRules("body"),
  ...contentRules("ws.payload"),
  ["ws.payload.control", "control"],
  ["ws.frame_header", "framing"],
  ["ws.mask", "framing"],
  ["tls", "tls"],
  ["proxy", "proxy"],
  ["unattributed", "unattributed"],
];

/** The causes of what is under a root of content. */
function contentRules(root: string): readonly (readonly [prefix: string, cause: Cause])[] {
  const rule = (leaf: string, cause: Cause) => [`${root}.${leaf}`, cause] as const;
  return [
    [root, "payload"],
    rule("json.punctuation", "json_text"),
    rule("json.whitespace", "json_text"),
    rule("json.bom", "json_text"),
    rule("json.prefix", "json_text"),
    rule("json.key", "json_text"),
    rule("json.string.quote", "json_text"),
    rule("json.string.escape", "json_text"),
    rule("json.base64.inflation", "base64"),
    rule("protobuf.tag", "protobuf"),
    rule("protobuf.length", "protobuf"),
    rule("protobuf.group", "protobuf"),
    rule("compressed", "compressed"),
  ];
}

/** The cause of a category. */
export function causeOf(category: Category): Cause {
  let best: readonly [prefix: string, cause: Cause] | undefined;
  for (const rule of RULES) {
    const [prefix] = rule;
    const matches = category === prefix || category.startsWith(`${prefix}.`);
    if (matches && (best === undefined || prefix.length > best[0].length)) best = rule;
  }
  if (best === undefined) throw new TypeError(`category ${category} has no cause`);
  return best[1];
}

/** Cause ids by category id. */
export const CAUSE_OF: readonly number[] = CATEGORIES.map((category) => CAUSES.indexOf(causeOf(category)));
