import type { Exchange } from "../exchange.ts";

/** What a request asks the connection to become. */
export type Switch = "none" | "upgrade" | "connect";

/** One request and its response, as far as they have come. */
export interface Transaction {
  readonly exchange: Exchange;
  /** The request asks to leave HTTP/1. */
  wants: Switch;
  /** HTTP2-Settings, when it asks for h2c as RFC 7540 §3.2 says; else null. */
  http2Settings: string | null;
  /** The request layer waits for the final response to this one. */
  parked: boolean;
  /** A final status-line and its head have come. */
  finalHead: boolean;
  requestOver: boolean;
  responseOver: boolean;
  /** Both messages so far are whole. */
  whole: boolean;
}
