import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startHttp1Server } from "../../src/servers/http1-server.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const README = readFileSync(`${ROOT}README.md`, "utf8");
/** What the README's trace was made with: others send other fields. */
const CURL = "curl 7.88.1 ";
/** Ports that the README's trace names. */
const PORTS = [9000, 50051, 8081, 8082];

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
  // Flow control and the second at which a date changes move the figures a little.
  const shape = (text: string) =>
    text
      .trim()
      .replaceAll(/\d+(\.\d+)?/g, "#")
      .replaceAll(/ +/g, " ");
  assert.equal(shape(stdout), shape(block("demo output")));
});

test("README: the trace is what the commands print", async (t) => {
  const reason = await cannotTrace();
  if (reason !== null) {
    t.skip(reason);
    return;
  }
  const [serve = "", proxy = "", curl = ""] = block("trace").split("\n");
  const servers = await startCommand(t, serve, /^listening http2 /m);
  const relay = await startCommand(t, proxy, /^listening /m);
  await promisify(execFile)("bash", ["-c", curl], { cwd: ROOT });
  await relay.stop("SIGINT");
  await servers.stop("SIGTERM");
  assert.deepEqual(comparable(relay.stdout()), comparable(block("trace output")));
});

test("README: the library's example prints what its comment says", async (t) => {
  const server = await startHttp1Server({ host: "127.0.0.1", port: 0 });
  t.after(() => server.close());
  // Inside the package, so that its own name resolves.
  mkdirSync(`${ROOT}build`, { recursive: true });
  const file = `${ROOT}build/readme-example.mjs`;
  writeFileSync(file, block("library").replace("8081", `${server.port}`));
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: ROOT });
  assert.equal(stdout.trim().split("\n").at(-1), "8");
});

/** Why the trace cannot be made here as it was made; null when it can. */
async function cannotTrace(): Promise<string | null> {
  const { stdout } = spawnSync("curl", ["--version"], { encoding: "utf8" });
  if (!stdout?.startsWith(CURL)) return `the trace was made with ${CURL.trim()}`;
  for (const port of PORTS) {
    const server = createServer();
    try {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    } catch {
      return `port ${port} is in use`;
    } finally {
      server.close();
    }
  }
  return null;
}

/** Starts a line of the README as the built command, and waits until stderr says that it is ready. */
async function startCommand(t: TestContext, line: string, ready: RegExp) {
  const words = /^npx wiretally (.*) &$/.exec(line)?.[1];
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
  while (!ready.test(texts.stderr)) {
    assert.equal(child.exitCode, null, texts.stderr);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await once(child, "close");
  };
  return { stop, stdout: () => texts.stdout };
}

/**
 * A trace without what differs from run to run, by direction: which side speaks first is a matter of microseconds. The client's lines
 * stay as they are; where the response's date is part of a figure (its Huffman code is as long as its digits make it), only the shape.
 */
function comparable(trace: string): { readonly c2s: string[]; readonly s2c: string[]; readonly rest: string[] } {
  const parts: ReturnType<typeof comparable> = { c2s: [], s2c: [], rest: [] };
  let current: keyof typeof parts = "rest";
  for (const line of trace.trimEnd().split("\n")) {
    const continued = line.startsWith(" ".repeat(10));
    if (!continued) current = (/^\[[^\]]*\] c1 (c2s|s2c) /.exec(line)?.[1] as "c2s" | "s2c" | undefined) ?? "rest";
    const dated = current === "rest" || /HEADERS frame|date: /.test(line);
    parts[current].push(current === "c2s" || !dated ? withoutTime(line) : shapeOf(line));
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
