import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** Longer than one TCP segment of an Ethernet, with every octet value. */
export const DOCUMENT = Buffer.from(Array.from({ length: 20_000 }, (_, index) => index % 256));

/**
 * An HTTP/1.1 server whose answers are the same every time: `/document` has fixed octets, `/echo` answers with the request's body,
 * anything else with the body's length and SHA-256. It refuses an expectation on `/refuse`.
 */
export function documentServer(): Server {
  const server = createServer(answer);
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === "/refuse") {
      response.sendDate = false;
      response.writeHead(413, { "content-length": "0" }).end();
      return;
    }
    response.writeContinue();
    answer(request, response);
  });
  return server;
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  // The one field that differs from run to run.
  response.sendDate = false;
  const hash = createHash("sha256");
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => {
    hash.update(part);
    parts.push(part);
  });
  request.on("end", () => {
    const body = Buffer.concat(parts);
    if (request.url === "/document") {
      response.setHeader("content-length", DOCUMENT.length);
      response.end(request.method === "HEAD" ? undefined : DOCUMENT);
      return;
    }
    if (request.url === "/echo") {
      // Without a Content-Length: chunked.
      response.end(body);
      return;
    }
    response.end(`${request.method} ${body.length} ${hash.digest("hex")}\n`);
  });
}
