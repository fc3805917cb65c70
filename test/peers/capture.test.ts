import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import { connect, createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Tally } from "../../src/ledger/tally.ts";
import { REQUIRE_ALL } from "../shared.ts";
import { documentServer } from "./http-server.ts";
import { listenFor } from "./listen.ts";
import { hashOf, OctetSource } from "./octet-source.ts";
import { runProgram } from "./program.ts";
import { ProxyProcess } from "./proxy-process.ts";
import { comparable, comparableConnection, tallyOf } from "./read-tally.ts";
import { assertRecorded } from "./recorded.ts";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const MIB = 1024 * 1024;

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "wiretally-capture-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function startProxy(t: TestContext, target: string, options: readonly string[]): Promise<ProxyProcess> {
  const proxy = await ProxyProcess.start(target, options);
  t.after(() => proxy.dispose());
  return proxy;
}

/** A server that answers with as many octets as its path says. */
async function startSource(t: TestContext): Promise<string> {
  const server = createServer((incoming, response) => {
    response.sendDate = false;
    // A client that goes away early is one of the things tested.
    pipeline(new OctetSource(Number(incoming.url?.slice(1)), 1), response).catch(() => {});
  });
  return `127.0.0.1:${await listenFor(t, server)}`;
}

/** Octets of the body of `/octets`, on a connection of its own. */
async function fetchOctets(port: number, octets: number): Promise<number> {
  const outgoing = request({ port, host: "127.0.0.1", path: `/${octets}`, agent: false }).end();
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  let got = 0;
  for await (const part of response) got += (part as Buffer).length;
  return got;
}

const lines = (stderr: string, pattern: RegExp): string[] => stderr.split("\n").filter((line) => pattern.test(line));

test("connections that end in every way, at the same time, are told apart and numbered alike", async (t) => {
  const folder = folderFor(t);
  const path = join(folder, "run.pcapng");
  const server = createTcpServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => {});
    socket.once("data", (octets: Buffer) => {
      if (octets[0] === 0) socket.write("part", () => setTimeout(() => socket.resetAndDestroy(), 50));
      else socket.end("whole");
    });
    socket.on("end", () => socket.end());
  });
  const target = `127.0.0.1:${await listenFor(t, server)}`;
  const socketPath = join(folder, "server.sock");
  const unix = createTcpServer((socket) => socket.end("by a path"));
  await once(unix.listen(socketPath), "listening");
  t.after(() => unix.close());
  const nowhere = createTcpServer();
  const refused = await listenFor(t, nowhere);
  nowhere.close();
  const more = [
    "-L",
    `unix=0:${socketPath}`,
    "-L",
    `gone=0:127.0.0.1:${refused}`,
    "-L",
    `named=0:localhost:${target.split(":")[1]}`,
  ];
  const proxy = await startProxy(t, target, [...more, "-w", path]);

  const talk = (port: number, start: (socket: Socket) => unknown) => {
    return new Promise<void>((resolve) => {
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => start(socket));
      socket.on("error", () => {}).on("close", () => resolve());
      socket.on("end", () => socket.end()).resume();
    });
  };
  const [first = 0, byPath = 0, unreachable = 0, named = 0] = proxy.ports;
  // A name takes its time: the others would be connected first.
  await talk(named, (socket) => socket.end("\u0001half-closed"));
  await Promise.all([
    talk(unreachable, (socket) => socket.write("\u0001never read")),
    talk(first, (socket) => socket.write("\u0000reset by the server")),
    talk(first, (socket) => socket.write("\u0001", () => setTimeout(() => socket.resetAndDestroy(), 50))),
    talk(byPath, (socket) => socket.write("\u0001")),
  ]);
  const { tally, stderr } = await proxy.stop();
  assert.equal(tally.connections.length, 5);
  await assertRecorded(path, tally, folder);
  assert.equal(lines(stderr, /^wiretally: wrote \d+ packets to .*run\.pcapng$/).length, 1, stderr);

  const described = execFileSync("capinfos", [path], { encoding: "utf8" });
  for (const name of ["unix", "gone", "named", "l1"])
    assert.match(described, new RegExp(`Name = ${name}\\n.*Description = ${name} 127`));
  const fields = ["ip.dst", "tcp.dstport", "frame.comment"].flatMap((name) => ["-e", name]);
  const syns = ["-r", path, "-Y", "tcp.flags.syn == 1 && tcp.flags.ack == 0", "-T", "fields", ...fields];
  const servers = execFileSync("tshark", syns, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  assert.match(
    servers,
    new RegExp(`^127\\.0\\.0\\.1\t${target.split(":")[1]}\tc\\d; named$`, "m"),
    "the address that localhost is",
  );
  assert.match(servers, new RegExp(`^127\\.0\\.0\\.1\t303\\d\\d\tc\\d; unix; server ${socketPath} is shown as 127`, "m"));
  assert.match(servers, new RegExp(`^127\\.0\\.0\\.1\t${refused}\tc\\d; gone$`, "m"));
  const refusal = ["-r", path, "-Y", 'frame.comment contains "ECONNREFUSED"', "-T", "fields", "-e", "tcp.flags.str"];
  assert.match(execFileSync("tshark", refusal, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }), /R/);
});

test("an existing capture is written over, and stays when nothing can be served; it is for its owner only", async (t) => {
  const folder = folderFor(t);
  const path = join(folder, "run.pcapng");
  const target = `127.0.0.1:${await listenFor(t, documentServer())}`;
  writeFileSync(path, "kept", { mode: 0o644 });
  const failed = await runProgram([process.execPath, CLI, "proxy", "-L", `${target.split(":")[1]}:127.0.0.1:9`, "-w", path]);
  assert.equal(failed.exitCode, 1);
  assert.equal(lines(failed.stderr, /EADDRINUSE/).length, 1, failed.stderr);
  assert.equal(readFileSync(path, "utf8"), "kept");

  const missing = join(folder, "missing", "run.pcapng");
  const nowhere = await runProgram([process.execPath, CLI, "proxy", "-L", `0:${target}`, "-w", missing]);
  const line = `wiretally: cannot write the capture ${missing}: the folder does not exist (ENOENT); try another file\n`;
  assert.deepEqual(nowhere, { exitCode: 1, stdout: "", stderr: line });

  const proxy = await startProxy(t, target, ["-w", path]);
  await runProgram(["curl", "-sS", `http://127.0.0.1:${proxy.port}/document`]);
  const { exitCode, stderr, tally } = await proxy.stop();
  assert.equal(exitCode, 0);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(
    lines(stderr, /^wiretally: the capture .* \(mode 0600\) holds all that passes, secrets included$/).length,
    1,
    stderr,
  );
  assert.deepEqual(comparable(await tallyOf(path)), comparable(tally));
});

test("-w - is the capture on stdout, and nothing else; its reader may go", async (t) => {
  const folder = folderFor(t);
  const target = `127.0.0.1:${await listenFor(t, documentServer())}`;
  const begin = async (args: readonly string[]) => {
    const child = spawn(process.execPath, [CLI, "proxy", "-L", `0:${target}`, "-w", "-", ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    t.after(() => child.kill("SIGKILL"));
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    while (!/^listening/m.test(stderr)) await once(child.stderr, "data");
    return { child, port: Number(/^listening \S+ \S+:(\d+)/m.exec(stderr)?.[1]), told: () => stderr };
  };

  const whole = await begin(["-c", "1", "--json", join(folder, "t.json")]);
  const chunks: Buffer[] = [];
  whole.child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  await runProgram(["curl", "-sS", `http://127.0.0.1:${whole.port}/document`]);
  assert.equal(await ended(whole.child), 0, whole.told());
  const path = join(folder, "piped.pcapng");
  writeFileSync(path, Buffer.concat(chunks));
  await assertRecorded(path, JSON.parse(readFileSync(join(folder, "t.json"), "utf8")) as Tally, folder);

  const left = await begin([]);
  left.child.stdout.destroy();
  await runProgram(["curl", "-sS", `http://127.0.0.1:${left.port}/document`]);
  assert.equal(await ended(left.child), 0, "as for any reader who has seen enough");
  assert.doesNotMatch(left.told(), /stopped/);
});

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "close");
  return child.exitCode;
}

test("files of a size: all of them together are the run, a ring keeps the newest", async (t) => {
  const folder = folderFor(t);
  const target = await startSource(t);
  for (const ring of [[], ["--ring", "3"]]) {
    const home = join(folder, `ring${ring.length}`);
    mkdirSync(home);
    const proxy = await startProxy(t, target, ["-w", join(home, "x.pcapng"), "--capture-size", "256K", ...ring]);
    for (let at = 0; at < 4; at++) assert.equal(await fetchOctets(proxy.port, 500_000), 500_000);
    const { exitCode, tally, stderr } = await proxy.stop();
    assert.equal(exitCode, 0, stderr);
    const paths = readdirSync(home)
      .sort()
      .map((name) => join(home, name));
    for (const path of paths) assert.ok(statSync(path).size <= 256 * 1024, `${path} has ${statSync(path).size} octets`);
    assert.equal(
      lines(stderr, new RegExp(`: wrote \\d+ packets to ${paths.length} files, ${paths[0]} to ${paths.at(-1)}$`)).length,
      1,
      stderr,
    );
    if (ring.length > 0) assert.equal(paths.length, 3);
    else {
      assert.ok(paths.length >= 8, `${paths.length} files for 2 MB`);
      assert.deepEqual(comparable(await tallyOf(...paths)), comparable(tally));
    }
  }
});

test("after kill -9 the capture holds what was flushed, to the last whole block", async (t) => {
  const path = join(folderFor(t), "killed.pcapng");
  const proxy = await startProxy(t, await startSource(t), ["-w", path]);
  assert.equal(await fetchOctets(proxy.port, 3 * MIB), 3 * MIB);
  // Twice the interval at which it is flushed.
  await sleep(400);
  const unending = fetchOctets(proxy.port, 4096 * MIB).catch(() => 0);
  while (statSync(path).size < 20 * MIB) await sleep(5);
  await proxy.dispose();
  await unending;
  const { connections } = await tallyOf(path);
  assert.ok((connections[0]?.s2c.octets ?? 0) > 3 * MIB, "the first answer is whole");
  assert.equal(connections[0]?.exchanges[0]?.complete, true);
  assert.ok((connections[1]?.s2c.octets ?? 0) > 16 * MIB, "and the second is there as far as it was flushed");
  const { stdout } = await runProgram(["tshark", "-r", path, "-T", "fields", "-e", "tcp.analysis.flags", "-e", "_ws.malformed"]);
  assert.equal(stdout.trim(), "");
});

test("a full disk stops the capture with one line; the proxy goes on, and says so in its exit code", async (t) => {
  const disk = mkdtempSync(join(tmpdir(), "wiretally-disk-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", disk], { encoding: "utf8" });
  if (mounted.status !== 0) {
    rmdirSync(disk);
    // Not every machine lets its tests mount; src/capture/write has /dev/full for these.
    t.diagnostic(`no file system of 2 MiB can be mounted: ${mounted.stderr.trim()}`);
    return;
  }
  t.after(() => {
    execFileSync("umount", ["-l", disk]);
    rmdirSync(disk);
  });
  const path = join(disk, "full.pcapng");
  const proxy = await startProxy(t, await startSource(t), ["-w", path]);
  assert.equal(await fetchOctets(proxy.port, 100_000), 100_000);
  assert.equal(await fetchOctets(proxy.port, 20 * MIB), 20 * MIB, "the proxy goes on");
  assert.equal(await fetchOctets(proxy.port, 1000), 1000);
  const { exitCode, stderr, tally } = await proxy.stop();
  assert.equal(exitCode, 1);
  const line = `wiretally: the capture ${path} stopped: no space is left on the device (ENOSPC); what it holds is kept, and traffic goes on without it`;
  assert.deepEqual(lines(stderr, /capture.*stopped/), [line]);
  assert.equal(tally.connections.length, 3, "the tally is whole");
  const [first] = tally.connections;
  assert.ok(first !== undefined);
  const kept = (await tallyOf(path)).connections[0];
  assert.deepEqual(comparableConnection(kept), comparableConnection(first), "what was recorded before is all there");
});

const BODY = (REQUIRE_ALL ? 1024 : 64) * MIB;
/** What waits for the disk when the capture stops is written all the same. Packets have headers, and chunks are not full to the end. */
const WAITING = 56 * MIB;
/** Of what is written so far at most that much waits for the disk, and as much again is under way or kept for use again. */
const GROWTH = 192 * MIB;

test(`V-PX-06 recorded: ${BODY / MIB} MiB each way at once, memory bounded`, { timeout: 240_000 }, async (t) => {
  const path = join(folderFor(t), "large.pcapng");
  const server = createServer((incoming, response) => {
    const sent = pipeline(new OctetSource(BODY, 2), response, { end: false });
    void Promise.all([hashOf(incoming), sent]).then(() => response.end());
  });
  const proxy = await startProxy(t, `127.0.0.1:${await listenFor(t, server)}`, ["-w", path]);
  const idle = proxy.residentOctets();
  let highest = idle;
  const sampling = setInterval(() => {
    highest = Math.max(highest, proxy.residentOctets());
  }, 50);
  t.after(() => clearInterval(sampling));
  const headers = { "content-length": BODY };
  const outgoing = request({ port: proxy.port, host: "127.0.0.1", method: "POST", agent: false, headers });
  const [, response] = await Promise.all([
    pipeline(new OctetSource(BODY, 1), outgoing),
    once(outgoing, "response").then(async ([incoming]) => hashOf(incoming as IncomingMessage)),
  ]);
  clearInterval(sampling);
  assert.equal(response, await hashOf(new OctetSource(BODY, 2)));
  const { exitCode, stderr, tally } = await proxy.stop();
  t.diagnostic(`RSS grew by ${((highest - idle) / MIB).toFixed(1)} MiB`);
  assert.ok(highest - idle < GROWTH, `RSS grew from ${idle} to ${highest}`);
  // A disk may be slower than loopback: then the capture says so, and has stopped.
  if (lines(stderr, /the disk is slower than the traffic/).length > 0) {
    assert.equal(exitCode, 1);
    const recorded = (await tallyOf(path)).totals;
    t.diagnostic(`the disk was slower than the traffic, after ${recorded.c2s.octets} and ${recorded.s2c.octets} octets`);
    assert.ok(recorded.c2s.octets + recorded.s2c.octets >= WAITING, "nothing that waited is lost");
    return;
  }
  assert.equal(exitCode, 0, stderr);
  assert.deepEqual(comparable(await tallyOf(path)), comparable(tally));
});
