import assert from "node:assert/strict";
import { PassThrough, Writable } from "node:stream";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { BoundedOutput } from "./bounded-output.ts";

const LINE = `${"x".repeat(99)}\n`;

test("a reader that stalls loses lines, is told how many, and memory stays bounded", async () => {
  const stream = new PassThrough({ highWaterMark: 16 });
  const output = new BoundedOutput({ stream, cap: 10_000, droppedLine: (writes) => `lost ${writes}\n`, onError: assert.fail });
  for (let n = 0; n < 1000; n++) {
    output.write(LINE);
    if (n % 10 === 0) await turn();
  }
  assert.ok(output.dropped >= 890, String(output.dropped));
  assert.ok(stream.writableLength <= 10_000);
  let text = "";
  stream.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  await output.finish("the end\n");
  const kept = text.split("\n").filter((line) => line.startsWith("x"));
  assert.equal(kept.length + output.dropped, 1000);
  assert.ok(kept.every((line) => line.length === 99));
  assert.ok(text.endsWith(`lost ${output.dropped}\nthe end\n`));
});

test("a writer that waits for room loses nothing, and holds little", async () => {
  const stream = new PassThrough({ highWaterMark: 16 });
  const cap = Number.POSITIVE_INFINITY;
  const output = new BoundedOutput({ stream, cap, droppedLine: String, onError: assert.fail });
  let octets = 0;
  let most = 0;
  setTimeout(() => stream.on("data", (chunk: Buffer) => (octets += chunk.length)), 20);
  for (let n = 0; n < 40; n++) {
    for (let line = 0; line < 1000; line++) output.write(LINE);
    await output.room();
    most = Math.max(most, stream.writableLength);
  }
  await output.finish("");
  await turn();
  assert.deepEqual([octets, output.dropped], [40 * 1000 * LINE.length, 0]);
  assert.ok(most <= 1024 * 1024, String(most));
});

test("who waits for a stream that fails waits no longer", async () => {
  const stream = new PassThrough({ highWaterMark: 16 });
  const output = new BoundedOutput({ stream, cap: Number.POSITIVE_INFINITY, droppedLine: String, onError: () => {} });
  for (let line = 0; line < 20_000; line++) output.write(LINE);
  setTimeout(() => stream.destroy(new Error("gone")), 10);
  await output.room();
});

test("an error of the stream is told once, and nothing throws after it", async () => {
  const stream = new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error("gone"), { code: "EPIPE" })) });
  const errors: unknown[] = [];
  const output = new BoundedOutput({ stream, droppedLine: String, onError: (error) => errors.push(error.code) });
  output.write(LINE);
  await turn();
  await turn();
  output.write(LINE);
  await output.finish("more");
  assert.deepEqual(errors, ["EPIPE"]);
});
