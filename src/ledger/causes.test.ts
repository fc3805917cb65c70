import assert from "node:assert/strict";
import { test } from "node:test";
import { CATEGORIES, type Category } from "../decode/category.ts";
import { CAUSE_OF, CAUSES, type Cause, causeOf } from "./causes.ts";

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
  ],
  control: [
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
  payload: ["grpc.message", "body"],
  tls: ["tls.record_header", "tls.handshake", "tls.change_cipher_spec", "tls.alert", "tls.encrypted"],
  proxy: ["proxy.header"],
  unattributed: ["unattributed.opaque", "unattributed.truncated", "unattributed.after_error"],
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
