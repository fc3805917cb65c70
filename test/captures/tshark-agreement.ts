import assert from "node:assert/strict";
import { readCaptures } from "../../src/capture/read-captures.ts";
import { DIRECTION_NAMES } from "../../src/decode/direction.ts";
import type { WireUnit } from "../../src/decode/wire-unit.ts";
import type { ConnectionFacts, LedgerListener } from "../../src/ledger/listener.ts";
import { runProgram } from "../peers/program.ts";

/** What two readers of a capture have to agree in, direction by direction: `c1 c2s`, … */
interface Reading {
  /** HTTP/2 frames by type: `c1 c2s 4` to how many. */
  readonly frames: Map<string, number>;
  /** Field lines in their order: `name: value`. */
  readonly fields: Map<string, string[]>;
  /** WebSocket frames in their order: opcode, FIN, mask, octets of payload. */
  readonly sockets: Map<string, string[]>;
}

const reading = (): Reading => ({ frames: new Map(), fields: new Map(), sockets: new Map() });
const TSHARK_MS = 60_000;
/** Between the values of a field that a packet has several of. */
const MANY = "\u001f";
const FIELDS = ["tcp.stream", "tcp.srcport", "http2.type", "http2.header.name", "http2.header.value"];
const SOCKET_FIELDS = ["websocket.opcode", "websocket.fin", "websocket.mask", "websocket.payload_length"];
const LINES = ["http.request.line", "http.response.line"];

/**
 * tshark and the project's reader find the same HTTP/2 frames by type, the same field lines and the same WebSocket frames in the same
 * order, in each direction of each connection. Rejects with an AssertionError where they do not.
 * @param port the server's. @param speaks what tshark is told that it speaks.
 * @returns HTTP/2 frames in all.
 */
export async function assertTsharkAgrees(path: string, port: number, speaks: "http" | "http2"): Promise<number> {
  const [ours, theirs] = [await ourReading(path), await tsharkReading(path, port, speaks)];
  assert.deepEqual(sorted(ours.frames), sorted(theirs.frames), "HTTP/2 frames by type");
  assert.deepEqual(sorted(ours.fields), sorted(theirs.fields), "field lines");
  assert.deepEqual(sorted(ours.sockets), sorted(theirs.sockets), "WebSocket frames");
  assert.ok(ours.fields.size > 0, "there were field lines to compare");
  return [...ours.frames.values()].reduce((sum, frames) => sum + frames, 0);
}

async function ourReading(path: string): Promise<Reading> {
  const found = reading();
  const listener: LedgerListener = {
    detail: 2,
    messages: false,
    connection() {},
    unit: ({ id }: ConnectionFacts, { direction, detail, fields, fieldsOmitted }: WireUnit) => {
      const key = `${id} ${DIRECTION_NAMES[direction]}`;
      if (detail.kind === "h2.frame") count(found.frames, `${key} ${detail.type}`);
      if (detail.kind === "ws.frame") {
        const { opcode, fin, masked, length } = detail;
        add(found.sockets, key, [[opcode, fin, masked, length].map(Number).join(" ")]);
      }
      assert.equal(fieldsOmitted, 0);
      add(
        found.fields,
        key,
        fields.map(({ name, value }) => `${name}: ${value}`),
      );
    },
    message() {},
    exchange() {},
    note() {},
    close() {},
  };
  await readCaptures([path], { generator: { name: "record", version: "0" }, listenerFor: () => listener });
  return found;
}

async function tsharkReading(path: string, port: number, speaks: string): Promise<Reading> {
  const found = reading();
  const names = [...FIELDS, ...SOCKET_FIELDS, ...LINES];
  const form = ["-T", "fields", "-E", "separator=/t", "-E", `aggregator=${MANY}`, ...names.flatMap((name) => ["-e", name])];
  const command = ["tshark", "-r", path, "-d", `tcp.port==${port},${speaks}`, ...form] as const;
  const { exitCode, stdout, stderr } = await runProgram([...command], new Uint8Array(), TSHARK_MS);
  assert.equal(exitCode, 0, stderr);
  for (const row of stdout.split("\n").slice(0, -1)) {
    const [
      stream = "",
      source = "",
      types = "",
      fieldNames = "",
      values = "",
      opcodes = "",
      fins = "",
      masks = "",
      lengths = "",
      ...lines
    ] = row.split("\t");
    const key = `c${Number(stream) + 1} ${Number(source) === port ? "s2c" : "c2s"}`;
    for (const type of many(types)) count(found.frames, `${key} ${type}`);
    const texts = many(values);
    const sockets = [fins, masks, lengths].map(many);
    add(
      found.sockets,
      key,
      many(opcodes).map((opcode, at) => [opcode, ...sockets.map((list) => list[at])].map(Number).join(" ")),
    );
    add(
      found.fields,
      key,
      lines.flatMap(many).map((line) => line.replace(/\\r\\n$/, "")),
    );
    add(
      found.fields,
      key,
      many(fieldNames).map((name, at) => `${name}: ${texts[at]}`),
    );
  }
  return found;
}

function many(list: string): string[] {
  return list === "" ? [] : list.split(MANY);
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function add(lists: Map<string, string[]>, key: string, more: readonly string[]): void {
  if (more.length > 0) lists.set(key, [...(lists.get(key) ?? []), ...more]);
}

function sorted<T>(entries: ReadonlyMap<string, T>): [string, T][] {
  return [...entries].sort(([one], [other]) => (one < other ? -1 : 1));
}
