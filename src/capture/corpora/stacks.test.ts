import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Carried, readCarried, type ToldConnection } from "../../../test/capture-truth.ts";
import { capturesOf } from "../../../test/read-packets.ts";
import { only, openSums } from "../../../test/scripted-wire.ts";
import { shared, skipWithoutShared } from "../../../test/shared.ts";
import { DIRECTION_NAMES } from "../../decode/direction.ts";
import { loadSchemas } from "../../decode/protobuf/load-schemas.ts";
import type { ByCause, ConnectionTally, ExchangeTally, Tally } from "../../ledger/tally.ts";
import { readCaptures } from "../read-captures.ts";

interface FrameTruth {
  readonly preface: number;
  readonly frames: Readonly<Record<string, { readonly count: number; readonly bytes: number }>>;
}

interface Truth {
  readonly totals: { readonly c2s: number; readonly s2c: number };
  readonly connections: readonly {
    readonly client: string;
    readonly tls?: { readonly [D in "c2s" | "s2c"]: { readonly records: number; readonly bytes: number } };
    readonly tcp: { readonly [D in "c2s" | "s2c"]: { readonly payloadBytes: number } };
    readonly http1?: { readonly [D in "c2s" | "s2c"]: readonly { readonly totalBytes: number }[] };
    readonly http2?: { readonly c2s: FrameTruth; readonly s2c: FrameTruth };
  }[];
}

const FRAME_HEADER = 9;
const RECORD_HEADER = 5;
const PREFACE = 24;
const skip = skipWithoutShared("corpora", "stacks");
const generator = { name: "test", version: "0" };
const proto = fileURLToPath(new URL("../../../proto/item/v1/item.proto", import.meta.url));

test("every capture: octets, frames by type, TLS records and HTTP/1 messages as in the truth file", { skip }, async () => {
  const captures = capturesOf("stacks");
  assert.equal(captures.length, 26);
  for (const path of captures) {
    const name = path.slice(path.lastIndexOf("/") + 1).replace(/(\.dsb)?\.pcapng$/, "");
    const truth = truthOf(name);
    const { reading, connections } = await readCarried(path);
    const { tally } = reading;
    assert.deepEqual([openSums(tally), reading.broken], [[], 0], `${name}: the ledger closes`);
    assert.equal(tally.connections.length, truth.connections.length, name);
    for (const direction of DIRECTION_NAMES) assert.equal(tally.totals[direction].octets, truth.totals[direction], name);
    for (const [index, wanted] of truth.connections.entries()) {
      const connection: ConnectionTally | undefined = tally.connections[index];
      const told: ToldConnection | undefined = connections[index];
      assert.ok(connection !== undefined && told?.closed === true, `${name}: told and closed`);
      assert.equal(connection.client, wanted.client, name);
      for (const direction of DIRECTION_NAMES) {
        const carried: Carried = told[direction];
        const place: string = `${name} ${connection.id} ${direction}`;
        assert.equal(connection[direction].octets, wanted.tcp[direction].payloadBytes, place);
        if (wanted.tls !== undefined) {
          const { records, payload } = carried.tls;
          const octets: number = payload + RECORD_HEADER * records;
          assert.deepEqual(
            { records, octets },
            { records: wanted.tls[direction].records, octets: wanted.tls[direction].bytes },
            place,
          );
          continue;
        }
        assert.deepEqual(framesOf(carried), wanted.http2 === undefined ? {} : truthFrames(wanted.http2[direction]), place);
        if (wanted.http1 !== undefined && wanted.http2 === undefined) {
          const messages: number[] = connection.exchanges.map((exchange) => exchange[direction].octets);
          assert.deepEqual(
            messages,
            wanted.http1[direction].map(({ totalBytes }) => totalBytes),
            place,
          );
        }
      }
    }
  }
});

/** What each call costs by cause, by the octets of its request: SPEC §4; small responses by WIRE-TRUTH §3 and §4. */
const GRPC: Readonly<Record<string, readonly [c2s: ByCause, s2c: ByCause]>> = {
  50: [
    { headers: 7, framing: 23, protobuf: 4, payload: 16 },
    { headers: 4, framing: 32, protobuf: 4, payload: 16 },
  ],
  1147: [
    { headers: 7, framing: 23, protobuf: 27, payload: 1090 },
    { headers: 4, framing: 32, protobuf: 27, payload: 1090 },
  ],
};
const HTTP1: Readonly<Record<string, readonly [c2s: ByCause, s2c: ByCause]>> = {
  227: [
    { headers: 152, json_text: 47, payload: 28 },
    { headers: 108, json_text: 48, payload: 28 },
  ],
  1674: [
    { headers: 154, json_text: 78, base64: 344, payload: 1098 },
    { headers: 110, json_text: 79, base64: 344, payload: 1098 },
  ],
};

test("http1-go: 227/184, 1674/1631 and 87691/87667 a call, by cause", { skip }, async () => {
  const { exchanges } = only((await settled("http1-go")).connections);
  assert.deepEqual(exchanges.map(pair), [
    [227, 184],
    [227, 184],
    [1674, 1631],
    [87691, 87667],
    [227, 184],
  ]);
  for (const exchange of exchanges) compareCauses(exchange, HTTP1[exchange.c2s.octets]);
});

test("grpc-go: 50/56, 1147/1153 and 65696/65702 a warm call, by cause", { skip }, async () => {
  const { exchanges } = only((await settled("grpc-go")).connections);
  // The large call's stream also carries one WINDOW_UPDATE each way: 13 octets of stream flow, none of the call's own.
  assert.deepEqual(exchanges.slice(1).map(pair), [
    [50, 56],
    [1147, 1153],
    [65696 + 13, 65702 + 13],
    [50, 56],
  ]);
  for (const exchange of exchanges.slice(1)) compareCauses(exchange, GRPC[exchange.c2s.octets]);
  // The same calls alone are what a window over them says.
  const route = only((await settled("grpc-go", 1)).routes);
  for (const [side, exclusive] of [
    [route.c2s, 2 * 50 + 1147 + 65696],
    [route.s2c, 2 * 56 + 1153 + 65702],
  ] as const) {
    assert.deepEqual([side.warm?.calls, side.warm?.exclusive, side.warm?.stream_flow], [4, exclusive, 13]);
  }
});

test("grpc-go-10-small: 204 + 9 × 97 and 161 + 9 × 103 - 17", { skip }, async () => {
  const tally = await settled("grpc-go-10-small", 1);
  assert.deepEqual([tally.totals.c2s.octets, tally.totals.s2c.octets], [204 + 9 * 97, 161 + 9 * 103 - 17]);
  const route = only(tally.routes);
  for (const [side, amortised, exclusive] of [
    [route.c2s, 97, 50],
    [route.s2c, 103, 56],
  ] as const) {
    const { warm } = side;
    assert.ok(warm !== null && warm.connection !== null, "a warm window over one route");
    assert.deepEqual([warm.calls, warm.exclusive], [9, 9 * exclusive]);
    // SPEC §4: control 47 a call, from the connection: a PING, a PING ACK and a WINDOW_UPDATE.
    assert.equal(warm.connection, 9 * 47);
    assert.equal(warm.exclusive + warm.stream_flow + warm.connection, 9 * amortised);
  }
});

function compareCauses({ id, c2s, s2c }: ExchangeTally, wanted: readonly [ByCause, ByCause] | undefined): void {
  if (wanted !== undefined) assert.deepEqual([c2s.by_cause, s2c.by_cause], wanted, id);
}

function pair({ c2s, s2c }: ExchangeTally): [number, number] {
  return [c2s.octets, s2c.octets];
}

function truthOf(name: string): Truth {
  return JSON.parse(readFileSync(shared("corpora", "stacks", `${name}.truth.json`), "utf8"));
}

function stack(name: string): string {
  return shared("corpora", "stacks", `${name}.pcapng`);
}

async function settled(name: string, warmUp = 10): Promise<Tally> {
  const schemas = await loadSchemas({ files: [proto] });
  const { tally, broken, unattributed } = await readCaptures([stack(name)], { generator, schemas, warmUp });
  assert.deepEqual([openSums(tally), broken, unattributed], [[], 0, 0], name);
  return tally;
}

type Counts = Record<string, readonly [count: number, octets: number]>;

/** Frames by type, acknowledgements among their kind; octets with frame headers. */
function framesOf({ frames }: Carried): Counts {
  const counts: Counts = {};
  for (const [name, [count, payload]] of Object.entries(frames)) {
    const type = name.slice(0, name.indexOf(" "));
    add(counts, type, count, type === "PREFACE" ? PREFACE : payload + FRAME_HEADER * count);
  }
  return counts;
}

function truthFrames({ preface, frames }: FrameTruth): Counts {
  const counts: Counts = {};
  if (preface > 0) add(counts, "PREFACE", 1, preface);
  for (const [type, { count, bytes }] of Object.entries(frames)) add(counts, type.replace(/_ACK$/, ""), count, bytes);
  return counts;
}

function add(counts: Counts, type: string, count: number, octets: number): void {
  const [countBefore, octetsBefore] = counts[type] ?? [0, 0];
  counts[type] = [countBefore + count, octetsBefore + octets];
}
