import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { testEachRead } from "../../test/proxy/each-client-read.ts";
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
  testEachRead(`V-PX-04: upstream ${what}: the client is reset, the target named, the proxy goes on`, async (t, reads) => {
    const { relay, recorder, narrations, port } = await startRelay(t, await targetOf(), reads);
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

/** Listens with a backlog of one and never accepts: with that full, SYNs are dropped as by a firewall. */
const NEVER_ACCEPTS = `
  const { parentPort } = require("node:worker_threads");
  const server = require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 20);
  });
`;

testEachRead("V-PX-04: an upstream that does not answer is given up after the connect timeout", async (t, reads) => {
  const silent = new Worker(NEVER_ACCEPTS, { eval: true });
  t.after(() => silent.terminate());
  const [target] = await once(silent, "message");
  await sleep(100);
  for (let n = 0; n < 2; n++) await dial(t, target);
  const { recorder, narrations, port } = await startRelay(t, target, { ...reads, connectTimeoutMs: 300 });
  const started = Date.now();
  const client = await dial(t, port);
  assert.equal((await readAll(client)).end, "ECONNRESET");
  const elapsed = Date.now() - started;
  assert.ok(elapsed >= 295 && elapsed < 1300, `${elapsed} ms`);
  assert.deepEqual(await recorder.only.closed, { by: "proxy", how: "error", code: "ETIMEDOUT", order: ["proxy"] });
  assert.deepEqual(
    narrations.map(({ text }) => text),
    [`c1: cannot reach 127.0.0.1:${target}: no answer in time (ETIMEDOUT)`],
  );
});

testEachRead("V-PX-04: an upstream that accepts and closes at once is an orderly end by the server", async (t, reads) => {
  const server = await startServer(t, (socket) => socket.end());
  const { recorder, narrations, port } = await startRelay(t, server, reads);
  const started = Date.now();
  const client = await dial(t, port);
  assert.deepEqual(await readAll(client), { octets: Buffer.alloc(0), end: "FIN" });
  assert.ok(Date.now() - started < 1000);
  client.end();
  assert.deepEqual(await recorder.only.closed, { by: "server", how: "fin", code: null, order: ["server", "client"] });
  assert.deepEqual(narrations, []);
});
