import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { dial, endAfter, Recorder, readAll, startRelay, startServer } from "../../test/proxy/relay-fixture.ts";
import type { CaptureSink } from "../capture/write/capture-sink.ts";
import { C2S, S2C } from "../decode/direction.ts";
import type { CloseTally } from "../ledger/tally.ts";
import { Clock } from "./clock.ts";
import { createProxy } from "./proxy.ts";
import { RecordingObserver } from "./recording-observer.ts";

const START = 1_700_000_000_000_000_000n;

/** Writes down what it is told: times are those since the start. */
class Told implements CaptureSink {
  readonly lines: string[] = [];
  listener(name: string, listen: string, target: string): void {
    this.lines.push(`listener ${name} ${listen} ${target}`);
  }
  open({ id, listener, client, server }: Parameters<CaptureSink["open"]>[0], timeNs: bigint): void {
    this.lines.push(`open ${id} ${listener} ${client} ${server} @${timeNs - START}`);
  }
  delta(id: string, direction: number, octets: Uint8Array, timeNs: bigint): void {
    this.lines.push(`delta ${id} ${direction} ${Buffer.from(octets)} @${timeNs - START}`);
  }
  fin(id: string, direction: number, timeNs: bigint): void {
    this.lines.push(`fin ${id} ${direction} @${timeNs - START}`);
  }
  reset(id: string, direction: number, timeNs: bigint): void {
    this.lines.push(`reset ${id} ${direction} @${timeNs - START}`);
  }
  note(id: string, text: string, direction: number | null): void {
    this.lines.push(`note ${id} ${direction} ${text}`);
  }
  close(id: string, timeNs: bigint): void {
    this.lines.push(`close ${id} @${timeNs - START}`);
  }
}

const FACTS = { listener: "l", client: "127.0.0.1:40000", server: "db.example:80" };
const CLOSED: CloseTally = { by: "client", how: "fin", code: null, order: ["client", "server"] };

test("a connection is recorded under the address that was connected to, and told to the other observer", () => {
  const told = new Told();
  const recorder = new Recorder();
  const connection = new RecordingObserver(recorder, told, START).open(FACTS, 1);
  assert.deepEqual(told.lines, [], "the address is not known yet");
  connection.connected?.("192.0.2.7:80", 2);
  connection.delta(C2S, Buffer.from("ab"), 3);
  connection.delta(S2C, Buffer.from("c"), 4);
  connection.end(C2S, 5);
  connection.undelivered(S2C, 1);
  connection.end(S2C, 6);
  connection.close(CLOSED, 7);
  assert.deepEqual(told.lines, [
    "open c1 l 127.0.0.1:40000 192.0.2.7:80 @2",
    "delta c1 0 ab @3",
    "delta c1 1 c @4",
    "fin c1 0 @5",
    "fin c1 1 @6",
    "close c1 @7",
  ]);
  const { events, lost, reads } = recorder.only;
  assert.deepEqual([String(reads[C2S]), String(reads[S2C]), events, lost], ["ab", "c", ["end c2s", "end s2c", "close"], [0, 1]]);
});

test("the capture has connections in the order in which they were accepted, whichever is connected first", () => {
  const told = new Told();
  const observer = new RecordingObserver(new Recorder(), told, START);
  const [c1, c2, c3, c4, c5] = [FACTS, FACTS, FACTS, { ...FACTS, server: "web.example:80" }, FACTS].map((facts) =>
    observer.open(facts, 1),
  );
  c2?.connected?.("192.0.2.2:80", 5);
  c1?.connected?.("192.0.2.1:80", 6);
  c5?.connected?.("192.0.2.1:80", 7);
  c3?.connected?.("192.0.2.1:80", 8);
  c4?.close({ by: "proxy", how: "error", code: "ETIMEDOUT", order: ["proxy"] }, 9);
  assert.deepEqual(told.lines, [
    "open c1 l 127.0.0.1:40000 192.0.2.2:80 @5",
    "open c2 l 127.0.0.1:40000 192.0.2.2:80 @5",
    "note c1 null the server's address is 192.0.2.1:80",
    "open c3 l 127.0.0.1:40000 192.0.2.1:80 @7",
    "open c4 l 127.0.0.1:40000 web.example:80 @7",
    "open c5 l 127.0.0.1:40000 192.0.2.1:80 @7",
    "note c4 null ended by the relay: an error (ETIMEDOUT)",
    "close c4 @9",
  ]);
});

test("how a connection ended: as packets where they can say it, else as a comment", () => {
  const table: [by: CloseTally["by"], how: CloseTally["how"], code: string | null, lines: string[]][] = [
    ["client", "fin", null, []],
    ["client", "rst", "ECONNRESET", ["reset c1 0 @3"]],
    ["server", "rst", "EPIPE", ["reset c1 1 @3"]],
    ["server", "error", "ETIMEDOUT", ["note c1 null ended by the server: an error (ETIMEDOUT)"]],
    ["proxy", "rst", null, ["note c1 null ended by the relay: a reset"]],
    ["proxy", "timeout", null, ["note c1 null ended by the relay: it was idle for too long"]],
  ];
  for (const [by, how, code, lines] of table) {
    const told = new Told();
    const connection = new RecordingObserver(new Recorder(), told, START).open(FACTS, 1);
    connection.connected?.("192.0.2.1:80", 2);
    connection.close({ by, how, code, order: [by] }, 3);
    assert.deepEqual(told.lines.slice(1), [...lines, "close c1 @3"], `${how} by ${by}`);
  }
});

test("the relay says which address it is connected to: of a name, of IPv6, and the path of a Unix socket", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "wiretally-recording-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "server.sock");
  const socketServer = createServer({ allowHalfOpen: true }, (socket) => socket.end("x"));
  endAfter(t, socketServer);
  await once(socketServer.listen(path), "listening");
  const v4 = await startServer(t, (socket) => socket.end("x"));
  const v6 = await startServer(t, (socket) => socket.end("x"), "::1");
  for (const [target, server] of [
    [{ kind: "tcp", host: "localhost", port: v4 }, `127.0.0.1:${v4}`],
    [{ kind: "tcp", host: "::1", port: v6 }, `[::1]:${v6}`],
    [{ kind: "unix", path }, path],
  ] as const) {
    const told = new Told();
    const observer = new RecordingObserver(new Recorder(), told, START);
    const { relay, port } = await startRelay(t, target, { observer, clock: new Clock() });
    const socket = await dial(t, port);
    const seen = readAll(socket);
    socket.end();
    assert.equal((await seen).octets.toString(), "x");
    await relay.whenClosed(1);
    const client = /^open c1 test (127\.0\.0\.1:\d+) (\S+) @/.exec(told.lines[0] ?? "");
    assert.equal(client?.[2], server);
    assert.ok(
      told.lines.some((line) => line.startsWith("delta c1 1 x @")),
      told.lines.join("; "),
    );
  }
});

test("createProxy: listeners first, then connections with the ledger's notes before the octets they are about", async (t) => {
  const told = new Told();
  const heard: string[] = [];
  const port = await startServer(t, (socket) => {
    socket.on("data", () => socket.end("HTTP/1.1 200 OK\r\nBad Name: x\r\nContent-Length: 0\r\n\r\n"));
  });
  const silent = () => {};
  const proxy = await createProxy({
    listeners: [`web=0:127.0.0.1:${port}`],
    capture: told,
    listener: {
      ...{ detail: 0, messages: false, connection: silent, unit: silent, message: silent, exchange: silent, close: silent },
      note: (_connection, { code }) => heard.push(code),
    },
  });
  t.after(() => proxy.close({ drainMs: 0 }));
  const socket = await dial(t, proxy.listeners[0]?.port ?? 0);
  socket.end("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await readAll(socket);
  await proxy.whenClosed(1);
  const words = told.lines.map((line) => line.split(" ").slice(0, 3).join(" "));
  assert.equal(told.lines[0], `listener web 127.0.0.1:${proxy.listeners[0]?.port} 127.0.0.1:${port}`);
  const [note, ...more] = heard;
  assert.ok(note !== undefined && more.length === 0, `one note: ${heard}`);
  const steps = ["listener web", "open c1 web", "delta c1 0", "note c1 1", "delta c1 1", "close c1"];
  assert.deepEqual(
    words.filter((line) => !line.startsWith("fin")).map((line, at) => line.slice(0, steps[at]?.length)),
    steps,
  );
  assert.match(
    told.lines.find((line) => line.startsWith("note")) ?? "",
    new RegExp(`^note c1 1 ${note} at s2c offset \\d+: .+ \\(RFC 9112`),
  );
});
