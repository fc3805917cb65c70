import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import { pipeline } from "node:stream/promises";
import { test } from "node:test";
import { octetsUnder } from "../octets-under.ts";
import { compareRuns } from "./compare-runs.ts";
import { listenFor } from "./listen.ts";
import { hashOf, OctetSource } from "./octet-source.ts";

const MEGABYTE = 1_000_000;
const OCTETS = 200 * MEGABYTE;
const UP_SEED = 1;
const DOWN_SEED = 2;

test("200 MB each way at the same time arrive with equal SHA-256", { timeout: 120_000 }, async (t) => {
  const received: string[] = [];
  const server = createServer((incoming, response) => {
    // The answer starts at once and, being chunked, ends after the request: Node's client closes when an answer is whole.
    const sent = pipeline(new OctetSource(OCTETS, DOWN_SEED), response, { end: false });
    void Promise.all([hashOf(incoming), sent]).then(([hash]) => {
      received.push(hash);
      response.end();
    });
  });
  const serverPort = await listenFor(t, server);

  const exchange = async (port: number): Promise<string> => {
    const outgoing = request({ port, host: "127.0.0.1", method: "POST", agent: false, headers: { "content-length": OCTETS } });
    const sent = pipeline(new OctetSource(OCTETS, UP_SEED), outgoing);
    const [response] = (await once(outgoing, "response")) as [IncomingMessage];
    const [hash] = await Promise.all([hashOf(response), sent]);
    return hash;
  };
  const { seen, tally } = await compareRuns(t, serverPort, exchange, { unrecorded: true });

  const [up, down] = await Promise.all([hashOf(new OctetSource(OCTETS, UP_SEED)), hashOf(new OctetSource(OCTETS, DOWN_SEED))]);
  assert.equal(seen, down);
  assert.deepEqual(received, [up, up]);
  assert.equal(octetsUnder(tally.totals.c2s.by_category, "body"), OCTETS);
  assert.equal(octetsUnder(tally.totals.s2c.by_category, "body"), OCTETS);
});
