import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { connect as connectTcp } from "node:net";
import type { Item } from "../../servers/item.ts";
import { writeItemJson } from "../../servers/item-json.ts";
import { AUTHORITY, type ClientTarget, type EchoClient, unexpectedAnswer } from "./echo-client.ts";

/** Posts the item as JSON over HTTP/2 without TLS (prior knowledge) on one connection, opened at once. */
export function openHttp2Client({ host, port }: ClientTarget, item: Item): EchoClient {
  const body = Buffer.from(writeItemJson(item));
  const session = connectHttp2(`http://${AUTHORITY}`, { createConnection: () => connectTcp({ host, port }) });
  // A failed connection also fails the stream of the call that waits for it, which tells the caller.
  session.on("error", () => {});

  const call = () =>
    new Promise<void>((resolve, reject) => {
      const stream = session.request({
        ":method": "POST",
        ":path": "/item",
        "content-type": "application/json",
        "content-length": body.length,
      });
      let status = 0;
      const chunks: Buffer[] = [];
      stream.once("response", (headers) => {
        status = headers[":status"] ?? 0;
      });
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.once("error", reject);
      // Only at "close" is the stream over on the wire; a reset without an error code ends here too.
      stream.once("close", () => {
        const answer = Buffer.concat(chunks);
        if (status === 200 && answer.equals(body)) resolve();
        else reject(unexpectedAnswer("HTTP/2", status, answer.length));
      });
      stream.end(body);
    });

  return { call, close: () => close(session) };
}

function close(session: ClientHttp2Session): Promise<void> {
  return new Promise((resolve) => {
    if (session.destroyed) {
      resolve();
      return;
    }
    session.once("close", () => resolve());
    session.close();
  });
}
