import assert from "node:assert/strict";
import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { testEachRead } from "../../test/proxy/each-client-read.ts";
import { acceptOne, dial, pattern, readAll, startRelay, startServer } from "../../test/proxy/relay-fixture.ts";
import { C2S, S2C } from "../decode/direction.ts";

const ANSWER = 8_388_608;
const WRITE = 65_536;

testEachRead("V-PX-01: a client that sends FIN after its request gets the whole answer, then FIN", async (t, reads) => {
  const answer = pattern(ANSWER);
  let request = "";
  const answerAfterEof = async (socket: Socket) => {
    request = (await readAll(socket)).octets.toString();
    for (let at = 0; at < ANSWER; at += WRITE) {
      socket.write(answer.subarray(at, at + WRITE));
      await sleep(1);
    }
    socket.end();
  };
  const server = await startServer(t, (socket) => void answerAfterEof(socket));
  const { recorder, narrations, port } = await startRelay(t, server, reads);
  const client = await dial(t, port);
  client.end("hello");
  const { octets, end } = await readAll(client);

  assert.equal(end, "FIN");
  assert.ok(octets.equals(answer), `${octets.length} octets`);
  assert.equal(request, "hello");
  const { only } = recorder;
  assert.deepEqual(await only.closed, { by: "client", how: "fin", code: null, order: ["client", "server"] });
  assert.deepEqual(only.events, ["end c2s", "end s2c", "close"]);
  assert.equal(only.octets(C2S).length, 5);
  assert.equal(only.octets(S2C).length, ANSWER);
  assert.deepEqual(only.lost, [0, 0]);
  assert.deepEqual(narrations, []);
});

testEachRead(
  "a server that sends FIN first still gets what the client sends, and both sockets are closed after both FINs",
  async (t, reads) => {
    const accepted = acceptOne();
    const server = await startServer(t, accepted.onSocket);
    const { relay, recorder, port } = await startRelay(t, server, reads);
    const client = await dial(t, port);
    const socket = await accepted.socket;
    socket.end("bye");
    assert.deepEqual(await readAll(client), { octets: Buffer.from("bye"), end: "FIN" });

    const upload = pattern(1_000_000);
    const received = readAll(socket);
    client.end(upload);
    assert.ok((await received).octets.equals(upload));
    assert.deepEqual(await recorder.only.closed, { by: "server", how: "fin", code: null, order: ["server", "client"] });
    await Promise.all([client, socket].map((end) => end.destroyed || once(end, "close")));
    assert.equal(relay.closedConnections, 1);
  },
);

testEachRead("a half-closed connection that is silent stays open", async (t, reads) => {
  const accepted = acceptOne();
  const server = await startServer(t, accepted.onSocket);
  const { relay, port } = await startRelay(t, server, reads);
  const client = await dial(t, port);
  const socket = await accepted.socket;
  client.end();
  socket.resume();
  await once(socket, "end");
  await sleep(300);
  assert.equal(relay.closedConnections, 0);
  socket.end("late");
  assert.deepEqual(await readAll(client), { octets: Buffer.from("late"), end: "FIN" });
});
