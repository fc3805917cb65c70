import assert from "node:assert/strict";
import { test } from "node:test";
import { loadCase } from "../../test/cases.ts";
import { FIN, only, openSums } from "../../test/scripted-wire.ts";
import { skipWithoutShared } from "../../test/shared.ts";
import { DIRECTION_NAMES } from "../decode/direction.ts";
import { Ledger } from "./ledger.ts";
import type { Tally } from "./tally.ts";

const skip = skipWithoutShared("cases");

test("V-SE-02: 5000 streams opened and reset are counted exactly, and listed up to the bound", { skip }, () => {
  const tally = settled("V-SE-02", 1000);
  const connection = only(tally.connections);
  const { expect, byte_attribution } = loadCase("V-SE-02").expected;
  const labels = byte_attribution?.c2s?.by_label;
  assert.ok(labels !== undefined);
  for (const [label, octets] of Object.entries(labels)) {
    const parts = Object.entries(connection.c2s.by_category).filter(([path]) => path === label || path.startsWith(`${label}.`));
    assert.equal(
      parts.reduce((sum, [, count]) => sum + count, 0),
      octets,
      label,
    );
  }
  assert.deepEqual([connection.exchanges.length, tally.omitted.exchanges], [1000, expect.streams - 1000]);
  const route = only(tally.routes);
  assert.deepEqual([route.calls, route.c2s.octets], [expect.streams, expect.streams * expect.octets_per_pair]);
  assert.equal(connection.h2?.max_concurrent, 1);
});

test("V-H2-08: PINGs sent and answered by direction; an acknowledgement is no PING", { skip }, () => {
  const { h2 } = only(settled("V-H2-08").connections);
  const pings: readonly { dir: "c2s" | "s2c"; sent: number; answered: number }[] = loadCase("V-H2-08").expected.expect.pings;
  assert.deepEqual(
    DIRECTION_NAMES.map((dir) => ({ dir, sent: h2?.ping_rtt_us[dir].sent, answered: h2?.ping_rtt_us[dir].answered })),
    pings,
  );
});

/** The tally of a case, each of its turns being one delta. */
function settled(id: string, exchanges = 10_000): Tally {
  const { octets, turns } = loadCase(id);
  const ledger = new Ledger({
    kind: "proxy",
    generator: { name: "test", version: "0" },
    startedNs: 0n,
    limits: { exchanges },
  });
  const connection = ledger.open({ listener: "", client: "", server: "" }, 0);
  for (const { direction, start, end } of turns) connection.delta(direction, octets[direction].subarray(start, end), 0);
  connection.close(FIN, 0);
  const tally = ledger.tally(0);
  assert.deepEqual([openSums(tally), ledger.broken, ledger.unattributed], [[], 0, 0]);
  return tally;
}
