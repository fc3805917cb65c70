// Records the captures of captures/ through the built proxy, and holds each against tshark; npm run record -- --help.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { parseArgs } from "node:util";
import { EXIT } from "../../src/cli/exit-codes.ts";
import { ProxyProcess } from "../peers/proxy-process.ts";
import { tallyOf } from "../peers/read-tally.ts";
import { assertRecorded } from "../peers/recorded.ts";
import { CAPTURES, type CaptureEntry, capturePaths } from "./catalogue.ts";
import { cutCapture } from "./cut-capture.ts";
import { h2Frames, makeGolden } from "./golden.ts";
import { readRows, rowOf, writeRow } from "./readme-table.ts";
import { RECORDINGS, type Recording } from "./recordings.ts";
import { assertTsharkAgrees } from "./tshark-agreement.ts";

const HELP = `npm run record -- [options] [NAME…]

Records captures with real clients and servers through dist/cli.js, and compares each with tshark: octets of each direction, HTTP/2
frames by type, field lines. One that disagrees is never written. NAME: these only.

  --write    put captures, golden traces and tallies, and their rows of README.md, into captures/; else nothing is
  --golden   record nothing: make traces, tallies and rows anew from the captures that are there; writes with --write only

Needs curl, nghttp, nghttpd, tshark, editcap, python3-grpcio, and WIRETALLY_GRPC_GO=PROGRAM (see captures/README.md).
`;

const { values, positionals } = parseArgs({
  options: { write: { type: "boolean" }, golden: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  allowPositionals: true,
});
const entries: readonly CaptureEntry[] = CAPTURES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const unknown = positionals.filter((name) => !CAPTURES.some((entry) => entry.name === name));
if (values.help === true) process.stdout.write(HELP);
else if (unknown.length > 0) {
  process.stderr.write(`no capture is called ${unknown.join(", ")}; there are ${CAPTURES.map(({ name }) => name).join(", ")}\n`);
  process.exitCode = 2;
} else for (const entry of entries) test(entry.name, (t) => (values.golden === true ? renew(t, entry) : record(t, entry)));

async function record(t: TestContext, entry: CaptureEntry): Promise<void> {
  const folder = `${mkdtempSync(join(tmpdir(), "wiretally-record-"))}/`;
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { capture } = capturePaths(entry.name, folder);
  let peers = entry.cutFrom === undefined ? "" : `cut from ${entry.cutFrom}`;
  if (entry.cutFrom !== undefined) await cutCapture(entry.name, capturePaths(entry.cutFrom).capture, capture);
  else {
    const recording = RECORDINGS[entry.name as keyof typeof RECORDINGS];
    peers = `${recording.client()} → ${recording.server()}`;
    await recordTo(t, recording, capture, folder);
  }
  await renew(t, entry, folder, peers);
}

/** A run through the proxy; rejects unless tshark finds in the capture what we do. */
async function recordTo(t: TestContext, recording: Recording, path: string, folder: string): Promise<void> {
  const port = await recording.start(t);
  const proxy = await ProxyProcess.start(`127.0.0.1:${port}`, ["-w", path]);
  t.after(() => proxy.dispose());
  await recording.talk(proxy.port);
  const { exitCode, stderr, tally } = await proxy.stop();
  assert.equal(exitCode, EXIT.done, stderr);
  await assertRecorded(path, tally, folder);
  const frames = await assertTsharkAgrees(path, port, recording.speaks);
  assert.equal(h2Frames(await tallyOf(path)), frames);
}

/** Make the files beside a capture, and write them if that is asked for. */
async function renew(
  t: TestContext,
  entry: CaptureEntry,
  folder?: string,
  peers = readRows().get(entry.name)?.peers,
): Promise<void> {
  const { trace, tally, replayed } = await makeGolden(entry, folder);
  assert.ok(peers !== undefined, `captures/README.md does not say who speaks in ${entry.name}: record it`);
  const row = rowOf(entry, peers, replayed.tally);
  t.diagnostic(
    `${entry.name}: ${row.peers}; ${row.octets} octets, ${row.frames} HTTP/2 frames; trace of ${trace.length} characters`,
  );
  if (values.write !== true) return;
  const to = capturePaths(entry.name);
  // Written as what it was read from: a recording is for its owner's eyes only, these are for all.
  if (folder !== undefined) writeFileSync(to.capture, readFileSync(capturePaths(entry.name, folder).capture));
  writeFileSync(to.trace, trace);
  writeFileSync(to.tally, tally);
  writeRow(entry.name, row);
}
