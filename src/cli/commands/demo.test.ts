import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { after, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { DemoDocument } from "../../views/demo-json.ts";
import { demoJsonSchema } from "../../views/demo-schema.ts";
import { run } from "../cli.ts";

const folder = mkdtempSync(join(tmpdir(), "wiretally-demo-"));
after(() => rmSync(folder, { recursive: true }));

const ajv = new Ajv2020({ strict: true, allErrors: true });
const valid = ajv.compile<DemoDocument>(demoJsonSchema() as object);

function documentIn(text: string): DemoDocument {
  const document: unknown = JSON.parse(text);
  assert.ok(valid(document), ajv.errorsText(valid.errors));
  return document;
}

/** A quick demo in this process: exit code and what was written. */
async function demo(argv: readonly string[], env: Record<string, string> = {}) {
  const texts = { stdout: "", stderr: "" };
  const into = (name: keyof typeof texts): Writable =>
    new Writable({
      write: (chunk, _encoding, done) => {
        texts[name] += String(chunk);
        done();
      },
    });
  const words = ["demo", "--sizes", "small", "--calls", "5", ...argv];
  const code = await run(words, { stdout: into("stdout"), stderr: into("stderr"), env });
  assert.deepEqual([code, texts.stderr], [0, ""]);
  return texts.stdout;
}

test("-o FILE.json is the document, valid by its schema; --json the tally beside it; the tables go to stdout", async () => {
  const [output, json] = [join(folder, "demo.json"), join(folder, "tally.json")];
  const stdout = await demo(["-o", output, "--json", json]);
  assert.match(stdout, /^JSON over HTTP\/1\.1 minus gRPC/m);
  const { schema, figures, bridges } = documentIn(readFileSync(output, "utf8"));
  assert.equal(schema, "wiretally.demo/1");
  assert.deepEqual(
    figures.map(({ size, stack, warm }) => [size, stack, warm.calls]),
    [
      ["small", "grpc", 5],
      ["small", "http2", 5],
      ["small", "http1", 5],
    ],
  );
  assert.deepEqual(
    bridges.map(({ to }) => to),
    ["http2", "http1"],
  );
  assert.equal(JSON.parse(readFileSync(json, "utf8")).schema, "wiretally.tally/1");
});

test("--format json alone writes the document to stdout, and nothing else", async () => {
  const { bridges } = documentIn(await demo(["--format", "json"]));
  const http1 = bridges.find(({ to }) => to === "http1");
  // 196 - 71 octets a request: the reference's figures for these two clients.
  assert.deepEqual(http1?.c2s.difference, 5 * (196 - 71));
});

test("-o FILE without an ending has the tables, without colours, and stdout nothing", async () => {
  const output = join(folder, "tables");
  assert.equal(await demo(["-o", output, "--bridge", "http2"], { FORCE_COLOR: "1" }), "");
  const text = readFileSync(output, "utf8");
  assert.match(text, /^JSON over HTTP\/2 minus gRPC/m);
  assert.doesNotMatch(text.replaceAll("\n", ""), /\p{Cc}/u);
});

test("--format text is the tables on stdout, coloured as ever; the bridge may be set in the environment", async () => {
  const text = await demo(["--format", "text"], { FORCE_COLOR: "1", WIRETALLY_BRIDGE: "http2" });
  assert.match(text, /JSON over HTTP\/2 minus gRPC/);
  assert.ok(text.includes("\x1b["), "no colour in it");
});
