import { FIXTURE_NAMES, fixture } from "./fixtures.ts";
import { readItemJson, writeItemJson } from "./item-json.ts";

/** What the JSON servers answer, whichever HTTP version carries it. */
export interface Answer {
  readonly status: 200 | 400 | 404 | 405 | 413;
  /** JSON text in UTF-8. */
  readonly body: Buffer;
  /** Methods that the path has; only with 405. */
  readonly allow?: string;
}

/** A request body may have this many octets: far above the demo's items, and a mistake cannot fill the memory. */
export const MAX_BODY_OCTETS = 16 * 1024 * 1024;

/**
 * `POST /item` answers with the item it was sent; `GET /item/small`, `medium` and `large` answer with that fixture.
 * @param path with or without a query, which is ignored.
 * @param body null: the body went past MAX_BODY_OCTETS.
 */
export function answer(method: string, path: string, body: Buffer | null): Answer {
  const [route] = path.split("?", 1);
  const name = FIXTURE_NAMES.find((candidate) => route === `/item/${candidate}`);
  if (route !== "/item" && name === undefined)
    return refuse(404, "there is POST /item, and GET /item/small, /item/medium, /item/large");
  if (name !== undefined) {
    if (method !== "GET" && method !== "HEAD") return { ...refuse(405, `${route} has GET`), allow: "GET, HEAD" };
    return { status: 200, body: Buffer.from(writeItemJson(fixture(name))) };
  }
  if (method !== "POST") return { ...refuse(405, "/item has POST"), allow: "POST" };
  if (body === null) return refuse(413, `a body may have ${MAX_BODY_OCTETS} octets`);
  const reading = readItemJson(body.toString("utf8"));
  if ("problem" in reading) return refuse(400, reading.problem);
  return { status: 200, body: Buffer.from(writeItemJson(reading.item)) };
}

function refuse(status: 400 | 404 | 405 | 413, error: string): Answer {
  return { status, body: Buffer.from(JSON.stringify({ error })) };
}
