import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { REQUIRE_ALL, shared, skipWithoutShared } from "../../../test/shared.ts";
import { C2S, type Direction, S2C } from "../../decode/direction.ts";
import { ConversationWriter } from "./conversation-writer.ts";
import { PcapngWriter } from "./pcapng-writer.ts";

const START = 1_700_000_000_123_456_789n;
const CASE = ["cases", "V-EX-03-pcapng-export-roundtrip"];
const absent = spawnSync("tshark", ["--version"], { stdio: "ignore" }).status !== 0;
if (absent && REQUIRE_ALL) throw new Error("tshark is not installed and WIRETALLY_REQUIRE_ALL=1");
const skip = absent ? "tshark is not installed" : false;

let folder = "";
before(() => {
  folder = mkdtempSync(join(tmpdir(), "wiretally-write-"));
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** A capture of what `record` tells, as a file. */
function capture(record: (writer: ConversationWriter) => void): string {
  const blocks: Uint8Array[] = [];
  const reserve = (octets: number) => {
    const room = new Uint8Array(octets).fill(0xee);
    blocks.push(room);
    return room;
  };
  const section = { hardware: "arm64", os: "Test 1", application: "wiretally 0.0.0", comment: "for a test" };
  const writer = new ConversationWriter(new PcapngWriter({ reserve, nextFile: () => assert.fail("one file") }, section));
  writer.listener("web", "127.0.0.1:8080", "localhost:9090");
  record(writer);
  const path = join(folder, "written.pcapng");
  writeFileSync(path, Buffer.concat(blocks));
  return path;
}

/** tshark's lines, with all checksums verified. */
function tshark(path: string, ...args: string[]): string[] {
  const checked = ["-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE"];
  const { status, stderr, stdout } = spawnSync("tshark", ["-r", path, ...checked, ...args], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  assert.equal(status, 0, stderr);
  assert.equal(stderr.replace(/^Running as user.*\n/, ""), "");
  return stdout.split("\n").slice(0, -1);
}

const fields = (path: string, filter: string, ...names: string[]) =>
  tshark(path, "-Y", filter, "-T", "fields", ...names.flatMap((name) => ["-e", name]));

/**
 * tshark finds nothing bad in it: every checksum is good; nothing is malformed, lost, repeated or out of order. A window update
 * is not bad: Wireshark's own rule for "Bad TCP" leaves it out, too.
 */
function assertFaultless(path: string): void {
  const told = ["tcp.checksum.status", "ip.checksum.status", "_ws.malformed", "tcp.analysis.flags", "tcp.analysis.window_update"];
  const packets = fields(path, "frame", ...told);
  assert.ok(packets.length > 0, "there are packets");
  for (const [at, packet] of packets.entries()) {
    const [tcp, ip, malformed, analysis, windowUpdate] = packet.split("\t");
    // 1: good. IPv6 has no checksum of its own.
    assert.ok(tcp === "1" && (ip === "1" || ip === ""), `checksums of packet ${at + 1}: ${packet}`);
    assert.ok(malformed === "" && (analysis === "" || windowUpdate !== ""), `packet ${at + 1}: ${packet}`);
  }
}

/** What tshark follows, by direction. */
function follow(path: string, stream = 0): readonly [Buffer, Buffer] {
  const lines = tshark(path, "-q", "-z", `follow,tcp,raw,${stream}`).filter((line) => /^\t?[\da-f]+$/.test(line));
  const hex = (sent: boolean) =>
    lines
      .filter((line) => line.startsWith("\t") !== sent)
      .join("")
      .replaceAll("\t", "");
  return [Buffer.from(hex(true), "hex"), Buffer.from(hex(false), "hex")];
}

const facts = { id: "c1", listener: "web", client: "192.0.2.10:40001", server: "198.51.100.20:9090" };
/** Octets that no part of is like another. */
const noise = (octets: number) =>
  Buffer.from(Uint32Array.from({ length: octets / 4 }, (_, at) => Math.imul(at + 1, 0x9e3779b1)).buffer);

test("V-EX-03: the streams come back, with their times", { skip: skip || skipWithoutShared(...CASE) }, () => {
  const { turns } = JSON.parse(readFileSync(shared(...CASE, "expected.json"), "utf8")) as { turns: [string, number, number][] };
  const streams = [readFileSync(shared(...CASE, "c2s.bin")), readFileSync(shared(...CASE, "s2c.bin"))] as const;
  const path = capture((writer) => {
    writer.open({ ...facts, server: "198.51.100.20:8080" }, START);
    for (const [at, [name, from, to]] of turns.entries()) {
      const direction: Direction = name === "c2s" ? C2S : S2C;
      writer.delta("c1", direction, streams[direction].subarray(from, to), START + BigInt(at + 1));
    }
    writer.fin("c1", C2S, START + 7n);
    writer.fin("c1", S2C, START + 8n);
    writer.close("c1", START + 9n);
  });
  assertFaultless(path);
  assert.deepEqual(follow(path), streams);
  const types = (source: number) => fields(path, `http2 && tcp.srcport == ${source}`, "http2.type").join(",").split(",").length;
  // The preface is a "Magic" without a type.
  assert.deepEqual([types(40001), types(8080)], [4, 5], "frames by direction, as the case has them");
  const times = fields(path, "tcp.len > 0", "frame.time_epoch");
  assert.deepEqual(
    times,
    turns.map((_, at) => `1700000000.12345679${at}`),
  );
});

test("segments, acknowledgements and both ends of a conversation with bodies of 1 MB", { skip }, () => {
  const body = noise(1_000_000);
  const request = Buffer.concat([Buffer.from(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`), body]);
  const response = Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`), body]);
  for (const server of ["198.51.100.20:80", "[2001:db8::20]:80"]) {
    const path = capture((writer) => {
      writer.open({ ...facts, server }, START);
      writer.delta("c1", C2S, request, START + 1n);
      for (let at = 0; at < response.length; at += 7919) writer.delta("c1", S2C, response.subarray(at, at + 7919), START + 2n);
      writer.fin("c1", S2C, START + 3n);
      writer.fin("c1", C2S, START + 4n);
      writer.close("c1", START + 5n);
    });
    assertFaultless(path);
    assert.deepEqual(follow(path), [request, response]);
    assert.deepEqual(fields(path, "http", "http.request.method", "http.response.code"), ["POST\t", "\t200"]);
    // RFC 9293 §3.8.6: nothing is sent that the receiver's window has no room for.
    const underWay = fields(path, "tcp.analysis.bytes_in_flight", "tcp.analysis.bytes_in_flight").map(Number);
    assert.equal(Math.max(...underWay), 65_495);
    assert.deepEqual([...new Set(fields(path, "tcp", "tcp.window_size"))], ["65535"]);
  }
});

test("a half-close, a reset and a close without either", { skip }, () => {
  const path = capture((writer) => {
    for (const at of [1, 2, 3]) writer.open({ ...facts, id: `c${at}`, client: `192.0.2.10:4000${at}` }, START);
    writer.delta("c1", C2S, Buffer.from("request"), START + 1n);
    writer.fin("c1", C2S, START + 2n);
    writer.delta("c1", S2C, Buffer.from("late answer"), START + 3n);
    writer.delta("c1", C2S, Buffer.from("not after a FIN"), START + 3n);
    writer.fin("c1", S2C, START + 4n);
    writer.close("c1", START + 5n);
    writer.delta("c2", C2S, Buffer.from("request"), START + 6n);
    writer.reset("c2", S2C, START + 7n);
    writer.fin("c2", C2S, START + 7n);
    writer.close("c2", START + 8n);
    writer.delta("c3", S2C, Buffer.from("hello"), START + 9n);
    writer.close("c3", START + 10n);
    writer.delta("c3", S2C, Buffer.from("not after its close"), START + 11n);
  });
  assertFaultless(path);
  assert.deepEqual(follow(path, 0), [Buffer.from("request"), Buffer.from("late answer")]);
  assert.deepEqual(follow(path, 2), [Buffer.alloc(0), Buffer.from("hello")]);
  const packets = (stream: number) =>
    fields(path, `tcp.stream == ${stream}`, "tcp.srcport", "tcp.flags.str", "tcp.len").map(shorten);
  const shake = ["c S", "s AS", "c A"];
  assert.deepEqual(packets(0), [...shake, "c AP 7", "c AF", "s A", "s AP 11", "s AF", "c A"]);
  assert.deepEqual(packets(1), [...shake, "c AP 7", "s AR"]);
  assert.deepEqual(packets(2), [...shake, "s AP 5", "s AR"]);
});

/** `40001\t·······AP···\t7` → `c AP 7`. */
function shorten(line: string): string {
  const [port, flags = "", octets] = line.split("\t");
  return `${port === "9090" ? "s" : "c"} ${flags.replace(/[^A-Z]/g, "")}${octets === "0" ? "" : ` ${octets}`}`;
}

test("addresses and ports may come again, at once and later", { skip }, () => {
  const path = capture((writer) => {
    for (const id of ["c1", "c2"]) writer.open({ ...facts, id }, START);
    for (const id of ["c2", "c1"]) writer.delta(id, C2S, Buffer.from(id), START + 1n);
    for (const id of ["c1", "c2"]) writer.close(id, START + 2n);
    writer.open({ ...facts, id: "c3" }, START + 2n);
    writer.delta("c3", C2S, Buffer.from("c3"), START + 3n);
    writer.close("c3", START + 4n);
  });
  assert.deepEqual(
    [0, 1, 2].map((stream) => follow(path, stream)[C2S].toString()),
    ["c1", "c2", "c3"],
  );
  assert.deepEqual(fields(path, "tcp.analysis.retransmission || tcp.analysis.lost_segment", "frame.number"), []);
});

test("interface, listener and notes are there to be read", { skip }, () => {
  const path = capture((writer) => {
    writer.open({ ...facts, client: "[::1]:40001", server: "/run/app.sock" }, START);
    writer.note("c1", "about the\x1b[2J request\n", C2S);
    writer.note("c1", "about either", null);
    writer.note("c1", "about the answer", S2C);
    writer.delta("c1", C2S, Buffer.from("request"), START + 1n);
    writer.reset("c1", C2S, START + 2n);
    for (let at = 0; at < 20; at++) writer.note("c1", `late ${at}`, C2S);
    writer.close("c1", START + 3n);
  });
  assertFaultless(path);
  const comments = fields(path, "frame.comment", "tcp.srcport", "tcp.len", "frame.comment");
  assert.deepEqual(comments, [
    "40001\t0\tc1; web; server /run/app.sock is shown as [0:0:0:0:0:0:0:1]:30300",
    "40001\t7\tabout the\\x1b[2J request\\x0a,about either",
    `40001\t0\t${Array.from({ length: 15 }, (_, at) => `late ${at}`).join(",")},and 5 more notes`,
    "30300\t0\tabout the answer",
  ]);
  const [shown] = [...new Set(fields(path, "frame", "frame.interface_name", "frame.interface_description", "frame.encap_type"))];
  // WTAP_ENCAP_RAW_IP is 7.
  assert.equal(shown, "web\tweb 127.0.0.1:8080 -> localhost:9090\t7");
  const info = execFileSync("capinfos", [path], { encoding: "utf8" });
  for (const part of ["arm64", "Test 1", "wiretally 0.0.0", "for a test", "nanoseconds (9)"])
    assert.ok(info.includes(part), `${part}: ${info}`);
});

test("editcap makes a classic pcap of both families", { skip }, () => {
  const path = capture((writer) => {
    writer.listener("other", "127.0.0.1:8081", "[::1]:9090");
    writer.open(facts, START);
    writer.open({ id: "c2", listener: "other", client: "[::1]:40001", server: "[::1]:9090" }, START);
    for (const id of ["c1", "c2"]) writer.delta(id, S2C, Buffer.from(`answer of ${id}`), START + 1n);
    for (const id of ["c1", "c2"]) writer.close(id, START + 2n);
  });
  const classic = join(folder, "classic.pcap");
  execFileSync("editcap", ["-F", "pcap", path, classic], { stdio: ["ignore", "ignore", "pipe"] });
  assertFaultless(classic);
  assert.deepEqual([follow(classic, 0)[S2C].toString(), follow(classic, 1)[S2C].toString()], ["answer of c1", "answer of c2"]);
  // Two of 3 + 1 + 1.
  const info = execFileSync("capinfos", ["-c", "-M", classic], { encoding: "utf8" });
  assert.match(info, /Number of packets:\s+10\n/);
});
