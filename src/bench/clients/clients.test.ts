import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { test } from "node:test";
import { HpackDecoder } from "http2-frame-parser";
import { shared, skipWithoutShared } from "../../../test/shared.ts";
import { FIXTURE_NAMES, type FixtureName, fixture } from "../../servers/fixtures.ts";
import { startGrpcServer } from "../../servers/grpc-server.ts";
import { startHttp1Server } from "../../servers/http1-server.ts";
import { startHttp2Server } from "../../servers/http2-server.ts";
import { callInSequence, type EchoClient } from "./echo-client.ts";
import { openGrpcClient } from "./grpc-client.ts";
import { openHttp1Client } from "./http1-client.ts";
import { openHttp2Client } from "./http2-client.ts";

const HOST = "127.0.0.1";
const WARM_UP = 10;
const CALLS = 20;
const DIRECTIONS = ["up", "down"] as const;
type PerDirection<T> = { readonly [D in (typeof DIRECTIONS)[number]]: T };

/** A plain relay that keeps what it relayed: nothing of wiretally decodes it. */
class KeepingRelay {
  readonly relayed: { readonly [D in (typeof DIRECTIONS)[number]]: Buffer[] } = { up: [], down: [] };
  readonly #server: Server;
  readonly #sockets: Socket[] = [];
  connections = 0;

  constructor(targetPort: number) {
    this.#server = createServer((client) => {
      this.connections++;
      const upstream = connect(targetPort, HOST);
      this.#pass("up", client, upstream);
      this.#pass("down", upstream, client);
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, HOST, resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  octets(): PerDirection<number> {
    const sum = (chunks: readonly Buffer[]) => chunks.reduce((octets, chunk) => octets + chunk.length, 0);
    return { up: sum(this.relayed.up), down: sum(this.relayed.down) };
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #pass(direction: "up" | "down", from: Socket, to: Socket): void {
    this.#sockets.push(from);
    from.setNoDelay(true);
    from.on("error", () => to.destroy());
    from.on("data", (chunk) => {
      this.relayed[direction].push(chunk);
      to.write(chunk);
    });
    from.on("end", () => to.end());
  }
}

type Frame = { readonly type: number; readonly stream: number; readonly length: number };
const DATA = 0x00;
const HEADERS = 0x01;

/** RFC 9113 §4.1, and nothing more of it than the sums need. */
function framesOf(direction: "up" | "down", octets: Buffer): Frame[] {
  const frames: Frame[] = [];
  const prefaceOctets = direction === "up" ? 24 : 0;
  for (let at = prefaceOctets; at + 9 <= octets.length; ) {
    const length = octets.readUIntBE(at, 3);
    frames.push({ type: octets.readUInt8(at + 3), stream: octets.readUInt32BE(at + 5) & 0x7fffffff, length });
    at += 9 + length;
  }
  return frames;
}

/** Octets of the date of the first response, as coded. */
function dateOctets(octets: Buffer): number {
  const hpack = new HpackDecoder();
  let at = 0;
  for (const { type, length } of framesOf("down", octets)) {
    const { lines } = hpack.decodeBlock(type === HEADERS ? octets.subarray(at + 9, at + 9 + length) : new Uint8Array(0));
    const date = lines.find(({ name }) => name === "date");
    if (date !== undefined) return date.valueOctets;
    at += 9 + length;
  }
  assert.fail("there is no date");
}

type Start = (address: { host: string; port: number }) => Promise<{ port: number; close(): Promise<void> }>;
type Open = (target: { host: string; port: number }, item: ReturnType<typeof fixture>) => EchoClient;

async function relayCalls(
  start: Start,
  open: Open,
  size: FixtureName,
): Promise<{ relay: KeepingRelay; warm: PerDirection<number> }> {
  const server = await start({ host: HOST, port: 0 });
  const relay = new KeepingRelay(server.port);
  const client = open({ host: HOST, port: await relay.listen() }, fixture(size));
  try {
    await callInSequence(client, WARM_UP);
    const before = relay.octets();
    await callInSequence(client, CALLS);
    const after = relay.octets();
    return { relay, warm: { up: after.up - before.up, down: after.down - before.down } };
  } finally {
    await client.close();
    await relay.close();
    await server.close();
  }
}

/** The reference's mean of one frame kind per call. */
type FrameMean = { readonly perCall: number; readonly bytesPerCall: number };
type Reference = PerDirection<number> & { readonly firstUp: number; readonly firstDown: number } & {
  readonly [D in "upFrames" | "downFrames"]: { readonly [kind: string]: FrameMean };
};

const skip = skipWithoutShared("corpora", "stacks", "reference-per-call.json");
function reference(stack: string, size: FixtureName): Reference {
  return JSON.parse(readFileSync(shared("corpora", "stacks", "reference-per-call.json"), "utf8")).stacks[stack][size];
}

for (const size of FIXTURE_NAMES) {
  test(`HTTP/1.1 ${size}: octets per warm call are the reference's`, { skip }, async () => {
    const { relay, warm } = await relayCalls(startHttp1Server, openHttp1Client, size);
    const { up, down } = reference("http1-node", size);
    assert.deepEqual(warm, { up: CALLS * up, down: CALLS * down });
    assert.equal(relay.connections, 1);
  });
}

const HTTP2_STACKS = [
  ["gRPC", "grpc-js", startGrpcServer, openGrpcClient],
  ["HTTP/2", "h2c-json-node", startHttp2Server, openHttp2Client],
] as const;

for (const [protocol, stack, start, open] of HTTP2_STACKS) {
  for (const size of FIXTURE_NAMES) {
    test(`${protocol} ${size}: HEADERS and DATA of each warm call are the reference's`, { skip }, async () => {
      const { relay } = await relayCalls(start, open, size);
      assert.equal(relay.connections, 1);
      for (const direction of DIRECTIONS) {
        const wanted = Object.entries(reference(stack, size)[`${direction}Frames`]).filter(([kind]) =>
          /^(HEADERS|DATA)/.test(kind),
        );
        const wantedFrames = wanted.reduce((sum, [, { perCall }]) => sum + perCall, 0);
        // Frame headers apart: where a flow-control window cuts a body in two differs from call to call. Rounded down,
        // because the reference's means hold its own runs' changes of the date.
        const wantedOctets = Math.floor(wanted.reduce((sum, [, mean]) => sum + mean.bytesPerCall - 9 * mean.perCall, 0) + 0.005);

        const frames = framesOf(direction, Buffer.concat(relay.relayed[direction]));
        let dateChanges = 0;
        for (let call = WARM_UP; call < WARM_UP + CALLS; call++) {
          const own = frames.filter(({ type, stream }) => stream === 1 + 2 * call && (type === DATA || type === HEADERS));
          if (Number.isInteger(wantedFrames)) assert.equal(own.length, wantedFrames, `${direction} frames of call ${call}`);
          const octets = own.reduce((sum, { length }) => sum + length, 0);
          if (octets !== wantedOctets) {
            // A new date goes into the dynamic table: 1 + 1 + 22 octets (23 with some days' digits) in place of 1.
            assert.equal(direction, "down");
            assert.ok(
              [wantedOctets + 23, wantedOctets + 24].includes(octets),
              `${octets} octets in call ${call}, not ${wantedOctets}`,
            );
            dateChanges++;
          }
        }
        assert.ok(dateChanges <= 3, `${dateChanges} dates in ${CALLS} calls`);
      }
    });
  }
}

test("HTTP/2 cold small is the reference's", { skip }, async () => {
  const server = await startHttp2Server({ host: HOST, port: 0 });
  const relay = new KeepingRelay(server.port);
  const client = openHttp2Client({ host: HOST, port: await relay.listen() }, fixture("small"));
  try {
    await client.call();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { firstUp, firstDown } = reference("h2c-json-node", "small");
    // RFC 7541 appendix B: digits have 5 or 6 bits, so a date has 21 to 23 octets; the reference's has 22.
    const date = dateOctets(Buffer.concat(relay.relayed.down));
    assert.deepEqual(relay.octets(), { up: firstUp, down: firstDown + date - 22 });
  } finally {
    await client.close();
    await relay.close();
    await server.close();
  }
});

for (const [protocol, open] of [
  ["gRPC", openGrpcClient],
  ["HTTP/1.1", openHttp1Client],
  ["HTTP/2", openHttp2Client],
] as const) {
  test(`${protocol}: a call to a closed port rejects`, async () => {
    const placeholder = createServer();
    await new Promise<void>((resolve) => placeholder.listen(0, HOST, resolve));
    const { port } = placeholder.address() as AddressInfo;
    await new Promise((resolve) => placeholder.close(resolve));
    const client = open({ host: HOST, port }, fixture("small"));
    await assert.rejects(client.call(), /ECONNREFUSED/);
    await client.close();
  });
}

for (const [protocol, start, open] of [
  ["HTTP/1.1", startHttp1Server, openHttp1Client],
  ["HTTP/2", startHttp2Server, openHttp2Client],
] as const) {
  test(`${protocol}: a call that is refused rejects with the status`, async () => {
    const server = await start({ host: HOST, port: 0 });
    // Past 2^53 the servers refuse the id.
    const client = open({ host: HOST, port: server.port }, { ...fixture("small"), id: 2 ** 53 });
    await assert.rejects(client.call(), /answered 400/);
    await client.close();
    await server.close();
  });
}
