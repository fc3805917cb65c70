import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { capturesOf } from "../../../test/read-packets.ts";
import { runCommand } from "../../../test/run-command.ts";
import { openSums } from "../../../test/scripted-wire.ts";
import { skipWithoutShared } from "../../../test/shared.ts";
import type { Tally } from "../../ledger/tally.ts";

const skip = skipWithoutShared("corpora");
const folder = mkdtempSync(join(tmpdir(), "wiretally-written-"));
after(() => rmSync(folder, { recursive: true }));

/**
 * A fuzzed capture: octets go on for minutes after a RST, kept together by bare acknowledgements. Those are not written, and what has been
 * quiet for a minute after a RST is over.
 */
const EXCEPTIONS: readonly string[] = ["reasm_crash_anon.pcapng"];

/** What octets were, and in how many connections. */
function sums({ connections, totals }: Tally): unknown {
  const { c2s, s2c } = totals;
  return [connections.length, c2s.octets, s2c.octets, c2s.by_category, s2c.by_category];
}

test("whatever a capture holds: exit 0 with sums that close, or one line and exit 1; what -w writes of it reads the same", {
  skip,
}, async () => {
  const written = join(folder, "written.pcapng");
  const different: string[] = [];
  for (const path of ["ndpi", "deepflow", "local-thirdparty"].flatMap(capturesOf)) {
    const { code, stdout, stderr } = await runCommand(["read", path, "--json", "-"]);
    if (code === 1) {
      assert.match(stderr, /^wiretally: (?!failed)[^\n]+\n$/, path);
      continue;
    }
    assert.equal(code, 0, `${path}: ${stderr}`);
    const tally = JSON.parse(stdout) as Tally;
    assert.deepEqual(openSums(tally), [], path);
    const copy = await runCommand(["read", path, "-q", "-w", written]);
    assert.equal(copy.code, 0, `${path}: ${copy.stderr}`);
    const again = await runCommand(["read", written, "--json", "-"]);
    assert.deepEqual([again.code, again.stderr], [0, ""], path);
    if (JSON.stringify(sums(JSON.parse(again.stdout) as Tally)) !== JSON.stringify(sums(tally))) different.push(basename(path));
  }
  assert.deepEqual(different, EXCEPTIONS);
});
