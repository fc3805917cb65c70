import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { REQUIRE_ALL } from "../../../test/shared.ts";
import { type SpeedReport, speedRows } from "./speed.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** As package.json has it. */
function bench(args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as { scripts: { bench: string } };
  const [program, ...rest] = scripts.bench.split(" ");
  assert.equal(program, "node");
  return promisify(execFile)(process.execPath, [...rest, ...args], { cwd: ROOT });
}

test("npm run bench: every row is measured, in the table and as JSON", { timeout: 120_000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "wiretally-bench-"));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, "speed.json");
  const { stdout, stderr } = await bench(["--quick", "--json", file]);
  // No progress where nobody watches.
  assert.equal(stderr, "");

  const { rows, skipped } = JSON.parse(readFileSync(file, "utf8")) as SpeedReport;
  const names = rows.map(({ what, input }) => `${what}: ${input}`);
  const left = skipped.flatMap((contest) => contest.rows);
  assert.deepEqual([...names, ...left].sort(), [...speedRows()].sort());
  // Only where a program from outside, or the build, is missing.
  assert.ok(
    left.every((name) => /pcapng: /.test(name)),
    left.join(),
  );
  if (REQUIRE_ALL) assert.deepEqual(skipped, []);
  const lines = stdout.split("\n").slice(1, 1 + rows.length);
  for (const [at, { what, input, reference, ratio, mb_per_s: speed }] of rows.entries()) {
    assert.ok(lines[at]?.startsWith(what) && lines[at]?.includes(input), lines[at]);
    assert.ok(speed.min > 0 && speed.min <= speed.median && speed.median <= speed.max, `${what}: ${input}`);
    assert.equal(ratio === null, reference === null);
    if (reference !== null) assert.ok(names.includes(`${reference}: ${input}`), reference);
  }
  // What the issue names is there.
  for (const what of ["relay with decoding", "relay without decoding", "JSON.parse", "protobufjs", "hpack.js", "HTTP/2 frames"]) {
    assert.ok(
      names.some((name) => name.startsWith(what)),
      what,
    );
  }
});

test("npm run bench -- --only: one contest with all its rows; --json - is the only thing on stdout", async () => {
  const { stdout } = await bench(["--quick", "--only", "hpack decode: .*indexed", "--json", "-"]);
  const { rows } = JSON.parse(stdout) as SpeedReport;
  assert.deepEqual(
    rows.map(({ what, reference }) => [what, reference]),
    [
      ["HPACK decode", "hpack.js"],
      ["hpack.js", null],
    ],
  );
});

test("npm run bench: what cannot be meant is exit 2 with what to try", async () => {
  for (const args of [["--only", "gopher"], ["--only", "("], ["--rounds", "0"], ["--fast"]]) {
    await assert.rejects(bench(args), (error: Error & { code: number; stderr: string }) => {
      assert.equal(error.code, 2, error.stderr);
      assert.match(error.stderr, /^bench: .+\n$/);
      return true;
    });
  }
});

test("README's table has every row", () => {
  const shown = /^<!-- bench output -->\n```text\n[^\n]*\n(.*?)\n\n/ms.exec(readFileSync(`${ROOT}README.md`, "utf8"))?.[1];
  const names = shown?.split("\n").map((line) => line.split(/ {2,}/, 2).join(": "));
  assert.deepEqual(names, speedRows());
});
