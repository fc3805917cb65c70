import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { run } from "./cli.ts";

/** A command line in this process: exit code and what was written. */
async function ran(argv: readonly string[], env: Record<string, string> = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await run(argv, { stdout, stderr, env });
  return { code, stdout: String(stdout.read() ?? ""), stderr: String(stderr.read() ?? "") };
}

test("bad usage is one line on stderr that says what to try, and exit 2", async () => {
  const L = ["-L", "0:127.0.0.1:9"];
  const table: [string[], RegExp][] = [
    [[], /^wiretally: no command \(try /],
    [["prox"], /^wiretally: unknown command prox \(did you mean proxy\?\)$/],
    [["--color", "never", "prox"], /^wiretally: unknown command prox \(did you mean proxy\?\)$/],
    [["proxy"], /^wiretally: nothing to listen on \(try for example -L /],
    [["proxy", "-L"], /^wiretally: -L needs a value$/],
    [["proxy", "-L", "foo"], /^wiretally: listener "foo": no target \(try /],
    [["proxy", "-L", "8080:"], /^wiretally: listener "8080:": no target \(try /],
    [["proxy", "-L", "99999:h:1"], /^wiretally: listener "99999:h:1": port 99999 is above 65535/],
    [["proxy", ...L, "--trac", "off"], /^wiretally: unknown option --trac \(did you mean --trace\?\)$/],
    [["proxy", ...L, "--jsn=x"], /^wiretally: unknown option --jsn \(did you mean --json\?\)$/],
    [["proxy", ...L, "-x"], /^wiretally: unknown option -x$/],
    // Built by other issues: unknown until then, never accepted and ignored.
    [["proxy", ...L, "-w", "x.pcapng"], /^wiretally: unknown option -w$/],
    [["proxy", ...L, "--keylog", "x"], /^wiretally: unknown option --keylog$/],
    [["proxy", ...L, "extra"], /^wiretally: proxy takes no "extra" \(try wiretally proxy --help\)$/],
    [["proxy", ...L, "--trace", "framse"], /^wiretally: --trace: "framse" is not one of off, .* \(did you mean frames\?\)$/],
    [["proxy", ...L, "--idle-timeout", "soon"], /^wiretally: --idle-timeout: "soon" is no duration \(try 30s, /],
    [["proxy", ...L, "-c", "0"], /^wiretally: --count: "0" is no whole number of at least 1$/],
    [["proxy", ...L, "--interval", "5"], /^wiretally: --interval .* needs --json FILE$/],
    [["proxy", ...L, "--json", "-", "--format", "ndjson"], /^wiretally: two documents would go to stdout/],
    [["proxy", ...L, "--config", "/nonexistent"], /^wiretally: --config \/nonexistent: there is no such file$/],
    [["schema"], /^wiretally: schema needs an argument \(try wiretally schema --help\)$/],
    [["schema", "tallly"], /^wiretally: no schema "tallly", only tally and event \(did you mean tally\?\)$/],
    [["demo", "--sizes", "smal"], /^wiretally: --sizes: "smal" is not one of small, medium, large \(did you mean small\?\)$/],
    [["demo", "--size", "small"], /^wiretally: unknown option --size \(did you mean --sizes\?\)$/],
    [["serve", "--grpc-port", "99999"], /^wiretally: --grpc-port: "99999" is no port \(0 to 65535\)$/],
  ];
  for (const [argv, line] of table) {
    const { code, stdout, stderr } = await ran(argv);
    assert.deepEqual([code, stdout, stderr.split("\n").length], [2, "", 2], `${argv.join(" ")}: ${stderr}`);
    assert.match(stderr.trimEnd(), line);
  }
});

test("a wrong environment variable is named", async () => {
  const { code, stderr } = await ran(["proxy", "-L", "0:127.0.0.1:9"], { WIRETALLY_TIME: "local" });
  assert.deepEqual([code, stderr], [2, 'wiretally: WIRETALLY_TIME: "local" is not one of rel, abs, delta\n']);
});

test("a result that could never be written is told before anything is served, exit 1", async () => {
  const { code, stderr } = await ran(["proxy", "-L", "0:127.0.0.1:9", "--json", "/nonexistent/t.json"]);
  assert.deepEqual([code, stderr], [1, "wiretally: cannot write /nonexistent/t.json: the folder does not exist (ENOENT)\n"]);
});

test("schemas are printed as JSON Schema of draft 2020-12", async () => {
  for (const [name, title] of [
    ["tally", "wiretally.tally/1"],
    ["event", "wiretally.event/1"],
  ] as const) {
    const { code, stdout } = await ran(["schema", name]);
    assert.equal(code, 0);
    const schema = JSON.parse(stdout) as Record<string, unknown>;
    assert.deepEqual([schema["$schema"], schema["title"]], ["https://json-schema.org/draft/2020-12/schema", title]);
  }
});
