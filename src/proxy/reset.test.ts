import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { testEachRead } from "../../test/proxy/each-client-read.ts";
import { acceptOne, dial, pattern, readAll, startRelay, startServer, until } from "../../test/proxy/relay-fixture.ts";
import { C2S, S2C } from "../decode/direction.ts";

const MIB = 1_048_576;

/** Reads at most 4 KiB every 5 ms, with nothing read ahead. */
async function slowReader(port: number): Promise<{ readonly octets: Buffer; readonly code: string | null }> {
  const chunks: Buffer[] = [];
  const socket: Socket = connect({
    port,
    host: "127.0.0.1",
    allowHalfOpen: true,
    onread: {
      buffer: Buffer.alloc(4096),
      callback: (octets, buffer) => {
        chunks.push(Buffer.from(buffer.subarray(0, octets)));
        setTimeout(() => socket.resume(), 5);
        return false;
      },
    },
  });
  let code: string | null = null;
  socket.on("error", (error: NodeJS.ErrnoException) => {
    code = error.code ?? "error";
  });
  socket.on("end", () => socket.end());
  await new Promise((resolve) => socket.once("close", resolve));
  return { octets: Buffer.concat(chunks), code };
}

testEachRead("V-PX-02: what was read before the server's reset reaches a slow client, then the reset", async (t, reads) => {
  const answer = pattern(MIB);
  const accepted = acceptOne();
  const server = await startServer(t, accepted.onSocket);
  const { recorder, port } = await startRelay(t, server, reads);
  const reading = slowReader(port);
  const socket = await accepted.socket;
  socket.write(answer);
  // "Wait until sent": a reset throws away what the server's kernel still holds.
  await until(() => recorder.connections[0]?.octets(S2C).length === MIB);
  socket.resetAndDestroy();
  const { octets, code } = await reading;

  const { only } = recorder;
  assert.ok(octets.equals(answer), `${octets.length} octets arrived of ${MIB}`);
  assert.equal(code, "ECONNRESET");
  assert.deepEqual(await only.closed, { by: "server", how: "rst", code: "ECONNRESET", order: ["server"] });
  assert.deepEqual(only.lost, [0, 0]);
});

testEachRead("what a client sent before its reset reaches a server that reads late, then the reset", async (t, reads) => {
  const accepted = acceptOne();
  const server = await startServer(t, accepted.onSocket);
  const { recorder, port } = await startRelay(t, server, reads);
  const client = await dial(t, port);
  const socket = await accepted.socket;
  // Whole reads of Node, as libuv shows a reset that comes with the octets of a shorter read as an end.
  const upload = pattern(4 * 65_536);
  client.write(upload);
  await until(() => recorder.only.octets(C2S).length === upload.length);
  client.resetAndDestroy();
  await sleep(200);
  const { octets, end } = await readAll(socket);
  assert.ok(octets.equals(upload), `${octets.length} octets`);
  assert.equal(end, "ECONNRESET");
  assert.deepEqual(await recorder.only.closed, { by: "client", how: "rst", code: "ECONNRESET", order: ["client"] });
});

testEachRead("what a client sent while the server stood still is read before its reset is passed on", async (t, reads) => {
  const accepted = acceptOne();
  const server = await startServer(t, accepted.onSocket);
  const { recorder, port } = await startRelay(t, server, reads);
  const client = await dial(t, port);
  const socket = await accepted.socket;
  // Small pieces, until one is taken from TCP and yet not relayed, as the one before it waits to be written.
  const piece = pattern(8192);
  const sent: Buffer[] = [];
  const counted = () => recorder.only.reads[C2S].reduce((sum, read) => sum + read.length, 0);
  for (let stuck = false; !stuck; ) {
    client.write(piece);
    sent.push(piece);
    const arrived = () => counted() === sent.length * piece.length;
    for (let turn = 0; turn < 200 && !arrived(); turn++) await new Promise(setImmediate);
    if (!arrived()) await sleep(100);
    stuck = !arrived();
  }
  client.resetAndDestroy();
  await sleep(100);
  const { octets } = await readAll(socket);
  assert.ok(octets.equals(Buffer.concat(sent)), `${octets.length} octets of ${sent.length * piece.length}`);
  assert.equal(counted(), octets.length);
  const { by, how } = await recorder.only.closed;
  assert.deepEqual([by, how], ["client", "rst"]);
  assert.deepEqual(recorder.only.lost, [0, 0]);
});

testEachRead("a reset that comes with the last octets is told from an end, both ways", async (t, reads) => {
  for (const side of ["client", "server"] as const) {
    const accepted = acceptOne();
    const server = await startServer(t, accepted.onSocket);
    const { recorder, port } = await startRelay(t, server, reads);
    const client = await dial(t, port);
    const socket = await accepted.socket;
    client.write("question");
    await once(socket, "data");
    socket.write("answer");
    await once(client, "data");
    const [from, to] = side === "client" ? [client, socket] : [socket, client];
    // Both before the relay's turn.
    from.write("last");
    from.resetAndDestroy();
    await readAll(to);
    assert.deepEqual(await recorder.only.closed, { by: side, how: "rst", code: "ECONNRESET", order: [side] });
    assert.equal(
      recorder.only.octets(side === "client" ? C2S : S2C).toString(),
      `${side === "client" ? "question" : "answer"}last`,
    );
  }
});

testEachRead("octets and their FIN in one piece are an orderly end, whatever else is ending", async (t, reads) => {
  const server = await startServer(t, (socket) => {
    socket.on("end", () => socket.end("answer")).resume();
  });
  const { recorder, port } = await startRelay(t, server, reads);
  const client = await dial(t, port);
  client.end("question");
  assert.deepEqual(await readAll(client), { octets: Buffer.from("answer"), end: "FIN" });
  assert.deepEqual(await recorder.only.closed, { by: "client", how: "fin", code: null, order: ["client", "server"] });
});

testEachRead("a reset of an idle connection passes on at once, both ways", async (t, reads) => {
  for (const side of ["client", "server"] as const) {
    const accepted = acceptOne();
    const server = await startServer(t, accepted.onSocket);
    const { recorder, port } = await startRelay(t, server, reads);
    const client = await dial(t, port);
    const socket = await accepted.socket;
    const [from, to] = side === "client" ? [client, socket] : [socket, client];
    const started = Date.now();
    from.resetAndDestroy();
    assert.equal((await readAll(to)).end, "ECONNRESET");
    assert.ok(Date.now() - started < 1000);
    assert.deepEqual(await recorder.only.closed, { by: side, how: "rst", code: "ECONNRESET", order: [side] });
  }
});

testEachRead("octets that a reset peer never took are counted as read and listed as undelivered", async (t, reads) => {
  const accepted = acceptOne();
  const server = await startServer(t, accepted.onSocket);
  const { recorder, port } = await startRelay(t, server, reads);
  const client = await dial(t, port);
  const socket = await accepted.socket;
  socket.write(pattern(64 * MIB));
  const { only } = recorder;
  // The client reads nothing: the relay stops reading when the kernel takes no more.
  const readSoFar = () => only.reads[S2C].reduce((sum, read) => sum + read.length, 0);
  let before = -1;
  await until(() => {
    const same = before === readSoFar() && before > 0;
    before = readSoFar();
    return same;
  });
  client.resetAndDestroy();
  const { by, how } = await only.closed;
  assert.deepEqual([by, how], ["client", "rst"]);
  assert.ok((only.lost[S2C] ?? 0) > 0 && (only.lost[S2C] ?? 0) <= 512 * 1024, `${only.lost[S2C]} undelivered`);
  assert.equal(only.lost[C2S], 0);
});

testEachRead("a reset after a half-close is a reset", async (t, reads) => {
  const accepted = acceptOne();
  const server = await startServer(t, accepted.onSocket);
  const { recorder, port } = await startRelay(t, server, reads);
  const client = await dial(t, port);
  const socket = await accepted.socket;
  client.end("question");
  assert.equal((await readAll(socket)).octets.toString(), "question");
  socket.resetAndDestroy();
  assert.equal((await readAll(client)).end, "ECONNRESET");
  assert.deepEqual(await recorder.only.closed, { by: "server", how: "rst", code: "ECONNRESET", order: ["client", "server"] });
});
