import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type TestContext, test } from "node:test";
import { octetsUnder } from "../octets-under.ts";
import { compareRuns } from "./compare-runs.ts";
import { listenFor } from "./listen.ts";
import { hashOf, OctetSource } from "./octet-source.ts";
import type { ProxyProcess } from "./proxy-process.ts";

const OCTETS = 1_000_000_000;
/** Less than where a reader stalls. */
const WARM_UP_OCTETS = 1_000_000;
/** The proxy has done with a request by then. */
const IDLE_MS = 500;
const STALL_AFTER = 100_000_000;
const STALL_MS = 5_000;
/** What the sockets' own buffers may still take when the reader has stopped. */
const SETTLE_MS = 1_500;
const MIB = 1024 * 1024;
const GROWTH_LIMIT = 32_000_000;
const SEED = 3;

/** What was seen of a transfer. */
interface Transfer {
  readonly hash: string;
  /** Octets that the sender gave out while the reader stood still, after the buffers between them had filled. */
  readonly sentWhileStalled: number;
  /** Octets between sender and reader at the end of the stall. */
  readonly between: number;
}

test("1 GB down: a client that stops reading for 5 s stops the server, not the proxy's memory", {
  timeout: 150_000,
}, async (t) => {
  let source: OctetSource | undefined;
  const server = createServer((incoming, response) => {
    const octets = incoming.url === "/warm-up" ? WARM_UP_OCTETS : OCTETS;
    source = new OctetSource(octets, SEED);
    response.writeHead(200, { "content-length": octets });
    void pipeline(source, response);
  });
  await transferStalled(t, server, async (port, path) => {
    const outgoing = request({ port, host: "127.0.0.1", path, agent: false });
    outgoing.end();
    const [response] = (await once(outgoing, "response")) as [IncomingMessage];
    return readStalling(response, () => source?.given ?? 0);
  });
});

test("1 GB up: a server that stops reading for 5 s stops the client, not the proxy's memory", { timeout: 150_000 }, async (t) => {
  let source: OctetSource | undefined;
  const server = createServer((incoming, response) => {
    void readStalling(incoming, () => source?.given ?? 0).then((transfer) => response.end(JSON.stringify(transfer)));
  });
  await transferStalled(t, server, async (port, path) => {
    const octets = path === "/warm-up" ? WARM_UP_OCTETS : OCTETS;
    source = new OctetSource(octets, SEED);
    const headers = { "content-length": octets };
    const outgoing = request({ port, host: "127.0.0.1", path, method: "POST", agent: false, headers });
    const sent = pipeline(source, outgoing);
    const [response] = (await once(outgoing, "response")) as [IncomingMessage];
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part as Buffer);
    await sent;
    return JSON.parse(Buffer.concat(parts).toString()) as Transfer;
  });
});

/** Runs the gigabyte through the proxy, once it has served a small request and is idle again, and judges what was seen. */
async function transferStalled(t: TestContext, server: Server, transfer: (port: number, path: string) => Promise<Transfer>) {
  const serverPort = await listenFor(t, server);
  const run = async (port: number, proxy: ProxyProcess | null) => {
    assert.ok(proxy !== null);
    await transfer(port, "/warm-up");
    await sleep(IDLE_MS);
    const idle = proxy.residentOctets();
    const { result, highest } = await highestWhile(proxy, () => transfer(port, "/large"));
    return { ...result, growth: highest - idle, idle, highest };
  };
  const { seen, tally } = await compareRuns(t, serverPort, run, { outputVaries: true, unrecorded: true });

  const mib = (octets: number) => `${(octets / MIB).toFixed(1)} MiB`;
  t.diagnostic(`RSS: idle ${mib(seen.idle)}, at most ${mib(seen.highest)}, grown by ${mib(seen.growth)}`);
  t.diagnostic(`${mib(seen.between)} stood between sender and reader`);
  assert.equal(seen.hash, await hashOf(new OctetSource(OCTETS, SEED)));
  assert.equal(seen.sentWhileStalled, 0, "the sender is paused");
  assert.ok(seen.growth < GROWTH_LIMIT, `RSS grew by ${mib(seen.growth)}`);
  const body = octetsUnder(tally.totals.c2s.by_category, "body") + octetsUnder(tally.totals.s2c.by_category, "body");
  assert.ok(body >= OCTETS + WARM_UP_OCTETS);
}

/** The proxy's highest resident memory, in octets, while something is done. */
async function highestWhile<T>(
  proxy: ProxyProcess,
  run: () => Promise<T>,
): Promise<{ readonly result: T; readonly highest: number }> {
  let highest = proxy.residentOctets();
  const sampling = setInterval(() => {
    highest = Math.max(highest, proxy.residentOctets());
  }, 50);
  try {
    const result = await run();
    return { result, highest };
  } finally {
    clearInterval(sampling);
  }
}

/** Reads to the end, and stands still for a while once `STALL_AFTER` octets have come. */
async function readStalling(source: Readable, sent: () => number): Promise<Transfer> {
  const hash = createHash("sha256");
  let octets = 0;
  let stalled = false;
  let sentWhileStalled = 0;
  let between = 0;
  for await (const block of source) {
    hash.update(block as Buffer);
    octets += (block as Buffer).length;
    if (stalled || octets < STALL_AFTER) continue;
    stalled = true;
    await sleep(SETTLE_MS);
    const settled = sent();
    await sleep(STALL_MS - SETTLE_MS);
    sentWhileStalled = sent() - settled;
    between = sent() - octets;
  }
  return { hash: hash.digest("hex"), sentWhileStalled, between };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
