import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { answer, MAX_BODY_OCTETS } from "./item-endpoint.ts";
import { readBody } from "./read-body.ts";

/** Serve one request of the JSON service; both HTTP versions of Node have these two objects. */
export async function serveItem(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
): Promise<void> {
  const body = await readBody(request, MAX_BODY_OCTETS);
  // The client went away: there is nobody to answer.
  if (body === undefined || response.destroyed) return;
  const { status, body: json, allow } = answer(request.method ?? "", request.url ?? "", body);
  response.statusCode = status;
  response.setHeader("content-type", "application/json");
  response.setHeader("content-length", json.length);
  if (allow !== undefined) response.setHeader("allow", allow);
  response.end(json);
}
