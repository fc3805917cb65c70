import { BAD_LENGTH, type HeadFacts, NO_LENGTH } from "./head-facts.ts";

/** How the octets after a head are delimited. */
export type Framing =
  | { readonly kind: "none" }
  | { readonly kind: "content-length"; readonly length: number }
  | { readonly kind: "chunked" }
  | { readonly kind: "until-close" }
  /** Nobody can know where the message ends. */
  | { readonly kind: "lost" };

/** No octet follows: the next message does. */
export const NO_BODY: Framing = { kind: "none" };
const CHUNKED: Framing = { kind: "chunked" };
const UNTIL_CLOSE: Framing = { kind: "until-close" };
/** The message ends nobody knows where. */
export const LOST: Framing = { kind: "lost" };

/** Message body length of a request, RFC 9112 §6.3. A CONNECT request has no content (RFC 9110 §9.3.6). */
export function requestFraming(method: string | null, facts: HeadFacts): Framing {
  if (method === "CONNECT") return NO_BODY;
  if (facts.lastCoding !== null) return facts.lastCoding === "chunked" ? CHUNKED : LOST;
  return byLength(facts) ?? NO_BODY;
}

/** Message body length of a response to `method` (null: unknown), RFC 9112 §6.3. */
export function responseFraming(method: string | null, status: number, facts: HeadFacts): Framing {
  if (!mayHaveBody(method, status)) return NO_BODY;
  if (facts.lastCoding !== null) return facts.lastCoding === "chunked" ? CHUNKED : UNTIL_CLOSE;
  return byLength(facts) ?? UNTIL_CLOSE;
}

/** RFC 9112 §6.3, rules 1 and 2. */
function mayHaveBody(method: string | null, status: number): boolean {
  if (method === "HEAD" || status < 200 || status === 204 || status === 304) return false;
  return !(method === "CONNECT" && status < 300);
}

function byLength({ contentLength }: HeadFacts): Framing | null {
  if (contentLength === BAD_LENGTH) return LOST;
  if (contentLength === NO_LENGTH) return null;
  return contentLength === 0 ? NO_BODY : { kind: "content-length", length: contentLength };
}
