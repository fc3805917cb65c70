import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { labelOf, loadCase } from "../../test/cases.ts";
import { only, openSums } from "../../test/scripted-wire.ts";
import { shared, skipWithoutShared } from "../../test/shared.ts";
import { DIRECTION_NAMES } from "../decode/direction.ts";
import type { Tally } from "../ledger/tally.ts";
import type { CaptureNote } from "./merged-captures.ts";
import { type CaptureReading, type ReadCapturesOptions, readCaptures } from "./read-captures.ts";
import { parseTimeBound } from "./time-window.ts";

const skip = skipWithoutShared("cases");
const generator = { name: "test", version: "0" };

/** A capture that was read, and what was odd about it. */
async function read(
  paths: readonly string[],
  options: Partial<ReadCapturesOptions> = {},
): Promise<CaptureReading & { readonly notes: readonly CaptureNote[] }> {
  const notes: CaptureNote[] = [];
  const reading = await readCaptures(paths, { generator, onNote: (note) => notes.push(note), ...options });
  assert.deepEqual([openSums(reading.tally), reading.broken], [[], 0]);
  return { ...reading, notes };
}

/** The capture of a case; null: it has none. */
function captureOf(folder: string): string | null {
  const name = ["capture.pcap", "capture.pcapng"].find((file) => existsSync(join(folder, file)));
  return name === undefined ? null : join(folder, name);
}

async function readCase(id: string, options: Partial<ReadCapturesOptions> = {}) {
  const found = loadCase(id);
  const path = captureOf(found.folder);
  assert.ok(path !== null, `${id} has no capture`);
  return { ...(await read([path], options)), expect: found.expected.expect };
}

test("V-TCP-01: each octet of the stream counts once, repetitions apart", { skip }, async () => {
  const { tally, expect } = await readCase("V-TCP-01");
  const { c2s, s2c, packets, exchanges } = only(tally.connections);
  assert.deepEqual(
    [c2s.octets, s2c.octets],
    expect.streams.map(({ octets }: { octets: number }) => octets),
  );
  assert.equal(packets?.s2c.retransmitted_octets, expect.retransmitted_octets_s2c);
  assert.equal(packets?.s2c.payload_octets, expect.wire_tcp_payload_octets_s2c);
  assert.equal(only(exchanges).status, expect.http[0].status);
});

test("V-TCP-02: of copies that differ the first counts, and a note says so", { skip }, async () => {
  const { tally, expect } = await readCase("V-TCP-02");
  const { s2c, notes } = only(tally.connections);
  assert.equal(s2c.octets, expect.streams[0].octets);
  assert.equal(notes.filter(({ text, direction }) => direction === "s2c" && /differ/.test(text)).length > 0, true);
});

test("V-TCP-03, V-TCP-04: neither FIN nor the other side's octets end a hole", { skip }, async () => {
  for (const id of ["V-TCP-03", "V-TCP-04"]) {
    const { tally, expect } = await readCase(id);
    const { packets, exchanges, s2c } = only(tally.connections);
    const octets = expect.streams.find(({ dir }: { dir: string }) => dir === "s2c").octets;
    assert.deepEqual([s2c.octets, packets?.s2c.missing_octets], [octets, expect.missing_octets], id);
    assert.deepEqual(
      exchanges.map(({ status, complete }) => [status, complete]),
      expect.http.map(({ status }: { status: number }) => [status, true]),
      id,
    );
  }
});

test("V-TCP-05: one side from the middle: the prefix is a late join, the next response is read", { skip }, async () => {
  const { tally, expect } = await readCase("V-TCP-05");
  const { s2c, c2s, exchanges } = only(tally.connections);
  assert.deepEqual([c2s.octets, s2c.octets], [0, expect.streams[0].octets]);
  assert.equal(s2c.by_category["unattributed.late_join"], expect.undecoded_prefix_octets);
  assert.equal(only(exchanges).status, expect.http[0].status);
});

test("V-PCAP-05 to 07: total length 0, nine link types, padding and FCS", { skip }, async () => {
  const tso = await readCase("V-PCAP-05");
  assert.equal(only(tso.tally.connections).s2c.octets, tso.expect.streams[0].octets);
  const links = await readCase("V-PCAP-06");
  assert.deepEqual(
    links.tally.connections
      .flatMap(({ exchanges }) => exchanges.map(({ method, path, status }) => `${method} ${path} ${status}`))
      .sort(),
    links.expect.requests.map((request: string) => `${request} ${links.expect.each.status}`),
  );
  const padded = await readCase("V-PCAP-07");
  const { c2s, s2c } = only(padded.tally.connections);
  assert.deepEqual({ c2s: c2s.octets, s2c: s2c.octets }, padded.expect.tcp_payload_octets);
});

/** Cases whose labels are of formats that are not decoded yet. */
const OTHERWISE: ReadonlyMap<string, string> = new Map([
  // RFC 9110 §5.1: a field name is a token, "X-<i>" is none: malformed here, a field line there.
  ["V-SE-06", "a field name that is none"],
]);

test("the capture of every case with counted octets: sums under each label equal, and the ledger closes", { skip }, async () => {
  const wrong: string[] = [];
  let compared = 0;
  for (const entry of readdirSync(shared("cases")).filter((name) => name.startsWith("V-"))) {
    const id = entry.split("-").slice(0, 3).join("-");
    const { expected, folder } = loadCase(id);
    const path = captureOf(folder);
    if (path === null) continue;
    const { tally } = await read([path]);
    if (expected.byte_attribution === undefined || OTHERWISE.has(id)) continue;
    compared += 1;
    for (const direction of DIRECTION_NAMES) {
      const labels = expected.byte_attribution[direction]?.by_label;
      if (labels === undefined) continue;
      const [found, wanted] = [byLabel(tally, direction, Object.keys(labels)), sorted(labels)].map((sums) =>
        JSON.stringify(sums),
      );
      if (found !== wanted) wrong.push(`${id} ${direction}: ${found} for ${wanted}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(compared > 25, `only ${compared} cases were compared`);
});

test("V-TLS-01 to 04: records, and octets in them", { skip }, async () => {
  for (const id of ["V-TLS-01", "V-TLS-02", "V-TLS-03", "V-TLS-04"]) {
    const { tally, expect } = await readCase(id);
    const connection = only(tally.connections);
    assert.equal(connection.protocol, "tls", id);
    for (const direction of DIRECTION_NAMES) {
      const { records, application_data_records, octets } = expect.tls_records[direction];
      const tls = connection.tls?.records[direction];
      assert.equal(tls?.["application_data"] ?? 0, application_data_records, `${id} ${direction}`);
      assert.deepEqual(
        [connection[direction].by_category["tls.record_header"], connection[direction].octets],
        [5 * records, octets],
        `${id} ${direction}`,
      );
    }
  }
});

function sorted(counts: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
}

function byLabel(tally: Tally, direction: "c2s" | "s2c", labels: readonly string[]): [string, number][] {
  const sums: Record<string, number> = {};
  for (const [category, octets] of Object.entries(tally.totals[direction].by_category)) {
    const label = labels.find((name) => name === category) ?? labelOf(category);
    sums[label] = (sums[label] ?? 0) + octets;
  }
  return sorted(sums);
}

const STACK = "stacks/http1-go.pcapng";
const stack = shared("corpora", STACK);
const skipStacks = skipWithoutShared("corpora", "stacks");

test("count and time window choose packets; the first packet's time is the start", { skip: skipStacks }, async () => {
  const whole = await read([stack]);
  assert.equal(whole.packets, JSON.parse(readFileSync(stack.replace(".pcapng", ".truth.json"), "utf8")).capture.packets);
  const counted = await read([stack], { count: 7 });
  assert.deepEqual([counted.packets, counted.tally.started], [7, whole.tally.started]);
  // tshark -T fields -e frame.number -e frame.time_relative: packet 11 is at 2.063177 ms, packet 12 at 4.940770 ms.
  const early = await read([stack], { last: parseTimeBound("3ms") });
  const late = await read([stack], { first: parseTimeBound("0.003s") });
  assert.deepEqual([early.packets, late.packets], [11, whole.packets - 11]);
  assert.ok(late.tally.started > early.tally.ended, `${late.tally.started} is not behind ${early.tally.ended}`);
  assert.ok(
    (late.tally.connections[0]?.c2s.octets ?? 0) < (whole.tally.connections[0]?.c2s.octets ?? 0),
    "late octets are fewer",
  );
});

test("two captures are one, numbered by first packet", { skip: skipStacks }, async () => {
  const other = shared("corpora", "stacks/grpc-go.pcapng");
  const [one, two, both] = [await read([stack]), await read([other]), await read([stack, other])];
  for (const direction of DIRECTION_NAMES) {
    assert.equal(both.tally.totals[direction].octets, one.tally.totals[direction].octets + two.tally.totals[direction].octets);
  }
  assert.deepEqual(
    both.tally.connections.map(({ id, client }) => [id, client]),
    [two, one].map(({ tally }, n) => [`c${n + 1}`, only(tally.connections).client]),
  );
  assert.deepEqual(both.tally.source, { kind: "capture", listeners: [], files: [stack, other] });
});

test("a listener is told the packet of what it is told", { skip: skipStacks }, async () => {
  const numbers: (number | null)[] = [];
  await read([stack], {
    listenerFor: (_startedNs, frameNumber) => ({
      detail: 1,
      messages: false,
      connection: () => numbers.push(frameNumber()),
      unit: () => numbers.push(frameNumber()),
      message() {},
      exchange() {},
      note() {},
      close: () => numbers.push(frameNumber()),
    }),
  });
  // tshark -Y http -T fields -e frame.number: the first request is in packet 4.
  assert.deepEqual([numbers[0], numbers[1], numbers.at(-1)], [null, 4, null]);
});

test("a capture that grows while it is read is read as far as it got", { skip: skipStacks }, async () => {
  const path = join(mkdtempSync(join(tmpdir(), "wiretally-grow-")), "growing.pcapng");
  const octets = readFileSync(shared("corpora", "stacks/http1-go.pcapng"));
  const half = 100_000;
  writeFileSync(path, octets.subarray(0, half));
  let grown = false;
  const grow = (): void => {
    if (!grown) appendFileSync(path, octets.subarray(half));
    grown = true;
  };
  const { tally, notes } = await read([path], { onProgress: grow });
  assert.deepEqual([tally.totals, notes], [(await read([stack])).tally.totals, []]);
});

test("stopped before anything was read: an empty tally, and no error", { skip: skipStacks }, async () => {
  const { tally, captures } = await read([stack], { signal: AbortSignal.abort() });
  assert.deepEqual([tally.connections, captures], [[], []]);
});

test("a capture that cannot be read among others rejects, unless somebody is told", { skip: skipStacks }, async () => {
  const missing = join(tmpdir(), "wiretally-missing.pcapng");
  await assert.rejects(read([stack, missing]), { name: "CaptureError", message: /wiretally-missing.pcapng does not exist/ });
  const failures: string[] = [];
  const { captures } = await read([stack, missing], { onFailure: (error) => failures.push(error.capture) });
  assert.deepEqual([captures.map(({ name }) => name), failures], [[stack], [missing]]);
});
