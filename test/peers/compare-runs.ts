import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Octets, Tally } from "../../src/ledger/tally.ts";
import { ProxyProcess } from "./proxy-process.ts";
import { assertRecorded, assertWitnessed, type RecordedOptions } from "./recorded.ts";
import { Witness } from "./witness.ts";

/** A client's whole run against a port on 127.0.0.1; what it returns is what the client saw. */
export type Run<T> = (port: number, proxy: ProxyProcess | null) => Promise<T>;

export interface CompareOptions extends RecordedOptions {
  /** An upgraded protocol that nobody decodes: octets under `unattributed.opaque`, and nothing else, may make `--strict` exit 4. */
  readonly opaqueAllowed?: boolean;
  /** The client's output cannot be the same twice (rates, times): it is looked at by the caller only. */
  readonly outputVaries?: boolean;
  /** The run is too large, or too fast, for a capture beside it. */
  readonly unrecorded?: boolean;
}

/**
 * The one claim of every peer test: a run through the proxy is the run without it, `--strict` is content, the octets of both legs,
 * counted by tshark, are the tally's, and so is the tally of the capture that was written meanwhile.
 * @returns what the client saw through the proxy, and the tally.
 */
export async function compareRuns<T>(
  t: TestContext,
  serverPort: number,
  run: Run<T>,
  options: CompareOptions = {},
): Promise<{ readonly seen: T; readonly tally: Tally }> {
  const direct = options.outputVaries ? null : await run(serverPort, null);
  const folder = mkdtempSync(join(tmpdir(), "wiretally-runs-"));
  const capture = options.unrecorded ? null : join(folder, "run.pcapng");
  const proxy = await ProxyProcess.start(`127.0.0.1:${serverPort}`, capture === null ? [] : ["-w", capture]);
  const ports = [proxy.port, serverPort];
  const missing = Witness.missing();
  const witness = missing === null ? await Witness.start(ports, { payload: capture !== null }) : null;
  try {
    const seen = await run(proxy.port, proxy);
    const legs = await witness?.stop(ports);
    const { exitCode, tally, stderr } = await proxy.stop();

    if (direct !== null) assert.deepEqual(seen, direct, "the client sees the same with and without the proxy");
    assertCloses(tally.totals.c2s);
    assertCloses(tally.totals.s2c);
    if (options.opaqueAllowed) assertOnlyOpaque(tally);
    else assert.equal(exitCode, 0, `--strict: ${stderr} ${JSON.stringify(suspects(tally))}`);
    if (legs === undefined) t.diagnostic(`not compared with a capture: ${missing}`);
    const counted = { c2s: tally.totals.c2s.octets, s2c: tally.totals.s2c.octets };
    for (const [index, leg] of legs?.entries() ?? []) {
      assert.deepEqual(counted, leg, `the tally is what tshark saw on the ${index === 0 ? "client" : "server"}'s leg`);
    }
    if (capture !== null && witness !== null) {
      await assertRecorded(capture, tally, folder, options);
      for (const port of ports) await assertWitnessed(witness.capture, port, tally, folder);
    }
    return { seen, tally };
  } finally {
    witness?.dispose();
    await proxy.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

function assertCloses(octets: Octets): void {
  assert.equal(octets.pending, 0);
  assert.equal(sum(octets.by_category), octets.octets);
  assert.equal(sum(octets.by_cause), octets.octets);
}

function assertOnlyOpaque(tally: Tally): void {
  const found = [tally.totals.c2s, tally.totals.s2c].flatMap((octets) => Object.keys(octets.by_category));
  const unattributed = new Set(found.filter((category) => category.startsWith("unattributed.")));
  unattributed.delete("unattributed.opaque");
  assert.deepEqual([...unattributed], []);
}

/** What a reader needs when `--strict` is not content. */
function suspects(tally: Tally): unknown {
  return tally.connections.map(({ id, c2s, s2c, notes }) => ({ id, c2s: c2s.by_category, s2c: s2c.by_category, notes }));
}

function sum(parts: { readonly [name: string]: number }): number {
  return Object.values(parts).reduce((total, part) => total + part, 0);
}
