import assert from "node:assert/strict";
import { test } from "node:test";
import { CATEGORIES, type Category } from "../decode/category.ts";
import { CAUSE_OF, CAUSES, type Cause, causeOf } from "./causes.ts";

const ROOTS = ["grpc.message", "body", "ws.payload"] as const;
const under = <L extends string>(root: (typeof ROOTS)[number], leaves: readonly L[]) =>
  leaves.map((leaf) => `${root}.${leaf}` as const);

/** The categories of each cause, written out. */
const EXPECTED: { readonly [C in Cause]?: readonly Category[] } = {
  headers: [
    "h2.field_block.indexed",
    "h2.field_block.prefix",
    "h2.field_block.name",
    "h2.field_block.value",
    "h2.field_block.size_update",
    "h2.field_block.undecoded",
    "h2.promised_stream",
    "http1.start_line",
    "http1.field_line.name",
    "http1.field_line.separator",
    "http1.field_line.value",
    "http1.field_line.eol",
    "http1.field_line.fold",
    "http1.head_end",
    "http1.trailer",
    "grpc.message.trailers",
  ],
  framing: [
    "h2.preface",
    "h2.frame_header.data",
    "h2.frame_header.headers",
    "h2.frame_header.continuation",
    "h2.frame_header.push_promise",
    "h2.malformed",
    "http1.chunk_size",
    "http1.chunk_end",
    "http1.last_chunk",
    "http1.trailer_end",
    "http1.leading_crlf",
    "http1.malformed",
    "grpc.prefix",
    "ws.frame_header",
    "ws.mask",
  ],
  control: [
    "ws.payload.control",
    "h2.frame_header.priority",
    "h2.frame_header.rst_stream",
    "h2.frame_header.settings",
    "h2.frame_header.ping",
    "h2.frame_header.goaway",
    "h2.frame_header.window_update",
    "h2.frame_header.altsvc",
    "h2.frame_header.origin",
    "h2.frame_header.priority_update",
    "h2.frame_header.unknown",
    "h2.settings",
    "h2.window_update",
    "h2.ping",
    "h2.goaway",
    "h2.rst_stream",
    "h2.priority",
    "h2.unknown_payload",
  ],
  padding: ["h2.pad_length", "h2.padding"],
  base64: ROOTS.map((root) => `${root}.json.base64.inflation` as const),
  protobuf: ROOTS.flatMap((root) => under(root, ["protobuf.tag", "protobuf.length", "protobuf.group"])),
  json_text: ROOTS.flatMap((root) =>
    under(root, [
      "json.punctuation",
      "json.whitespace",
      "json.bom",
      "json.prefix",
      "json.key.quote",
      "json.key.text",
      "json.key.escape",
      "json.string.quote",
      "json.string.escape",
    ]),
  ),
  compressed: ROOTS.map((root) => `${root}.compressed` as const),
  payload: ROOTS.flatMap((root) =>
    under(root, [
      "json.number",
      "json.literal",
      "json.string.text",
      "json.base64.data",
      "json.malformed",
      "protobuf.varint",
      "protobuf.fixed",
      "protobuf.string",
      "protobuf.bytes",
      "protobuf.malformed",
      "text",
      "binary",
      "undecoded",
    ]),
  ),
  tls: ["tls.record_header", "tls.handshake", "tls.change_cipher_spec", "tls.alert", "tls.encrypted"],
  proxy: ["proxy.header"],
  unattributed: [
    "unattributed.opaque",
    "unattributed.truncated",
    "unattributed.after_error",
    "unattributed.after_gap",
    "unattributed.late_join",
  ],
};

test("every category has its cause, and no other", () => {
  const found: { [C in Cause]?: Category[] } = {};
  for (const category of CATEGORIES) {
    const cause = causeOf(category);
    found[cause] = [...(found[cause] ?? []), category];
  }
  const sorted = (lists: { readonly [C in Cause]?: readonly Category[] }) =>
    Object.fromEntries(Object.entries(lists).map(([cause, list]) => [cause, [...list].sort()]));
  assert.deepEqual(sorted(found), sorted(EXPECTED));
});

test("cause ids go by category ids", () => {
  for (const [id, category] of CATEGORIES.entries()) assert.equal(CAUSES[CAUSE_OF[id] ?? -1], causeOf(category));
});

test("a prefix ends at a dot: trailer_end is framing although trailer is headers", () => {
  assert.equal(causeOf("http1.trailer"), "headers");
  assert.equal(causeOf("http1.trailer_end"), "framing");
});
