import assert from "node:assert/strict";
import { test } from "node:test";
import { openGrpcClient } from "../../src/bench/clients/grpc-client.ts";
import { startGrpcServer } from "../../src/servers/grpc-server.ts";
import type { Item } from "../../src/servers/item.ts";
import { RelayChild } from "../proxy/relay-child.ts";
import { REQUIRE_ALL } from "../shared.ts";

/** `08 01`: two octets, seven with the gRPC prefix. */
const SMALLEST: Item = { id: 1, name: "", count: 0, tags: [], payload: new Uint8Array(0) };
const FIRST_CALLS = 10_000;
const CALLS = REQUIRE_ALL ? 100_000 : 20_000;
const IN_FLIGHT = 50;
const GROWTH = 64 * 1024 * 1024;

test(`V-PX-05: ${CALLS} calls on one HTTP/2 connection: counted exactly, memory flat`, async (t) => {
  const server = await startGrpcServer({ host: "127.0.0.1", port: 0 });
  t.after(() => server.close());
  const relay = await RelayChild.start(t, `127.0.0.1:${server.port}`);
  const client = openGrpcClient({ host: "127.0.0.1", port: relay.port }, SMALLEST);
  t.after(() => client.close());
  let left = 0;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await client.call();
    }
  };
  const callMany = async (calls: number): Promise<void> => {
    left = calls;
    await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  };

  await callMany(FIRST_CALLS);
  const early = await relay.state();
  assert.equal(early.calls, FIRST_CALLS);
  await callMany(CALLS - FIRST_CALLS);
  const late = await relay.state();
  assert.equal(late.calls, CALLS);
  assert.equal(late.broken, 0);
  t.diagnostic(
    `live heap grew by ${((late.heap - early.heap) / 2 ** 20).toFixed(1)} MiB from call ${FIRST_CALLS} to call ${CALLS}`,
  );
  assert.ok(late.heap - early.heap < GROWTH, `live heap grew by ${late.heap - early.heap} octets`);
});
