import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { dial, endAfter, pattern, readAll } from "../../test/proxy/relay-fixture.ts";
import { type Accepted, bestClientReads, type ClientReads, onAccepted } from "./accepted-socket.ts";

interface Accepting {
  readonly port: number;
  readonly accepted: Promise<Accepted>;
}

/** A server that accepts once. @param when the handle is there only while it listens. */
async function accepting(t: TestContext, reads: ClientReads, when: "listening" | "too early" = "listening"): Promise<Accepting> {
  const server: Server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true });
  endAfter(t, server);
  let tell: (accepted: Accepted) => void = () => {};
  const accepted = new Promise<Accepted>((resolve) => {
    tell = (told) => {
      t.after(() => told.socket.destroy());
      resolve(told);
    };
  });
  if (when === "too early") onAccepted(server, reads, tell);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  if (when === "listening") onAccepted(server, reads, tell);
  return { port: (server.address() as AddressInfo).port, accepted };
}

test("this Node reads accepted sockets into buffers, and finds out once, soon", async () => {
  const started = performance.now();
  const first = bestClientReads();
  assert.equal(await first, "buffers");
  assert.ok(performance.now() - started < 400, `${performance.now() - started} ms`);
  assert.equal(bestClientReads(), first);
});

test("every read lands in the same memory, which grows as reads fill it", async (t) => {
  const { port, accepted } = await accepting(t, "buffers");
  const client = await dial(t, port);
  const { socket, buffer } = await accepted;
  assert.ok(buffer !== null);
  const octets = pattern(4 * 1_048_576);
  const parts: Buffer[] = [];
  const memories = new Set<ArrayBufferLike>();
  buffer.reader = (chunk) => {
    parts.push(Buffer.from(chunk));
    memories.add(chunk.buffer);
    return true;
  };
  client.end(octets);
  const ended = once(socket, "end");
  socket.resume();
  await ended;
  assert.ok(Buffer.concat(parts).equals(octets));
  assert.ok(parts.length > memories.size, `${parts.length} reads into ${memories.size} buffers`);
  // 16, 64, 256 and 512 KiB, and 16 KiB again.
  assert.ok(memories.size <= 5, `${memories.size} buffers`);
});

test("nothing is read before it is asked for, not even a FIN, and a reader that says no is not called again", async (t) => {
  const { port, accepted } = await accepting(t, "buffers");
  const client = await dial(t, port);
  client.end("early");
  const { socket, buffer } = await accepted;
  assert.ok(buffer !== null);
  const seen: string[] = [];
  buffer.reader = (chunk) => {
    seen.push(Buffer.from(chunk).toString());
    return false;
  };
  socket.on("end", () => seen.push("end"));
  await sleep(100);
  assert.deepEqual(seen, []);
  socket.resume();
  await sleep(100);
  assert.deepEqual(seen, ["early"]);
  socket.resume();
  await sleep(100);
  assert.deepEqual(seen, ["early", "end"]);
  socket.end("late");
  assert.deepEqual(await readAll(client), { octets: Buffer.from("late"), end: "FIN" });
});

for (const reads of ["buffers", "streams"] as const) {
  test(`an accepted socket has its addresses, and can reset the client (${reads})`, async (t) => {
    const { port, accepted } = await accepting(t, reads);
    const client = await dial(t, port);
    const { socket, buffer } = await accepted;
    assert.equal(buffer !== null, reads === "buffers");
    assert.deepEqual(
      [socket.remoteAddress, socket.remotePort, socket.remoteFamily, socket.localPort],
      ["127.0.0.1", client.localPort, "IPv4", port],
    );
    const closed = once(socket, "close");
    socket.resetAndDestroy();
    assert.equal((await readAll(client)).end, "ECONNRESET");
    await closed;
  });
}

test("a server that has not the shape relied on is accepted from in the ordinary way", async (t) => {
  const { port, accepted } = await accepting(t, "buffers", "too early");
  const client = await dial(t, port);
  client.end("octets");
  const { socket, buffer } = await accepted;
  assert.equal(buffer, null);
  const reading = readAll(socket);
  socket.resume();
  assert.equal((await reading).octets.toString(), "octets");
});
