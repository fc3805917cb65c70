import assert from "node:assert/strict";
import { test } from "node:test";
import { HpackDecoder } from "./hpack-decoder.ts";
import { HpackEncoder } from "./hpack-encoder.ts";

type Pair = readonly [name: string, value: string];
type Step = { readonly hex: string; readonly fields: readonly Pair[]; readonly table: readonly Pair[]; readonly size: number };

const AUTHORITY: Pair = [":authority", "www.example.com"];
const NO_CACHE: Pair = ["cache-control", "no-cache"];
const CUSTOM: Pair = ["custom-key", "custom-value"];
const REQUEST: readonly Pair[] = [
  [":method", "GET"],
  [":scheme", "http"],
  [":path", "/"],
];
const PRIVATE: Pair = ["cache-control", "private"];
const DATE: Pair = ["date", "Mon, 21 Oct 2013 20:13:21 GMT"];
const LATER: Pair = ["date", "Mon, 21 Oct 2013 20:13:22 GMT"];
const LOCATION: Pair = ["location", "https://www.example.com"];
const GZIP: Pair = ["content-encoding", "gzip"];
const COOKIE: Pair = ["set-cookie", "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1"];

const requests = (first: string, second: string, third: string): readonly Step[] => [
  { hex: first, fields: [...REQUEST, AUTHORITY], table: [AUTHORITY], size: 57 },
  { hex: second, fields: [...REQUEST, AUTHORITY, NO_CACHE], table: [NO_CACHE, AUTHORITY], size: 110 },
  {
    hex: third,
    fields: [[":method", "GET"], [":scheme", "https"], [":path", "/index.html"], AUTHORITY, CUSTOM],
    table: [CUSTOM, NO_CACHE, AUTHORITY],
    size: 164,
  },
];
const responses = (first: string, second: string, third: string): readonly Step[] => [
  {
    hex: first,
    fields: [[":status", "302"], PRIVATE, DATE, LOCATION],
    table: [LOCATION, DATE, PRIVATE, [":status", "302"]],
    size: 222,
  },
  {
    hex: second,
    fields: [[":status", "307"], PRIVATE, DATE, LOCATION],
    table: [[":status", "307"], LOCATION, DATE, PRIVATE],
    size: 222,
  },
  { hex: third, fields: [[":status", "200"], PRIVATE, LATER, LOCATION, GZIP, COOKIE], table: [COOKIE, GZIP, LATER], size: 215 },
];

const C3 = requests(
  "828684410f7777772e6578616d706c652e636f6d",
  "828684be58086e6f2d6361636865",
  "828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565",
);
const C4 = requests(
  "828684418cf1e3c2e5f23a6ba0ab90f4ff",
  "828684be5886a8eb10649cbf",
  "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf",
);
const C5 = responses(
  "4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d546e1768747470733a2f2f7777772e6578616d" +
    "706c652e636f6d",
  "4803333037c1c0bf",
  "88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738666f6f3d4153444a4b48514b425a584f5157454f50" +
    "495541585157454f49553b206d61782d6167653d333630303b2076657273696f6e3d31",
);
const C6 = responses(
  "488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae43d3",
  "4883640effc1c0bf",
  "88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f" +
    "9587316065c003ed4ee5b1063d5007",
);

const pairs = (lines: readonly { name: string | null; value: string | null }[]) => lines.map(({ name, value }) => [name, value]);

const replay = (steps: readonly Step[], maxTableSize: number, huffman: boolean) => {
  const decoder = new HpackDecoder({ maxTableSize });
  const encoder = new HpackEncoder({ maxTableSize, huffman });
  for (const { hex, fields, table, size } of steps) {
    const block = decoder.decodeBlock(Buffer.from(hex, "hex"));
    assert.deepEqual(block.violations, []);
    assert.deepEqual(pairs(block.lines), fields);
    assert.deepEqual(pairs(decoder.table.entries()), table);
    assert.equal(decoder.table.size, size);
    assert.equal(decoder.table.length, table.length);
    const coded = encoder.encode(fields.map(([name, value]) => ({ name, value })));
    assert.equal(Buffer.from(coded).toString("hex"), hex, "our encoder makes the RFC's octets");
    assert.equal(encoder.table.size, size);
  }
};

test("C.2: one literal or indexed field each", () => {
  const cases = [
    ["400a637573746f6d2d6b65790d637573746f6d2d686561646572", "custom-key", "custom-header", 1, 0, 55],
    ["040c2f73616d706c652f70617468", ":path", "/sample/path", 2, 4, 0],
    ["100870617373776f726406736563726574", "password", "secret", 3, 0, 0],
    ["82", ":method", "GET", 0, 2, 0],
  ] as const;
  for (const [hex, name, value, representation, index, size] of cases) {
    const decoder = new HpackDecoder();
    const { lines, violations } = decoder.decodeBlock(Buffer.from(hex, "hex"));
    assert.deepEqual(violations, []);
    assert.equal(lines.length, 1);
    const line = lines[0];
    assert.deepEqual([line?.name, line?.value, line?.representation, line?.index], [name, value, representation, index]);
    assert.equal(decoder.table.size, size);
  }
});

test("C.3: requests without Huffman", () => replay(C3, 4096, false));
test("C.4: requests with Huffman", () => replay(C4, 4096, true));
test("C.5: responses without Huffman, table of 256", () => replay(C5, 256, false));
test("C.6: responses with Huffman, table of 256", () => replay(C6, 256, true));
