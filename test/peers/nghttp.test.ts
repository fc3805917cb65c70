import assert from "node:assert/strict";
import { test } from "node:test";
import { compareRuns } from "./compare-runs.ts";
import { DOCUMENT } from "./http-server.ts";
import { listenFor } from "./listen.ts";
import { startNghttpd } from "./nghttpd.ts";
import { runProgram } from "./program.ts";
import { upgradeServer } from "./upgrade-server.ts";

/** One stream at a time: else the documents' octets come in an order of their own each time. */
const ONE_STREAM = ["-m", "1"];

test("nghttp fetches several documents on one connection", async (t) => {
  const server = await startNghttpd(t, { "a.bin": DOCUMENT, "b.txt": Buffer.from("hello\n") }, ONE_STREAM);
  const { seen, tally } = await compareRuns(t, server, (port) => {
    const url = (name: string) => `http://127.0.0.1:${port}/${name}`;
    return runProgram(["nghttp", "--no-dep", "-M", "1", url("a.bin"), url("b.txt"), url("missing")]);
  });
  assert.ok(seen.stdout.includes(DOCUMENT.toString("latin1")));
  assert.deepEqual(tally.connections[0]?.exchanges.map((exchange) => exchange.status).toSorted(), [200, 200, 404]);
});

test("nghttp with padding, priorities and a window of its own", async (t) => {
  const server = await startNghttpd(t, { "a.bin": DOCUMENT });
  const { tally } = await compareRuns(t, server, (port) => {
    return runProgram(["nghttp", "-b", "17", "-w", "14", "-p", "32", "-n", `http://127.0.0.1:${port}/a.bin`]);
  });
  const { by_category: parts } = tally.totals.c2s;
  assert.ok((parts["h2.padding"] ?? 0) > 0);
  assert.ok((parts["h2.priority"] ?? 0) > 0);
  assert.ok((parts["h2.window_update"] ?? 0) > 0);
});

test("nghttp -u upgrades from HTTP/1.1", async (t) => {
  const server = await listenFor(t, upgradeServer());
  const { seen } = await compareRuns(t, server, (port) => runProgram(["nghttp", "-u", `http://127.0.0.1:${port}/`]));
  assert.equal(seen.stdout, "upgraded\n");
});
