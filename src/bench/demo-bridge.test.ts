import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Category } from "../decode/category.ts";
import { DIRECTION_NAMES, type DirectionName } from "../decode/direction.ts";
import { type BridgeLine, bridge } from "../ledger/bridge.ts";
import { CAUSES, type Cause, causeOf } from "../ledger/causes.ts";
import type { ByCategory } from "../ledger/tally.ts";
import { FIXTURE_NAMES, type FixtureName } from "../servers/fixtures.ts";
import { type DemoResult, type DemoRow, runDemo } from "./demo.ts";
import { bridgeSideOf, STACKS, type Stack } from "./demo-figures.ts";

const CALLS = 100;
let result: DemoResult;

before(async () => {
  result = await runDemo({ calls: CALLS });
});

type Octets = { readonly [C in Category]?: number };

/** What the items' octets are, counted by hand on the text and on the message (fixtures of the reference). */
const JSON_OCTETS: Readonly<Record<FixtureName, Octets>> = {
  // {"id":1234567890,"name":"widget-01","count":12345,"tags":null,"payload":""}
  small: {
    "body.json.punctuation": 2 + 5 + 4,
    "body.json.key.quote": 5 * 2,
    "body.json.key.text": 2 + 4 + 5 + 4 + 7,
    "body.json.string.quote": 2 + 2,
    "body.json.string.text": 9,
    "body.json.number": 10 + 5,
    "body.json.literal": 4,
  },
  // "tags":["tag-0",…,"tag-9"] and 1024 octets of payload, which are 1368 of base64.
  medium: {
    "body.json.punctuation": 2 + 5 + 4 + (2 + 9),
    "body.json.key.quote": 5 * 2,
    "body.json.key.text": 2 + 4 + 5 + 4 + 7,
    "body.json.string.quote": 2 + 2 + 10 * 2,
    "body.json.string.text": 9 + 10 * 5,
    "body.json.number": 10 + 5,
    "body.json.base64.data": 1024,
    "body.json.base64.inflation": 1368 - 1024,
  },
  large: {
    "body.json.punctuation": 2 + 5 + 4 + (2 + 9),
    "body.json.key.quote": 5 * 2,
    "body.json.key.text": 2 + 4 + 5 + 4 + 7,
    "body.json.string.quote": 2 + 2 + 10 * 2,
    "body.json.string.text": 9 + 10 * 5,
    "body.json.number": 10 + 5,
    "body.json.base64.data": 65536,
    "body.json.base64.inflation": 87384 - 65536,
  },
};
const MESSAGE_OCTETS: Readonly<Record<FixtureName, Octets>> = {
  // id 1 + 5, name 1 + 1 + 9, count 1 + 2
  small: {
    "grpc.prefix": 5,
    "grpc.message.protobuf.tag": 3,
    "grpc.message.protobuf.length": 1,
    "grpc.message.protobuf.varint": 5 + 2,
    "grpc.message.protobuf.string": 9,
  },
  // ten tags of 1 + 1 + 5, payload 1 + 2 + 1024
  medium: {
    "grpc.prefix": 5,
    "grpc.message.protobuf.tag": 3 + 10 + 1,
    "grpc.message.protobuf.length": 1 + 10 + 2,
    "grpc.message.protobuf.varint": 5 + 2,
    "grpc.message.protobuf.string": 9 + 10 * 5,
    "grpc.message.protobuf.bytes": 1024,
  },
  // payload 1 + 3 + 65536
  large: {
    "grpc.prefix": 5,
    "grpc.message.protobuf.tag": 3 + 10 + 1,
    "grpc.message.protobuf.length": 1 + 10 + 3,
    "grpc.message.protobuf.varint": 5 + 2,
    "grpc.message.protobuf.string": 9 + 10 * 5,
    "grpc.message.protobuf.bytes": 65536,
  },
};

/** Octets of content-length's value: digits, and their Huffman code (RFC 7541 appendix B). */
const LENGTH_DIGITS = { small: 2, medium: 4, large: 5 } as const satisfies Record<FixtureName, number>;
const LENGTH_HUFFMAN = { small: 2, medium: 3, large: 4 } as const satisfies Record<FixtureName, number>;

/** Everything else of one warm call, each way, without flow control and as if the date did not change. */
function wrapping(stack: Stack, size: FixtureName): Readonly<Record<DirectionName, Octets>> {
  switch (stack) {
    case "grpc":
      return {
        // :path is a literal with an indexed name each time, 25 characters in 18 octets; eight other lines are indexed.
        c2s: {
          "h2.frame_header.headers": 9,
          "h2.frame_header.data": 9,
          "h2.field_block.indexed": 8,
          "h2.field_block.prefix": 2,
          "h2.field_block.value": 18,
        },
        // Headers and trailers; seven lines, all indexed.
        s2c: { "h2.frame_header.headers": 2 * 9, "h2.frame_header.data": 9, "h2.field_block.indexed": 7 },
      };
    case "http2":
      return {
        // Four lines are indexed. :path: 1 + 1 + 4. content-length: its index takes 2 octets, and its length 1.
        c2s: {
          "h2.frame_header.headers": 9,
          "h2.frame_header.data": 9,
          "h2.field_block.indexed": 4,
          "h2.field_block.prefix": 2 + 3,
          "h2.field_block.value": 4 + LENGTH_HUFFMAN[size],
        },
        // END_STREAM comes on an empty DATA frame of its own.
        s2c: {
          "h2.frame_header.headers": 9,
          "h2.frame_header.data": 2 * 9,
          "h2.field_block.indexed": 3,
          "h2.field_block.prefix": 3,
          "h2.field_block.value": LENGTH_HUFFMAN[size],
        },
      };
    case "http1":
      return {
        // POST /item HTTP/1.1; host, content-type, content-length, connection: keep-alive
        c2s: {
          "http1.start_line": 21,
          "http1.field_line.name": 4 + 12 + 14 + 10,
          "http1.field_line.separator": 4 * 2,
          "http1.field_line.value": 14 + 16 + LENGTH_DIGITS[size] + 10,
          "http1.field_line.eol": 4 * 2,
          "http1.head_end": 2,
        },
        // HTTP/1.1 200 OK; content-type, content-length, date, connection: keep-alive, keep-alive: timeout=5
        s2c: {
          "http1.start_line": 17,
          "http1.field_line.name": 12 + 14 + 4 + 10 + 10,
          "http1.field_line.separator": 5 * 2,
          "http1.field_line.value": 16 + LENGTH_DIGITS[size] + 29 + 10 + 9,
          "http1.field_line.eol": 5 * 2,
          "http1.head_end": 2,
        },
      };
  }
}

const rowOf = (stack: Stack, size: FixtureName): DemoRow => {
  const row = result.rows.find((candidate) => candidate.stack === stack && candidate.size === size);
  assert.ok(row !== undefined, `${stack} ${size} has a row`);
  return row;
};

/** Sums over the warm calls: what was counted by hand, and what the run itself says of its dates. */
function expected(stack: Stack, size: FixtureName, direction: DirectionName): ByCategory {
  const perCall: Octets = { ...wrapping(stack, size)[direction], ...(stack === "grpc" ? MESSAGE_OCTETS : JSON_OCTETS)[size] };
  const sums: { [C in Category]?: number } = {};
  for (const [category, octets] of Object.entries(perCall)) sums[category as Category] = CALLS * octets;
  const { inserts, lines, octets } = rowOf(stack, size).dates;
  if (stack === "http1" || direction === "c2s" || inserts === 0) return sums;
  // A new date is no index any more, but two octets of prefix and its Huffman code.
  const added = { indexed: -inserts, prefix: 2 * inserts, value: octets - (lines - inserts) - 2 * inserts };
  for (const [part, more] of Object.entries(added)) {
    const category = `h2.field_block.${part}` as Category;
    sums[category] = (sums[category] ?? 0) + more;
  }
  return sums;
}

const isControl = (category: string) => causeOf(category as Category) === "control";

for (const stack of STACKS) {
  for (const size of FIXTURE_NAMES) {
    for (const direction of DIRECTION_NAMES) {
      test(`${stack} ${size} ${direction}: each category of the warm calls`, () => {
        const found: { [category: string]: number } = {};
        for (const [category, octets] of Object.entries(rowOf(stack, size).categories[direction])) {
          if (!isControl(category)) found[category] = octets;
        }
        const wanted: { [category: string]: number } = { ...expected(stack, size, direction) };
        if (size === "large" && stack !== "http1") {
          // A large body's cut into DATA frames depends on the flow-control windows; at most 16,384 octets fit into one.
          const headers = found["h2.frame_header.data"] ?? 0;
          assert.ok(headers % 9 === 0 && headers >= CALLS * 9 * 5, `${headers} octets of DATA frame headers`);
          wanted["h2.frame_header.data"] = headers;
        }
        assert.deepEqual(found, wanted);
      });

      test(`${stack} ${size} ${direction}: control is whole frames`, () => {
        const counts = rowOf(stack, size).categories[direction];
        const control = Object.keys(counts).filter(isControl);
        if (stack === "http1") assert.deepEqual(control, []);
        // RFC 9113 sections 6.9 and 6.7: four octets and eight below a frame header of nine.
        const [updates = 0, pings = 0] = [counts["h2.window_update"], counts["h2.ping"]];
        assert.equal((counts["h2.frame_header.window_update"] ?? 0) * 4, updates * 9);
        assert.equal((counts["h2.frame_header.ping"] ?? 0) * 8, pings * 9);
        const known = ["h2.frame_header.window_update", "h2.window_update", "h2.frame_header.ping", "h2.ping"];
        assert.deepEqual(
          control.filter((category) => !known.includes(category)),
          [],
        );
      });
    }
  }
}

/** JSON minus gRPC for one call, cause by cause, by the reference's arithmetic; `null`: it is not the same in every run. */
const HTTP1_MINUS_GRPC: Readonly<
  Record<"small" | "medium", Readonly<Record<DirectionName, { readonly [C in Cause]?: number }>>>
> = {
  small: {
    // 196 = 121 + 47 + 28 and 71 = 28 + 23 + 4 + 16; 230 = 155 + 47 + 28 and 59 = 7 + 32 + 4 + 16.
    c2s: { headers: 121 - 28, framing: -(9 + 9 + 5), protobuf: -4, json_text: 47, payload: 28 - 16 },
    s2c: { headers: 155 - 7, framing: -(3 * 9 + 5), protobuf: -4, json_text: 47, payload: 28 - 16 },
  },
  medium: {
    // 1643 = 123 + 78 + 344 + 1098 and 1168 = 28 + 23 + 27 + 1090; 1677 = 157 + 78 + 344 + 1098 and 1156 = 7 + 32 + 27 + 1090.
    c2s: { headers: 123 - 28, framing: -23, base64: 344, protobuf: -27, json_text: 78, payload: 1098 - 1090 },
    s2c: { headers: 157 - 7, framing: -32, base64: 344, protobuf: -27, json_text: 78, payload: 1098 - 1090 },
  },
};
/** The reference's octets per call, each way, without flow control and as if the date did not change. */
const REFERENCE = {
  small: { grpc: [71, 59], http2: [108, 110], http1: [196, 230] },
  medium: { grpc: [1168, 1156], http2: [1554, 1556], http1: [1643, 1677] },
} as const satisfies Record<"small" | "medium", Record<Stack, readonly [number, number]>>;

const bridgeOf = (size: FixtureName, to: Stack) => {
  const found = result.bridges.find((candidate) => candidate.size === size && candidate.to === to);
  assert.ok(found !== undefined, `${size} has a bridge to ${to}`);
  return found;
};

/** What new dates add to the sums of a stack's responses. */
const newDates = (stack: Stack, size: FixtureName, direction: DirectionName) => {
  const { dates } = rowOf(stack, size);
  return stack === "http1" || direction === "c2s" ? 0 : dates.octets - dates.lines;
};

for (const size of ["small", "medium"] as const) {
  for (const [at, direction] of DIRECTION_NAMES.entries()) {
    test(`bridge of the ${size} item to HTTP/1.1, ${direction}: each cause by the reference's arithmetic`, () => {
      const { causes } = bridgeOf(size, "http1")[direction];
      const found = Object.fromEntries(causes.map(({ cause, difference }) => [cause, difference]));
      const { control, ...others } = found;
      const wanted: { [cause: string]: number } = {};
      for (const [cause, octets] of Object.entries(HTTP1_MINUS_GRPC[size][direction])) wanted[cause] = CALLS * octets;
      wanted["headers"] = (wanted["headers"] ?? 0) - newDates("grpc", size, direction);
      assert.deepEqual(others, wanted);
      assert.ok(control === undefined || control < 0, "only gRPC has flow control");
    });

    for (const to of ["http1", "http2"] as const) {
      test(`bridge of the ${size} item to ${to}, ${direction}: from one reference figure to the other`, () => {
        const { from, to: reached, difference, causes } = bridgeOf(size, to)[direction];
        const control = causes.find(({ cause }) => cause === "control") ?? { from: 0, to: 0 };
        const reference = (stack: Stack) => CALLS * (REFERENCE[size][stack][at] ?? 0) + newDates(stack, size, direction);
        assert.deepEqual([from - control.from, reached - control.to], [reference("grpc"), reference(to)]);
        assert.equal(difference, reached - from);
      });
    }
  }
}

test("bridges: by size, HTTP/2 before HTTP/1.1; their ends are the windows' octets, and every level sums", () => {
  assert.deepEqual(
    result.bridges.map(({ size, from, to }) => [size, from, to]),
    FIXTURE_NAMES.flatMap((size) => [
      [size, "grpc", "http2"],
      [size, "grpc", "http1"],
    ]),
  );
  const differences = (lines: readonly BridgeLine[]) => lines.reduce((sum, { difference }) => sum + difference, 0);
  for (const { size, to, calls, ...directions } of result.bridges) {
    assert.deepEqual(calls, { from: CALLS, to: CALLS, difference: CALLS });
    for (const direction of DIRECTION_NAMES) {
      const { causes, ...total } = directions[direction];
      const windowOctets = (stack: Stack) => {
        const { exclusive, streamFlow, connection } = rowOf(stack, size).warm[direction];
        return exclusive + streamFlow + connection;
      };
      assert.deepEqual([total.from, total.to], [windowOctets("grpc"), windowOctets(to)]);
      assert.equal(differences(causes), total.difference);
      for (const cause of causes) assert.equal(differences(cause.categories), cause.difference);
      assert.deepEqual(
        causes.map(({ cause }) => cause),
        CAUSES.filter((cause) => causes.some((line) => line.cause === cause)),
      );
    }
  }
});

test("the other way round, each line of the run's bridges is negated", () => {
  for (const found of result.bridges) {
    const back = bridge(bridgeSideOf(rowOf(found.to, found.size)), bridgeSideOf(rowOf("grpc", found.size)));
    for (const direction of DIRECTION_NAMES) {
      const lines = ({ causes, ...total }: (typeof back)[DirectionName]): number[] =>
        [total, ...causes.flatMap((cause) => [cause, ...cause.categories])].map(({ difference }) => difference);
      assert.deepEqual(
        lines(back[direction]),
        lines(found[direction]).map((difference) => 0 - difference),
      );
    }
  }
});
