/** Protocols as outputs name them. */
export const PROTOCOLS = ["h2", "http1", "grpc", "connect", "ws", "tls", "opaque"] as const;
/** Name of a protocol, as documents have it. */
export type Protocol = (typeof PROTOCOLS)[number];

/**
 * One request and its response: an HTTP/2 stream, an HTTP/1 pair or an upgraded session. A decoder fills it in as it learns;
 * the ledger implements it and keeps the counts beside. Texts are octet strings (one UTF-16 unit per octet, as they stood on the wire).
 */
export interface Exchange {
  /** `c1.s3` or `c1.r2`. */
  readonly id: string;
  /** HTTP/2 stream identifier; null for HTTP/1. */
  readonly stream: number | null;
  protocol: Protocol;
  method: string | null;
  authority: string | null;
  path: string | null;
  /** Final HTTP status, 200 to 599, or 101 where another protocol took over; null until known. */
  status: number | null;
  /** grpc-status; null until known. */
  grpcStatus: number | null;
  /** grpc-message as it stood on the wire. */
  grpcMessage: string | null;
  /** Both sides ended as their protocol says: END_STREAM both ways, or both HTTP/1 messages whole. */
  complete: boolean;
}
