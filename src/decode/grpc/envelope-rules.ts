import type { Envelope } from "../content/content-kind.ts";

/** A rule that an envelope breaks: a violation. */
export interface EnvelopeRule {
  readonly code: string;
  readonly ref: string;
  readonly text: string;
}

/** An envelope's first octet is one that its protocol does not have. */
export function badFlagRule(envelope: Envelope, flag: number): EnvelopeRule {
  return envelope === "connect"
    ? { code: "connect-flags", ref: CONNECT, text: `the flags of an envelope are ${flag}, not 0 to 3` }
    : { code: "grpc-compressed-flag", ref: GRPC, text: `Compressed-Flag is ${flag}, not 0 or 1` };
}

/** A stream ended `missing` octets before its last envelope did. */
export function messageCutRule(envelope: Envelope, missing: number): EnvelopeRule {
  const text = `the stream ended ${missing} octets before its message`;
  return envelope === "connect"
    ? { code: "connect-message-cut", ref: CONNECT, text }
    : { code: "grpc-message-cut", ref: GRPC, text };
}

const CONNECT = "Connect Streaming-Request";
const GRPC = "gRPC PROTOCOL-HTTP2";
