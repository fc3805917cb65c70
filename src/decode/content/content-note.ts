import type { NoteSeverity } from "../sink.ts";

interface NoteText {
  readonly severity: NoteSeverity;
  readonly ref: string | null;
  readonly text: string;
}

/** What content decoders have to say, by stable code. */
export const CONTENT_NOTES = {
  "json-malformed": {
    severity: "violation",
    ref: "RFC 8259 §2",
    text: "JSON breaks here: the rest of this content is malformed",
  },
  "json-cut": { severity: "violation", ref: "RFC 8259 §2", text: "JSON ends before its value does" },
  "json-empty": { severity: "violation", ref: "RFC 8259 §2", text: "content is said to be JSON and has no value" },
  "json-several": { severity: "warning", ref: "RFC 8259 §2", text: "several JSON texts in one body" },
  "json-bom": { severity: "warning", ref: "RFC 8259 §8.1", text: "JSON begins with a byte order mark" },
  "json-prefix": { severity: "warning", ref: "RFC 8259 §2", text: "a guard against script inclusion stands before the JSON" },
  "limit-json-depth": {
    severity: "limit",
    ref: "RFC 8259 §9",
    text: "JSON is nested more than 10,000 deep; the rest of this content is counted, not decoded",
  },
  "limit-json-string": {
    severity: "limit",
    ref: null,
    text: "a JSON string is over 16 MiB; whether it is base64 is judged by its beginning and its alphabet",
  },
  "protobuf-malformed": {
    severity: "violation",
    ref: null,
    text: "protobuf breaks here: its field and the rest of the message around it are malformed",
  },
  "limit-protobuf-depth": {
    severity: "limit",
    ref: null,
    text: "protobuf messages are nested more than 100 deep; the innermost are counted, not decoded",
  },
  "large-message": { severity: "limit", ref: null, text: "a message is said to be over 64 MiB; it is decoded as it passes" },
  "inferred-content": {
    severity: "info",
    ref: null,
    text: "its Content-Type does not tell what the content is: read as JSON by its first octet",
  },
  "inferred-not-json": {
    severity: "info",
    ref: null,
    text: "content that was read as JSON by its first octet is none from here on",
  },
  "inferred-protobuf": {
    severity: "info",
    ref: null,
    text: "no schema for a protobuf message (--proto FILE): what its fields are is told from their octets",
  },
  "limit-open-content": {
    severity: "limit",
    ref: null,
    text: "content of too many streams is open at once; that of further ones is counted, not decoded",
  },
} as const satisfies Record<string, NoteText>;
export type ContentNote = keyof typeof CONTENT_NOTES;
