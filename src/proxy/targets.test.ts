import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { dial, endAfter, pattern, readAll, startRelay, startServer } from "../../test/proxy/relay-fixture.ts";
import { S2C } from "../decode/direction.ts";
import { formatTarget, type Target } from "./listen-spec.ts";
import { NetworkError } from "./network-error.ts";
import { createProxy } from "./proxy.ts";

const echo = (socket: Socket) => {
  socket.pipe(socket);
};

async function unixServer(t: TestContext, onSocket: (socket: Socket) => void): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), "wiretally-"));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "app.sock");
  const server = createServer({ allowHalfOpen: true }, onSocket);
  endAfter(t, server);
  server.listen(path);
  await once(server, "listening");
  return { kind: "unix", path };
}

async function echoes(t: TestContext, target: Target): Promise<void> {
  const { recorder, port } = await startRelay(t, target);
  const octets = pattern(500_000);
  const client = await dial(t, port);
  client.end(octets);
  const answer = await readAll(client);
  assert.equal(answer.end, "FIN");
  assert.ok(answer.octets.equals(octets));
  const close = await recorder.only.closed;
  assert.deepEqual(close, { by: "client", how: "fin", code: null, order: ["client", "server"] });
  assert.equal(recorder.only.facts.server, formatTarget(target));
  assert.match(recorder.only.facts.client, /^127\.0\.0\.1:\d+$/);
}

test("a unix socket is a target", async (t) => {
  await echoes(t, await unixServer(t, echo));
});

test("an IPv6 address is a target", async (t) => {
  await echoes(t, { kind: "tcp", host: "::1", port: await startServer(t, echo, "::1") });
});

test("a host name is a target, whichever of its addresses answers", async (t) => {
  await echoes(t, { kind: "tcp", host: "localhost", port: await startServer(t, echo, "127.0.0.1") });
});

test("a client's reset closes a unix target after all that was read has arrived", async (t) => {
  let received: ReturnType<typeof readAll> | undefined;
  const target = await unixServer(t, (socket) => {
    received = readAll(socket);
    socket.write("hello");
  });
  const { recorder, port } = await startRelay(t, target);
  const client = await dial(t, port);
  await once(client, "data");
  await new Promise<void>((resolve) => client.write("octets", () => resolve()));
  while (recorder.only.reads[0].length === 0) await new Promise(setImmediate);
  client.resetAndDestroy();
  assert.deepEqual(await received, { octets: Buffer.from("octets"), end: "FIN" });
  const { by, how } = await recorder.only.closed;
  assert.deepEqual([by, how], ["client", "rst"]);
  assert.equal(recorder.only.octets(S2C).toString(), "hello");
});

test("several listeners share one ledger and keep their names", async (t) => {
  const ports = await Promise.all([startServer(t, (socket) => socket.end("one")), startServer(t, (socket) => socket.end("two"))]);
  const proxy = await createProxy({ listeners: [`first=0:127.0.0.1:${ports[0]}`, `[::1]:0:127.0.0.1:${ports[1]}`] });
  t.after(() => proxy.abort());
  const [first, second] = proxy.listeners;
  assert.ok(first !== undefined && second !== undefined);
  for (const [at, { host, port }] of [first, second].entries()) {
    const client = await dial(t, port, { host });
    assert.equal((await readAll(client)).octets.toString(), ["one", "two"][at]);
    client.end();
    await proxy.whenClosed(at + 1);
  }
  await proxy.close();
  const tally = proxy.tally();
  assert.deepEqual(tally.source.listeners, [
    { name: "first", listen: `127.0.0.1:${first.port}`, target: `127.0.0.1:${ports[0]}` },
    { name: "l2", listen: `[::1]:${second.port}`, target: `127.0.0.1:${ports[1]}` },
  ]);
  assert.deepEqual(
    tally.connections.map(({ id, listener, s2c }) => [id, listener, s2c.octets]),
    [
      ["c1", "first", 3],
      ["c2", "l2", 3],
    ],
  );
  assert.equal(tally.totals.s2c.octets, 6);
  assert.equal(proxy.broken, 0);
});

test("an address that is in use is an error with its code and what to try, and nothing is left open", async (t) => {
  const server = await startServer(t, echo);
  const free = createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const address = free.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  free.close();
  await once(free, "close");
  const listeners = [`${port}:127.0.0.1:1`, `${server}:127.0.0.1:1`];
  await assert.rejects(createProxy({ listeners }), (error) => {
    assert.ok(error instanceof NetworkError);
    assert.equal(error.code, "EADDRINUSE");
    assert.equal(error.address, `127.0.0.1:${server}`);
    assert.match(error.message, /another port/);
    return true;
  });
  const [refused] = await once(connect(port, "127.0.0.1"), "error");
  assert.equal(refused.code, "ECONNREFUSED");
});

test("listeners that cannot be meant are refused", async () => {
  await assert.rejects(createProxy({ listeners: [] }), { name: "UsageError", message: /nothing to listen on/ });
  await assert.rejects(createProxy({ listeners: ["nonsense"] }), { name: "UsageError", message: /no target/ });
  await assert.rejects(createProxy({ listeners: ["a=0:h:1", "a=0:h:2"] }), {
    name: "UsageError",
    message: /two listeners are named a/,
  });
});
