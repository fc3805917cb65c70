import assert from "node:assert/strict";
import { request as requestHttp1 } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectTcp } from "node:net";
import { test } from "node:test";
import { FIXTURE_NAMES, fixture } from "./fixtures.ts";
import { startHttp1Server } from "./http1-server.ts";
import { startHttp2Server } from "./http2-server.ts";
import { MAX_BODY_OCTETS } from "./item-endpoint.ts";
import { writeItemJson } from "./item-json.ts";
import type { RunningServer } from "./running-server.ts";

type Exchange = (port: number, method: string, path: string, body?: Uint8Array) => Promise<Response>;
type Response = { readonly status: number; readonly headers: { readonly [name: string]: unknown }; readonly body: Buffer };

const HOST = "127.0.0.1";

const http1: Exchange = (port, method, path, body) =>
  new Promise((resolve, reject) => {
    const sent = requestHttp1({ host: HOST, port, method, path, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });

const http2: Exchange = (port, method, path, body) =>
  new Promise((resolve, reject) => {
    const session = connectHttp2(`http://${HOST}:${port}`);
    session.on("error", reject);
    const stream = session.request({ ":method": method, ":path": path }, { endStream: body === undefined });
    const chunks: Buffer[] = [];
    let headers: { readonly [name: string]: unknown } = {};
    stream.on("response", (received) => {
      headers = received;
    });
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("error", reject);
    stream.on("end", () => {
      session.close();
      resolve({ status: Number(headers[":status"]), headers, body: Buffer.concat(chunks) });
    });
    if (body !== undefined) stream.end(body);
  });

const VERSIONS = [
  ["HTTP/1.1", startHttp1Server, http1],
  ["HTTP/2", startHttp2Server, http2],
] as const;

for (const [version, start, exchange] of VERSIONS) {
  const withServer = async (use: (server: RunningServer) => Promise<void>) => {
    const server = await start({ host: HOST, port: 0 });
    try {
      await use(server);
    } finally {
      await server.close();
    }
  };

  test(`${version}: POST /item answers with the item, octet for octet`, () =>
    withServer(async ({ port }) => {
      for (const name of FIXTURE_NAMES) {
        const json = writeItemJson(fixture(name));
        const response = await exchange(port, "POST", "/item", Buffer.from(json));
        assert.equal(response.status, 200);
        assert.equal(response.headers["content-type"], "application/json");
        assert.equal(response.headers["content-length"], String(Buffer.byteLength(json)));
        assert.equal(response.body.toString("utf8"), json);
      }
    }));

  test(`${version}: GET and HEAD of a fixture`, () =>
    withServer(async ({ port }) => {
      const json = writeItemJson(fixture("small"));
      assert.equal((await exchange(port, "GET", "/item/small?pretty=no")).body.toString("utf8"), json);
      const head = await exchange(port, "HEAD", "/item/small");
      assert.deepEqual([head.status, head.headers["content-length"], head.body.length], [200, "75", 0]);
    }));

  test(`${version}: bad requests get a status and a reason`, () =>
    withServer(async ({ port }) => {
      const outcomes = [
        await exchange(port, "POST", "/item", Buffer.from("{")),
        await exchange(port, "POST", "/nothing", Buffer.from("{}")),
        await exchange(port, "PUT", "/item", Buffer.from("{}")),
        await exchange(port, "POST", "/item/small", Buffer.from("{}")),
        await exchange(port, "POST", "/item", Buffer.alloc(MAX_BODY_OCTETS + 1, 0x20)),
      ];
      assert.deepEqual(
        outcomes.map(({ status, headers }) => [status, headers["allow"]]),
        [
          [400, undefined],
          [404, undefined],
          [405, "POST"],
          [405, "GET, HEAD"],
          [413, undefined],
        ],
      );
      for (const { body } of outcomes) assert.equal(typeof JSON.parse(body.toString("utf8")).error, "string");
    }));

  test(`${version}: a client that goes away in mid-body does no harm`, () =>
    withServer(async ({ port }) => {
      await cutUpload(version, port);
      assert.equal((await exchange(port, "GET", "/item/small")).status, 200);
    }));

  test(`${version}: close ends a connection that is in use`, async () => {
    const server = await start({ host: HOST, port: 0 });
    const socket = connectTcp(server.port, HOST);
    const gone = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.on("error", () => {});
    socket.resume();
    socket.write(
      version === "HTTP/2" ? "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" : "POST /item HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n",
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    await server.close();
    await gone;
  });

  test(`${version}: a port in use rejects with the system's code`, () =>
    withServer(async ({ port }) => {
      await assert.rejects(start({ host: HOST, port }), { code: "EADDRINUSE" });
    }));
}

/** Announce a body, send some of it, reset the connection. */
function cutUpload(version: string, port: number): Promise<void> {
  return new Promise((resolve) => {
    if (version === "HTTP/2") {
      const session = connectHttp2(`http://${HOST}:${port}`);
      session.on("error", () => {});
      const stream = session.request({ ":method": "POST", ":path": "/item", "content-length": 1000 });
      stream.on("error", () => {});
      stream.on("close", () => {
        session.close();
        resolve();
      });
      stream.write("{");
      setTimeout(() => stream.destroy(new Error("cut")), 50);
      return;
    }
    const socket = connectTcp(port, HOST);
    socket.write("POST /item HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\n{");
    socket.once("close", () => resolve());
    setTimeout(() => socket.resetAndDestroy(), 50);
  });
}
