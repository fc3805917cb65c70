import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type CommandResult, runCommand } from "../../../test/run-command.ts";
import { openSums } from "../../../test/scripted-wire.ts";
import { shared, skipWithoutShared } from "../../../test/shared.ts";
import { tcpPayloads } from "../../../test/tcp-payloads.ts";
import type { Tally } from "../../ledger/tally.ts";
import { eventJsonSchema } from "../../views/event-schema.ts";
import { tallyJsonSchema } from "../../views/tally-schema.ts";

const skip = skipWithoutShared("corpora", "stacks");
const folder = mkdtempSync(join(tmpdir(), "wiretally-read-"));
after(() => rmSync(folder, { recursive: true }));

const stack = (name: string): string => shared("corpora", "stacks", `${name}.pcapng`);
const fileIn = (name: string): string => join(folder, name);
const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true, validateFormats: false });
const validTally = ajv.compile(tallyJsonSchema() as object);
const validEvent = ajv.compile(eventJsonSchema() as object);

const read = (...argv: readonly string[]): Promise<CommandResult> => runCommand(["read", ...argv]);

/** What a truth file says of a connection; none of the stacks' has repeated octets. */
interface TruthConnection {
  readonly client: string;
  readonly server: string;
  readonly tcp: { readonly [D in "c2s" | "s2c"]: { readonly payloadBytes: number } };
}

/** The tally on stdout of a run without a complaint. */
async function tallyOf(...argv: readonly string[]): Promise<Tally> {
  const { code, stdout, stderr } = await read(...argv, "--json", "-");
  assert.deepEqual([code, stderr], [0, ""]);
  const tally = JSON.parse(stdout) as Tally;
  assert.ok(validTally(tally), ajv.errorsText(validTally.errors));
  assert.deepEqual(openSums(tally), []);
  return tally;
}

test("what cannot be read is one line that says what it is, and exit 1", { skip }, async () => {
  const [text, empty, short, noise, locked, empties] = ["a.txt", "e.pcap", "s.pcap", "n.pcap", "l.pcap", "d"].map(fileIn);
  assert.ok(text && empty && short && noise && locked && empties, "six names");
  writeFileSync(text, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  writeFileSync(empty, "");
  writeFileSync(short, "\xd4\xc3\xb2\xa1\x02", "latin1");
  writeFileSync(noise, Buffer.from(Array.from({ length: 100 }, (_, n) => (n * 37 + 129) & 0xff)));
  writeFileSync(locked, readFileSync(stack("http1-go")));
  chmodSync(locked, 0);
  mkdirSync(empties);
  const root = process.getuid?.() === 0;
  const table: [string[], RegExp][] = [
    [[fileIn("missing.pcap")], /missing\.pcap does not exist \(ENOENT\): check the path$/],
    [[empties], /d is a directory: name the captures in it/],
    [[text], /a\.txt is text, not a capture: pcap and pcapng files are read/],
    [[empty], /e\.pcap is empty/],
    [[short], /s\.pcap /],
    [[noise], /n\.pcap is no capture that we know/],
    ...(root ? [] : ([[[locked], /l\.pcap may not be read \(EACCES\): check its permissions/]] as [string[], RegExp][])),
  ];
  for (const [argv, line] of table) {
    for (const more of [[], ["--json", "-"], ["--strict"], ["-q"]]) {
      const { code, stdout, stderr } = await read(...argv, ...more);
      assert.deepEqual([code, stdout, stderr.split("\n").length], [1, "", 2], `${argv.join(" ")}: ${stderr}`);
      assert.match(stderr.trimEnd(), line);
      assert.match(stderr, /^wiretally: /);
    }
  }
});

test("a capture that cannot be read among others: a line, the others' results, exit 1", { skip }, async () => {
  const { code, stdout, stderr } = await read(fileIn("missing"), stack("http1-go"), "-q", "--strict");
  assert.deepEqual(
    [code, stderr.replace(folder, "")],
    [1, "wiretally: left out: /missing does not exist (ENOENT): check the path\n"],
  );
  assert.match(stdout, /^sums close: 90046 \+ 89850 = 179896 octets, all attributed$/m);
});

test("a capture that is cut is read as far as it goes: exit 0, and a line with the offset", { skip }, async () => {
  const path = fileIn("cut.pcapng");
  writeFileSync(path, readFileSync(stack("http1-go")).subarray(0, 3000));
  const { code, stdout, stderr } = await read(path, "--json", "-");
  assert.equal(code, 0);
  assert.match(
    stderr,
    /^wiretally: \S+cut\.pcapng: the capture ends at offset 3000; its last block, at offset 1808, is cut short: .*\n$/,
  );
  assert.deepEqual(openSums(JSON.parse(stdout) as Tally), []);
});

test("notes about captures: twenty are told, the others counted", { skip }, async () => {
  const paths = Array.from({ length: 23 }, (_, n) => fileIn(`cut-${n}.pcapng`));
  for (const path of paths) writeFileSync(path, readFileSync(stack("http1-go")).subarray(0, 3000));
  const { code, stderr } = await read(...paths, "-q");
  const lines = stderr.trimEnd().split("\n");
  assert.deepEqual([code, lines.length], [0, 21]);
  assert.equal(lines.at(-1), "wiretally: 3 more notes about the captures are not shown");
});

test("every capture of the stacks: the octets are the truth's, and the sums close", { skip }, async () => {
  const names = readdirSync(shared("corpora", "stacks")).filter((name) => name.endsWith(".truth.json"));
  assert.ok(names.length > 20, `${names.length} truths`);
  for (const name of names) {
    const truth = JSON.parse(readFileSync(shared("corpora", "stacks", name), "utf8"));
    const tally = await tallyOf(stack(name.replace(".truth.json", "")));
    const octets = { c2s: tally.totals.c2s.octets, s2c: tally.totals.s2c.octets };
    assert.deepEqual(octets, truth.totals, name);
    assert.deepEqual(
      tally.connections.map(({ client, server, c2s, s2c }) => ({ client, server, octets: { c2s: c2s.octets, s2c: s2c.octets } })),
      truth.connections.map(({ client, server, tcp }: TruthConnection) => ({
        client,
        server,
        octets: { c2s: tcp.c2s.payloadBytes, s2c: tcp.s2c.payloadBytes },
      })),
      name,
    );
  }
});

test("the summary says what was read; started and ended are packet times", { skip }, async () => {
  const { stdout, stderr } = await read(stack("http1-go"));
  assert.equal(stderr, "");
  // capinfos -a -e: 2026-11-30 16:24:40.716275263 and .730122865.
  assert.match(
    stdout,
    /http1-go\.pcapng: 28 packets, 28 of TCP, 2026-11-30T16:24:40\.716Z to 2026-11-30T16:24:40\.730Z\n1 connection, 5 exchanges in 0\.0 s/,
  );
  assert.equal(stdout.match(/^\[ .*POST \/item .*$/gm)?.length, 5);
  const two = await read(stack("http1-go"), stack("grpc-go"), "-q");
  assert.match(two.stdout, /^2 captures: 69 packets, 69 of TCP, /);
});

test("-o text is the summary, without colours, and stdout has the trace only", { skip }, async () => {
  const output = fileIn("summary.txt");
  const { stdout } = await read(stack("http1-go"), "-o", output);
  assert.match(readFileSync(output, "utf8"), /^\S+http1-go\.pcapng: 28 packets/);
  assert.equal(stdout.trimEnd().split("\n").length, 5);
});

/** tshark -d tcp.port==50051,http2 -T fields -e frame.number -e http2.type: the packet of each frame of type 6. */
const PINGS = [
  13, 14, 16, 19, 19, 20, 20, 21, 21, 22, 22, 23, 23, 24, 24, 25, 25, 26, 26, 27, 27, 28, 28, 29, 29, 30, 30, 31, 33, 34, 34, 35,
  37, 38, 38, 39, 39, 40, 40,
];

test("NDJSON: valid events, with the packet's number on frames", { skip }, async () => {
  const { code, stdout } = await read(stack("grpc-go-10-small"), "--format", "ndjson");
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const event of events) assert.ok(validEvent(event), ajv.errorsText(validEvent.errors));
  assert.equal(code, 0);
  assert.deepEqual([events[0]?.["event"], events.at(-1)?.["event"]], ["connection", "close"]);
  const pings = events.filter((event) => event["type"] === "PING").map((event) => event["frame.number"]);
  assert.deepEqual(pings, PINGS);
});

test("-Y: the trace and the list follow it, the sums do not; a level that cannot match gets a hint", { skip }, async () => {
  const call = stack("grpc-go-10-small");
  const frames = await read(call, "--trace", "frames", "-Y", 'type == "PING" && dir == "s2c"');
  assert.deepEqual([frames.code, frames.stderr], [0, ""]);
  const titles = frames.stdout.split("\n").filter((line) => / frame </.test(line));
  assert.ok(titles.length > 0 && titles.every((line) => / s2c PING frame /.test(line)), titles.join("\n"));
  const hinted = await read(call, "-Y", 'type == "PING"');
  assert.equal(hinted.stderr, "wiretally: nothing that --trace exchanges shows can match the filter (try -v, for frames)\n");
  const [whole, some] = [await tallyOf(call), await tallyOf(call, "-Y", "stream >= 11")];
  const ids = (tally: Tally): string[] => tally.connections.flatMap(({ exchanges }) => exchanges.map(({ id }) => id));
  assert.deepEqual(
    ids(some),
    ids(whole).filter((id) => Number(id.split(".s")[1]) >= 11),
  );
  assert.equal(some.omitted.exchanges, ids(whole).length - ids(some).length);
  assert.deepEqual([some.totals, some.routes], [whole.totals, whole.routes]);
});

test("--decode-as takes a port's word for it", { skip }, async () => {
  const [connection] = (await tallyOf(stack("http1-go"), "--decode-as", "8081=opaque")).connections;
  const port = Number(connection?.server.split(":").at(-1));
  const [opaque] = (await tallyOf(stack("http1-go"), "--decode-as", `${port}=opaque`)).connections;
  assert.deepEqual([connection?.protocol, opaque?.protocol], ["http1", "opaque"]);
  assert.equal(opaque?.c2s.by_category["unattributed.opaque"], connection?.c2s.octets);
});

test("--strict: exit 4 where octets have no owner", { skip }, async () => {
  const { code, stderr } = await read(stack("http1-go"), "-q", "--strict", "--decode-as", "8080=opaque");
  assert.equal(code, 4);
  assert.match(stderr, /^wiretally: --strict: \d+ octets are unattributed \(--notes tells where\)\n$/);
  assert.equal((await read(stack("http1-go"), "-q", "--strict")).code, 0);
});

test("--separate: each by itself under a heading, one that cannot be read included", { skip }, async () => {
  const { code, stdout, stderr } = await read("--separate", stack("http1-go"), fileIn("missing"), stack("grpc-go"));
  const headings = stdout.split("\n").filter((line) => line.startsWith("== "));
  assert.deepEqual(
    headings,
    [stack("http1-go"), fileIn("missing"), stack("grpc-go")].map((path) => `== ${path}`),
  );
  assert.equal(code, 1);
  assert.match(stderr, /^wiretally: left out: \S+missing does not exist/);
  const [, one = "", , two = ""] = stdout.split(/^== .*$/m);
  assert.match(one, /c1\.r1 .*sums close: 90046 \+ 89850/s);
  assert.match(two, /c1\.s1 .*sums close: 67471 \+ 67435/s);
  assert.deepEqual((await read("--separate", stack("grpc-go"), "--json", "-")).code, 0);
});

test("--follow: a body as it stood on the wire, a direction of a connection, to stdout or a file", { skip }, async () => {
  const raw = tcpPayloads(stack("http1-go"), 8080);
  const direction = await read(stack("http1-go"), "--follow", "c1:c2s");
  assert.equal(Buffer.compare(direction.octets, raw[0]), 0);
  assert.equal(direction.stderr, "wiretally: 90046 octets of c1 c2s, as they were sent: nothing is redacted\n");
  const body = await read(stack("http1-go"), "--follow", "c1.r3:c2s");
  const medium = JSON.parse(body.stdout) as { payload: string };
  assert.ok(medium.payload.length > 1000, body.stdout);
  assert.ok(Buffer.from(raw[0]).includes(Buffer.from(body.octets)), "the body is a part of what was sent");
  const output = fileIn("body.bin");
  const call = await read(stack("grpc-go"), "--follow", "c1.s3", "-o", output);
  assert.deepEqual([call.code, call.stdout], [0, ""]);
  // gRPC over HTTP2, Length-Prefixed-Message: a prefix of 5 and its length.
  const message = readFileSync(output);
  assert.deepEqual([message[0], message.readUInt32BE(1)], [0, message.length - 5]);
  assert.equal(statSync(output).mode & 0o777, 0o600);
  const none = await read(stack("grpc-go"), "--follow", "c1.s99");
  assert.deepEqual([none.code, none.stdout, none.stderr], [1, "", "wiretally: there is no c1.s99 in the capture\n"]);
});

/** What is the same in a capture and in what was written of it. */
function comparable(tally: Tally): unknown {
  const time = new Set(["started", "ended", "opened", "closed", "first_octet_us", "duration_us", "min", "max", "blocked_us"]);
  const other = new Set(["source", "packets", "deltas", "close"]);
  return JSON.parse(JSON.stringify(tally, (key, value: unknown) => (time.has(key) || other.has(key) ? undefined : value)));
}

test("-w: what is written reads as what was read", { skip }, async () => {
  const late = fileIn("late.pcapng");
  await read(stack("grpc-go-10-small"), "-q", "-w", late, "--first", "5ms");
  for (const input of [...["grpc-go", "http1-go", "curl-h2c-upgrade", "tls13-curl-h2", "grpc-go-2conns"].map(stack), late]) {
    const output = fileIn("written.pcapng");
    const { code, stderr } = await read(input, "-q", "-w", output);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^wiretally: the capture \S+ \(mode 0600\) .*\nwiretally: wrote \d+ packets to \S+\n$/);
    assert.deepEqual(comparable(await tallyOf(output)), comparable(await tallyOf(input)), input);
  }
});

test("-w with -Y: the conversations of which anything matches, whole", { skip }, async () => {
  const output = fileIn("some.pcapng");
  const inputs = [stack("http1-go"), stack("grpc-go")];
  assert.equal((await read(...inputs, "-q", "-w", output, "-Y", 'protocol == "grpc" && dir == "s2c"')).code, 0);
  assert.deepEqual((await tallyOf(output)).totals, (await tallyOf(stack("grpc-go"))).totals);
});

test("a result over the capture that is read is refused", { skip }, async () => {
  const path = fileIn("both.pcapng");
  writeFileSync(path, readFileSync(stack("http1-go")));
  for (const [option, ...more] of [["-w"], ["--json"], ["-o", "--format", "text"]] as const) {
    const { code, stderr } = await read(path, option, path, ...more);
    assert.deepEqual([code, stderr], [2, `wiretally: ${option} ${path} would write over the capture that is read\n`]);
  }
  assert.equal(Buffer.compare(readFileSync(path), readFileSync(stack("http1-go"))), 0);
});

test("compressed captures, and options from the environment", { skip }, async () => {
  const path = fileIn("a.gz");
  writeFileSync(path, gzipSync(readFileSync(stack("http1-go"))));
  assert.equal((await tallyOf(path)).totals.c2s.octets, 90_046);
  const { code, stdout } = await runCommand(["read", path, "-q", "--json", "-"], {
    WIRETALLY_COUNT: "9",
    WIRETALLY_DECODE_AS: "8080=opaque 1=tls",
  });
  assert.equal(code, 0);
  assert.ok((JSON.parse(stdout) as Tally).totals.c2s.octets < 90_046, stdout);
});
