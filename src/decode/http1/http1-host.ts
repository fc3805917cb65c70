import type { Exchange } from "../exchange.ts";

/**
 * What follows HTTP/1 on its connection. `h2c`: HTTP/2; `tunnel`: CONNECT, detect anew; `websocket`: RFC 6455, with
 * permessage-deflate (RFC 7692) or without; `opaque`: any other protocol.
 */
export type NextProtocol = "h2c" | "tunnel" | "websocket" | "websocket-deflate" | "opaque";

/** What an HTTP/1 session asks of the stack it runs in. Octets that a layer does not take wait until one of these is called. */
export interface Http1Host {
  /**
   * Both directions leave HTTP/1: a 101, or a 2xx to CONNECT, was read, and its request is whole. Called at the last octet of the two,
   * by the response layer or, after an early 101, by the request layer; both take nothing more and are dropped.
   * @param exchange for `websocket` and `opaque` the session is this exchange, which the host says is over when both directions are.
   * @param http2Settings value of the request's HTTP2-Settings field (octet string) for `h2c`, else null.
   */
  switched(to: NextProtocol, exchange: Exchange, http2Settings: string | null): void;
  /** No switch: the layer that waited for it (the parked request, or the response after an early 101) goes on with HTTP/1. */
  unparked(): void;
  /** Octets of the client were not seen: a response may have a request that nobody knows. */
  readonly requestsUnseen: boolean;
}

/** The host of one direction of a session whose other direction speaks something else: nothing can be agreed on. */
export const ALONE: Http1Host = { switched: () => {}, unparked: () => {}, requestsUnseen: false };
