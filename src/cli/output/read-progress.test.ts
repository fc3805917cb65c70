import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { openReadProgress } from "./read-progress.ts";

/** A stream that says what it is, and keeps what is written. */
function streamOf(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 80, rows: 24 });
  return { stream, text: () => String(stream.read() ?? "") };
}

function shown(stderrIsTTY: boolean, stdoutIsTTY: boolean, traced: boolean, total: number | null): string {
  const [stdout, stderr] = [streamOf(stdoutIsTTY), streamOf(stderrIsTTY)];
  const progress = openReadProgress({ stdout: stdout.stream, stderr: stderr.stream, env: {} }, traced);
  progress.show(1_500_000, total);
  progress.clear();
  assert.equal(stdout.text(), "");
  return stderr.text();
}

test("on a terminal: octets read of all there are, and per cent", () => {
  assert.match(shown(true, false, true, 6_000_000), /█{5}░{15} 1\.5 of 6\.0 MB read, 25 %/);
  assert.match(shown(true, true, false, 6_000_000), /25 %/);
  // It grew while it was read.
  assert.match(shown(true, true, false, 1_000_000), /1\.0 of 1\.0 MB read, 100 %/);
});

test("nothing into a pipe, beside a trace on the same terminal, or where nobody knows how much there is", () => {
  assert.equal(shown(false, false, false, 6_000_000), "");
  assert.equal(shown(true, true, true, 6_000_000), "");
  assert.equal(shown(true, false, true, null), "");
});
