import assert from "node:assert/strict";
import { test } from "node:test";
import { callInSequence } from "../../src/bench/clients/echo-client.ts";
import { openGrpcClient } from "../../src/bench/clients/grpc-client.ts";
import type { Octets } from "../../src/ledger/tally.ts";
import { fixture } from "../../src/servers/fixtures.ts";
import { startGrpcServer } from "../../src/servers/grpc-server.ts";
import { octetsUnder } from "../octets-under.ts";
import { ProxyProcess } from "./proxy-process.ts";
import { Witness } from "./witness.ts";

const FRAME_HEADER_OCTETS = 9;
/** IANA "HTTP/2 Frame Type", those that gRPC sends. */
const TYPES = { data: 0, headers: 1, rst_stream: 3, settings: 4, ping: 6, goaway: 7, window_update: 8, continuation: 9 } as const;

/** Frames of one type in one direction, as tshark dissects them: how many, and their payloads' octets together. */
interface Dissected {
  readonly frames: number;
  readonly octets: number;
}

test("tshark finds the same HTTP/2 frames, with the same octets in them", async (t) => {
  const server = await startGrpcServer({ host: "127.0.0.1", port: 0 });
  t.after(() => server.close());
  const proxy = await ProxyProcess.start(`127.0.0.1:${server.port}`);
  t.after(() => proxy.dispose());
  const witness = await Witness.start([proxy.port], { payload: true });
  t.after(() => witness.dispose());

  const client = openGrpcClient({ host: "127.0.0.1", port: proxy.port }, fixture("large"));
  await callInSequence(client, 20);
  await client.close();
  await witness.finish();
  const { tally, exitCode } = await proxy.stop();
  assert.equal(exitCode, 0);

  const dissect = ["-d", `tcp.port==${proxy.port},http2`, "-Y", "http2"];
  const rows = await witness.fields(dissect, ["tcp.dstport", "http2.type", "http2.length"]);
  const c2s = framesOf(rows.filter(([to]) => to === `${proxy.port}`));
  const s2c = framesOf(rows.filter(([to]) => to !== `${proxy.port}`));
  assertSameFrames(tally.totals.c2s, c2s);
  assertSameFrames(tally.totals.s2c, s2c);
  assert.ok(
    (c2s.get(TYPES.data)?.frames ?? 0) > 20 && (s2c.get(TYPES.window_update)?.frames ?? 0) > 0,
    "there was something to find",
  );
});

/** A packet may hold several frames: tshark joins their values with commas. */
function framesOf(rows: readonly (readonly string[])[]): Map<number, Dissected> {
  const found = new Map<number, Dissected>();
  for (const [, types = "", lengths = ""] of rows) {
    const octets = numbers(lengths);
    for (const [index, type] of numbers(types).entries()) {
      const before = found.get(type) ?? { frames: 0, octets: 0 };
      found.set(type, { frames: before.frames + 1, octets: before.octets + (octets[index] ?? 0) });
    }
  }
  return found;
}

function numbers(list: string): number[] {
  return list === "" ? [] : list.split(",").map(Number);
}

function assertSameFrames({ by_category: parts }: Octets, found: ReadonlyMap<number, Dissected>): void {
  for (const [name, type] of Object.entries(TYPES) as [keyof typeof TYPES, number][]) {
    assert.equal(parts[`h2.frame_header.${name}`] ?? 0, FRAME_HEADER_OCTETS * (found.get(type)?.frames ?? 0), name);
  }
  const payload = (type: number) => found.get(type)?.octets ?? 0;
  assert.equal((parts["grpc.prefix"] ?? 0) + octetsUnder(parts, "grpc.message"), payload(TYPES.data));
  assert.equal(parts["h2.settings"] ?? 0, payload(TYPES.settings));
  assert.equal(parts["h2.window_update"] ?? 0, payload(TYPES.window_update));
  assert.equal(parts["h2.ping"] ?? 0, payload(TYPES.ping));
  const fieldBlocks = Object.entries(parts).filter(([category]) => category.startsWith("h2.field_block."));
  assert.equal(
    fieldBlocks.reduce((sum, [, octets]) => sum + octets, 0),
    payload(TYPES.headers) + payload(TYPES.continuation),
  );
}
