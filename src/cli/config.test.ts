import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { UsageError } from "../proxy/listen-spec.ts";
import { configSchema, readConfig } from "./config.ts";
import { PROXY_FLAGS, READ_FLAGS } from "./flags.ts";

function fileWith(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), "wiretally-")), "config");
  writeFileSync(path, text);
  return path;
}

test("YAML and JSON", async () => {
  const expected = { listen: ["8080:127.0.0.1:9090"], trace: "frames", notes: true, "idle-timeout": 30, redact: ["x-tenant"] };
  const yaml =
    "# a comment\nlisten:\n  - 8080:127.0.0.1:9090\ntrace: frames\nnotes: true\nidle-timeout: 30\nredact: [x-tenant]\n";
  assert.deepEqual(await readConfig(fileWith(yaml)), expected);
  assert.deepEqual(await readConfig(fileWith(JSON.stringify(expected))), expected);
  assert.deepEqual(await readConfig(fileWith("")), {});
});

test("what is wrong is told in one line", async () => {
  const table: [string, RegExp][] = [
    ["trac: off\n", /^--config .*: unknown key "trac" \(did you mean trace\?\)$/],
    ["notes: maybe\n", /^--config .*: notes: must be true or false$/],
    ["notes:\n", /: notes: must be true or false$/],
    ["listen: 8080\n", /: listen: must be a text or a list of texts$/],
    ["listen: [8080]\n", /: listen: must be a text or a list of texts$/],
    ["redact: {a: b}\n", /: redact: must be a text or a list of texts$/],
    ["trace: 1\n", /: trace: must be a text$/],
    ["count: many\n", /: count: must be a number$/],
    ["duration: [1]\n", /: duration: must be a number of seconds or a text such as 30s$/],
    ["a: [1\nb: 2\n", /^--config .*: neither YAML nor JSON at line \d+, column \d+: ./],
    ["a: *nowhere\n", /^--config .*: neither YAML nor JSON.*: ./],
    ["- 1\n", /^--config .*: the file must be a map of options$/],
    ["text\n", /: the file must be a map of options$/],
  ];
  for (const [text, message] of table) {
    await assert.rejects(readConfig(fileWith(text)), (error: unknown) => {
      assert.ok(error instanceof UsageError);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    });
  }
  await assert.rejects(readConfig("/nonexistent/wiretally.yaml"), {
    message: "--config /nonexistent/wiretally.yaml: there is no such file",
  });
});

test("the file knows every option of proxy and read but itself", () => {
  const keys = new Set(Object.keys(configSchema.shape));
  for (const flag of Object.keys({ ...PROXY_FLAGS, ...READ_FLAGS })) assert.equal(keys.has(flag), flag !== "config", flag);
});
