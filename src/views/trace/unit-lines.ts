import { OPCODE_NAMES } from "../../decode/websocket/opcodes.ts";
import type { UnitDetail, WireUnit } from "../../decode/wire-unit.ts";
import { escapeOctets } from "../escape.ts";
import type { Redactor } from "../redact.ts";
import type { Theme } from "../theme.ts";
import { frameLines, frameTitle } from "./frame-lines.ts";

/** RFC 8446 §5.1 and RFC 6520 §3. */
const TLS_CONTENT_TYPES: Readonly<Record<number, string>> = {
  20: "change_cipher_spec",
  21: "alert",
  22: "handshake",
  23: "application_data",
  24: "heartbeat",
};

/** What the unit is, on one line: `HEADERS frame <…>`, `HTTP/1 request <c1.r1> GET / HTTP/1.1`. */
export function unitTitle(unit: WireUnit, redactor: Redactor, theme: Theme): string {
  const { detail } = unit;
  const owner = unit.exchange?.id ?? "no exchange";
  switch (detail.kind) {
    case "h2.preface":
      return `${theme.unit("connection preface")}`;
    case "h2.frame":
      return frameTitle(detail, theme);
    case "http1.request_head":
      return `${theme.unit("HTTP/1 request")} <${owner}> ${escapeOctets(redactor.startLine(detail.startLine))}`;
    case "http1.response_head":
      return `${theme.unit("HTTP/1 response")} <${owner}> ${escapeOctets(redactor.startLine(detail.startLine))}`;
    case "http1.trailers":
      return `${theme.unit("HTTP/1 trailers")} <${owner}>`;
    case "http1.chunk":
      return `${theme.unit("HTTP/1 chunk")} <${owner}, size=${detail.size}>`;
    case "http1.last_chunk":
      return `${theme.unit("HTTP/1 last chunk")} <${owner}>`;
    case "http1.body":
      return `${theme.unit("HTTP/1 body")} <${owner}, ${detail.framing}>`;
    case "http1.malformed":
      return theme.bad("HTTP/1 malformed octets");
    case "tls.record":
      return `${theme.unit("TLS record")} <type=${tlsTypeText(detail)}, version=0x${hex(detail.version, 4)}, length=${detail.length}>`;
    case "ws.frame":
      return `${theme.unit(`WebSocket ${OPCODE_NAMES.get(detail.opcode) ?? `opcode ${detail.opcode}`} frame`)} <${owner}, ${frameFacts(detail)}>`;
    case "proxy.header":
      return `${theme.unit("PROXY header")} <version=${detail.version}> ${escapeOctets(redactor.text(detail.text))}`;
    case "unattributed":
      return theme.warning("unattributed octets");
  }
}

/** The lines below the title, without field lines and parts. */
export function unitLines(unit: WireUnit, redactor: Redactor, theme: Theme): readonly string[] {
  const lines = unit.detail.kind === "h2.frame" ? frameLines(unit.detail, redactor, theme) : [];
  return unit.truncated ? [...lines, theme.warning("; truncated: the direction ended inside it")] : lines;
}

function tlsTypeText({ contentType }: Extract<UnitDetail, { kind: "tls.record" }>): string {
  if (contentType === null) return "version 2 ClientHello";
  return `${TLS_CONTENT_TYPES[contentType] ?? "unknown"}(${contentType})`;
}

/** `fin, rsv1, masked, length=5`. */
function frameFacts({ fin, rsv, masked, length }: Extract<UnitDetail, { kind: "ws.frame" }>): string {
  const facts = [
    ...(fin ? ["fin"] : []),
    ...[4, 2, 1].flatMap((bit, at) => ((rsv & bit) === 0 ? [] : [`rsv${at + 1}`])),
    ...(masked ? ["masked"] : []),
  ];
  return [...facts, `length=${length}`].join(", ");
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
