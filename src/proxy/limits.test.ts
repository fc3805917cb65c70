import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { testEachRead } from "../../test/proxy/each-client-read.ts";
import { acceptOne, dial, readAll, startRelay, startServer, until } from "../../test/proxy/relay-fixture.ts";

testEachRead("a connection without octets either way is closed after the idle timeout, and only then", async (t, reads) => {
  const accepted = acceptOne();
  const server = await startServer(t, accepted.onSocket);
  const { recorder, port } = await startRelay(t, server, { ...reads, idleTimeoutMs: 300 });
  const client = await dial(t, port);
  const socket = await accepted.socket;
  const ends = [readAll(client), readAll(socket)];
  // Each direction alone keeps it open.
  for (let n = 0; n < 4; n++) {
    await sleep(150);
    (n % 2 === 0 ? client : socket).write("x");
  }
  assert.deepEqual(recorder.only.events, []);
  const started = Date.now();
  assert.deepEqual(await recorder.only.closed, { by: "proxy", how: "timeout", code: null, order: ["proxy"] });
  const elapsed = Date.now() - started;
  assert.ok(elapsed >= 250 && elapsed < 1300, `${elapsed} ms`);
  assert.deepEqual(
    (await Promise.all(ends)).map(({ octets }) => octets.toString()),
    ["xx", "xx"],
  );
});

testEachRead("connections over the limit wait in order, with what they sent, until one closes", async (t, reads) => {
  const accepted: Socket[] = [];
  const server = await startServer(t, (socket) => {
    accepted.push(socket);
    socket.pipe(socket);
  });
  const { relay, recorder, narrations, port } = await startRelay(t, server, { ...reads, maxConnections: 2 });
  const clients: Socket[] = [];
  for (let n = 0; n < 5; n++) {
    const client = await dial(t, port);
    client.write(`client ${n}`);
    clients.push(client);
  }
  await until(() => accepted.length === 2);
  await sleep(100);
  assert.equal(accepted.length, 2);
  assert.deepEqual(
    narrations.map(({ kind }) => kind),
    ["connections-waiting"],
  );
  for (const [n, client] of clients.entries()) {
    client.end();
    assert.equal((await readAll(client)).octets.toString(), `client ${n}`);
    await relay.whenClosed(n + 1);
    await until(() => accepted.length === Math.min(n + 3, 5));
  }
  assert.equal(recorder.connections.length, 5);
});
