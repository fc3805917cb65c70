import assert from "node:assert/strict";
import { createServer as createHttp2Server } from "node:http2";
import { type TestContext, test } from "node:test";
import { octetsUnder } from "../octets-under.ts";
import { compareRuns } from "./compare-runs.ts";
import { DOCUMENT, documentServer } from "./http-server.ts";
import { listenFor } from "./listen.ts";
import { type Finished, runProgram } from "./program.ts";
import { upgradeServer } from "./upgrade-server.ts";

/** `-i` shows the response heads, so that they are compared too. */
function curl(args: readonly string[], path: string, input?: Uint8Array) {
  return (port: number): Promise<Finished> => {
    return runProgram(["curl", "-sS", "-i", "--max-time", "30", ...args, `http://127.0.0.1:${port}${path}`], input);
  };
}

async function compareWithDocuments(t: TestContext, args: readonly string[], path: string, input?: Uint8Array) {
  const port = await listenFor(t, documentServer());
  return compareRuns(t, port, curl(args, path, input));
}

test("curl GET", async (t) => {
  const { seen, tally } = await compareWithDocuments(t, [], "/document");
  assert.ok(seen.stdout.endsWith(DOCUMENT.toString("latin1")));
  assert.equal(octetsUnder(tally.totals.s2c.by_category, "body"), DOCUMENT.length);
});

test("curl POST", async (t) => {
  const { seen, tally } = await compareWithDocuments(t, ["--data-binary", "@-"], "/echo", DOCUMENT);
  assert.ok(seen.stdout.endsWith(DOCUMENT.toString("latin1")));
  assert.equal(octetsUnder(tally.totals.c2s.by_category, "body"), DOCUMENT.length);
  assert.equal(octetsUnder(tally.totals.s2c.by_category, "body"), DOCUMENT.length);
});

test("curl chunked upload", async (t) => {
  const { tally } = await compareWithDocuments(t, ["-T", "-"], "/upload", DOCUMENT);
  const { by_category: parts } = tally.totals.c2s;
  assert.equal(octetsUnder(parts, "body"), DOCUMENT.length);
  assert.equal(parts["http1.last_chunk"], 5);
  assert.ok((parts["http1.chunk_size"] ?? 0) > 0);
});

test("curl HEAD", async (t) => {
  const { seen, tally } = await compareWithDocuments(t, ["-I"], "/document");
  assert.match(seen.stdout, /^content-length: 20000\r$/im);
  assert.equal(octetsUnder(tally.totals.s2c.by_category, "body"), 0);
});

test("curl Expect: 100-continue, accepted", async (t) => {
  const { seen, tally } = await compareWithDocuments(t, ["-H", "Expect: 100-continue", "--data-binary", "@-"], "/echo", DOCUMENT);
  assert.match(seen.stdout, /^HTTP\/1\.1 100 Continue\r\n/);
  assert.equal(octetsUnder(tally.totals.c2s.by_category, "body"), DOCUMENT.length);
  assert.equal(tally.connections[0]?.exchanges.length, 1, "the interim response belongs to its request's exchange");
});

test("curl Expect: 100-continue, refused", async (t) => {
  const { seen, tally } = await compareWithDocuments(
    t,
    ["-H", "Expect: 100-continue", "--data-binary", "@-"],
    "/refuse",
    DOCUMENT,
  );
  assert.match(seen.stdout, /^HTTP\/1\.1 413 /);
  assert.equal(tally.connections[0]?.exchanges[0]?.status, 413);
});

test("curl --http2-prior-knowledge", async (t) => {
  const server = createHttp2Server((request, response) => {
    response.sendDate = false;
    request.pipe(response);
  });
  const port = await listenFor(t, server);
  const { seen, tally } = await compareRuns(t, port, curl(["--http2-prior-knowledge", "--data-binary", "@-"], "/echo", DOCUMENT));
  assert.ok(seen.stdout.endsWith(DOCUMENT.toString("latin1")));
  assert.equal(tally.connections[0]?.protocol, "h2");
  assert.equal(tally.totals.c2s.by_category["h2.preface"], 24);
  assert.equal(octetsUnder(tally.totals.s2c.by_category, "body"), DOCUMENT.length);
});

test("curl --http2 upgrades from HTTP/1.1", async (t) => {
  const port = await listenFor(t, upgradeServer());
  const { seen, tally } = await compareRuns(t, port, curl(["--http2"], "/"));
  assert.match(seen.stdout, /^HTTP\/1\.1 101 .*HTTP\/2 200.*upgraded\n$/s);
  const { by_category: parts } = tally.totals.c2s;
  assert.ok((parts["http1.start_line"] ?? 0) > 0);
  assert.equal(parts["h2.preface"], 24);
  assert.equal(octetsUnder(tally.totals.s2c.by_category, "body"), "upgraded\n".length);
  assert.equal(tally.connections[0]?.exchanges.length, 1, "the HTTP/1.1 request and stream 1 are one exchange");
});
