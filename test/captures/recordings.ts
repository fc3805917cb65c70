import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:http2";
import { createServer } from "node:net";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client, credentials, Metadata } from "@grpc/grpc-js";
import { fixture } from "../../src/servers/fixtures.ts";
import { startGrpcServer } from "../../src/servers/grpc-server.ts";
import { startHttp2Server } from "../../src/servers/http2-server.ts";
import { writeItemJson } from "../../src/servers/item-json.ts";
import { loadItemSchema } from "../../src/servers/item-schema.ts";
import type { RunningServer } from "../../src/servers/running-server.ts";
import { methodDefinition } from "../../src/servers/service-definition.ts";
import { documentServer } from "../peers/http-server.ts";
import { listenFor } from "../peers/listen.ts";
import { startNghttpd } from "../peers/nghttpd.ts";
import { runProgram } from "../peers/program.ts";
import { upgradeServer } from "../peers/upgrade-server.ts";
import type { CAPTURES } from "./catalogue.ts";
import { startProgram } from "./start-program.ts";
import { webSocketServer } from "./websocket-server.ts";

/** A client and a server that meet through the proxy. */
export interface Recording {
  /** Their names and versions. */
  readonly client: () => string;
  readonly server: () => string;
  /** What tshark is told that the port speaks. */
  readonly speaks: "http" | "http2";
  /** @returns the server's port on 127.0.0.1. */
  readonly start: (t: TestContext) => Promise<number>;
  /** @param port the proxy's. */
  readonly talk: (port: number) => Promise<unknown>;
}

/** A credential that is none: redaction has something to hide. */
const NOT_A_SECRET = "not-a-secret";
const LOCAL = { host: "127.0.0.1", port: 0 };
/** Below those that clients get: where a capture begins late, that tells who the server is. */
const LOW_PORT = { host: "127.0.0.1", port: 8089 };
const PYTHON = "/usr/bin/python3";
/** Built from the program in captures/README.md. */
const GRPC_GO = process.env["WIRETALLY_GRPC_GO"] ?? "";
const NODE = () => `node ${process.versions.node}`;
const GRPC_JS = () => `grpc-js ${packageVersion("@grpc/grpc-js")}`;
const schema = loadItemSchema();
const small = { ...fixture("small") };

type Recorded = Exclude<(typeof CAPTURES)[number], { readonly cutFrom: string }>["name"];

/** By the name of the capture. */
export const RECORDINGS: Readonly<Record<Recorded, Recording>> = {
  "curl-http1": {
    client: () => firstLine("curl", "--version").split(" (")[0]!,
    server: () => `${NODE()} http`,
    speaks: "http",
    start: (t) => listenFor(t, documentServer()),
    talk: async (port) => {
      const url = (path: string) => `http://127.0.0.1:${port}/${path}`;
      const credential = ["-H", `Authorization: Bearer ${NOT_A_SECRET}`, "-b", `session=${NOT_A_SECRET}`];
      const get = ["-sS", "-A", "curl", ...credential, url("hello?page=2")];
      const post = ["-sS", "-A", "curl", "-H", "Content-Type: application/json", "-d", '{"id":7,"name":"widget"}', url("echo")];
      const put = ["-sS", "-A", "curl", "-T", "-", "-H", "Expect: 100-continue", url("echo")];
      await mustRun(["curl", ...get, "--next", ...post, "--next", ...put], Buffer.from("a chunk of text\n"));
    },
  },
  "curl-h2c-upgrade": {
    client: () => firstLine("curl", "--version").split(" (")[0]!,
    server: () => "test/peers/upgrade-server.ts",
    speaks: "http",
    start: (t) => listenFor(t, upgradeServer()),
    talk: (port) => mustRun(["curl", "-sS", "-A", "curl", "--http2", `http://127.0.0.1:${port}/`]),
  },
  "nghttp-padding": {
    client: () => firstLine("nghttp", "--version"),
    server: () => firstLine("nghttpd", "--version"),
    speaks: "http2",
    start: (t) => startNghttpd(t, { "a.txt": Buffer.from("padded\n") }, ["-b", "9", "--trailer", "x-trailer: last"]),
    talk: (port) => {
      const long = Array.from({ length: 2000 }, (_, at) => `{field-${at % 100}}`)
        .join("")
        .slice(0, 17_800);
      return mustRun(["nghttp", "-b", "9", "-H", `x-long: ${long}`, `http://127.0.0.1:${port}/a.txt`]);
    },
  },
  "node-http2-json": {
    client: () => `${NODE()} http2`,
    server: () => `${NODE()} http2`,
    speaks: "http2",
    start: async (t) => started(t, await startHttp2Server(LOCAL)),
    talk: async (port) => {
      const session = connect(`http://127.0.0.1:${port}`);
      const fetch = async (headers: Record<string, string>, body = ""): Promise<void> => {
        const stream = session.request({ ...headers, authorization: `Bearer ${NOT_A_SECRET}` }, { endStream: body === "" });
        if (body !== "") stream.end(body);
        for await (const part of stream) void part;
      };
      await fetch({ ":path": "/item/small" });
      const item = writeItemJson({
        id: 7,
        name: "widget-07",
        count: 3,
        tags: ["a", "b"],
        payload: fixture("medium").payload.slice(0, 150),
      });
      const json = { ":method": "POST", ":path": "/item", "content-type": "application/json" };
      await fetch(json, item);
      await fetch(json, "no JSON");
      await fetch({ ":path": "/item/small" });
      await new Promise<void>((resolve) => session.close(resolve));
    },
  },
  "grpc-js-unary": {
    client: GRPC_JS,
    server: GRPC_JS,
    speaks: "http2",
    start: async (t) => started(t, await startGrpcServer(LOCAL)),
    talk: (port) =>
      withGrpcJs(port, async (client) => {
        await unary(client, "Echo", small);
        await unary(client, "Echo", { ...small, id: 2, name: "widget-02" });
        await unary(client, "Fail", { code: 5, message: "no widget: 100 %" });
      }),
  },
  "grpc-js-streaming": {
    client: GRPC_JS,
    server: GRPC_JS,
    speaks: "http2",
    start: async (t) => started(t, await startGrpcServer(LOW_PORT)),
    talk: (port) =>
      withGrpcJs(port, async (client) => {
        await repeat(client);
        await collect(client);
        await chat(client);
        await repeat(client);
      }),
  },
  grpcio: {
    client: () => `grpcio ${firstLine(PYTHON, "-c", "import grpc; print(grpc.__version__)")}`,
    server: GRPC_JS,
    speaks: "http2",
    start: async (t) => started(t, await startGrpcServer(LOCAL)),
    talk: (port) => mustRun([PYTHON, fileURLToPath(new URL("../peers/item_client.py", import.meta.url)), `${port}`]),
  },
  "grpc-go": {
    client: grpcGo,
    server: grpcGo,
    speaks: "http2",
    start: async (t) => {
      const free = createServer();
      const port = await listenFor(t, free);
      await new Promise((resolve) => free.close(resolve));
      await startProgram(t, [GRPC_GO, "serve", `${port}`], port);
      return port;
    },
    talk: (port) => mustRun([GRPC_GO, "call", `${port}`]),
  },
  websocket: {
    client: () => `${NODE()} WebSocket (undici ${process.versions["undici"]})`,
    server: () => "test/captures/websocket-server.ts",
    speaks: "http",
    start: (t) => listenFor(t, webSocketServer()),
    talk: (port) => {
      const script = fileURLToPath(new URL("websocket-client.mjs", import.meta.url));
      return mustRun([process.execPath, "--experimental-websocket", script, `${port}`]);
    },
  },
};

function started(t: TestContext, server: RunningServer): number {
  t.after(() => server.close());
  return server.port;
}

async function mustRun(argv: readonly [string, ...string[]], input?: Uint8Array): Promise<void> {
  const { exitCode, stderr } = await runProgram(argv, input);
  if (exitCode !== 0) throw new Error(`${argv[0]} failed (${exitCode}): ${stderr}`);
}

function firstLine(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { encoding: "utf8" }).split("\n")[0]!;
}

function packageVersion(name: string): string {
  const manifest = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}

function grpcGo(): string {
  if (GRPC_GO === "") throw new Error("WIRETALLY_GRPC_GO names no program: build it as captures/README.md says");
  const facts = execFileSync("go", ["version", "-m", GRPC_GO], { encoding: "utf8" });
  return `grpc-go ${/google\.golang\.org\/grpc\s+v(\S+)/.exec(facts)?.[1]}, ${/go\d\S+/.exec(facts)?.[0]}`;
}

function method(name: string) {
  const service = name === "Echo" ? schema.itemService : schema.itemStreams;
  return methodDefinition(service, service.methods[name]!);
}

async function withGrpcJs(port: number, calls: (client: Client) => Promise<void>): Promise<void> {
  // A pool of its own: connections are otherwise shared by target and outlive the client.
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1 });
  try {
    await calls(client);
  } finally {
    client.close();
    // What closing sends is part of the recording.
    await sleep(100);
  }
}

const asIs = (octets: Buffer): Buffer => octets;

/** Resolves however the call ends: an error status is a recording, too. */
function unary(client: Client, name: string, request: object): Promise<void> {
  const { path, requestSerialize } = method(name);
  const metadata = new Metadata();
  metadata.set("authorization", `Bearer ${NOT_A_SECRET}`);
  return new Promise((resolve) => {
    client.makeUnaryRequest(path, requestSerialize, asIs, { ...request }, metadata, {}, () => resolve());
  });
}

async function repeat(client: Client): Promise<void> {
  const { path, requestSerialize } = method("Repeat");
  for await (const message of client.makeServerStreamRequest(path, requestSerialize, asIs, { item: small, times: 4 }))
    void message;
}

function collect(client: Client): Promise<void> {
  const { path, requestSerialize } = method("Collect");
  return new Promise((resolve) => {
    const call = client.makeClientStreamRequest(path, requestSerialize, asIs, () => resolve());
    for (let at = 0; at < 3; at++) call.write({ ...small, id: at });
    call.end();
  });
}

async function chat(client: Client): Promise<void> {
  const { path, requestSerialize } = method("Chat");
  const call = client.makeBidiStreamRequest(path, requestSerialize, asIs);
  let heard = 0;
  call.write(small);
  for await (const message of call) {
    void message;
    if (++heard === 3) call.end();
    else call.write({ ...small, id: heard });
  }
}
