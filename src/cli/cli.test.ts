import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdtempSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, get } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { CliProcess } from "../../test/cli-process.ts";
import type { Tally } from "../ledger/tally.ts";

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const fileIn = (name: string): string => join(mkdtempSync(join(tmpdir(), "wiretally-")), name);
const tallyIn = (path: string): Tally => JSON.parse(readFileSync(path, "utf8")) as Tally;

const web = createServer((_request, response) => response.end("hello"));
/** Answers every octet with the same one. */
const echo = createTcpServer((socket) => socket.on("error", () => {}).pipe(socket));
let toWeb: string[] = [];
let toEcho: string[] = [];

before(async () => {
  for (const server of [web, echo]) await once(server.listen(0, "127.0.0.1"), "listening");
  toWeb = ["proxy", "-L", `web=0:127.0.0.1:${portOf(web)}`];
  toEcho = ["proxy", "-L", `echo=0:127.0.0.1:${portOf(echo)}`];
});
after(() => {
  CliProcess.endAll();
  web.close();
  echo.close();
});

/** One request on a connection of its own; resolves to the body. */
function fetched(port: number, path = "/"): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, path, agent: false }, (response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      response.on("end", () => resolve(body));
    }).on("error", reject);
  });
}

/** A connection on which `text` went there and came back. */
async function talking(port: number, text: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  socket.write(text);
  await once(socket, "data");
  return socket;
}

test("a line a call on stdout, the summary after SIGINT, exit 0", async () => {
  const cli = new CliProcess(toWeb);
  const [port = 0] = await cli.ports();
  assert.equal(await fetched(port, "/a?token=abc"), "hello");
  await cli.until(() => cli.stdout.includes("\n"));
  cli.signal("SIGINT");
  assert.equal(await cli.ended(), 0);
  const [line = "", ...rest] = cli.stdout.split("\n");
  assert.match(
    line,
    /^\[ +\d+\.\d{3}\] c1\.r1 +http1 +GET \/a\?token=\[redacted 3 octets\] +200 +c2s +\d+ +s2c +\d+ +\d+\.\d{3} ms$/,
  );
  assert.match(rest.join("\n"), /\nsums close: \d+ \+ \d+ = \d+ octets, all attributed\n$/);
  // Where the machine is busy the signal can come before the connection is over.
  const narration = cli.stderr.replace(/^wiretally: stopping: 1 open connection may finish for 5 s .*\n/m, "");
  assert.equal(narration, `listening web 127.0.0.1:${port} -> 127.0.0.1:${portOf(web)}\n`);
});

test("-c 1 --json -: stdout is the tally and nothing else", async () => {
  const cli = new CliProcess([...toWeb, "-c", "1", "--json", "-", "--strict"]);
  const [port = 0] = await cli.ports();
  await fetched(port);
  assert.equal(await cli.ended(), 0, cli.stderr);
  const tally = JSON.parse(cli.stdout) as Tally;
  assert.equal(tally.connections.length, 1);
  assert.equal(tally.routes[0]?.route, "GET /");
});

test("--format ndjson: an event a line, from listening to close", async () => {
  const cli = new CliProcess([...toWeb, "-c", "1", "--format", "ndjson", "--trace", "frames"]);
  const [port = 0] = await cli.ports();
  await fetched(port);
  assert.equal(await cli.ended(), 0);
  const events = cli.stdout
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { event: string }).event);
  assert.deepEqual([events[0], events[1], events.at(-1)], ["listening", "connection", "close"]);
  assert.ok(events.includes("frame") && events.includes("exchange"));
  assert.match(cli.stderr, /^wiretally: stdout carries the document, so the trace is off$/m);
});

test("a port in use: one line, exit 1", async () => {
  const cli = new CliProcess(["proxy", "-L", `${portOf(echo)}:127.0.0.1:9`]);
  assert.equal(await cli.ended(), 1);
  assert.match(cli.stderr, new RegExp(`^wiretally: cannot listen on 127\\.0\\.0\\.1:${portOf(echo)}: .*EADDRINUSE.*\\n$`));
  assert.equal(cli.stdout, "");
});

test("a target that does not resolve: the client's connection closes, the target is named, the proxy goes on", async () => {
  const cli = new CliProcess(["proxy", "-L", "bad=0:name.invalid:80", "-L", `web=0:127.0.0.1:${portOf(web)}`]);
  const [bad = 0, good = 0] = await cli.ports(2);
  const socket = connect(bad, "127.0.0.1").on("error", () => {});
  await new Promise((resolve) => socket.on("close", resolve));
  await cli.until(() => /^wiretally: .*name\.invalid/m.test(cli.stderr));
  assert.equal(await fetched(good), "hello");
  cli.signal("SIGTERM");
  assert.equal(await cli.ended(), 0);
});

test("the first signal lets connections finish, the second ends them; both write the results", async () => {
  const json = fileIn("tally.json");
  const cli = new CliProcess([...toEcho, "--json", json]);
  const [port = 0] = await cli.ports();
  const socket = await talking(port, "\u0000opaque");
  cli.signal("SIGINT");
  await cli.until(() => /^wiretally: stopping: 1 open connection may finish for 5 s/m.test(cli.stderr));
  socket.write("more");
  assert.equal(String((await once(socket, "data"))[0]), "more");
  const signalled = Date.now();
  cli.signal("SIGINT");
  assert.equal(await cli.ended(), 0);
  assert.ok(Date.now() - signalled < 4000);
  assert.equal(tallyIn(json).totals.c2s.octets, 11);
});

test("SIGHUP, a terminal that closes, is an orderly end too, however often it comes", async () => {
  const json = fileIn("tally.json");
  const cli = new CliProcess([...toEcho, "--json", json]);
  const [port = 0] = await cli.ports();
  const socket = await talking(port, "\u0000opaque");
  // The shell and the system may each send one: they are one wish, not three.
  for (let n = 0; n < 3; n++) cli.signal("SIGHUP");
  await cli.until(() => /^wiretally: stopping: 1 open connection may finish for 5 s/m.test(cli.stderr));
  cli.signal("SIGHUP");
  socket.write("more");
  assert.equal(String((await once(socket, "data"))[0]), "more");
  socket.end();
  assert.equal(await cli.ended(), 0);
  assert.equal(tallyIn(json).totals.c2s.octets, 11);
});

test("--strict: exit 4 when octets are opaque, and it says so", async () => {
  const cli = new CliProcess([...toEcho, "-c", "1", "--strict", "-q"]);
  const [port = 0] = await cli.ports();
  (await talking(port, "\u0000opaque")).end();
  assert.equal(await cli.ended(), 4);
  assert.match(cli.stderr, /^wiretally: --strict: 14 octets are unattributed/m);
});

test("--interval and SIGUSR1 rewrite the tally while it runs", async () => {
  const [often, once_] = [fileIn("often.json"), fileIn("once.json")];
  const timed = new CliProcess([...toEcho, "--json", often, "--interval", "100ms"]);
  const asked = new CliProcess([...toEcho, "--json", once_]);
  const sockets = [
    await talking((await timed.ports())[0] ?? 0, "\u0000abc"),
    await talking((await asked.ports())[0] ?? 0, "\u0000abc"),
  ];
  asked.signal("SIGUSR1");
  await timed.until(() => existsSync(often) && tallyIn(often).totals.s2c.octets === 4);
  await asked.until(() => existsSync(once_) && tallyIn(once_).totals.s2c.octets === 4);
  assert.equal(tallyIn(once_).connections[0]?.closed, null);
  for (const socket of sockets) socket.destroy();
  for (const cli of [timed, asked]) cli.signal("SIGTERM");
  assert.deepEqual([await timed.ended(), await asked.ended()], [0, 0]);
});

test("a reader that goes away (| head) ends it quietly, with its results", async () => {
  const json = fileIn("tally.json");
  const cli = new CliProcess([...toWeb, "--json", json]);
  const [port = 0] = await cli.ports();
  await fetched(port);
  await cli.until(() => cli.stdout.includes("\n"));
  cli.child.stdout.destroy();
  await fetched(port);
  assert.equal(await cli.ended(), 0);
  assert.match(cli.stderr, /^listening [^\n]*\n$/);
  assert.equal(tallyIn(json).connections.length, 2);
});

test("no space left: one line, exit 1, and what was counted is still seen", {
  skip: !existsSync("/dev/full") && "there is no /dev/full",
}, async () => {
  const file = new CliProcess([...toWeb, "-c", "1", "--json", "/dev/full"]);
  await fetched((await file.ports())[0] ?? 0);
  assert.equal(await file.ended(), 1);
  assert.match(file.stderr, /^wiretally: cannot write \/dev\/full: no space left on the device \(ENOSPC\)$/m);
  assert.match(file.stdout, /\nsums close: /);

  const stdout = new CliProcess([...toWeb, "-c", "2"], { stdout: openSync("/dev/full", "w") });
  const [port = 0] = await stdout.ports();
  await fetched(port);
  assert.equal(await fetched(port), "hello");
  assert.equal(await stdout.ended(), 1);
  assert.equal(stdout.stderr.match(/cannot write to stdout: no space left on the device \(ENOSPC\)/g)?.length, 1);
  assert.match(stdout.stderr, /\nsums close: /);
});

test("no space left on stdout: one line and exit 1, whatever was to be printed", {
  skip: !existsSync("/dev/full") && "there is no /dev/full",
}, async () => {
  const json = fileIn("demo.json");
  const commands = [
    ["schema", "tally"],
    ["--help"],
    ["proxy", "--help"],
    ["--version"],
    ["completion", "bash"],
    ["demo", "--sizes", "small", "--calls", "1", "--json", json],
  ];
  for (const argv of commands) {
    const cli = new CliProcess(argv, { stdout: openSync("/dev/full", "w") });
    assert.equal(await cli.ended(), 1, argv.join(" "));
    assert.equal(cli.stderr, "wiretally: cannot write to stdout: no space left on the device (ENOSPC)\n", argv.join(" "));
  }
  assert.equal(tallyIn(json).connections.length, 3, "the tally is written all the same");
});

test("a reader of stdout that is gone is no failure", async () => {
  for (const argv of [["schema", "event"], ["--help"], ["completion", "zsh"]]) {
    const cli = new CliProcess(argv);
    cli.child.stdout.destroy();
    assert.deepEqual([await cli.ended(), cli.stderr], [0, ""], argv.join(" "));
  }
});

test("--duration ends it; --config and the environment are read, flags win", async () => {
  const config = fileIn("wiretally.yaml");
  writeFileSync(config, `listen: web=0:127.0.0.1:${portOf(web)}\ntrace: frames\nredact: [x-tenant]\n`);
  const cli = new CliProcess(["proxy", "--config", config, "--trace", "off"], { env: { WIRETALLY_DURATION: "300ms" } });
  await cli.ports();
  assert.equal(await cli.ended(), 0);
  assert.match(cli.stdout, /^0 connections, 0 exchanges in \d\.\d s/);
});

test("serve says where it listens and ends on SIGTERM, however soon after that it comes", async () => {
  const runs = Array.from({ length: 4 }, async () => {
    const cli = new CliProcess(["serve", "--grpc-port", "0", "--http1-port", "0", "--http2-port", "0"]);
    let ended = false;
    cli.child.stderr.on("data", () => {
      if (!ended && cli.stderr.includes("listening http2")) ended = cli.child.kill("SIGTERM");
    });
    assert.equal(await cli.ended(), 0);
    assert.match(cli.stderr, /^listening grpc .*\nlistening http1 .*\nlistening http2 .*\n$/);
  });
  await Promise.all(runs);
});

test("demo prints its table on stdout, no progress into a pipe, and writes its tally", async () => {
  const json = fileIn("demo.json");
  const cli = new CliProcess(["demo", "--sizes", "small", "--calls", "5", "--json", json]);
  assert.equal(await cli.ended(), 0, cli.stderr);
  assert.match(cli.stdout, /gRPC/);
  assert.equal(cli.stderr, "");
  assert.equal(tallyIn(json).connections.length, 3);
});

test("--help shows examples, exit codes and caps; --version the version; completion a script", async () => {
  const [help, version, completion] = [
    new CliProcess(["proxy", "--help"]),
    new CliProcess(["--version"]),
    new CliProcess(["completion", "bash"]),
  ];
  assert.deepEqual([await help.ended(), await version.ended(), await completion.ended()], [0, 0, 0]);
  for (const part of [
    /wiretally proxy -L 8080:127\.0\.0\.1:50051/,
    /Exit codes: 0 .* 4\s--strict failed/s,
    /1 MiB of one field block/,
  ]) {
    assert.match(help.stdout, part);
  }
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
  assert.match(completion.stdout, /wiretally --get-yargs-completions/);
});
