import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { testEachRead } from "../../test/proxy/each-client-read.ts";
import { RelayChild } from "../../test/proxy/relay-child.ts";
import { startServer, until } from "../../test/proxy/relay-fixture.ts";

const CLIENTS = 130;

interface Attempt {
  readonly socket: Socket;
  echoed: boolean;
  error: string | null;
}

function attempt(t: TestContext, port: number): Attempt {
  const socket = connect({ port, host: "127.0.0.1" });
  const result: Attempt = { socket, echoed: false, error: null };
  socket.write("x");
  socket.on("data", () => {
    result.echoed = true;
  });
  socket.on("error", (error: NodeJS.ErrnoException) => {
    result.error = error.code ?? "error";
  });
  socket.on("end", () => {
    result.error = "FIN";
  });
  t.after(() => socket.destroy());
  return result;
}

// Enough for the modules that are loaded side by side at the start. The number of descriptors left over may be odd or even: the shortage
// then shows on the upstream socket, or would on an accept, where libuv hides it by accepting and closing.
for (const descriptors of [128, 129]) {
  const name = `with ${descriptors} descriptors it stops accepting, says so once, and resumes when connections close`;
  testEachRead(name, async (t, reads) => {
    const server = await startServer(t, (socket) => {
      socket.on("data", (chunk) => socket.write(chunk)).on("end", () => socket.end());
    });
    const child = await RelayChild.start(t, `127.0.0.1:${server}`, { descriptors, ...reads });
    const attempts: Attempt[] = [];
    for (let n = 0; n < CLIENTS; n++) {
      attempts.push(attempt(t, child.port));
      await sleep(2);
    }
    await until(() => attempts.some(({ error }) => error === "ECONNREFUSED"));
    await sleep(1500);
    const served = attempts.filter(({ echoed }) => echoed);
    const failed = attempts.filter(({ error }) => error !== null);
    assert.ok(served.length >= 5 && failed.length >= 20, `${served.length} served, ${failed.length} failed`);
    // Refused, or in the queue of a listener that is closed: never accepted and then dropped with a FIN.
    for (const { error } of failed) assert.match(error ?? "", /^(ECONNREFUSED|ECONNRESET)$/);
    assert.ok(served.every(({ error }) => error === null));
    assert.deepEqual(child.narrations, ["accept-paused"]);

    for (const { socket } of served) socket.end();
    await until(() => child.narrations.length === 2);
    assert.deepEqual(child.narrations, ["accept-paused", "accept-resumed"]);
    const after = attempt(t, child.port);
    await until(() => after.echoed);
    assert.equal((await child.state()).broken, 0);
  });
}
