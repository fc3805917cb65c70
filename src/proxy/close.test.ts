import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { testEachRead } from "../../test/proxy/each-client-read.ts";
import { acceptOne, dial, pattern, readAll, startRelay, startServer } from "../../test/proxy/relay-fixture.ts";
import { C2S, S2C } from "../decode/direction.ts";

testEachRead("close accepts no more and lets open connections finish", async (t, reads) => {
  const accepted = acceptOne();
  const server = await startServer(t, accepted.onSocket);
  const { relay, recorder, port } = await startRelay(t, server, reads);
  const client = await dial(t, port);
  const socket = await accepted.socket;
  const closing = relay.close(5000);
  const [refused] = await once(connect(port, "127.0.0.1"), "error");
  assert.equal(refused.code, "ECONNREFUSED");
  const octets = pattern(300_000);
  socket.end(octets);
  client.end();
  assert.ok((await readAll(client)).octets.equals(octets));
  socket.resume();
  await closing;
  assert.equal((await recorder.only.closed).how, "fin");
  assert.equal(recorder.only.octets(S2C).length, octets.length);
});

testEachRead("what is still open after the drain time is reset, and its octets are told", async (t, reads) => {
  const accepted = acceptOne();
  const server = await startServer(t, accepted.onSocket);
  const { relay, recorder, port } = await startRelay(t, server, reads);
  const client = await dial(t, port);
  const socket = await accepted.socket;
  client.write("half a request");
  await once(socket, "data");
  const started = Date.now();
  const ends = [readAll(client), readAll(socket)];
  await relay.close(200);
  const elapsed = Date.now() - started;
  assert.ok(elapsed >= 195 && elapsed < 1200, `${elapsed} ms`);
  assert.deepEqual(
    (await Promise.all(ends)).map(({ end }) => end),
    ["ECONNRESET", "ECONNRESET"],
  );
  assert.deepEqual(await recorder.only.closed, { by: "proxy", how: "rst", code: null, order: ["proxy"] });
  assert.equal(recorder.only.octets(C2S).toString(), "half a request");
});

testEachRead("abort during a drain ends it at once", async (t, reads) => {
  const accepted = acceptOne();
  const server = await startServer(t, accepted.onSocket);
  const { relay, recorder, port } = await startRelay(t, server, reads);
  await dial(t, port);
  await accepted.socket;
  const started = Date.now();
  const closing = relay.close(60_000);
  relay.abort();
  await closing;
  assert.ok(Date.now() - started < 1000);
  assert.equal((await recorder.only.closed).by, "proxy");
});

testEachRead("abort while a connection connects, waits or delivers leaves none", async (t, reads) => {
  const connecting = await startRelay(t, { kind: "tcp", host: "no-such-host.invalid", port: 80 }, reads);
  const accepted = acceptOne();
  const server = await startServer(t, accepted.onSocket);
  const waiting = await startRelay(t, server, { ...reads, maxConnections: 1 });
  for (const { port } of [connecting, waiting, waiting]) await dial(t, port);
  const socket = await accepted.socket;
  socket.write(pattern(20_000_000));
  await new Promise(setImmediate);
  for (const { relay } of [connecting, waiting]) {
    relay.abort();
    await relay.close(0);
  }
  assert.equal(waiting.recorder.connections.length, 1);
  assert.equal(waiting.relay.closedConnections, 1);
});

testEachRead("a proxy without connections closes at once, and twice is once", async (t, reads) => {
  const { relay, port } = await startRelay(t, 1, reads);
  await Promise.all([relay.close(1000), relay.close(1000)]);
  const [refused] = await once(connect(port, "127.0.0.1"), "error");
  assert.equal(refused.code, "ECONNREFUSED");
});
