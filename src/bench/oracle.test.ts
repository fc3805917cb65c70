import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { HpackEncoder, PREFACE, writeData, writeHeaders, writePing, writeSettings, writeWindowUpdate } from "http2-frame-parser";
import { loadSchemas } from "../decode/protobuf/load-schemas.ts";
import type { ByCause, Tally } from "../ledger/tally.ts";
import { createProxy } from "../proxy/proxy.ts";
import { type FixtureName, fixture } from "../servers/fixtures.ts";
import { writeItemJson } from "../servers/item-json.ts";

/*
 * What octets are for, when they are those that Go's stacks send: net/http over HTTP/1.1 and grpc-go, each field line and each frame of a
 * warm call as captures of them have it. The figures come from these captures, not from us.
 */

const CALLS = 5;
/** Over 100 ms: an edge of a window. */
const PAUSE_MS = 130;
const closers: (() => void)[] = [];
after(() => {
  for (const close of closers) close();
});

/** Octets a warm call by cause: [c2s, s2c]. */
type Wanted = readonly [c2s: ByCause, s2c: ByCause];

const HTTP1: Partial<Record<FixtureName, Wanted>> = {
  small: [
    { headers: 152, json_text: 47, payload: 28 },
    { headers: 108, json_text: 48, payload: 28 },
  ],
  medium: [
    { headers: 154, json_text: 78, base64: 344, payload: 1098 },
    { headers: 110, json_text: 79, base64: 344, payload: 1098 },
  ],
};

const GRPC: Partial<Record<FixtureName, Wanted>> = {
  small: [
    { headers: 7, framing: 23, control: 47, protobuf: 4, payload: 16 },
    { headers: 4, framing: 32, control: 47, protobuf: 4, payload: 16 },
  ],
  medium: [
    { headers: 7, framing: 23, control: 47, protobuf: 27, payload: 1090 },
    { headers: 4, framing: 32, control: 47, protobuf: 27, payload: 1090 },
  ],
};

for (const size of ["small", "medium"] as const) {
  test(`Go net/http, ${size}: each octet of a warm call by its cause`, async () => {
    const body = writeItemJson(fixture(size));
    const request =
      "POST /item HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: Go-http-client/1.1\r\n" +
      `Content-Length: ${body.length}\r\nContent-Type: application/json\r\nAccept-Encoding: gzip\r\n\r\n${body}`;
    const response =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nDate: Mon, 30 Nov 2026 12:00:00 GMT\r\n" +
      `Content-Length: ${body.length + 1}\r\n\r\n${body}\n`;
    const call = { up: Buffer.from(request), down: Buffer.from(response) };
    assert.deepEqual(await warmCauses(Array<Exchange>(CALLS + 1).fill(call)), HTTP1[size]);
  });

  test(`grpc-go, ${size}: each octet of a warm call by its cause`, async () => {
    const calls = Array.from({ length: CALLS + 1 }, grpcGoCalls(protobufOf(size)));
    assert.deepEqual(await warmCauses(calls), GRPC[size]);
  });
}

interface Exchange {
  readonly up: Uint8Array;
  readonly down: Uint8Array;
}

/** What grpc-go sends: the first call with its set-up; in later ones every field line is an index, and a window update and a PING pass. */
function grpcGoCalls(message: Uint8Array): (_: unknown, index: number) => Exchange {
  const [client, server] = [new HpackEncoder(), new HpackEncoder()];
  const envelope = Buffer.concat([Uint8Array.of(0, 0, 0, message.length >> 8, message.length & 0xff), message]);
  const probe = Uint8Array.of(2, 4, 16, 16, 9, 14, 7, 7);
  const control = [writeWindowUpdate(0, message.length + 5), writePing(probe)];
  return (_, index) => {
    const stream = 2 * index + 1;
    const request = client.encode([
      { name: ":method", value: "POST" },
      { name: ":scheme", value: "http" },
      { name: ":path", value: "/item.v1.ItemService/Echo" },
      { name: ":authority", value: "127.0.0.1:8080" },
      { name: "content-type", value: "application/grpc" },
      { name: "user-agent", value: "grpc-go/1.60.1" },
      { name: "te", value: "trailers" },
    ]);
    const response = server.encode([
      { name: ":status", value: "200" },
      { name: "content-type", value: "application/grpc" },
    ]);
    const trailers = server.encode([
      { name: "grpc-status", value: "0" },
      { name: "grpc-message", value: "" },
    ]);
    const setUp = index === 0;
    const ack = writePing(probe, { ack: true });
    return {
      up: Buffer.concat([
        ...(setUp ? [PREFACE, writeSettings([])] : []),
        writeHeaders(stream, request),
        writeData(stream, envelope, { endStream: true }),
        ack,
        ...control,
      ]),
      down: Buffer.concat([
        ...(setUp ? [writeSettings([])] : []),
        ...control,
        writeHeaders(stream, response),
        writeData(stream, envelope),
        writeHeaders(stream, trailers, { endStream: true }),
        ack,
      ]),
    };
  };
}

/** Octets of one of the calls after the first, by cause; all of them together must be as many times that. */
async function warmCauses(calls: readonly Exchange[]): Promise<Wanted> {
  const server = net.createServer((socket) => void answer(socket, calls)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  const schemas = await loadSchemas({
    files: [fileURLToPath(new URL("../../proto/item/v1/item.proto", import.meta.url))],
    includeDirs: [],
  });
  const proxy = await createProxy({ listeners: [`127.0.0.1:0:127.0.0.1:${port}`], schemas, warmUp: 1 });
  closers.push(
    () => server.close(),
    () => proxy.abort(),
  );
  const client = net.connect(proxy.listeners[0]?.port ?? 0, "127.0.0.1");
  const [first, ...warm] = calls;
  const take = reader(client);
  const exchange = async ({ up, down }: Exchange): Promise<void> => {
    client.write(up);
    assert.deepEqual(await take(down.length), Buffer.from(down));
  };
  if (first !== undefined) await exchange(first);
  await sleep(PAUSE_MS);
  const before = proxy.tally();
  for (const call of warm) await exchange(call);
  await sleep(PAUSE_MS);
  const end = proxy.tally();
  client.end();
  await proxy.close();
  assert.deepEqual([proxy.broken, proxy.unattributed], [0, 0]);
  return [warmOctets(before, end, "c2s"), warmOctets(before, end, "s2c")];
}

/** Octets a call between two moments by cause; the route's warm window has as many in its levels. */
function warmOctets(from: Tally, to: Tally, direction: "c2s" | "s2c"): ByCause {
  const causes: Record<string, number> = {};
  let sum = 0;
  for (const [cause, octets] of Object.entries(to.totals[direction].by_cause)) {
    const added = octets - (from.totals[direction].by_cause[cause as keyof ByCause] ?? 0);
    assert.equal(added % CALLS, 0, `${cause}: all calls are alike`);
    if (added > 0) causes[cause] = added / CALLS;
    sum += added;
  }
  const warm = to.routes[0]?.[direction].warm;
  assert.deepEqual([warm?.calls, warm?.edges], [CALLS, "closed"]);
  assert.equal((warm?.exclusive ?? 0) + (warm?.stream_flow ?? 0) + (warm?.connection ?? 0), sum);
  return causes;
}

async function answer(socket: net.Socket, calls: readonly Exchange[]): Promise<void> {
  const take = reader(socket);
  socket.on("error", () => {});
  for (const { up, down } of calls) {
    await take(up.length);
    socket.write(down);
  }
}

/** Reads exact numbers of octets, in order. */
function reader(socket: net.Socket): (octets: number) => Promise<Buffer> {
  let have = Buffer.alloc(0);
  let wake = (): void => {};
  socket.on("data", (chunk) => {
    have = Buffer.concat([have, chunk]);
    wake();
  });
  return async (octets) => {
    while (have.length < octets) await new Promise<void>((resolve) => (wake = resolve));
    const taken = have.subarray(0, octets);
    have = have.subarray(octets);
    return taken;
  };
}

/** The item as protobuf, field by field (proto/item/v1/item.proto). */
function protobufOf(size: FixtureName): Uint8Array {
  const { id, name, count, tags, payload } = fixture(size);
  const varint = (value: number): number[] => (value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]);
  const bytes = (field: number, value: Uint8Array): number[] => [field * 8 + 2, ...varint(value.length), ...value];
  return Uint8Array.from([
    8,
    ...varint(id),
    ...bytes(2, Buffer.from(name)),
    24,
    ...varint(count),
    ...tags.flatMap((tag) => bytes(4, Buffer.from(tag))),
    ...(payload.length === 0 ? [] : bytes(5, payload)),
  ]);
}
