import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import { dial, readAll, startRelay, startServer, until } from "../../test/proxy/relay-fixture.ts";
import type { Target } from "./listen-spec.ts";

/** A port of loopback that nothing listens on. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

const UNREACHABLE: readonly (readonly [string, () => Promise<Target>, RegExp])[] = [
  ["refused", async () => ({ kind: "tcp", host: "127.0.0.1", port: await closedPort() }), /^ECONNREFUSED$/],
  [
    "refused by every address of a name",
    async () => ({ kind: "tcp", host: "localhost", port: await closedPort() }),
    /^ECONNREFUSED$/,
  ],
  // Without a name server at all the resolver says EAI_AGAIN.
  ["unresolvable", async () => ({ kind: "tcp", host: "no-such-host.invalid", port: 80 }), /^(ENOTFOUND|EAI_AGAIN)$/],
  ["no such socket", async () => ({ kind: "unix", path: "/nonexistent/app.sock" }), /^ENOENT$/],
];

for (const [what, targetOf, code] of UNREACHABLE) {
  test(`V-PX-04: upstream ${what}: the client is reset, the target named, the proxy goes on`, async (t) => {
    const { relay, recorder, narrations, port } = await startRelay(t, await targetOf());
    for (let attempt = 0; attempt < 2; attempt++) {
      const client = await dial(t, port);
      client.write("a request that was sent early");
      assert.equal((await readAll(client)).end, "ECONNRESET");
      await until(() => relay.closedConnections === attempt + 1);
      // The client's end follows the refusal: both are told in the same moment, so that no clock is needed.
      const told = narrations[attempt];
      assert.ok(told?.kind === "upstream-failed");
      assert.match(told.code, code);
      assert.equal(told.connection, `c${attempt + 1}`);
      assert.ok(told.text.includes(told.target) && told.text.includes(told.code), told.text);
      const close = await recorder.connections[attempt]?.closed;
      assert.deepEqual(close, { by: "proxy", how: "error", code: told.code, order: ["proxy"] });
    }
  });
}

test("V-PX-04: an upstream that does not answer is given up after the connect timeout", async (t) => {
  // A listener whose backlog is full drops SYNs: the connection attempt hangs as with a filtered port.
  const hung = createServer();
  await new Promise<void>((resolve) => hung.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, resolve));
  t.after(() => hung.close());
  const { recorder, port } = await startRelay(t, { kind: "tcp", host: "192.0.2.1", port: 9 }, { connectTimeoutMs: 200 });
  const client = await dial(t, port);
  const started = Date.now();
  assert.equal((await readAll(client)).end, "ECONNRESET");
  assert.ok(Date.now() - started < 1200);
  const { by, how } = await recorder.only.closed;
  assert.deepEqual([by, how], ["proxy", "error"]);
});

test("V-PX-04: an upstream that accepts and closes at once is an orderly end by the server", async (t) => {
  const server = await startServer(t, (socket) => socket.end());
  const { recorder, narrations, port } = await startRelay(t, server);
  const started = Date.now();
  const client = await dial(t, port);
  assert.deepEqual(await readAll(client), { octets: Buffer.alloc(0), end: "FIN" });
  assert.ok(Date.now() - started < 1000);
  client.end();
  assert.deepEqual(await recorder.only.closed, { by: "server", how: "fin", code: null, order: ["server", "client"] });
  assert.deepEqual(narrations, []);
});
