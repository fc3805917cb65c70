import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { testEachRead } from "../../test/proxy/each-client-read.ts";
import { RelayChild } from "../../test/proxy/relay-child.ts";
import { acceptOne, dial, pattern, startServer } from "../../test/proxy/relay-fixture.ts";
import { REQUIRE_ALL } from "../../test/shared.ts";

const TOTAL = 209_715_200;
const BLOCK = 65_536;
const STALL_MS = REQUIRE_ALL ? 5000 : 1000;
const MIB = 1_048_576;

/** Sends TOTAL octets of a counter pattern as fast as they are taken; `sent` is what the kernel has had so far. */
function sender(socket: Socket): { readonly sent: () => number; readonly digest: string } {
  const block = pattern(BLOCK);
  const blocks = TOTAL / BLOCK;
  const hash = createHash("sha256");
  for (let at = 0; at < blocks; at++) {
    block.writeUInt32BE(at);
    hash.update(block);
  }
  let written = 0;
  let next = 0;
  const more = () => {
    while (next < blocks) {
      const copy = Buffer.from(block);
      copy.writeUInt32BE(next++);
      if (
        !socket.write(copy, () => {
          written += BLOCK;
        })
      ) {
        socket.once("drain", more);
        return;
      }
    }
    socket.end();
  };
  more();
  return { sent: () => written, digest: hash.digest("hex") };
}

async function stalls(t: TestContext, from: Socket, to: Socket, child: RelayChild): Promise<void> {
  // Its memory is that of a relay that has worked, not of one that has just started.
  const before = (await child.state()).rss;
  to.pause();
  const { sent, digest } = sender(from);
  await sleep(STALL_MS);
  const stalled = sent();
  assert.ok(stalled > 0 && stalled < TOTAL / 2, `${stalled} octets were sent to a reader that stands still`);
  await sleep(200);
  assert.equal(sent(), stalled, "the sender is not paused");
  const { rss } = await child.state();
  t.diagnostic(`stalled after ${(stalled / MIB).toFixed(1)} MiB, RSS grew by ${((rss - before) / MIB).toFixed(1)} MiB`);
  assert.ok(rss - before < 32 * MIB, `RSS grew from ${before} to ${rss}`);

  const hash = createHash("sha256");
  let received = 0;
  to.on("data", (chunk) => {
    received += chunk.length;
    hash.update(chunk);
  });
  to.on("end", () => to.end());
  to.resume();
  from.resume();
  await new Promise((resolve) => to.once("close", resolve));
  assert.equal(received, TOTAL);
  assert.equal(hash.digest("hex"), digest);
}

for (const direction of ["c2s", "s2c"] as const) {
  const name = `V-PX-03: 200 MB ${direction} to a reader that stops: the sender is paused, nothing piles up, all arrives`;
  testEachRead(name, async (t, reads) => {
    const accepted = acceptOne();
    const server = await startServer(t, accepted.onSocket);
    const child = await RelayChild.start(t, `127.0.0.1:${server}`, reads);
    const client = await dial(t, child.port);
    client.write("?");
    const socket = await accepted.socket;
    await new Promise((resolve) => socket.once("data", resolve));
    const [from, to] = direction === "c2s" ? [client, socket] : [socket, client];
    await stalls(t, from, to, child);
    const state = await child.state();
    assert.equal(state.c2s, 1 + (direction === "c2s" ? TOTAL : 0));
    assert.equal(state.s2c, direction === "s2c" ? TOTAL : 0);
    assert.equal(state.broken, 0);
  });
}
