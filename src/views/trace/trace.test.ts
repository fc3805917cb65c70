import assert from "node:assert/strict";
import { test } from "node:test";
import { CATEGORY } from "../../decode/category.ts";
import { C2S, S2C } from "../../decode/direction.ts";
import type { Exchange } from "../../decode/exchange.ts";
import type { H2FrameDetail, UnitField, UnitPart, WireUnit } from "../../decode/wire-unit.ts";
import type { ConnectionFacts } from "../../ledger/listener.ts";
import type { ExchangeTally, Octets } from "../../ledger/tally.ts";
import { Redactor } from "../redact.ts";
import { createTheme } from "../theme.ts";
import type { TimeStyle } from "./clock.ts";
import type { TraceLevel } from "./levels.ts";
import { Trace } from "./trace.ts";

const CONNECTION: ConnectionFacts = { id: "c1", listener: "grpc", client: "127.0.0.1:40000", server: "127.0.0.1:8080" };
const STARTED_NS = 1_700_000_000_000_000_000n;
const MS = 1e6;

interface Settings {
  readonly level?: TraceLevel;
  readonly time?: TimeStyle;
  readonly notes?: boolean;
  readonly redactor?: Redactor;
}

/** What the trace says of the calls that `tell` makes. */
function traced(tell: (trace: Trace) => void, settings: Settings = {}): string {
  const { level = "fields", time = "rel", notes = false, redactor = new Redactor() } = settings;
  let text = "";
  const write = (lines: string): void => {
    text += lines;
  };
  tell(new Trace({ level, time, notes, redactor, theme: createTheme(0), startedNs: STARTED_NS, write }));
  return text;
}

const EXCHANGE = { id: "c1.s1" } as Exchange;

function unit(detail: WireUnit["detail"], rest: Partial<WireUnit> = {}): WireUnit {
  const blank = {
    direction: C2S,
    offset: 0,
    octets: 9,
    exchange: EXCHANGE,
    fields: [],
    fieldsOmitted: 0,
    octetsOmitted: 0,
    parts: [],
    truncated: false,
  };
  return { ...blank, detail, ...rest } as WireUnit;
}

function frame(type: number, rest: Partial<H2FrameDetail> = {}): H2FrameDetail {
  return {
    kind: "h2.frame",
    type,
    flags: 0,
    reserved: 0,
    streamId: 0,
    length: 0,
    malformed: false,
    padLength: null,
    priority: null,
    promisedStreamId: null,
    settings: null,
    opaqueData: null,
    increment: null,
    errorCode: null,
    lastStreamId: null,
    debugData: null,
    ...rest,
  };
}

function field(name: string, value: string, octets: number, hpack: Partial<NonNullable<UnitField["hpack"]>> | null): UnitField {
  const plain = { representation: 0, index: 0, nameHuffman: false, valueHuffman: false, nameOctets: 0, valueOctets: 0 };
  const lengths = { nameLength: name.length, valueLength: value.length };
  return {
    name,
    value,
    octets,
    neverIndexed: hpack?.representation === 3,
    hpack: hpack === null ? null : { ...plain, ...lengths, ...hpack },
  };
}

const frames = (detail: H2FrameDetail, octets: number): string =>
  traced((trace) => trace.unit(CONNECTION, unit(detail, { octets }), 4 * MS), { level: "frames" });

test("nghttp's layout, with the octets added", () => {
  const fields = [
    field(":method", "POST", 1, { representation: 0, index: 3 }),
    field(":path", "/item.v1.ItemService/Echo", 20, { representation: 1, index: 5, valueHuffman: true, valueOctets: 18 }),
  ];
  const detail = frame(1, { length: 114, flags: 0x04, streamId: 1 });
  assert.equal(
    traced((trace) => trace.unit(CONNECTION, unit(detail, { octets: 123, fields }), 4 * MS)),
    [
      "[  0.004] c1 c2s HEADERS frame <length=114, flags=0x04, stream_id=1>       123 octets\n",
      "          ; END_HEADERS\n",
      "          :method: POST                                      1  indexed 3\n",
      "          :path: /item.v1.ItemService/Echo                   20  literal, indexed, huffman 25→18\n",
    ].join(""),
  );
});

test("frames as nghttp 1.52 writes them", () => {
  const table: [H2FrameDetail, string, string[]][] = [
    [
      frame(4, {
        length: 12,
        settings: [
          [3, 100],
          [4, 65535],
        ],
      }),
      "SETTINGS frame <length=12, flags=0x00, stream_id=0>",
      ["(niv=2)", "[SETTINGS_MAX_CONCURRENT_STREAMS(0x03):100]", "[SETTINGS_INITIAL_WINDOW_SIZE(0x04):65535]"],
    ],
    [frame(4, { flags: 1, settings: [] }), "SETTINGS frame <length=0, flags=0x01, stream_id=0>", ["; ACK", "(niv=0)"]],
    [
      frame(2, { length: 5, streamId: 3, priority: { dependency: 0, weight: 201, exclusive: false } }),
      "PRIORITY frame <length=5, flags=0x00, stream_id=3>",
      ["(dep_stream_id=0, weight=201, exclusive=0)"],
    ],
    [
      frame(1, { length: 42, flags: 0x25, streamId: 13, priority: { dependency: 11, weight: 16, exclusive: true } }),
      "HEADERS frame <length=42, flags=0x25, stream_id=13>",
      ["; END_STREAM | END_HEADERS | PRIORITY", "(dep_stream_id=11, weight=16, exclusive=1)"],
    ],
    [frame(0, { length: 6, flags: 1, streamId: 13 }), "DATA frame <length=6, flags=0x01, stream_id=13>", ["; END_STREAM"]],
    [
      frame(7, { length: 8, lastStreamId: 0, errorCode: 0, debugData: new Uint8Array(0) }),
      "GOAWAY frame <length=8, flags=0x00, stream_id=0>",
      ["(last_stream_id=0, error_code=NO_ERROR(0x00), opaque_data(0)=[])"],
    ],
    [
      frame(8, { length: 4, increment: 1073676289 }),
      "WINDOW_UPDATE frame <length=4, flags=0x00, stream_id=0>",
      ["(window_size_increment=1073676289)"],
    ],
    [
      frame(3, { length: 4, streamId: 1, errorCode: 8 }),
      "RST_STREAM frame <length=4, flags=0x00, stream_id=1>",
      ["(error_code=CANCEL(0x08))"],
    ],
    [
      frame(6, { length: 8, opaqueData: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 255) }),
      "PING frame <length=8, flags=0x00, stream_id=0>",
      ["(opaque_data=01020304050607ff)"],
    ],
    [
      frame(5, { length: 30, flags: 0x0c, streamId: 1, padLength: 3, promisedStreamId: 2 }),
      "PUSH_PROMISE frame <length=30, flags=0x0c, stream_id=1>",
      ["; END_HEADERS | PADDED", "(padlen=3, promised_stream_id=2)"],
    ],
  ];
  for (const [detail, title, below] of table) {
    const [first, ...rest] = frames(detail, 9 + detail.length).split("\n");
    assert.equal(first, `${`[  0.004] c1 c2s ${title}`.padEnd(73)}  ${9 + detail.length} octets`);
    assert.deepEqual(rest, [...below.map((line) => `          ${line}`), ""]);
  }
});

test("what the registries do not have is shown by number; debug data is escaped", () => {
  assert.match(
    frames(frame(0x42, { flags: 0xff, reserved: 1, streamId: 5 }), 9),
    /UNKNOWN\(0x42\) frame <length=0, flags=0xff, stream_id=5, reserved=1>/,
  );
  assert.match(frames(frame(4, { settings: [[0x4d44, 7]] }), 15), /\n {10}\[UNKNOWN\(0x4d44\):7\]\n/);
  assert.match(frames(frame(3, { errorCode: 0x1f }), 13), /\(error_code=UNKNOWN\(0x1f\)\)/);
  const debugData = Buffer.from("too\u001b[2J many");
  assert.match(
    frames(frame(7, { lastStreamId: 1, errorCode: 11, debugData }), 17),
    /error_code=ENHANCE_YOUR_CALM\(0x0b\), opaque_data\(12\)=\[too\\x1b\[2J many\]/,
  );
});

test("how a field line stood in its block, RFC 7541 §6", () => {
  const table: [UnitField, string][] = [
    [field("x", "1", 5, { representation: 1 }), "5  literal, indexed, new name"],
    [
      field("custom-key", "custom-value", 20, {
        representation: 2,
        nameHuffman: true,
        nameOctets: 8,
        valueHuffman: true,
        valueOctets: 9,
      }),
      "20  literal, new name huffman 10→8, huffman 12→9",
    ],
    [field("x-secret", "abc", 5, { representation: 3, index: 23 }), "5  literal, never indexed"],
  ];
  for (const [line, shown] of table) {
    const text = traced((trace) => trace.unit(CONNECTION, unit(frame(1), { fields: [line] }), 0));
    assert.equal(text.split("\n")[1]?.slice(61), shown);
  }
  const late = traced((trace) =>
    trace.unit(CONNECTION, unit(frame(1), { fields: [{ ...field("x", "1", 1, { index: 65 }), name: null, value: null }] }), 0),
  );
  assert.match(late, /\(unknown name\): \(unknown value\) +1 {2}indexed 65\n/);
});

test("the other protocols' units", () => {
  const at = (detail: WireUnit["detail"], rest: Partial<WireUnit> = {}): string | undefined =>
    traced((trace) => trace.unit(CONNECTION, unit(detail, { exchange: { id: "c1.r1" } as Exchange, octets: 12, ...rest }), 0), {
      level: "frames",
    })
      .split("\n")[0]
      ?.slice("[  0.000] c1 c2s ".length);
  assert.equal(
    at({ kind: "http1.request_head", startLine: "GET /a?token=b HTTP/1.1", method: "GET", target: "/a?token=b" }),
    "HTTP/1 request <c1.r1> GET /a?token=[redacted 1 octets] HTTP/1.1  12 octets",
  );
  assert.equal(
    at({ kind: "http1.response_head", startLine: "HTTP/1.1 200 \u001bOK", status: 200 })?.slice(0, 45),
    "HTTP/1 response <c1.r1> HTTP/1.1 200 \\x1bOK  ",
  );
  assert.match(at({ kind: "http1.chunk", size: 5 }) ?? "", /^HTTP\/1 chunk <c1\.r1, size=5> +12 octets$/);
  assert.match(
    at({ kind: "tls.record", contentType: 22, version: 0x0301, length: 512 }) ?? "",
    /^TLS record <type=handshake\(22\), version=0x0301, length=512>/,
  );
  assert.match(
    at({ kind: "proxy.header", version: 1, text: "TCP4 1.2.3.4 5.6.7.8 1 2" }) ?? "",
    /^PROXY header <version=1> TCP4 1\.2\.3\.4/,
  );
  assert.match(at({ kind: "unattributed" }, { octets: 1 }) ?? "", /^unattributed octets +1 octet$/);
});

test("octets: one line a part; the value of a secret field and content are masked, others are not", () => {
  const part = (category: number, shown: number[], octets = shown.length): UnitPart => ({
    category,
    octets,
    secret: false,
    path: "",
    shown: Uint8Array.from(shown),
  });
  const parts = [
    part(CATEGORY["h2.frame_header.headers"], [0, 0, 7, 1, 4, 0, 0, 0, 1]),
    part(CATEGORY["h2.field_block.prefix"], [0x40, 1]),
    part(CATEGORY["h2.field_block.name"], [0x61]),
    part(CATEGORY["h2.field_block.value"], [0x62]),
    part(CATEGORY["h2.field_block.prefix"], [0x5f, 1]),
    part(CATEGORY["h2.field_block.value"], [0x78]),
    part(CATEGORY["body.binary"], [1, 2], 40),
  ];
  const fields = [
    field("a", "b", 4, { representation: 1, nameOctets: 1, valueOctets: 1 }),
    field("x-tenant", "x", 3, { representation: 1, index: 31, valueOctets: 1 }),
  ];
  const shown = (redactor: Redactor, lines: readonly UnitField[] = fields): string[] =>
    traced((trace) => trace.unit(CONNECTION, unit(frame(1), { offset: 24, octets: 56, fields: lines, parts }), 0), {
      level: "octets",
      redactor,
    })
      .split("\n")
      .filter((line) => /^ {10} +\d/.test(line))
      .map((line) => line.trim().replaceAll(/ {2,}/g, " | "));
  const head = [
    "24 | 9 | h2.frame_header.headers | 00 00 07 01 04 00 00 00 01",
    "33 | 2 | h2.field_block.prefix | 40 01",
    "35 | 1 | h2.field_block.name | 61",
  ];
  const rest = (a: string, b: string, body: string): string[] => [
    ...head,
    `36 | 1 | h2.field_block.value | ${a}`,
    "37 | 2 | h2.field_block.prefix | 5f 01",
    `39 | 1 | h2.field_block.value | ${b}`,
    `40 | 40 | body.binary | ${body}`,
  ];
  const gone = "[redacted 1 octets]";
  assert.deepEqual(shown(new Redactor({ names: ["x-tenant"] })), rest("62", gone, "[redacted 40 octets]"));
  assert.deepEqual(shown(new Redactor()), rest("62", "78", "[redacted 40 octets]"));
  assert.deepEqual(shown(new Redactor({ showSecrets: true, names: ["x-tenant"] })), rest("62", "78", "01 02 …"));
  // Lines that do not add up to the parts: nobody can tell whose values these are.
  assert.deepEqual(shown(new Redactor(), fields.slice(1)), rest(gone, gone, "[redacted 40 octets]"));
});

test("a finished exchange is one aligned line", () => {
  const octets = (count: number): Octets => ({
    octets: count,
    pending: 0,
    deltas: null,
    by_category: {},
    by_cause: {},
    decoded: null,
  });
  const call: ExchangeTally = {
    id: "c1.s1",
    stream: 1,
    protocol: "grpc",
    method: "POST",
    authority: "127.0.0.1:8080",
    path: "/item.v1.ItemService/Echo",
    route: "/item.v1.ItemService/Echo",
    status: 200,
    grpc_status: 0,
    started: "",
    first_octet_us: 1000,
    duration_us: 1234,
    complete: true,
    c2s: octets(71),
    s2c: octets(59),
    messages: [],
  };
  const lines = traced(
    (trace) => {
      trace.exchange(CONNECTION, call, 12 * MS);
      trace.exchange(
        CONNECTION,
        {
          ...call,
          id: "c2.r1",
          protocol: "http1",
          method: "GET",
          path: "/\u001b?token=x",
          grpc_status: null,
          status: null,
          complete: false,
          duration_us: null,
        },
        13 * MS,
      );
    },
    { level: "exchanges" },
  );
  assert.equal(
    lines,
    [
      "[  0.012] c1.s1      grpc    POST /item.v1.ItemService/Echo      200 grpc OK         c2s     71  s2c     59     1.234 ms\n",
      "[  0.013] c2.r1      http1   GET /\\x1b?token=[redacted 1 octets]  - incomplete       c2s     71  s2c     59            -\n",
    ].join(""),
  );
});

test("levels: exchanges tell no frames, off tells nothing; notes are told when asked for", () => {
  const all = (trace: Trace): void => {
    trace.connection(CONNECTION, 0);
    trace.unit(CONNECTION, unit(frame(0)), 0);
    trace.message(
      CONNECTION,
      "c1.s1",
      S2C,
      { index: 0, direction: "s2c", octets: 80, compressed: false, payload_octets: 75, type: null },
      0,
    );
    trace.note(
      CONNECTION,
      { code: "te-and-cl", severity: "violation", direction: "c2s", offset: 7, ref: "RFC 9112 §6.3", text: "both" },
      0,
    );
    trace.close(CONNECTION, { by: "server", how: "rst", code: "ECONNRESET", order: ["server"] }, [1, 2], 0);
  };
  assert.equal(traced(all, { level: "off" }), "");
  assert.equal(traced(all, { level: "exchanges" }), "");
  const note = "[  0.000] c1 c2s violation te-and-cl at octet 7: both (RFC 9112 §6.3)\n";
  assert.equal(traced(all, { level: "off", notes: true }), note);
  assert.equal(
    traced(all, { level: "frames", notes: true }),
    [
      "[  0.000] c1 open 127.0.0.1:40000 -> 127.0.0.1:8080 (listener grpc)\n",
      "[  0.000] c1 c2s DATA frame <length=0, flags=0x00, stream_id=0>            9 octets\n",
      "[  0.000] c1 s2c gRPC message 0 of c1.s1 <length=75, compressed=0>         80 octets\n",
      note,
      "[  0.000] c1 close by server, rst ECONNRESET, 1 octet c2s, 2 octets s2c\n",
    ].join(""),
  );
});

test("a connection that the capture leaves open", () => {
  assert.equal(
    traced((trace) => trace.close(CONNECTION, null, [1, 2], 0)),
    "[  0.000] c1 open at the end of the capture, 1 octet c2s, 2 octets s2c\n",
  );
});

test("times: since the start, of the day, since the line before", () => {
  const twice = (trace: Trace): void => {
    trace.connection(CONNECTION, 1_500 * MS);
    trace.connection(CONNECTION, 1_750 * MS);
  };
  const stamps = (time: TimeStyle): string[] =>
    traced(twice, { level: "frames", time })
      .split("\n")
      .slice(0, 2)
      .map((line) => line.slice(0, line.indexOf("]") + 1));
  assert.deepEqual(stamps("rel"), ["[  1.500]", "[  1.750]"]);
  assert.deepEqual(stamps("delta"), ["[ +1.500]", "[ +0.250]"]);
  assert.deepEqual(stamps("abs"), ["[2023-11-14T22:13:21.500000000Z]", "[2023-11-14T22:13:21.750000000Z]"]);
});
