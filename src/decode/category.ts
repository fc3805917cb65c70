import { leavesUnder } from "./content/content-leaf.ts";

/**
 * What an octet was: dotted leaf paths. Every octet of a space has exactly one. The position is the category's id.
 * New protocols add paths; the meaning of one never changes.
 */
export const CATEGORIES = [
  "h2.preface",
  "h2.frame_header.data",
  "h2.frame_header.headers",
  "h2.frame_header.priority",
  "h2.frame_header.rst_stream",
  "h2.frame_header.settings",
  "h2.frame_header.push_promise",
  "h2.frame_header.ping",
  "h2.frame_header.goaway",
  "h2.frame_header.window_update",
  "h2.frame_header.continuation",
  "h2.frame_header.altsvc",
  "h2.frame_header.origin",
  "h2.frame_header.priority_update",
  "h2.frame_header.unknown",
  "h2.field_block.indexed",
  "h2.field_block.prefix",
  "h2.field_block.name",
  "h2.field_block.value",
  "h2.field_block.size_update",
  "h2.field_block.undecoded",
  "h2.pad_length",
  "h2.padding",
  "h2.priority",
  "h2.promised_stream",
  "h2.settings",
  "h2.window_update",
  "h2.ping",
  "h2.goaway",
  "h2.rst_stream",
  "h2.unknown_payload",
  "h2.malformed",
  "http1.start_line",
  "http1.field_line.name",
  "http1.field_line.separator",
  "http1.field_line.value",
  "http1.field_line.eol",
  "http1.field_line.fold",
  "http1.head_end",
  "http1.leading_crlf",
  "http1.malformed",
  "http1.chunk_size",
  "http1.chunk_end",
  "http1.last_chunk",
  "http1.trailer",
  "http1.trailer_end",
  "grpc.prefix",
  ...leavesUnder("grpc.message"),
  "grpc.message.trailers",
  ...leavesUnder("body"),
  ...leavesUnder("ws.payload"),
  "ws.payload.control",
  "ws.frame_header",
  "ws.mask",
  "tls.record_header",
  "tls.handshake",
  "tls.change_cipher_spec",
  "tls.alert",
  "tls.encrypted",
  "proxy.header",
  "unattributed.opaque",
  "unattributed.truncated",
  "unattributed.after_error",
  "unattributed.after_gap",
  "unattributed.late_join",
] as const;
/** Path of a category, as documents have it. */
export type Category = (typeof CATEGORIES)[number];

/** Category ids by path: `CATEGORY["h2.preface"]`. */
export const CATEGORY = Object.fromEntries(CATEGORIES.map((path, id) => [path, id])) as { readonly [C in Category]: number };

/** The id of a root's first content leaf: `CONTENT_BASE.body + LEAF["json.number"]` is `CATEGORY["body.json.number"]`. */
export const CONTENT_BASE = {
  message: CATEGORY["grpc.message.json.punctuation"],
  body: CATEGORY["body.json.punctuation"],
  socket: CATEGORY["ws.payload.json.punctuation"],
} as const;

/** Whether a category (id) is a leaf of content. */
export function isContent(category: number): boolean {
  return category >= CONTENT_BASE.message && category <= CATEGORY["ws.payload.undecoded"];
}
