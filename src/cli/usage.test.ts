import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { run } from "./cli.ts";

/** A command line in this process: exit code and what was written. */
async function ran(argv: readonly string[], env: Record<string, string> = {}) {
  const texts = { stdout: "", stderr: "" };
  const into = (name: keyof typeof texts): Writable =>
    new Writable({
      write: (chunk, _encoding, done) => {
        texts[name] += String(chunk);
        done();
      },
    });
  const code = await run(argv, { stdout: into("stdout"), stderr: into("stderr"), env });
  return { code, ...texts };
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
    [["proxy", ...L, "--idle-timeout", "soon"], /^wiretally: --idle-timeout: "soon" is not a duration \(try 30s, /],
    [["proxy", ...L, "-c", "0"], /^wiretally: --count: "0" is not a whole number ≥ 1$/],
    [["proxy", ...L, "--interval", "5"], /^wiretally: --interval .* needs --json FILE$/],
    [["proxy", ...L, "--json", "-", "--format", "ndjson"], /^wiretally: two documents would go to stdout/],
    [["proxy", ...L, "--config", "/nonexistent"], /^wiretally: --config \/nonexistent: there is no such file$/],
    [["proxy", ...L, "--strict=maybe"], /^wiretally: --strict: "maybe" is neither true nor false$/],
    [["proxy", ...L, "--notes="], /^wiretally: --notes: "" is neither true nor false$/],
    [["proxy", ...L, "-q=maybe"], /^wiretally: -q: "maybe" is neither true nor false$/],
    [["proxy", ...L, "-q1"], /^wiretally: -q: "1" is neither true nor false$/],
    [["proxy", ...L, "-v=3"], /^wiretally: -v takes no value \(repeat it: -vvv\)$/],
    [["proxy", ...L, "--verbose=2"], /^wiretally: --verbose takes no value \(repeat it: -vvv\)$/],
    [["proxy", "--help=maybe"], /^wiretally: --help: "maybe" is neither true nor false$/],
    [["--version=maybe"], /^wiretally: --version: "maybe" is neither true nor false$/],
    [["proxy", ...L, "--no-json"], /^wiretally: unknown option --no-json$/],
    [["proxy", ...L, "--no-verbose"], /^wiretally: unknown option --no-verbose$/],
    [["proxy", ...L, "--idleTimeout", "5s"], /^wiretally: unknown option --idleTimeout/],
    [["proxy", ...L, "--json.x", "t.json"], /^wiretally: unknown option --json\.x/],
    [["proxy", ...L, "--trace", "off", "--trace", "frames"], /^wiretally: --trace is given 2 times \(once is enough\)$/],
    [["proxy", ...L, "-c", "1", "--count", "2"], /^wiretally: --count is given 2 times \(once is enough\)$/],
    [["schema", "tally", "--color=never", "--color=never"], /^wiretally: --color is given 2 times/],
    [["proxy", ...L, "-qv"], /^wiretally: --quiet and --verbose contradict each other$/],
    [["proxy", ...L, "-q", "--trace", "frames"], /^wiretally: --quiet and --trace contradict each other$/],
    [["proxy", ...L, "-v", "--trace", "fields"], /^wiretally: --verbose and --trace contradict each other$/],
    [
      ["proxy", ...L, "-o", "x.csv"],
      /^wiretally: -o x\.csv: the format csv is not built, only text, json, ndjson \(--format text writes/,
    ],
    [["proxy", ...L, "-o", "dir/X.HTML"], /^wiretally: -o dir\/X\.HTML: the format html is not built/],
    [["completion", "tcsh"], /^wiretally: no completion script for tcsh, only for bash and zsh$/],
    [["completion", "bas"], /^wiretally: no completion script for bas, only for bash and zsh \(did you mean bash\?\)$/],
    [["completion", "bash", "--nosuch"], /^wiretally: unknown option --nosuch$/],
    [["completion", "bash", "zsh"], /^wiretally: completion takes no "zsh" /],
    [["completion"], /^wiretally: which shell\? \(wiretally completion bash, or zsh\)$/],
    [["schema"], /^wiretally: schema needs an argument \(try wiretally schema --help\)$/],
    [["schema", "tallly"], /^wiretally: no schema "tallly", only tally, event and demo \(did you mean tally\?\)$/],
    [["demo", "--sizes", "smal"], /^wiretally: --sizes: "smal" is not one of small, medium, large \(did you mean small\?\)$/],
    [["demo", "--size", "small"], /^wiretally: unknown option --size \(did you mean --sizes\?\)$/],
    [["demo", "--format", "ndjson"], /^wiretally: --format: "ndjson" is not one of text, json/],
    [["demo", "--bridge", "http3"], /^wiretally: --bridge: "http3" is not one of http1, http2 \(did you mean http[12]\?\)$/],
    [
      ["demo", "-o", "x.ndjson"],
      /^wiretally: -o x\.ndjson: the format ndjson is not built, only text, json \(--format text writes/,
    ],
    [["demo", "--format", "json", "--json", "-"], /^wiretally: two documents would go to stdout/],
    [["serve", "--grpc-port", "99999"], /^wiretally: --grpc-port: "99999" is not a port \(0 to 65535\)$/],
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

test("a shell without a script is named, also when it is from $SHELL", async () => {
  const { code, stdout, stderr } = await ran(["completion"], { SHELL: "/usr/bin/fish" });
  assert.deepEqual([code, stdout, stderr], [2, "", "wiretally: no completion script for fish, only for bash and zsh\n"]);
});

test("the completion script is for the shell that was asked for, or for $SHELL", async () => {
  const [bash, zsh, own] = [
    await ran(["completion", "bash"], { SHELL: "/bin/zsh" }),
    await ran(["completion", "zsh"], { SHELL: "/bin/bash" }),
    await ran(["completion"], { SHELL: "/bin/zsh" }),
  ];
  assert.deepEqual([bash.code, zsh.code, own.code], [0, 0, 0], bash.stderr + zsh.stderr + own.stderr);
  assert.match(bash.stdout, /^complete .* wiretally$/m);
  assert.match(bash.stdout, /SHELL=bash wiretally --get-yargs-completions/);
  assert.match(bash.stdout, /wiretally completion bash >> ~\/\.bashrc/);
  assert.match(zsh.stdout, /^#compdef wiretally$/m);
  assert.match(zsh.stdout, /SHELL=zsh wiretally --get-yargs-completions/);
  assert.equal(own.stdout, zsh.stdout);
});

test("a page of help: placeholders, and what applies to its command only", async () => {
  const pages = new Map<string, string>();
  for (const page of ["", "proxy", "serve", "demo", "schema", "completion"]) {
    const { code, stdout, stderr } = await ran([...(page === "" ? [] : [page]), "--help"]);
    assert.deepEqual([code, stderr], [0, ""], page);
    assert.doesNotMatch(stdout, /\[(string|boolean|count|array)\]/, page);
    for (const line of stdout.split("\n")) assert.ok(line.length <= 100, `${page}: ${line}`);
    pages.set(page, stdout.replaceAll(/\s+/g, " "));
    if (page === "serve") assert.ok(stdout.split("\n").length <= 20, stdout);
  }
  for (const onProxy of [/--config/, /4 --strict failed/, /trace reader/, /256 KiB/, /5 s/]) {
    for (const [page, text] of pages) {
      if (page === "" || page === "proxy") assert.match(text, onProxy, page);
      else assert.doesNotMatch(text, onProxy, page);
    }
  }
  const proxy = pages.get("proxy") ?? "";
  for (const words of [
    /-L, --listen SPEC/,
    /-c, --count N/,
    /--duration TIME/,
    /--json FILE/,
    /if several apply: 2, then 1, then 4/,
  ]) {
    assert.match(proxy, words);
  }
  assert.match((await ran(["-h"])).stdout, /^wiretally COMMAND: /);
  assert.match((await ran(["--json", "--help", "proxy", "-h"])).stdout, /^wiretally proxy: /);
  assert.match((await ran(["proxy", "--json", "--version", "--version"])).stdout, /^\d+\.\d+\.\d+\n$/);
});

test("a result that could never be written is told before anything is served, exit 1", async () => {
  const { code, stderr } = await ran(["proxy", "-L", "0:127.0.0.1:9", "--json", "/nonexistent/t.json"]);
  assert.deepEqual([code, stderr], [1, "wiretally: cannot write /nonexistent/t.json: the folder does not exist (ENOENT)\n"]);
});

test("schemas are printed as JSON Schema of draft 2020-12", async () => {
  for (const [name, title] of [
    ["tally", "wiretally.tally/1"],
    ["event", "wiretally.event/1"],
    ["demo", "wiretally.demo/1"],
  ] as const) {
    const { code, stdout } = await ran(["schema", name]);
    assert.equal(code, 0);
    const schema = JSON.parse(stdout) as Record<string, unknown>;
    assert.deepEqual([schema["$schema"], schema["title"]], ["https://json-schema.org/draft/2020-12/schema", title]);
  }
});
