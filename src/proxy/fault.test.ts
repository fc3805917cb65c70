import assert from "node:assert/strict";
import { test } from "node:test";
import { dial, pattern, readAll, startRelay, startServer } from "../../test/proxy/relay-fixture.ts";
import { Ledger } from "../ledger/ledger.ts";
import { GENERATOR } from "./version.ts";

test("a decoder that throws does not disturb the relay, and every octet stays counted", async (t) => {
  let pushes = 0;
  const ledger = new Ledger({
    kind: "proxy",
    generator: GENERATOR,
    startedNs: 0n,
    stackFor: () => ({
      tlsRecords: null,
      push: () => {
        pushes++;
        throw new Error("a planted fault");
      },
      gap: () => {},
      end: () => {},
      pending: () => 0,
    }),
  });
  const server = await startServer(t, (socket) => {
    socket.pipe(socket);
  });
  const { relay, port } = await startRelay(t, server, { observer: ledger });
  const octets = pattern(1_000_000);
  const client = await dial(t, port);
  client.end(octets);
  const answer = await readAll(client);
  assert.equal(answer.end, "FIN");
  assert.ok(answer.octets.equals(octets));
  await relay.whenClosed(1);
  assert.equal(pushes, 1);
  const { totals, connections } = ledger.tally(0);
  for (const direction of [totals.c2s, totals.s2c]) {
    assert.equal(direction.octets, octets.length);
    assert.deepEqual(direction.by_category, { "unattributed.after_error": octets.length });
  }
  assert.ok(connections[0]?.notes.some(({ code, text }) => code === "decoder-fault" && text === "a planted fault"));
  assert.equal(ledger.broken, 0);
});
