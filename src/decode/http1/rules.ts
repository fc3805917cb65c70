import type { NoteSeverity } from "../sink.ts";

type Row = Readonly<{ severity: NoteSeverity; ref: `RFC ${number} §${string}` | null; text: string }>;

/** What an HTTP/1 decoder can have to say, by stable note code. Texts hold no octet from the wire. */
export const RULES = {
  "lf-line-end": { severity: "warning", ref: "RFC 9112 §2.2", text: "a line ends in LF without CR" },
  "bare-cr": { severity: "violation", ref: "RFC 9112 §2.2", text: "CR without LF inside a line" },
  "empty-line-before-response": { severity: "violation", ref: "RFC 9112 §2.2", text: "empty line before a status-line" },
  "space-before-fields": {
    severity: "violation",
    ref: "RFC 9112 §2.2",
    text: "whitespace between start-line and first field line",
  },
  "http-version": { severity: "violation", ref: "RFC 9112 §2.3", text: "not HTTP/1.x" },
  "request-line": { severity: "violation", ref: "RFC 9112 §3", text: "not a request-line" },
  "request-line-space": {
    severity: "violation",
    ref: "RFC 9112 §3",
    text: "request-line with other whitespace than two single spaces",
  },
  "request-target": { severity: "violation", ref: "RFC 9112 §3.2", text: "the request-target has octets that a URI cannot have" },
  "host-missing": { severity: "violation", ref: "RFC 9112 §3.2", text: "HTTP/1.1 request without Host" },
  "host-repeated": { severity: "violation", ref: "RFC 9112 §3.2", text: "more than one Host" },
  "status-line": { severity: "violation", ref: "RFC 9112 §4", text: "not a status-line" },
  "status-line-space": { severity: "violation", ref: "RFC 9112 §4", text: "status-line without the single spaces it must have" },
  "status-code": { severity: "violation", ref: "RFC 9110 §15", text: "status code outside 100 to 599" },
  "field-line": { severity: "violation", ref: "RFC 9112 §5", text: "not a field line: name or colon missing" },
  "space-before-colon": { severity: "violation", ref: "RFC 9112 §5.1", text: "whitespace between field name and colon" },
  "obs-fold": { severity: "violation", ref: "RFC 9112 §5.2", text: "obsolete line folding" },
  "field-value-nul": { severity: "violation", ref: "RFC 9110 §5.5", text: "NUL in a field value" },
  "field-value-control": { severity: "violation", ref: "RFC 9110 §5.5", text: "control octet in a field value" },
  "line-too-long": { severity: "limit", ref: null, text: "line over 64 KiB: the rest of it is counted, not read" },
  "te-forbidden": { severity: "violation", ref: "RFC 9112 §6.1", text: "Transfer-Encoding where no body can be" },
  "te-in-http10": { severity: "violation", ref: "RFC 9112 §6.1", text: "Transfer-Encoding in an HTTP/1.0 message" },
  "te-chunked-twice": { severity: "violation", ref: "RFC 9112 §6.1", text: "chunked applied more than once" },
  "content-length": {
    severity: "violation",
    ref: "RFC 9112 §6.3",
    text: "Content-Length that is not a number, or differs from another",
  },
  "content-length-repeated": {
    severity: "violation",
    ref: "RFC 9112 §6.3",
    text: "Content-Length more than once, with the same value",
  },
  "cl-forbidden": { severity: "violation", ref: "RFC 9110 §8.6", text: "Content-Length where no body can be" },
  "te-and-cl": {
    severity: "violation",
    ref: "RFC 9112 §6.3",
    text: "both Transfer-Encoding and Content-Length: maybe request smuggling",
  },
  "te-not-chunked": { severity: "violation", ref: "RFC 9112 §6.3", text: "the last transfer coding of a request is not chunked" },
  "chunk-size": { severity: "violation", ref: "RFC 9112 §7.1", text: "not a chunk-size line" },
  "chunk-size-overflow": { severity: "violation", ref: "RFC 9112 §7.1", text: "chunk-size above 2^53 - 1" },
  "chunk-size-space": { severity: "violation", ref: "RFC 9112 §7.1", text: "whitespace after chunk-size" },
  "chunk-line-end": { severity: "violation", ref: "RFC 9112 §7.1", text: "LF without CR in the chunked coding" },
  "chunk-ext": { severity: "violation", ref: "RFC 9112 §7.1.1", text: "malformed chunk extension" },
  "chunk-end": { severity: "violation", ref: "RFC 9112 §7.1", text: "no line end after chunk-data" },
  truncated: { severity: "warning", ref: "RFC 9112 §8", text: "the direction ended inside a message" },
  "message-cut": { severity: "warning", ref: "RFC 9112 §8", text: "octets are missing inside a message" },
  "request-after-close": { severity: "violation", ref: "RFC 9112 §9.6", text: "a request after the last one of its connection" },
  "response-after-close": {
    severity: "violation",
    ref: "RFC 9112 §9.6",
    text: "a response after the last one of its connection",
  },
  "response-unasked": { severity: "info", ref: "RFC 9112 §9.2", text: "a response without a request" },
  "pipeline-limit": {
    severity: "limit",
    ref: null,
    text: "over 10,000 requests without a response: their responses are not paired with them",
  },
  ambiguous: {
    severity: "info",
    ref: "RFC 9110 §10.1.1",
    text: "after a final response to Expect: whether a body or the next request follows is told by how it looks",
  },
  "connect-content": {
    severity: "violation",
    ref: "RFC 9110 §9.3.6",
    text: "body length in a CONNECT request, which has no content",
  },
  "switch-unasked": {
    severity: "violation",
    ref: "RFC 9110 §7.8",
    text: "101 to a request without Upgrade, or to one that was never complete",
  },
  "after-error": { severity: "warning", ref: null, text: "framing was lost: counted, not read" },
} as const satisfies Readonly<Record<string, Row>>;

/** Code of a note, see {@link RULES}. */
export type Rule = keyof typeof RULES;
