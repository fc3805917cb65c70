import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { REQUIRE_ALL } from "../shared.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const README = readFileSync(`${ROOT}README.md`, "utf8");
/** What the README's trace was made with: others send other fields. */
const CURL = "curl 7.88.1 ";

/** The text of the code block that follows the comment `<!-- mark -->`. */
function block(mark: string): string {
  const found = new RegExp(`<!-- ${mark} -->\n\`\`\`\\w+\n(.*?)\n\`\`\``, "s").exec(README)?.[1];
  assert.ok(found !== undefined, `README.md has a block marked ${mark}`);
  return found;
}

test("README: the demo prints the table that is shown", async () => {
  const command = block("demo");
  // What installs the project has run already: it is how this test came here.
  assert.match(command, /^npm ci && npx wiretally demo$/);
  const { stdout } = await promisify(execFile)("npx", ["wiretally", "demo"], { cwd: ROOT });
  // Flow control and the second at which a date changes move the figures a little; a difference may be there in one run and not in another.
  const shape = (text: string) =>
    text
      .trim()
      .replaceAll(/ +[+-]\d+(\.\d+)?/g, "")
      .replaceAll(/\d+(\.\d+)?/g, "#")
      .replaceAll(/ +/g, " ");
  assert.equal(shape(stdout), shape(block("demo output")));
});

test("README: the trace is what the commands print", async (t) => {
  const { stdout: version } = spawnSync("curl", ["--version"], { encoding: "utf8" });
  if (!version?.startsWith(CURL)) {
    if (REQUIRE_ALL)
      throw new Error(`the README's trace was made with ${CURL.trim()}, which is not here, and WIRETALLY_REQUIRE_ALL=1`);
    t.skip(`the trace was made with ${CURL.trim()}`);
    return;
  }
  const [serve = "", proxy = "", ...lines] = block("trace").split("\n");
  const curl = lines.join("\n");
  // The same commands on ports that are free here.
  const anyPorts = serve.replace("serve", "serve --grpc-port 0 --http1-port 0 --http2-port 0");
  const servers = await startCommand(t, anyPorts, /^listening http2 127\.0\.0\.1:(\d+) /m);
  const relay = await startCommand(t, proxy.replace("9000", "0").replace("8082", servers.port), /^listening \S+ \S+:(\d+) /m);
  await promisify(execFile)("bash", ["-c", curl.replace("9000", relay.port)], { cwd: ROOT });
  await relay.stop("SIGINT");
  await servers.stop("SIGTERM");
  assert.deepEqual(comparable(relay.stdout()), comparable(block("trace output")));
});

/** Starts a line of the README as the built command, and waits until stderr says that it is ready, with the port in a group. */
async function startCommand(t: TestContext, line: string, ready: RegExp) {
  const words = /^npx wiretally (.*?) +# .*$/.exec(line)?.[1];
  assert.ok(words !== undefined, line);
  const child = spawn(process.execPath, ["dist/cli.js", ...words.split(" ")], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  t.after(() => {
    child.kill("SIGKILL");
  });
  const texts = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    texts.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    texts.stderr += text;
  });
  let port = ready.exec(texts.stderr)?.[1];
  while (port === undefined) {
    assert.equal(child.exitCode, null, texts.stderr);
    await new Promise((resolve) => setTimeout(resolve, 20));
    port = ready.exec(texts.stderr)?.[1];
  }
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await once(child, "close");
  };
  return { port, stop, stdout: () => texts.stdout };
}

/**
 * A trace without what differs from run to run, by direction: which side speaks first is a matter of microseconds. Where a port or the
 * response's date is part of a figure (their Huffman codes are as long as their digits make them), only the shape is left.
 */
function comparable(trace: string): { readonly c2s: string[]; readonly s2c: string[]; readonly rest: string[] } {
  const parts: ReturnType<typeof comparable> = { c2s: [], s2c: [], rest: [] };
  let current: keyof typeof parts = "rest";
  for (const line of trace.trimEnd().split("\n")) {
    const continued = line.startsWith(" ".repeat(10));
    if (!continued) current = (/^\[[^\]]*\] c1 (c2s|s2c) /.exec(line)?.[1] as "c2s" | "s2c" | undefined) ?? "rest";
    const varies = current === "rest" || /HEADERS frame|:authority: |date: /.test(line);
    parts[current].push(varies ? shapeOf(line) : withoutTime(line));
  }
  return parts;
}

function withoutTime(line: string): string {
  return line.replace(/^\[ *[\d.]+\]/, "[time]");
}

/** Each figure a `#`, each bar gone, each gap one space; a date without its words. */
function shapeOf(text: string): string {
  return text
    .replace(/date: .* GMT/, "date: DATE")
    .replaceAll(/\d+(\.\d+)?/g, "#")
    .replaceAll(/[█▏▎▍▌▋▊▉]+/g, "")
    .replaceAll(/(µ|m)s$/gm, "s")
    .replaceAll(/ +/g, " ")
    .trim();
}
