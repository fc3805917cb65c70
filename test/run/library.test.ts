import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startHttp1Server } from "../../src/servers/http1-server.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The JavaScript blocks below README's heading "Library", in their order. */
function examples(): readonly string[] {
  const section = /^## Library\n(.*?)^## /ms.exec(readFileSync(`${ROOT}README.md`, "utf8"))?.[1];
  assert.ok(section !== undefined, "README.md has a section Library");
  return [...section.matchAll(/^```js\n(.*?)^```$/gms)].map((found) => found[1] ?? "");
}

/** Run a program as one that has the package installed. Rejects when it fails. @returns its stdout. */
async function run(name: string, program: string): Promise<string> {
  // Inside the package, so that its own name resolves.
  mkdirSync(`${ROOT}build`, { recursive: true });
  const file = `${ROOT}build/${name}.mjs`;
  writeFileSync(file, program);
  // It is not a part of this test's process, and says for itself how its tests went.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: ROOT, env });
  return stdout;
}

test("README: the test that asserts octets passes, has five lines, and fails for one octet more", async (t) => {
  const server = await startHttp1Server({ host: "127.0.0.1", port: 0 });
  t.after(() => server.close());
  const example = examples()[0]?.replace(":8081", `:${server.port}`) ?? "";
  const body = /^test\([^\n]*\n(.*?)^\}\);/ms.exec(example)?.[1] ?? "";
  assert.equal(body.trimEnd().split("\n").length, 5);

  assert.match(await run("library-test", example), /pass 1\b/);
  const dearer = example.replace(`'{"id":7}'`, `'{"id": 7}'`);
  assert.notEqual(dearer, example);
  await assert.rejects(run("library-test-dearer", dearer), ({ stdout }: { stdout: string }) => {
    // The difference that node:test prints.
    assert.match(stdout, /^ *\+ +json_text: 8/m);
    return true;
  });
});

test("README: the schema example prints what its comment says", async () => {
  const example = examples()[1] ?? "";
  const said = /console\.log\(.*\); \/\/ (.*)$/m.exec(example)?.[1];
  assert.equal((await run("library-schemas", example)).trim(), said);
});
