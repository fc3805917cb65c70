import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import { test } from "node:test";
import { compareRuns } from "./compare-runs.ts";
import { listenFor } from "./listen.ts";

const REQUEST = "GET /shell HTTP/1.1\r\nHost: raw.example\r\nConnection: Upgrade\r\nUpgrade: raw/1\r\n\r\n";
const SWITCHING = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: raw/1\r\n\r\n";
/** Sent in one write with the request, before the server agreed. */
const EARLY = Buffer.from("early\u0000\u0001");
/** Sent in one write with the 101. */
const GREETING = Buffer.from([0xff, 0x00, 0x80, 0x0a]);
const LATER = Buffer.alloc(70_000, 0xa5);

test("a raw upgrade: octets before and after the 101 pass unchanged", async (t) => {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let held = Buffer.alloc(0);
    let switched = false;
    socket.on("error", () => undefined);
    socket.on("data", (octets) => {
      if (switched) {
        socket.write(octets);
        return;
      }
      held = Buffer.concat([held, octets]);
      if (held.length < REQUEST.length) return;
      switched = true;
      // The early octets are echoed after the greeting.
      socket.write(Buffer.concat([Buffer.from(SWITCHING), GREETING, held.subarray(REQUEST.length)]));
    });
    socket.on("end", () => socket.end());
  });
  const serverPort = await listenFor(t, server);
  const expected = Buffer.concat([Buffer.from(SWITCHING), GREETING, EARLY, LATER]);

  const { seen, tally } = await compareRuns(
    t,
    serverPort,
    (port) => {
      return new Promise<string>((resolve, reject) => {
        const socket = connect(port, "127.0.0.1");
        const parts: Buffer[] = [];
        socket.on("error", reject);
        socket.on("data", (octets) => {
          if (parts.length === 0) socket.end(LATER);
          parts.push(octets);
        });
        socket.on("end", () => resolve(Buffer.concat(parts).toString("hex")));
        socket.write(Buffer.concat([Buffer.from(REQUEST), EARLY]));
      });
    },
    { opaqueAllowed: true },
  );
  assert.equal(seen, expected.toString("hex"));
  assert.equal(tally.totals.c2s.by_category["unattributed.opaque"], EARLY.length + LATER.length);
  assert.equal(tally.totals.s2c.by_category["unattributed.opaque"], GREETING.length + EARLY.length + LATER.length);
  assert.equal(tally.connections[0]?.exchanges[0]?.status, 101);
});
