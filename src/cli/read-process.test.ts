import assert from "node:assert/strict";
import { mkdtempSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { CliProcess } from "../../test/cli-process.ts";
import { shared, skipWithoutShared } from "../../test/shared.ts";
import type { Tally } from "../ledger/tally.ts";

const skip = skipWithoutShared("corpora", "stacks");
const stack = shared("corpora", "stacks", "http1-go.pcapng");
const fileIn = (name: string): string => join(mkdtempSync(join(tmpdir(), "wiretally-")), name);

after(() => CliProcess.endAll());

test("standard input: results as they come, the rest at its end", { skip }, async () => {
  const cli = new CliProcess(["read", "-"], { stdin: "pipe" });
  const octets = readFileSync(stack);
  // Up to there are two exchanges: the packets of the third come later.
  const part = 3000;
  cli.write(octets.subarray(0, part));
  await cli.until(() => cli.stdout.includes("c1.r1") && cli.stdout.endsWith("\n"));
  assert.doesNotMatch(cli.stdout, /sums close/);
  cli.write(octets.subarray(part), "end");
  assert.equal(await cli.ended(), 0);
  assert.match(cli.stdout, /c1\.r5 .*\nstandard input: 28 packets, 28 of TCP, .*\n1 connection, 5 exchanges/);
  assert.match(cli.stdout, /^sums close: 90046 \+ 89850 = /m);
  assert.equal(cli.stderr, "");
});

test("SIGINT in the middle of a stream: what was counted is written, exit 0", { skip }, async () => {
  const json = fileIn("tally.json");
  const cli = new CliProcess(["read", "-", "--json", json], { stdin: "pipe" });
  cli.write(readFileSync(stack).subarray(0, 3000));
  await cli.until(() => cli.stdout.includes("c1.r1"));
  cli.signal("SIGINT");
  assert.equal(await cli.ended(), 0);
  const tally = JSON.parse(readFileSync(json, "utf8")) as Tally;
  assert.ok(tally.totals.c2s.octets >= 227, String(tally.totals.c2s.octets));
  assert.equal(tally.connections[0]?.closed, null);
  assert.match(cli.stdout, /\nsums close: /);
});

test("a file as standard input, an empty one, and text", { skip }, async () => {
  const file = new CliProcess(["read", "-", "-q"], { stdin: openSync(stack, "r") });
  assert.equal(await file.ended(), 0);
  assert.match(file.stdout, /\nsums close: 90046 \+ 89850/);
  const empty = new CliProcess(["read", "-"], { stdin: "pipe" });
  empty.write(Buffer.alloc(0), "end");
  assert.equal(await empty.ended(), 1);
  assert.match(empty.stderr, /^wiretally: standard input is empty.*\n$/);
  const text = new CliProcess(["read", "-"], { stdin: "pipe" });
  text.write(Buffer.from("tcpdump: listening on lo\n".repeat(3)), "end");
  assert.equal(await text.ended(), 1);
  assert.match(text.stderr, /^wiretally: standard input is text, not a capture.*\n$/);
});

test("a reader that goes away (| head) ends it quietly, with its results", { skip }, async () => {
  const json = fileIn("tally.json");
  const cli = new CliProcess(["read", "-", "-v", "--json", json], { stdin: "pipe" });
  const octets = readFileSync(stack);
  cli.write(octets.subarray(0, 3000));
  await cli.until(() => cli.stdout.includes("c1.r1"));
  cli.child.stdout.destroy();
  cli.write(octets.subarray(3000));
  assert.equal(await cli.ended(), 0);
  assert.equal(cli.stderr, "");
  assert.ok((JSON.parse(readFileSync(json, "utf8")) as Tally).totals.c2s.octets > 0, "the tally is written");
});
