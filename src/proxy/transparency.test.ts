import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { testEachRead } from "../../test/proxy/each-client-read.ts";
import { acceptOne, dial, readAll, startRelay, startServer } from "../../test/proxy/relay-fixture.ts";
import { C2S, S2C } from "../decode/direction.ts";

const sha256 = (octets: Uint8Array) => createHash("sha256").update(octets).digest("hex");

testEachRead("V-PX-07: octets that come with an upgrade, both ways in one piece, pass unchanged", async (t, reads) => {
  const request = Buffer.concat([
    Buffer.from("GET /chat HTTP/1.1\r\nHost: test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"),
    Buffer.from("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"),
    Buffer.from([0x81, 0x82, 0x00, 0x00, 0x00, 0x00, 0x68, 0x69]),
  ]);
  const response = Buffer.concat([
    Buffer.from("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"),
    Buffer.from("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"),
    Buffer.from([0x81, 0x02, 0x68, 0x69]),
  ]);
  const accepted = acceptOne();
  const server = await startServer(t, accepted.onSocket);
  const { recorder, port } = await startRelay(t, server, reads);
  const client = await dial(t, port);
  client.end(request);
  const socket = await accepted.socket;
  socket.end(response);
  const [received, answered] = await Promise.all([readAll(socket), readAll(client)]);
  assert.equal(sha256(received.octets), sha256(request));
  assert.equal(sha256(answered.octets), sha256(response));
  await recorder.only.closed;
  assert.equal(sha256(recorder.only.octets(C2S)), sha256(request));
  assert.equal(sha256(recorder.only.octets(S2C)), sha256(response));
});

testEachRead(
  "octets that a client sends before the upstream is connected are kept, and a server may speak first",
  async (t, reads) => {
    const server = await startServer(t, (socket) => {
      socket.write("220 ready\r\n");
      socket.on("data", (chunk) => socket.write(chunk)).on("end", () => socket.end());
    });
    const { port } = await startRelay(t, { kind: "tcp", host: "localhost", port: server }, reads);
    const client = await dial(t, port);
    client.end("early");
    assert.equal((await readAll(client)).octets.toString(), "220 ready\r\nearly");
  },
);

/** What one side does: writes of these sizes, waiting for a turn of the loop before some of them, then FIN. */
const script = fc.array(fc.record({ octets: fc.oneof(fc.nat(20), fc.nat(3000), fc.nat(200_000)), wait: fc.boolean() }), {
  maxLength: 8,
});

async function play(socket: Socket, steps: readonly { octets: number; wait: boolean }[], seed: number): Promise<Buffer> {
  const sent: Buffer[] = [];
  for (const [at, { octets, wait }] of steps.entries()) {
    const chunk = Buffer.alloc(octets, `${seed}.${at}|`);
    sent.push(chunk);
    socket.write(chunk);
    if (wait) await nextTurn();
  }
  socket.end();
  return Buffer.concat(sent);
}

testEachRead(
  "whatever is written, in whatever pieces, arrives the same on both sides, and is what was counted",
  async (t, reads) => {
    const accepted: ((socket: Socket) => void)[] = [];
    const server = await startServer(t, (socket) => accepted.shift()?.(socket));
    const { recorder, port } = await startRelay(t, server, reads);
    await fc.assert(
      fc.asyncProperty(script, script, async (up, down) => {
        const arrival = new Promise<Socket>((resolve) => accepted.push(resolve));
        const client = await dial(t, port);
        const socket = await arrival;
        const reads = [readAll(socket), readAll(client)] as const;
        const sent = await Promise.all([play(client, up, 1), play(socket, down, 2)]);
        const received = await Promise.all(reads);
        const connection = recorder.connections.pop();
        assert.ok(connection !== undefined);
        const { how, by, order } = await connection.closed;
        for (const direction of [C2S, S2C] as const) {
          assert.equal(received[direction].end, "FIN");
          assert.equal(sha256(received[direction].octets), sha256(sent[direction]));
          assert.equal(sha256(connection.octets(direction)), sha256(sent[direction]));
        }
        assert.equal(how, "fin");
        assert.equal(by, order[0]);
        assert.deepEqual([...order].sort(), ["client", "server"]);
        assert.deepEqual(connection.lost, [0, 0]);
      }),
      { numRuns: 60 },
    );
  },
);
