import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { acceptOne, dial, startServer, until } from "../../test/proxy/relay-fixture.ts";
import { portsOf, sendQueues } from "./kernel-sockets.ts";

const skip = existsSync("/proc/net/tcp") ? false : "this system has no /proc/net/tcp";
const ASKERS = 200;

test("every asker learns what was so after it asked, also those who ask while a table is read", { skip }, async (t) => {
  const accepted = acceptOne();
  const port = await startServer(t, accepted.onSocket);
  const client = await dial(t, port);
  (await accepted.socket).pause();
  const ports = portsOf(client);
  assert.ok(ports !== null);
  const early = sendQueues(ports);
  // More than the sockets' own buffers take: the rest stands in the send queue, from before the second question.
  client.write(Buffer.alloc(32 * 1024 * 1024));
  const late = sendQueues(ports);
  await early;
  const queues = await late;
  assert.equal(queues?.length, 1);
  assert.ok((queues?.[0] ?? 0) > 0, "what was written before the question is in the answer");
  const { local, remote } = ports;
  client.resetAndDestroy();
  await until(() => client.closed);
  assert.deepEqual(await sendQueues({ local, remote }), []);
});

test(`${ASKERS} who ask at once cost little more than one`, { skip }, async () => {
  const nobody = { local: 1, remote: 1 };
  const timed = async (askers: number) => {
    const began = performance.now();
    const answers = await Promise.all(Array.from({ length: askers }, () => sendQueues(nobody)));
    assert.ok(
      answers.every((answer) => answer?.length === 0),
      "nobody has these ports",
    );
    return performance.now() - began;
  };
  await timed(1);
  const ratios: number[] = [];
  for (let round = 0; round < 7; round++) {
    const one = await timed(1);
    ratios.push((await timed(ASKERS)) / one);
  }
  const least = Math.min(...ratios);
  assert.ok(least < ASKERS / 10, `${least.toFixed(1)} times as long as one`);
});
