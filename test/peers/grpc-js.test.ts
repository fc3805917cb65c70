import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Client, credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { FIXTURE_NAMES, fixture } from "../../src/servers/fixtures.ts";
import { startGrpcServer } from "../../src/servers/grpc-server.ts";
import { loadItemSchema } from "../../src/servers/item-schema.ts";
import { type Fields, methodDefinition } from "../../src/servers/service-definition.ts";
import { octetsUnder } from "../octets-under.ts";
import { compareRuns } from "./compare-runs.ts";

const schema = loadItemSchema();
const ITEMS = FIXTURE_NAMES.map((name) => ({ ...fixture(name) }));

function method(name: string) {
  const service = name === "Echo" ? schema.itemService : schema.itemStreams;
  const found = service.methods[name];
  if (found === undefined) throw new TypeError(`the demo has no method ${name}`);
  return methodDefinition(service, found);
}

/** Runs `calls` on one connection to the demo's gRPC server, once directly and once through the proxy. */
async function compareCalls<T>(t: TestContext, calls: (client: Client) => Promise<T>) {
  const server = await startGrpcServer({ host: "127.0.0.1", port: 0 });
  t.after(() => server.close());
  return compareRuns(t, server.port, async (port) => {
    // A pool of its own: connections are otherwise shared by target and outlive the client.
    const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1 });
    try {
      return await calls(client);
    } finally {
      client.close();
    }
  });
}

/** How one call ended, with the message in hexadecimal. */
interface Ended {
  readonly code: status;
  readonly details: string;
  readonly message: string;
}

function unary(client: Client, name: string, request: Fields, deadlineMs = 10_000, cancelMs?: number): Promise<Ended> {
  const { path, requestSerialize } = method(name);
  return new Promise((resolve) => {
    const options = { deadline: Date.now() + deadlineMs };
    const done = (error: ServiceError | null, message?: Buffer) => resolve(ended(error, message));
    const call = client.makeUnaryRequest(path, requestSerialize, asIs, request, new Metadata(), options, done);
    if (cancelMs !== undefined) setTimeout(() => call.cancel(), cancelMs);
  });
}

function ended(error: ServiceError | null, message: Buffer = Buffer.alloc(0)): Ended {
  // A deadline's details say how long it took: only its beginning is the same every time.
  const details = error === null ? "" : error.details.replace(/^Deadline exceeded after .*/, "Deadline exceeded");
  return { code: error === null ? status.OK : error.code, details, message: message.toString("hex") };
}

const asIs = (octets: Buffer) => octets;

test("grpc-js unary", async (t) => {
  const { seen, tally } = await compareCalls(t, async (client) => {
    const answers: Ended[] = [];
    for (const item of ITEMS) answers.push(await unary(client, "Echo", item));
    return answers;
  });
  const { requestSerialize } = method("Echo");
  assert.deepEqual(
    seen.map((answer) => answer.message),
    ITEMS.map((item) => requestSerialize(item).toString("hex")),
  );
  const exchanges = tally.connections[0]?.exchanges ?? [];
  assert.deepEqual(
    exchanges.map(({ protocol, path, grpc_status, complete }) => ({ protocol, path, grpc_status, complete })),
    ITEMS.map(() => ({ protocol: "grpc", path: "/item.v1.ItemService/Echo", grpc_status: 0, complete: true })),
  );
  assert.equal(tally.totals.c2s.by_category["grpc.prefix"], 5 * ITEMS.length);
});

test("grpc-js server streaming", async (t) => {
  const { path, requestSerialize } = method("Repeat");
  const { seen, tally } = await compareCalls(t, async (client) => {
    const call = client.makeServerStreamRequest(path, requestSerialize, asIs, { item: fixture("large"), times: 20 });
    const octets: number[] = [];
    for await (const message of call) octets.push((message as Buffer).length);
    return octets;
  });
  assert.equal(seen.length, 20);
  assert.equal(octetsUnder(tally.totals.s2c.by_category, "grpc.message"), 20 * 65630);
  assert.equal(tally.connections[0]?.exchanges[0]?.messages.length, 1 + 20);
});

test("grpc-js client streaming", async (t) => {
  const { path, requestSerialize } = method("Collect");
  const { seen, tally } = await compareCalls(t, async (client) => {
    return new Promise<Ended>((resolve) => {
      const call = client.makeClientStreamRequest(path, requestSerialize, asIs, (error, message) =>
        resolve(ended(error, message)),
      );
      for (const item of ITEMS) call.write(item);
      call.end();
    });
  });
  // Collected: items = 3, payload_octets = 66560 (varints 0x03 and 0x80 0x88 0x04).
  assert.deepEqual(seen, { code: status.OK, details: "", message: "0803" + "10808804" });
  assert.equal(tally.totals.c2s.by_category["grpc.prefix"], 5 * ITEMS.length);
});

test("grpc-js bidirectional streaming", async (t) => {
  const { path, requestSerialize } = method("Chat");
  const { seen } = await compareCalls(t, async (client) => {
    const call = client.makeBidiStreamRequest(path, requestSerialize, asIs);
    const heard: string[] = [];
    call.write(ITEMS[0] ?? {});
    for await (const message of call) {
      heard.push((message as Buffer).toString("hex"));
      const next = ITEMS[heard.length];
      if (next === undefined) call.end();
      else call.write(next);
    }
    return heard;
  });
  assert.deepEqual(
    seen,
    ITEMS.map((item) => requestSerialize(item).toString("hex")),
  );
});

test("grpc-js deadline, cancel and error status", async (t) => {
  const { seen, tally } = await compareCalls(t, async (client) => [
    await unary(client, "Hang", {}, 200),
    await unary(client, "Hang", {}, 10_000, 100),
    await unary(client, "Fail", { code: status.NOT_FOUND, message: "no widget: 100 %" }),
    await unary(client, "Echo", ITEMS[0] ?? {}),
  ]);
  assert.deepEqual(
    seen.map(({ code }) => code),
    [status.DEADLINE_EXCEEDED, status.CANCELLED, status.NOT_FOUND, status.OK],
  );
  assert.equal(seen[2]?.details, "no widget: 100 %");
  const resets = tally.totals.c2s.by_category["h2.rst_stream"] ?? 0;
  assert.ok(resets >= 2 * 4, "the deadline and the cancel each reset their stream");
  assert.deepEqual(tally.connections[0]?.exchanges.map((exchange) => exchange.grpc_status).slice(2), [
    status.NOT_FOUND,
    status.OK,
  ]);
});
