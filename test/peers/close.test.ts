import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import { test } from "node:test";
import { compareRuns } from "./compare-runs.ts";
import { listenFor } from "./listen.ts";

const REQUEST = "POST /last HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\nhello";
const HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n";

/** What a client saw of its connection. */
interface Seen {
  readonly octets: string;
  readonly end: string;
}

test("a client that half-closes still gets its answer", async (t) => {
  const answer = `HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nlate word`;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let octets = "";
    socket.setEncoding("latin1").on("data", (text) => {
      octets += text;
    });
    // Only when the client has ended its side, and some time after.
    socket.on("end", () => setTimeout(() => socket.end(octets === REQUEST ? answer : "HTTP/1.1 400 Bad Request\r\n\r\n"), 200));
  });
  const serverPort = await listenFor(t, server);
  const { seen, tally } = await compareRuns(t, serverPort, (port) => talk(port, (socket) => socket.end(REQUEST)));
  assert.deepEqual(seen, { octets: answer, end: "fin" });
  assert.deepEqual(tally.connections[0]?.close, { by: "client", how: "fin", code: null, order: ["client", "server"] });
  assert.equal(tally.connections[0]?.exchanges[0]?.complete, true);
});

test("a server that resets in the middle of its answer", async (t) => {
  const part = HEAD + "x".repeat(1000);
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(part);
      // Time for the octets to arrive: a reset may overtake what the receiver has not read yet.
      setTimeout(() => socket.resetAndDestroy(), 300);
    });
  });
  const serverPort = await listenFor(t, server);
  const { seen, tally } = await compareRuns(t, serverPort, (port) => talk(port, (socket) => socket.write(REQUEST)));
  assert.deepEqual(seen, { octets: part, end: "ECONNRESET" });
  const [connection] = tally.connections;
  assert.equal(connection?.close?.by, "server");
  assert.equal(connection?.close?.how, "rst");
  assert.equal(connection?.exchanges[0]?.complete, false);
});

function talk(port: number, start: (socket: ReturnType<typeof connect>) => unknown): Promise<Seen> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => start(socket));
    let octets = "";
    socket.setEncoding("latin1").on("data", (text) => {
      octets += text;
    });
    socket.on("end", () => {
      socket.end();
      resolve({ octets, end: "fin" });
    });
    socket.on("error", (error: NodeJS.ErrnoException) => resolve({ octets, end: error.code ?? error.message }));
  });
}
