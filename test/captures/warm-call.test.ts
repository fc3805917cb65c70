import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { readCaptures } from "../../src/capture/read-captures.ts";
import { loadSchemas } from "../../src/decode/protobuf/load-schemas.ts";
import { Redactor } from "../../src/views/redact.ts";
import { createTheme } from "../../src/views/theme.ts";
import { Trace } from "../../src/views/trace/trace.ts";
import { shared, skipWithoutShared } from "../shared.ts";

const skip = skipWithoutShared("corpora", "stacks");
const generator = { name: "test", version: "0" };
const proto = fileURLToPath(new URL("../../proto/item/v1/item.proto", import.meta.url));

test("grpc-go-10-small: one warm call octet by octet, as WIRE-TRUTH §3 has it, from the trace", { skip }, async () => {
  let text = "";
  const listenerFor = (startedNs: bigint): Trace =>
    new Trace({
      level: "fields",
      time: "rel",
      notes: true,
      redactor: new Redactor(),
      theme: createTheme(0),
      startedNs,
      write: (lines) => {
        text += lines;
      },
    });
  await readCaptures([shared("corpora", "stacks", "grpc-go-10-small.pcapng")], {
    generator,
    listenerFor,
    schemas: await loadSchemas({ files: [proto] }),
  });
  // Times say nothing of octets, and columns nothing of meaning.
  const lines = text.split("\n").map((line) => line.replace(/^\[[^\]]*\] /, "").replace(/ {2,}/g, "  "));
  const from = lines.findIndex((line) => line.startsWith("c1 c2s HEADERS") && line.includes("stream_id=5>"));
  const to = lines.findIndex((line) => line.startsWith("c1 c2s HEADERS") && line.includes("stream_id=7>"));
  const call = lines.slice(from, to).filter((line) => !line.startsWith("c1.s5"));
  const probe = "  (opaque_data=02041010090e0707)";
  const message = "gRPC message 0 of c1.s5 <length=20, compressed=0, type=item.v1.Item>  25 octets";
  assert.deepEqual(call, [
    "c1 c2s HEADERS frame <length=7, flags=0x04, stream_id=5>  16 octets",
    "  ; END_HEADERS",
    "  :method: POST  1  indexed 3",
    "  :scheme: http  1  indexed 6",
    "  :path: /item.v1.ItemService/Echo  1  indexed 66",
    "  :authority: 127.0.0.1:50051  1  indexed 65",
    "  content-type: application/grpc  1  indexed 64",
    "  user-agent: grpc-go/1.33.3  1  indexed 63",
    "  te: trailers  1  indexed 62",
    "c1 c2s DATA frame <length=25, flags=0x01, stream_id=5>  34 octets",
    "  ; END_STREAM",
    `c1 c2s ${message}`,
    "c1 s2c PING frame <length=8, flags=0x01, stream_id=0>  17 octets",
    "  ; ACK",
    probe,
    "c1 s2c WINDOW_UPDATE frame <length=4, flags=0x00, stream_id=0>  13 octets",
    "  (window_size_increment=25)",
    "c1 s2c PING frame <length=8, flags=0x00, stream_id=0>  17 octets",
    probe,
    "c1 s2c HEADERS frame <length=2, flags=0x04, stream_id=5>  11 octets",
    "  ; END_HEADERS",
    "  :status: 200  1  indexed 8",
    "  content-type: application/grpc  1  indexed 64",
    "c1 s2c DATA frame <length=25, flags=0x00, stream_id=5>  34 octets",
    `c1 s2c ${message}`,
    "c1 s2c HEADERS frame <length=2, flags=0x05, stream_id=5>  11 octets",
    "  ; END_STREAM | END_HEADERS",
    "  grpc-status: 0  1  indexed 63",
    "  grpc-message:  1  indexed 62",
    "c1 c2s PING frame <length=8, flags=0x01, stream_id=0>  17 octets",
    "  ; ACK",
    probe,
    "c1 c2s WINDOW_UPDATE frame <length=4, flags=0x00, stream_id=0>  13 octets",
    "  (window_size_increment=25)",
    "c1 c2s PING frame <length=8, flags=0x00, stream_id=0>  17 octets",
    probe,
  ]);
});
