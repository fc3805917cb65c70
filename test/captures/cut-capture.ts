import assert from "node:assert/strict";
import { runProgram } from "../peers/program.ts";
import { tallyOf } from "../peers/read-tally.ts";

/** A packet of a capture, as tshark sees it. */
interface PacketFacts {
  readonly number: number;
  readonly fromServer: boolean;
  readonly octets: number;
}

/**
 * Cut one of the captures that are made from others: `late-join` loses its first half, `hole` one packet in the middle of what the server
 * sent. Rejects unless our reader counts the octets that tshark finds in what is left.
 */
export async function cutCapture(name: string, from: string, to: string): Promise<void> {
  const port = await serverPortOf(from);
  const packets = await packetsOf(from, port);
  const lost = name === "late-join" ? firstHalf(packets) : [middleOf(packets)];
  const ranges = lost.length === 1 ? `${lost[0]?.number}` : `${lost[0]?.number}-${lost.at(-1)?.number}`;
  await run(["editcap", from, to, ranges]);

  const kept = await packetsOf(to, port);
  assert.equal(kept.length, packets.length - lost.length);
  const { totals } = await tallyOf(to);
  const octets = (fromServer: boolean) =>
    kept.filter((packet) => packet.fromServer === fromServer).reduce((sum, packet) => sum + packet.octets, 0);
  assert.deepEqual([totals.c2s.octets, totals.s2c.octets], [octets(false), octets(true)], "octets, as tshark counts them");
}

function firstHalf(packets: readonly PacketFacts[]): readonly PacketFacts[] {
  return packets.slice(0, packets.length >> 1);
}

/** The largest packet of the middle half of what the server sent. */
function middleOf(packets: readonly PacketFacts[]): PacketFacts {
  const sent = packets.filter(({ fromServer, octets }) => fromServer && octets > 0);
  const middle = sent.slice(Math.floor(sent.length / 4), Math.ceil((sent.length * 3) / 4));
  const [largest] = middle.toSorted((one, other) => other.octets - one.octets);
  assert.ok(largest !== undefined, "the server sent something");
  return largest;
}

async function packetsOf(path: string, serverPort: number): Promise<PacketFacts[]> {
  const rows = await fieldsOf(path, [], ["frame.number", "tcp.srcport", "tcp.len"]);
  return rows.map(([number = 0, source = 0, octets = 0]) => ({ number, fromServer: source === serverPort, octets }));
}

/** Of the first conversation that begins in it. */
async function serverPortOf(path: string): Promise<number> {
  const [syn] = await fieldsOf(path, ["-Y", "tcp.flags.syn == 1 && tcp.flags.ack == 0"], ["tcp.dstport"]);
  assert.ok(syn?.[0] !== undefined, "it has a SYN");
  return syn[0];
}

async function fieldsOf(path: string, args: readonly string[], fields: readonly string[]): Promise<number[][]> {
  const columns = fields.flatMap((name) => ["-e", name]);
  const rows = (await run(["tshark", "-r", path, ...args, "-T", "fields", ...columns])).split("\n").slice(0, -1);
  return rows.map((row) => row.split("\t").map(Number));
}

async function run(argv: readonly [string, ...string[]]): Promise<string> {
  const { exitCode, stdout, stderr } = await runProgram(argv);
  assert.equal(exitCode, 0, `${argv.join(" ")}: ${stderr}`);
  return stdout;
}
