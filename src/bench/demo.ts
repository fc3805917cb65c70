import { setTimeout as sleep } from "node:timers/promises";
import { schemasOf } from "../decode/protobuf/schemas.ts";
import { type Bridge, bridge } from "../ledger/bridge.ts";
import type { Tally } from "../ledger/tally.ts";
import { createProxy, type Proxy as RunningProxy } from "../proxy/proxy.ts";
import { FIXTURE_NAMES, type FixtureName, fixture } from "../servers/fixtures.ts";
import { startGrpcServer } from "../servers/grpc-server.ts";
import { startHttp1Server } from "../servers/http1-server.ts";
import { startHttp2Server } from "../servers/http2-server.ts";
import { loadItemSchema } from "../servers/item-schema.ts";
import type { RunningServer } from "../servers/running-server.ts";
import { type ClientTarget, callInSequence, type EchoClient } from "./clients/echo-client.ts";
import { openGrpcClient } from "./clients/grpc-client.ts";
import { openHttp1Client } from "./clients/http1-client.ts";
import { openHttp2Client } from "./clients/http2-client.ts";
import { bridgeSideOf, type ConnectionFigures, connectionFigures, octetsOf, STACKS, type Stack } from "./demo-figures.ts";

/** What the demo does; every part has a default. */
export interface DemoOptions {
  /** Which items to send. Default: all three. */
  readonly sizes?: readonly FixtureName[];
  /** Calls of the warm window. Default 100. */
  readonly calls?: number;
  /** Calls before the warm window, the first one included; at least 1. Default 10. */
  readonly warmUp?: number;
  /** Silence at the edges of the windows; a pause is 100 ms or more. Default 150. */
  readonly pauseMs?: number;
  /** Told before each step. */
  readonly onProgress?: (progress: DemoProgress) => void;
}

/** Where the demo is: `done` of `total` steps. */
export interface DemoProgress {
  readonly text: string;
  readonly done: number;
  readonly total: number;
}

/** One item over one protocol, on a connection of its own. */
export interface DemoRow extends ConnectionFigures {
  readonly size: FixtureName;
  readonly stack: Stack;
  /** The warm window's octets over gRPC's, for the same item and the same number of calls. */
  readonly ratioToGrpc: number;
}

/** What a warm call as JSON costs more than the same as gRPC, by cause and category. */
export interface DemoBridge extends Bridge {
  readonly size: FixtureName;
  readonly from: "grpc";
  readonly to: Exclude<Stack, "grpc">;
}

/** What the demo found. */
export interface DemoResult {
  readonly calls: number;
  readonly warmUp: number;
  /** By size, then gRPC, HTTP/2, HTTP/1.1. */
  readonly rows: readonly DemoRow[];
  /** By size, then HTTP/2, HTTP/1.1. */
  readonly bridges: readonly DemoBridge[];
  /** Of all connections, closed. */
  readonly tally: Tally;
  /** Octets under `unattributed`: none, unless something is wrong. */
  readonly unattributed: number;
  /** Connections and directions whose sums did not close: none, unless something is wrong. */
  readonly broken: number;
}

/**
 * The founding comparison: the same item as gRPC, as JSON over HTTP/2 and as JSON over HTTP/1.1, each on one warm connection through
 * a proxy. Starts servers, proxy and clients on free ports of loopback and ends them all. Takes a few seconds.
 * Rejects when a port cannot be had or a call fails.
 */
export async function runDemo(options: DemoOptions = {}): Promise<DemoResult> {
  const { sizes = FIXTURE_NAMES, calls = 100, warmUp = 10, pauseMs = 150, onProgress = () => {} } = options;
  if (!(warmUp >= 1 && calls >= 1)) throw new TypeError("the demo needs a call to warm up with and a call to measure");
  const servers = await startServers();
  try {
    const proxy = await createProxy({
      listeners: STACKS.map((stack) => `${stack}=${HOST}:0:${HOST}:${servers[stack].port}`),
      warmUp,
      schemas: schemasOf(loadItemSchema().item.root),
    });
    const rows: DemoRow[] = [];
    try {
      for (const [index, size] of sizes.entries()) {
        const step = (done: number, text: string) =>
          onProgress({ text: `${size} item: ${text}`, done: index * STEPS + done, total: sizes.length * STEPS });
        rows.push(...(await measure(proxy, size, { calls, warmUp, pauseMs, step })));
      }
    } finally {
      await proxy.close();
    }
    const { unattributed, broken } = proxy;
    return { calls, warmUp, rows, bridges: bridgesOf(rows), tally: proxy.tally(), unattributed, broken };
  } finally {
    await Promise.all(STACKS.map((stack) => servers[stack].close()));
  }
}

const HOST = "127.0.0.1";
const STEPS = 3;

const START = { grpc: startGrpcServer, http2: startHttp2Server, http1: startHttp1Server } as const satisfies Record<
  Stack,
  unknown
>;
const OPEN = { grpc: openGrpcClient, http2: openHttp2Client, http1: openHttp1Client } as const satisfies Record<Stack, unknown>;

async function startServers(): Promise<Record<Stack, RunningServer>> {
  const address = { host: HOST, port: 0 };
  const [grpc, http2, http1] = await Promise.all([START.grpc(address), START.http2(address), START.http1(address)]);
  return { grpc, http2, http1 };
}

interface Plan {
  readonly calls: number;
  readonly warmUp: number;
  readonly pauseMs: number;
  readonly step: (done: number, text: string) => void;
}

/** One size: a connection per stack. They run side by side and pause together, so that silence on one is not noise from another. */
async function measure(proxy: RunningProxy, size: FixtureName, { calls, warmUp, pauseMs, step }: Plan): Promise<DemoRow[]> {
  const item = fixture(size);
  const before = proxy.tally();
  const clients = STACKS.map((stack) => OPEN[stack](addressOf(proxy, stack), item));
  const allCall = (times: number) => Promise.all(clients.map((client) => callInSequence(client, times)));
  try {
    step(0, "first call");
    await allCall(1);
    await silence(proxy, pauseMs);
    step(1, "warm-up");
    await allCall(warmUp - 1);
    await silence(proxy, pauseMs);
    const warmStart = proxy.tally();
    step(2, `${calls} calls`);
    await allCall(calls);
    await silence(proxy, pauseMs);
    const moments = { before, warmStart, warmEnd: proxy.tally() };
    return rowsOf(size, (stack) => connectionFigures(stack, moments));
  } finally {
    await closeAll(clients);
  }
}

function rowsOf(size: FixtureName, figuresOf: (stack: Stack) => ConnectionFigures): DemoRow[] {
  const figures = STACKS.map((stack) => ({ stack, ...figuresOf(stack) }));
  const grpc = figures.find(({ stack }) => stack === "grpc");
  if (grpc === undefined) throw new TypeError("gRPC is one of the stacks");
  return figures.map((row) => ({ size, ratioToGrpc: octetsOf(row.warm) / octetsOf(grpc.warm), ...row }));
}

function bridgesOf(rows: readonly DemoRow[]): DemoBridge[] {
  return rows.flatMap((row) => {
    const { size, stack: to } = row;
    const grpc = rows.find((other) => other.stack === "grpc" && other.size === size);
    if (to === "grpc" || grpc === undefined) return [];
    return [{ size, from: "grpc", to, ...bridge(bridgeSideOf(grpc), bridgeSideOf(row)) }];
  });
}

function addressOf(proxy: RunningProxy, stack: Stack): ClientTarget {
  const listener = proxy.listeners.find(({ name }) => name === stack);
  if (listener === undefined) throw new TypeError(`the proxy has no listener ${stack}`);
  return { host: HOST, port: listener.port };
}

async function closeAll(clients: readonly EchoClient[]): Promise<void> {
  await Promise.all(clients.map((client) => client.close()));
}

/**
 * Silence on all connections for `ms`. It begins again when octets still came, up to a few times: a busy machine then makes the demo
 * longer, and not a window's edge open.
 */
async function silence(proxy: RunningProxy, ms: number): Promise<void> {
  await sleep(SETTLE_MS);
  for (let attempt = 0; attempt < 10; attempt++) {
    const before = relayedOctets(proxy);
    await sleep(ms);
    if (relayedOctets(proxy) === before) return;
  }
}

/** After a call's answer a flow-control frame or two may follow. */
const SETTLE_MS = 10;

function relayedOctets(proxy: RunningProxy): number {
  const { c2s, s2c } = proxy.tally().totals;
  return c2s.octets + s2c.octets;
}
