import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

test("the README's example prints what it says", () => {
  const readme = readFileSync(new URL("README.md", import.meta.url), "utf8");
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1];
  const printed = /It prints\n\n```\n([\s\S]*?)```/.exec(readme)?.[1];
  assert.ok(example !== undefined && printed !== undefined);
  const args = ["--conditions=wiretally-source", "--import", "tsx", "--input-type=module", "--eval", example];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    encoding: "utf8",
  });
  assert.equal(stdout, printed, stderr);
});
