import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { RelayChild } from "../../test/proxy/relay-child.ts";
import { pattern } from "../../test/proxy/relay-fixture.ts";
import { REQUIRE_ALL } from "../../test/shared.ts";

const MIB = 1_048_576;
const BODY = (REQUIRE_ALL ? 1024 : 64) * MIB;
const FIRST_OCTET_MS = 50;
const BLOCK = pattern(65_536);

async function writeBody(to: NodeJS.WritableStream): Promise<void> {
  for (let written = 0; written < BODY; written += BLOCK.length) {
    if (!to.write(BLOCK)) await once(to, "drain");
  }
  to.end();
}

async function countBody(from: NodeJS.ReadableStream): Promise<number> {
  let octets = 0;
  for await (const chunk of from) octets += (chunk as Buffer).length;
  return octets;
}

interface Peer {
  readonly port: number;
  /** When the server wrote its first octet of the body. */
  readonly firstWritten: () => number;
}

/** GET: a chunked body. POST: counts the body and answers the count. */
async function startPeer(t: TestContext): Promise<Peer> {
  let firstWritten = 0;
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (incoming.method === "POST") {
      outgoing.end(String(await countBody(incoming)));
      return;
    }
    outgoing.write("!");
    firstWritten = performance.now();
    // The rest only when the first octet must have arrived.
    await sleep(FIRST_OCTET_MS);
    await writeBody(outgoing);
  };
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, firstWritten: () => firstWritten };
}

test(`V-PX-06: a chunked body of ${BODY / MIB} MiB down and up: first octet at once, memory bounded, counts exact`, async (t) => {
  const peer = await startPeer(t);
  const child = await RelayChild.start(t, `127.0.0.1:${peer.port}`);
  const before = (await child.state()).rss;

  const download = request({ port: child.port, agent: false }).end();
  const [response] = await once(download, "response");
  let latency = Number.POSITIVE_INFINITY;
  response.once("data", (first: Buffer) => {
    assert.equal(first.toString(), "!");
    latency = performance.now() - peer.firstWritten();
  });
  assert.equal(await countBody(response), 1 + BODY);
  assert.ok(latency < FIRST_OCTET_MS, `the first octet took ${latency} ms`);

  const upload = request({ port: child.port, method: "POST", agent: false });
  const answered = once(upload, "response");
  await writeBody(upload);
  const [answer] = await answered;
  let text = "";
  for await (const chunk of answer) text += chunk;
  assert.equal(text, String(BODY));

  const { rss, c2s, s2c, broken } = await child.state();
  t.diagnostic(`first octet after ${latency.toFixed(1)} ms, RSS grew by ${((rss - before) / MIB).toFixed(1)} MiB`);
  assert.ok(rss - before < 128 * MIB, `RSS grew from ${before} to ${rss}`);
  assert.equal(broken, 0);
  // The body, and for each piece of it a size line and a line end; heads are a few hundred octets.
  const chunked = BODY + (BODY / BLOCK.length) * "10000\r\n\r\n".length + "0\r\n\r\n".length;
  assert.ok(c2s >= chunked && c2s < chunked + 1000, `${c2s} octets c2s`);
  assert.ok(s2c >= chunked && s2c < chunked + 1000, `${s2c} octets s2c`);
});
