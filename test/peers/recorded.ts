import assert from "node:assert/strict";
import { join } from "node:path";
import type { Tally } from "../../src/ledger/tally.ts";
import { runProgram } from "./program.ts";
import { comparable, inAnyOrder, tallyOf } from "./read-tally.ts";

/** Wireshark's severities, epan/proto.h: PI_WARN, and PI_ERROR above it. */
const WARN = 0x600000;
/** tshark thinks a reset worth a warning, and a packet with a comment worth an entry. */
const EXPECTED_WARNING = /^Connection reset \(RST\)/;
const TSHARK_MS = 120_000;
const CHECKS = ["tcp.check_checksum", "ip.check_checksum"].flatMap((name) => ["-o", `${name}:TRUE`]);
const FIELDS = ["tcp.stream", "tcp.srcport", "tcp.len", "tcp.checksum.status", "ip.checksum.status", "tcp.analysis.flags"];
const EXPERT = ["_ws.malformed", "_ws.expert.severity", "_ws.expert.message"];
const MANY = "\u001f";

/** What cannot be expected of a capture. */
export interface RecordedOptions {
  /** What tshark may say of the octets themselves, where they are no good example of their protocol. */
  readonly warnings?: RegExp;
}

/**
 * What a run recorded is the run: tshark has nothing to object to, counts the tally's octets for each connection, and the tally of the
 * capture is that of the run; also when editcap has made a classic pcap of it. @param folder for what is made meanwhile.
 */
export async function assertRecorded(path: string, tally: Tally, folder: string, options: RecordedOptions = {}): Promise<void> {
  const packets = await packetsOf(path);
  assert.deepEqual(
    packets.flatMap((packet) => faultsOf(packet, options.warnings)),
    [],
    "what tshark objects to",
  );
  const counted = tally.connections.map(({ c2s, s2c }) => [c2s.octets, s2c.octets]);
  assert.deepEqual(octetsByStream(packets), counted, "octets of each connection, as tshark counts them");

  assert.deepEqual(comparable(await tallyOf(path)), comparable(tally), "the tally of the capture is that of the run");
  const classic = join(folder, "classic.pcap");
  await run(["editcap", "-F", "pcap", path, classic]);
  assert.deepEqual(comparable(await tallyOf(classic)), comparable(tally), "and that of the classic pcap made of it");
}

/**
 * What dumpcap saw on one leg comes to the same tally, as far as it does not hang on the order across the two directions, which the legs
 * need not share. @param path of its capture. @param port the leg's server side.
 */
export async function assertWitnessed(path: string, port: number, tally: Tally, folder: string): Promise<void> {
  const leg = join(folder, "leg.pcapng");
  await run(["tshark", "-r", path, "-Y", `tcp.port == ${port}`, "-w", leg]);
  assert.deepEqual(inAnyOrder(await tallyOf(leg)), inAnyOrder(tally), "the tally of what dumpcap saw is that of the run");
}

interface TsharkPacket {
  readonly number: number;
  readonly values: { readonly [field: string]: string };
}

async function packetsOf(path: string): Promise<TsharkPacket[]> {
  const names = [...FIELDS, ...EXPERT];
  const fields = names.flatMap((name) => ["-e", name]);
  const form = ["-T", "fields", "-E", "separator=/t", "-E", `aggregator=${MANY}`];
  const lines = (await run(["tshark", "-r", path, ...CHECKS, ...form, ...fields])).split("\n").slice(0, -1);
  return lines.map((line, at) => {
    const values = line.split("\t");
    return { number: at + 1, values: Object.fromEntries(names.map((name, place) => [name, values[place] ?? ""])) };
  });
}

function faultsOf({ number, values }: TsharkPacket, allowed: RegExp | undefined): string[] {
  // Wireshark's PROTO_CHECKSUM_E_GOOD is 1; IPv6 has no checksum.
  const faults = ["tcp", "ip"]
    .filter((layer) => !/^1?$/.test(values[`${layer}.checksum.status`] ?? ""))
    .map((layer) => `${layer} checksum`);
  for (const name of ["_ws.malformed", "tcp.analysis.flags"]) if (values[name] !== "") faults.push(`${name} ${values[name]}`);
  const severities = (values["_ws.expert.severity"] ?? "").split(MANY);
  for (const [at, message] of (values["_ws.expert.message"] ?? "").split(MANY).entries()) {
    if (Number(severities[at]) < WARN || EXPECTED_WARNING.test(message) || allowed?.test(message)) continue;
    if (message !== "") faults.push(message);
  }
  return faults.map((fault) => `packet ${number}: ${fault}`);
}

/** c2s and s2c of each conversation, in the order of their first packets, which are the clients'. */
function octetsByStream(packets: readonly TsharkPacket[]): number[][] {
  const streams: { readonly client: string | undefined; readonly octets: number[] }[] = [];
  for (const { values } of packets) {
    const at = Number(values["tcp.stream"]);
    const stream = streams[at] ?? { client: values["tcp.srcport"], octets: [0, 0] };
    streams[at] = stream;
    const direction = values["tcp.srcport"] === stream.client ? 0 : 1;
    stream.octets[direction] = (stream.octets[direction] ?? 0) + Number(values["tcp.len"]);
  }
  return streams.map(({ octets }) => octets);
}

async function run(argv: [string, ...string[]]): Promise<string> {
  const { exitCode, stdout, stderr } = await runProgram(argv, new Uint8Array(), TSHARK_MS);
  // As root tshark says so.
  const complaint = stderr.replace(/^Running as user.*\n/, "");
  assert.deepEqual([exitCode, complaint], [0, ""], argv.join(" "));
  return stdout;
}
