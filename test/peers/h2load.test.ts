import assert from "node:assert/strict";
import { test } from "node:test";
import { octetsUnder } from "../octets-under.ts";
import { compareRuns } from "./compare-runs.ts";
import { startNghttpd } from "./nghttpd.ts";
import { runProgram } from "./program.ts";

const REQUESTS = 10_000;
const BODY = Buffer.from("hello, octets\n");

test("h2load, 10,000 requests over 4 connections with 25 streams each", async (t) => {
  const server = await startNghttpd(t, { "hello.txt": BODY });
  const load = (port: number) =>
    runProgram(["h2load", "-n", `${REQUESTS}`, "-c", "4", "-m", "25", `http://127.0.0.1:${port}/hello.txt`], undefined, 120_000);
  // Rates and times differ from run to run; what was done does not.
  const done = async (port: number) => (await load(port)).stdout.match(/^(requests|status codes): .*$/gm);
  const { seen, tally } = await compareRuns(t, server, done);
  assert.equal(seen?.[0], "requests: 10000 total, 10000 started, 10000 done, 10000 succeeded, 0 failed, 0 errored, 0 timeout");
  assert.equal(octetsUnder(tally.totals.s2c.by_category, "body"), REQUESTS * BODY.length);
  assert.equal(
    tally.routes.reduce((calls, route) => calls + route.calls, 0),
    REQUESTS,
  );
});
