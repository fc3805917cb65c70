import assert from "node:assert/strict";
import { chmodSync, lstatSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { checkReplaceable, replaceFile } from "./replace-file.ts";

const folder = (): string => mkdtempSync(join(tmpdir(), "wiretally-"));

test("a file is replaced whole, keeps its permissions, and leaves nothing beside it", async () => {
  const path = join(folder(), "tally.json");
  await checkReplaceable(path);
  await replaceFile(path, "one");
  chmodSync(path, 0o600);
  await checkReplaceable(path);
  await replaceFile(path, "two");
  assert.equal(readFileSync(path, "utf8"), "two");
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(join(path, "..")), ["tally.json"]);
});

test("a link stays a link, and a device a device", async () => {
  const base = folder();
  const [real, link, nowhere] = [join(base, "real"), join(base, "link"), join(base, "nowhere")];
  writeFileSync(real, "old");
  symlinkSync(real, link);
  symlinkSync(join(base, "made"), nowhere);
  await replaceFile(link, "new");
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.equal(readFileSync(real, "utf8"), "new");
  await replaceFile(nowhere, "new");
  assert.ok(lstatSync(nowhere).isSymbolicLink());
  assert.equal(readFileSync(join(base, "made"), "utf8"), "new");
  await replaceFile("/dev/null", "gone");
  assert.ok(statSync("/dev/null").isCharacterDevice());
});

test("what cannot be written is refused, the old content stays", async () => {
  const base = folder();
  await assert.rejects(checkReplaceable(join(base, "missing", "t.json")), { code: "ENOENT" });
  await assert.rejects(replaceFile(join(base, "missing", "t.json"), "x"), { code: "ENOENT" });
  await assert.rejects(checkReplaceable(base), { code: "EISDIR" });
  assert.deepEqual(readdirSync(base), []);
});
