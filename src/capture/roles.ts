import type { Conversation, Side } from "./conversation.ts";

/** Which side is the client, and how that is known. */
export interface Roles {
  readonly client: Side;
  /** `syn`: seen; `port`: the server's port was named; `content`: by the first octets; `lower-port`: a guess. */
  readonly by: "syn" | "port" | "content" | "lower-port";
}

/** First octets that only a client sends: the HTTP/2 preface, a TLS ClientHello, or a request-line. */
const REQUEST_LINE = /^[A-Z][A-Z-]{1,15} \S/;
const HANDSHAKE = 0x16;
const CLIENT_HELLO = 1;
const SERVER_HELLO = 2;
/** Octets of a TLS record header; the handshake type follows. */
const RECORD_HEADER = 5;

/**
 * Who the client of a conversation is.
 * @param first octets that came first, and the side that sent them; null: none did. @param isServerPort ports that were named as a server's.
 */
export function rolesOf(
  { client, ports }: Conversation,
  first: { readonly side: Side; readonly octets: Uint8Array } | null,
  isServerPort: (port: number) => boolean,
): Roles {
  if (client !== null) return { client, by: "syn" };
  const named = ports.map(isServerPort);
  if (named[0] !== named[1]) return { client: named[0] === true ? 1 : 0, by: "port" };
  if (first !== null) {
    const speaker = speakerOf(first.octets);
    if (speaker !== null) return { client: speaker === "client" ? first.side : other(first.side), by: "content" };
  }
  return { client: ports[0] < ports[1] ? 1 : 0, by: "lower-port" };
}

/** The other side. */
export function other(side: Side): Side {
  return side === 0 ? 1 : 0;
}

function speakerOf(octets: Uint8Array): "client" | "server" | null {
  if (octets[0] === HANDSHAKE && octets[1] === 3) {
    if (octets[RECORD_HEADER] === CLIENT_HELLO) return "client";
    return octets[RECORD_HEADER] === SERVER_HELLO ? "server" : null;
  }
  const text = String.fromCharCode(...octets.subarray(0, 64));
  if (text.startsWith("HTTP/1.")) return "server";
  return REQUEST_LINE.test(text) ? "client" : null;
}
