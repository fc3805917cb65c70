import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startGrpcServer } from "../../src/servers/grpc-server.ts";
import { compareRuns } from "./compare-runs.ts";
import { runProgram } from "./program.ts";

const CLIENT = fileURLToPath(new URL("item_client.py", import.meta.url));
/** The distribution's Python, for which the distribution's python3-grpcio is installed. */
const PYTHON = "/usr/bin/python3";
const ITEM = `08d285d8cc041209${Buffer.from("widget-01").toString("hex")}18b960`;

test("python grpcio unary and streaming", async (t) => {
  const server = await startGrpcServer({ host: "127.0.0.1", port: 0 });
  t.after(() => server.close());
  const { seen, tally } = await compareRuns(t, server.port, (port) => runProgram([PYTHON, CLIENT, `${port}`]));
  assert.deepEqual(
    [seen.exitCode, seen.stdout.trimEnd().split("\n")],
    [
      0,
      [
        ...Array<string>(3).fill(`Echo OK ${ITEM}`),
        `Repeat OK ${ITEM} ${ITEM} ${ITEM}`,
        // Collected: items = 3; payload_octets = 0 is not written.
        "Collect OK 0803",
        `Chat OK ${ITEM} ${ITEM} ${ITEM}`,
        "Hang DEADLINE_EXCEEDED ",
        "Fail NOT_FOUND gone",
      ],
    ],
  );
  const statuses = tally.connections.flatMap((connection) => connection.exchanges.map((exchange) => exchange.grpc_status));
  // Hang: both sides know the deadline. The server's DEADLINE_EXCEEDED may come before the client's reset, or not at all.
  const [hang] = statuses.splice(6, 1);
  assert.ok(hang === null || hang === 4, `${hang}`);
  assert.deepEqual(statuses, [0, 0, 0, 0, 0, 0, 5]);
});
