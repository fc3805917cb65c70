import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { CAPTURE_CORPORA, capturesOf, PacketRecorder, skipWithoutProgram } from "../../../test/read-packets.ts";
import { shared, skipWithoutShared } from "../../../test/shared.ts";
import { CaptureError } from "../capture-error.ts";
import type { CaptureSummary } from "../capture-file.ts";
import type { Packet } from "../packet.ts";
import { readCaptureFile } from "../read-capture-file.ts";

/** What tshark and capinfos say of a capture; `packets` is null where capinfos gave none. */
interface Truth {
  readonly packets: number | null;
  readonly packetsDissected: number;
  readonly packetsCutBySnaplen: number;
  readonly encapsulation: string | null;
  readonly exitCode: number;
}

/** corpora/README.md and captures.tsv: "neither pcap nor pcapng", "must be refused". */
const REFUSED = new Map([
  ["solaris.snoop", /is a snoop capture.*editcap/],
  ["file_heuristics__bogus-content.txt", /is text, not a capture/],
]);

/** Wireshark's names of the link types that the corpora have, and their LINKTYPE numbers (tcpdump.org/linktypes.html). */
const LINK_TYPE_OF: Readonly<Record<string, readonly number[]>> = {
  ether: [1],
  null: [0],
  ppp: [9],
  rawip: [12, 14, 101],
  chdlc: [104],
  "linux-sll": [113],
  rawip4: [228],
  nflog: [239],
  netlink: [253],
  "linux-sll2": [276],
};

const cannotRun = skipWithoutShared("corpora");

async function read(path: string): Promise<readonly [CaptureSummary, PacketRecorder]> {
  const recorder = new PacketRecorder();
  return [await readCaptureFile(path, recorder), recorder];
}

for (const corpus of CAPTURE_CORPORA) {
  test(`${corpus}: packets, their numbers, cuts and link types as tshark has them`, { skip: cannotRun }, async () => {
    for (const path of capturesOf(corpus)) {
      const name = basename(path);
      const truthPath = shared("corpora", corpus, "truth", `${name}.json`);
      assert.ok(existsSync(truthPath), `${name} has a truth file`);
      const truth = JSON.parse(readFileSync(truthPath, "utf8")) as Truth;
      const refused = REFUSED.get(name);
      if (refused !== undefined) {
        await assert.rejects(read(path), (error) => error instanceof CaptureError && refused.test(error.message), name);
        continue;
      }
      const [summary, { packets, notes }] = await read(path);
      assert.equal(packets.length, truth.packets ?? truth.packetsDissected, name);
      assert.equal(summary.packets, packets.length, name);
      assert.ok((packets.at(-1)?.number ?? 0) <= truth.packetsDissected, `${name}: frame numbers are tshark's`);
      assert.equal(packets.filter(({ octets, length }) => length > octets.length).length, truth.packetsCutBySnaplen, name);
      assert.equal(summary.complete, truth.exitCode === 0, name);
      assert.equal(notes.length > 0, truth.exitCode !== 0 || summary.compression === "zstd", `${name}: ${JSON.stringify(notes)}`);
      const linkTypes = LINK_TYPE_OF[truth.encapsulation ?? ""];
      if (linkTypes !== undefined)
        assert.ok(
          packets.every(({ linkType }) => linkTypes.includes(linkType)),
          `${name}: link types`,
        );
    }
  });
}

/** capinfos gives no row: the capture is damaged (its truth's `packets` is null). */
const NO_ROW = ["bug-1450-04__tls_DER-incomplete-header.pcap"];
/** Most of its packets are dated beyond the year 500,000, which RFC 3339 cannot write: they are read without a time. */
const BEYOND_CALENDARS = "file_heuristics__pcapng-example.pcapng.zst";

const noCapinfos = cannotRun || skipWithoutProgram("capinfos");

for (const corpus of [...CAPTURE_CORPORA, "stacks"]) {
  test(`${corpus}: packets, first and last time as capinfos has them`, { skip: noCapinfos }, async () => {
    const paths = capturesOf(corpus).filter((path) => !REFUSED.has(basename(path)));
    const { stdout } = spawnSync("capinfos", ["-T", "-r", "-c", "-S", "-a", "-e", ...paths], {
      encoding: "utf8",
      maxBuffer: 1e8,
    });
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => line.split("\t"));
    const rows = new Map(lines.map(([path, ...row]) => [path, row]));
    for (const path of paths) {
      const [, { packets, notes }] = await read(path);
      const row = rows.get(path);
      assert.equal(row === undefined, NO_ROW.includes(basename(path)), path);
      if (row === undefined) continue;
      const [count, first, last] = row;
      assert.equal(packets.length, Number(count), path);
      const beyond = notes.some(({ code }) => code === "time-out-of-range");
      assert.equal(beyond, basename(path) === BEYOND_CALENDARS, path);
      if (beyond) continue;
      const times = packets.flatMap(({ timeNs }) => timeNs ?? []).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      // capinfos tells times only where all packets have one.
      if (first === "n/a") assert.ok(times.length < packets.length || packets.length === 0, `${path}: packets without time`);
      else assert.deepEqual([times[0], times.at(-1)], [nanoseconds(first), nanoseconds(last)], path);
    }
  });
}

/** "seconds.fraction", as long as the capture's resolution makes it. */
function nanoseconds(text = ""): bigint {
  const [seconds = "", fraction = ""] = text.split(".");
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, "0"));
}

test("pcapng-test-generator: the blocks that upstream lists", { skip: cannotRun }, async () => {
  /** Upstream's letters (CB and DCB: custom blocks to be copied or not) and our names. */
  const names: Readonly<Record<string, string>> = {
    SHB: "section-header",
    IDB: "interface-description",
    PB: "packet",
    SPB: "simple-packet",
    NRB: "name-resolution",
    ISB: "interface-statistics",
    EPB: "enhanced-packet",
    CB: "custom",
    DCB: "custom",
  };
  let files = 0;
  for (const path of capturesOf("pcapng-test-generator").filter((path) => path.endsWith(".pcapng"))) {
    const list = readFileSync(
      shared("corpora", "pcapng-test-generator", "expected", basename(path).replace(/pcapng$/, "txt")),
      "utf8",
    );
    const expected = new Map<string, number>();
    for (const [, letters = "", count] of list.matchAll(/^\s+([A-Z]+): (\d+)$/gm)) {
      const name = names[letters] ?? letters;
      expected.set(name, (expected.get(name) ?? 0) + Number(count));
    }
    const [{ blocks }] = await read(path);
    assert.deepEqual(sorted(blocks), sorted(expected), basename(path));
    files += 1;
  }
  assert.equal(files, 30);
});

function sorted(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([a], [b]) => a.localeCompare(b));
}

const noTshark = cannotRun || skipWithoutProgram("tshark");

test("frame numbers, lengths and times one by one, as tshark lists them", { skip: noTshark }, async () => {
  const paths = [
    shared("corpora", "pcapng-test-generator", "captures", "le_difficult_test202.pcapng"),
    shared("corpora", "pcapng-test-generator", "captures", "be_advanced_test102.pcapng"),
    shared("corpora", "pcapplusplus", "captures", "many_interfaces-1.pcapng"),
    shared("corpora", "deepflow", "captures", "nats-nrpc1.pcap"),
  ];
  for (const path of paths) {
    const fields = ["frame.number", "frame.time_epoch", "frame.cap_len", "frame.len"].flatMap((field) => ["-e", field]);
    const { stdout } = spawnSync("tshark", ["-n", "-r", path, "-T", "fields", ...fields], { encoding: "utf8", maxBuffer: 1e8 });
    const rows = new Map(
      stdout
        .trim()
        .split("\n")
        .map((line) => [Number(line.split("\t")[0]), line.split("\t")]),
    );
    const [, { packets }] = await read(path);
    assert.ok(packets.length > 0, "there are packets to compare");
    for (const packet of packets) assert.deepEqual(asRow(packet), rows.get(packet.number), `${path}, packet ${packet.number}`);
  }
});

function asRow({ number, timeNs, octets, length }: Packet): string[] {
  const time = timeNs === null ? "" : `${timeNs / 1_000_000_000n}.${String(timeNs % 1_000_000_000n).padStart(9, "0")}`;
  return [`${number}`, time, `${octets.length}`, `${length}`];
}
