import { Agent, request } from "node:http";
import type { Socket } from "node:net";
import type { Item } from "../../servers/item.ts";
import { writeItemJson } from "../../servers/item-json.ts";
import { AUTHORITY, type ClientTarget, type EchoClient, unexpectedAnswer } from "./echo-client.ts";

/** Posts the item as JSON over HTTP/1.1 on one kept-alive connection, opened by the first call. */
export function openHttp1Client(target: ClientTarget, item: Item): EchoClient {
  const body = Buffer.from(writeItemJson(item));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let connection: Socket | undefined;

  const call = () =>
    new Promise<void>((resolve, reject) => {
      const headers = { host: AUTHORITY, "content-type": "application/json", "content-length": body.length };
      const sent = request({ ...target, agent, method: "POST", path: "/item", headers });
      sent.once("socket", (socket) => {
        connection ??= socket;
        if (socket !== connection) sent.destroy(new Error("HTTP/1.1: the connection did not stay open"));
      });
      sent.once("error", reject);
      sent.once("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("error", reject);
        response.once("end", () => {
          const answer = Buffer.concat(chunks);
          if (response.statusCode === 200 && answer.equals(body)) resolve();
          else reject(unexpectedAnswer("HTTP/1.1", response.statusCode ?? 0, answer.length));
        });
      });
      sent.end(body);
    });

  const close = () =>
    new Promise<void>((resolve) => {
      if (connection === undefined || connection.closed) resolve();
      else connection.once("close", () => resolve());
      agent.destroy();
    });

  return { call, close };
}
