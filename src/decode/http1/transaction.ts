import type { Exchange } from "../exchange.ts";
import type { NextProtocol } from "./http1-host.ts";

/** What a request asks the connection to become. */
export type Switch = "none" | "upgrade" | "connect";

/** One request and its response, as far as they have come. */
export interface Transaction {
  readonly exchange: Exchange;
  /** The request asks to leave HTTP/1. */
  wants: Switch;
  /** HTTP2-Settings, when it asks for h2c as RFC 7540 §3.2 says; else null. */
  http2Settings: string | null;
  /**
   * What the connection becomes: a 101, or a 2xx to CONNECT, has come. It does so when the request is whole; null again when that can
   * no longer be.
   */
  switchTo: NextProtocol | null;
  /** The request layer waits for the final response to this one. */
  parked: boolean;
  /** A final status-line and its head have come. */
  finalHead: boolean;
  requestOver: boolean;
  responseOver: boolean;
  /** Its response, of which nothing has been seen, may have been among octets that are missing. */
  doubtful: boolean;
  /** Both messages so far are whole. */
  whole: boolean;
}
