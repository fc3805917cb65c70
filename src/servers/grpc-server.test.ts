import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client, credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { FIXTURE_NAMES, fixture } from "./fixtures.ts";
import { startGrpcServer } from "./grpc-server.ts";
import { loadItemSchema } from "./item-schema.ts";
import type { RunningServer } from "./running-server.ts";
import { type Fields, methodDefinition } from "./service-definition.ts";

const schema = loadItemSchema();
let server: RunningServer;
let client: Client;

before(async () => {
  server = await startGrpcServer({ host: "127.0.0.1", port: 0 });
  client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure());
});

after(async () => {
  client.close();
  await server.close();
});

function method(name: string) {
  const service = name === "Echo" ? schema.itemService : schema.itemStreams;
  return methodDefinition(service, service.methods[name]!);
}

function unary(name: string, request: Fields, deadlineMs = 5000): Promise<Fields> {
  const { path, requestSerialize, responseDeserialize } = method(name);
  return new Promise((resolve, reject) => {
    const options = { deadline: Date.now() + deadlineMs };
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, new Metadata(), options, (error, response) => {
      if (error === null) resolve(response ?? {});
      else reject(error);
    });
  });
}

test("Echo has the path that the reference has", () => {
  assert.equal(method("Echo").path, "/item.v1.ItemService/Echo");
});

for (const name of FIXTURE_NAMES) {
  test(`Echo answers with the ${name} item`, async () => {
    const item = { ...fixture(name) };
    const answer = await unary("Echo", item);
    const { requestSerialize } = method("Echo");
    assert.deepEqual(requestSerialize(answer), requestSerialize(item));
  });
}

test("Echo keeps an int64 that a double cannot hold", async () => {
  // 2^63 - 1 as a protobuf varint: field 1, nine octets.
  const octets = Buffer.from("08ffffffffffffffff7f", "hex");
  const { path } = method("Echo");
  const answer = await new Promise<Buffer>((resolve, reject) => {
    const asIs = (bytes: Buffer) => bytes;
    client.makeUnaryRequest(path, asIs, asIs, octets, (error, response) => {
      if (error === null) resolve(response ?? Buffer.alloc(0));
      else reject(error);
    });
  });
  assert.equal(answer.toString("hex"), octets.toString("hex"));
});

test("Repeat streams more than a flow-control window holds", async () => {
  const { path, requestSerialize, responseDeserialize } = method("Repeat");
  const call = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, { item: fixture("large"), times: 20 });
  let items = 0;
  let octets = 0;
  for await (const item of call) {
    items++;
    octets += item.payload.length;
  }
  assert.deepEqual([items, octets], [20, 20 * 65536]);
});

test("Collect counts what it is sent", async () => {
  const { path, requestSerialize, responseDeserialize } = method("Collect");
  const answer = await new Promise<Fields>((resolve, reject) => {
    const call = client.makeClientStreamRequest(path, requestSerialize, responseDeserialize, (error, response) => {
      if (error === null) resolve(response ?? {});
      else reject(error);
    });
    for (const name of FIXTURE_NAMES) call.write({ ...fixture(name) });
    call.end();
  });
  assert.deepEqual([answer["items"], Number(answer["payload_octets"])], [3, 1024 + 65536]);
});

test("Chat answers each item before the next one is sent", async () => {
  const { path, requestSerialize, responseDeserialize } = method("Chat");
  const call = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize);
  const names = ["one", "two", "three"];
  const heard: unknown[] = [];
  call.write({ name: names[0] });
  for await (const item of call) {
    heard.push(item.name);
    const next = names[heard.length];
    if (next === undefined) call.end();
    else call.write({ name: next });
  }
  assert.deepEqual(heard, names);
});

test("Hang ends by the client's deadline", async () => {
  await assert.rejects(unary("Hang", {}, 100), { code: status.DEADLINE_EXCEEDED });
});

test("Hang and Repeat end when the client cancels", async () => {
  const hang = method("Hang");
  const cancelled = await new Promise<ServiceError | null>((resolve) => {
    const call = client.makeUnaryRequest(hang.path, hang.requestSerialize, hang.responseDeserialize, {}, (error) =>
      resolve(error),
    );
    setTimeout(() => call.cancel(), 50);
  });
  assert.equal(cancelled?.code, status.CANCELLED);

  const repeat = method("Repeat");
  const request = { item: fixture("large"), times: 1_000_000 };
  const stream = client.makeServerStreamRequest(repeat.path, repeat.requestSerialize, repeat.responseDeserialize, request);
  stream.once("data", () => stream.cancel());
  const error = await new Promise<ServiceError>((resolve) => stream.once("error", (e) => resolve(e as ServiceError)));
  assert.equal(error.code, status.CANCELLED);
});

test("Fail ends with the status and the message it is asked for", async () => {
  await assert.rejects(unary("Fail", { code: status.NOT_FOUND, message: "no widget: 100 % gone, größer" }), {
    code: status.NOT_FOUND,
    details: "no widget: 100 % gone, größer",
  });
  await assert.rejects(unary("Fail", { code: 0, message: "" }), { code: status.UNKNOWN });
});

test("a port in use rejects", async () => {
  await assert.rejects(startGrpcServer({ host: "127.0.0.1", port: server.port }), /EADDRINUSE/);
});
