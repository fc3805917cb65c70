import type { Protocol } from "../../decode/exchange.ts";
import type { ConnectionFacts } from "../../ledger/listener.ts";
import type { CloseTally, MessageTally, NoteTally } from "../../ledger/tally.ts";
import { octetCount } from "../columns.ts";
import { escapeText } from "../escape.ts";
import type { TextRedactor } from "../redact-text.ts";
import type { Paint, Theme } from "../theme.ts";

/** `open 127.0.0.1:40000 -> 127.0.0.1:8080 (listener grpc)`. */
export function openText(connection: ConnectionFacts, theme: Theme): string {
  const { client, server, listener } = connection;
  // A capture has no listeners.
  const by = listener === "" ? "" : ` (listener ${escapeText(listener)})`;
  return `${theme.unit("open")} ${escapeText(client)} -> ${escapeText(server)}${by}`;
}

/** `close by client, fin, 227 octets c2s, 184 octets s2c`. @param close null: the capture ended first. */
export function closeText(close: CloseTally | null, octets: readonly [c2s: number, s2c: number], theme: Theme): string {
  const counts = `${octetCount(octets[0])} c2s, ${octetCount(octets[1])} s2c`;
  if (close === null) return `${theme.unit("open")} at the end of the capture, ${counts}`;
  const code = close.code === null ? "" : ` ${close.code}`;
  const how = close.how === "fin" ? theme.dim(close.how) : theme.warning(`${close.how}${code}`);
  return `${theme.unit("close")} by ${close.by}, ${how}, ${counts}`;
}

/** Whose messages they are. A response whose request was not seen is http1 to the end, and only Connect has messages there. */
const MESSAGE_OF: Readonly<Partial<Record<Protocol, string>>> = { ws: "WebSocket", connect: "Connect", http1: "Connect" };

/** `gRPC message 0 of c1.s1 <length=75, compressed=0>`. */
export function messageText(exchange: string, protocol: Protocol, message: MessageTally, theme: Theme): string {
  const { index, payload_octets, compressed, type } = message;
  const named = type === null ? "" : `, type=${type}`;
  return `${theme.unit(`${MESSAGE_OF[protocol] ?? "gRPC"} message`)} ${index} of ${exchange} <length=${payload_octets}, compressed=${compressed ? 1 : 0}${named}>`;
}

/** `violation te-and-cl at octet 120: both framings are given (RFC 9112 §6.3)`. */
export function noteText(note: NoteTally, redactor: TextRedactor, theme: Theme): string {
  const ref = note.ref === null ? "" : theme.dim(` (${note.ref})`);
  const head = `${note.severity} ${note.code}`;
  return `${severityPaint(note, theme)(head)} at octet ${note.offset}: ${escapeText(redactor.text(note.text))}${ref}`;
}

function severityPaint({ severity }: NoteTally, theme: Theme): Paint {
  switch (severity) {
    case "violation":
      return theme.bad;
    case "limit":
    case "warning":
      return theme.warning;
    case "info":
      return theme.dim;
  }
}
